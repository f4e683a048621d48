/** An event for pages: its name, JSON data, and the only person who may see it when it is private. */
export type PageEvent = { name: string; data: unknown; onlyFor?: string | undefined };

/** A page with more unread events than this is disconnected. It reconnects. */
const MAX_UNREAD_EVENTS = 500;
/** The pages of one process. When more are open, the one that was opened first is disconnected. */
const MAX_STREAMS = 100;
/** Keeps proxies from closing a quiet stream. */
const HEARTBEAT_MS = 20_000;

type PageStream = ReadableStreamDefaultController<Uint8Array>;

/**
 * Sends events to pages as server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html). Nothing is repeated: a
 * page loads a snapshot each time its stream is open.
 */
export class EventHub {
	/** The person of each page. */
	readonly #streams = new Map<PageStream, string>();
	readonly #encoder = new TextEncoder();
	readonly #heartbeat = setInterval(() => {
		for (const stream of this.#streams.keys()) this.#send(stream, ':\n\n');
	}, HEARTBEAT_MS).unref();

	publish({ name, data, onlyFor }: PageEvent): void {
		const text = `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
		for (const [stream, person] of this.#streams) if ((onlyFor ?? person) === person) this.#send(stream, text);
	}

	/** Returns the events from now on that this person may see, until either side ends the stream. */
	stream(person: string): ReadableStream<Uint8Array> {
		let stream: PageStream;
		const start = (controller: PageStream) => {
			stream = controller;
			this.#streams.set(stream, person);
			const [oldest] = this.#streams.keys();
			if (oldest && this.#streams.size > MAX_STREAMS) this.#end(oldest);
			this.#send(stream, 'retry: 1000\n\n');
		};
		const cancel = () => void this.#streams.delete(stream);
		return new ReadableStream<Uint8Array>({ start, cancel }, { highWaterMark: MAX_UNREAD_EVENTS });
	}

	close(): void {
		clearInterval(this.#heartbeat);
		for (const stream of this.#streams.keys()) this.#end(stream);
	}

	#send(stream: PageStream, text: string): void {
		stream.enqueue(this.#encoder.encode(text));
		if ((stream.desiredSize ?? 0) <= 0) this.#end(stream);
	}

	#end(stream: PageStream): void {
		this.#streams.delete(stream);
		stream.close();
	}
}
