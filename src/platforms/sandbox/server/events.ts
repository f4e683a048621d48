import { randomBytes } from 'node:crypto';

/** One thing for pages to show: its name, JSON data, and the one person it is for when it is private. */
export type PageEvent = { name: string; data: unknown; onlyFor?: string | undefined };

export type Hub = ReturnType<typeof createHub>;

/** How far back a reconnecting page can catch up; one that was away longer is told to load anew. */
const KEPT_EVENTS = 1000;
/** A page that reads slower than this many events pile up is cut off; it reconnects and catches up. */
const WAITING_EVENTS = 500;
/** Keeps proxies from taking a quiet stream for a dead one. */
const HEARTBEAT_MS = 20_000;

const RESET = frame('', 'reset', {});

/**
 * Events to pages as server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html), each with the
 * id `RUN-NUMBER`. A page starts from the id that came with its snapshot; ids of an earlier run or beyond what is kept get
 * a `reset`, so nothing is ever missed without the page knowing.
 */
export function createHub() {
	const run = randomBytes(6).toString('hex');
	const kept: { number: number; event: PageEvent; text: string }[] = [];
	const streams = new Set<{ person: string; send(text: string): void; end(): void }>();
	let last = 0;

	function since(id: string, person: string): string[] {
		const [, itsRun, digits] = /^(\w+)-(\d{1,15})$/.exec(id) ?? [];
		const number = Number(digits);
		const oldest = kept[0]?.number ?? last + 1;
		if (itsRun !== run || number < oldest - 1 || number > last) return [RESET];
		return kept.filter((entry) => entry.number > number && isFor(entry.event, person)).map((entry) => entry.text);
	}

	return {
		/** The id of the newest event: what a snapshot taken now has seen. */
		cursor: () => `${run}-${last}`,

		publish(event: PageEvent): void {
			last += 1;
			const text = frame(`${run}-${last}`, event.name, event.data);
			kept.push({ number: last, event, text });
			if (kept.length > KEPT_EVENTS) kept.shift();
			for (const stream of streams) if (isFor(event, stream.person)) stream.send(text);
		},

		/** What this person may see since the event `id`, then live, until either side ends it. */
		stream(id: string, person: string): ReadableStream<Uint8Array> {
			const encoder = new TextEncoder();
			let close = () => {};
			return new ReadableStream<Uint8Array>(
				{
					start(controller) {
						const heartbeat = setInterval(() => stream.send(':\n\n'), HEARTBEAT_MS).unref();
						const stream = {
							person,
							send(text: string) {
								controller.enqueue(encoder.encode(text));
								if ((controller.desiredSize ?? 0) <= 0) stream.end();
							},
							end() {
								close();
								controller.close();
							},
						};
						close = () => {
							clearInterval(heartbeat);
							streams.delete(stream);
						};
						streams.add(stream);
						controller.enqueue(encoder.encode(`retry: 1000\n\n${since(id, person).join('')}`));
					},
					cancel: () => close(),
				},
				{ highWaterMark: WAITING_EVENTS },
			);
		},

		/** Ends every stream. */
		close(): void {
			for (const stream of [...streams]) stream.end();
		},
	};
}

const isFor = (event: PageEvent, person: string) => event.onlyFor === undefined || event.onlyFor === person;

function frame(id: string, name: string, data: unknown): string {
	return `${id && `id: ${id}\n`}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}
