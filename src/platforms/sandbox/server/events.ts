/** An event for pages: its name, JSON data, and the only person who may see it when it is private. */
export type PageEvent = { name: string; data: unknown; onlyFor?: string | undefined };

/** A page with more unread events than this is disconnected. It reconnects. */
const MAX_UNREAD_EVENTS = 500;
/** The pages of one process. When more are open, the one that was opened first is disconnected. */
const MAX_STREAMS = 100;
/** Keeps proxies from closing a quiet stream. */
const HEARTBEAT_MS = 20_000;

type PageStream = { person: string; send(text: string): void; end(): void };

/**
 * Sends events to pages as server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html). Nothing is repeated: a
 * page loads a snapshot each time its stream is open.
 */
export class EventHub {
	readonly #streams = new Set<PageStream>();

	publish({ name, data, onlyFor }: PageEvent): void {
		const text = `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
		for (const stream of this.#streams) if ((onlyFor ?? stream.person) === stream.person) stream.send(text);
	}

	/** Returns the events from now on that this person may see, until either side ends the stream. */
	stream(person: string): ReadableStream<Uint8Array> {
		const encoder = new TextEncoder();
		let close = () => {};
		return new ReadableStream<Uint8Array>(
			{
				start: (controller) => {
					const stream: PageStream = {
						person,
						send(text) {
							controller.enqueue(encoder.encode(text));
							if ((controller.desiredSize ?? 0) <= 0) stream.end();
						},
						end() {
							close();
							controller.close();
						},
					};
					const heartbeat = setInterval(() => stream.send(':\n\n'), HEARTBEAT_MS).unref();
					close = () => {
						clearInterval(heartbeat);
						this.#streams.delete(stream);
					};
					this.#streams.add(stream);
					if (this.#streams.size > MAX_STREAMS) this.#streams.values().next().value?.end();
					stream.send('retry: 1000\n\n');
				},
				cancel: () => close(),
			},
			{ highWaterMark: MAX_UNREAD_EVENTS },
		);
	}

	/** Ends every stream. */
	close(): void {
		for (const stream of [...this.#streams]) stream.end();
	}
}
