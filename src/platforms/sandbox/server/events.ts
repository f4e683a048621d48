import { randomBytes } from 'node:crypto';

/** An event for pages: its name, JSON data, and the only person who may see it when it is private. */
export type PageEvent = { name: string; data: unknown; onlyFor?: string | undefined };

/** How many events a page can miss and still catch up. A page that missed more has to load again. */
const KEPT_EVENTS = 1000;
/** A page with more unread events than this is disconnected. It reconnects and catches up. */
const MAX_UNREAD_EVENTS = 500;
/** The pages of one process. When more are open, the one that was opened first is disconnected. */
const MAX_STREAMS = 100;
/** Keeps proxies from closing a quiet stream. */
const HEARTBEAT_MS = 20_000;

const RESET = frame('', 'reset', {});

type PageStream = { person: string; send(text: string): void; end(): void };

/**
 * Sends events to pages as server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html), each with the id
 * `RUN-NUMBER`. A page starts from the id of its snapshot. An id of an earlier run, or of an event that is no longer kept, gets a
 * `reset`: a page always knows when it has missed something.
 */
export class EventHub {
	readonly #run = randomBytes(6).toString('hex');
	readonly #kept: { number: number; event: PageEvent; text: string }[] = [];
	readonly #streams = new Set<PageStream>();
	#last = 0;

	/** The id of the newest event, which a snapshot taken now includes. */
	cursor(): string {
		return `${this.#run}-${this.#last}`;
	}

	publish(event: PageEvent): void {
		this.#last += 1;
		const text = frame(this.cursor(), event.name, event.data);
		this.#kept.push({ number: this.#last, event, text });
		if (this.#kept.length > KEPT_EVENTS) this.#kept.shift();
		for (const stream of this.#streams) if (isFor(event, stream.person)) stream.send(text);
	}

	/** Returns the events that this person may see: those since the event `id`, then new ones until either side ends the stream. */
	stream(id: string, person: string): ReadableStream<Uint8Array> {
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
					controller.enqueue(encoder.encode(`retry: 1000\n\n${this.#since(id, person).join('')}`));
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

	#since(id: string, person: string): string[] {
		const [, run, digits] = /^(\w+)-(\d{1,15})$/.exec(id) ?? [];
		const number = Number(digits);
		const oldest = this.#kept[0]?.number ?? this.#last + 1;
		if (run !== this.#run || number < oldest - 1 || number > this.#last) return [RESET];
		return this.#kept.filter((kept) => kept.number > number && isFor(kept.event, person)).map(({ text }) => text);
	}
}

const isFor = (event: PageEvent, person: string) => event.onlyFor === undefined || event.onlyFor === person;

function frame(id: string, name: string, data: unknown): string {
	return `${id && `id: ${id}\n`}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}
