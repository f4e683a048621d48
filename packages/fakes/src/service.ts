import { createHash } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import sharp from 'sharp';

/** Longer than what the bot scans. */
const EMBEDDING_LENGTH = 384;

/** A request as it arrived. */
export type RecordedRequest = {
	method: string;
	path: string;
	headers: IncomingHttpHeaders;
	/** Empty until the behaviour has read it. */
	body: Buffer;
};

/** One request and its response, for a behaviour. */
export type Exchange = {
	request: RecordedRequest;
	response: ServerResponse;
	/** Reads the request's body to its end. */
	read(): Promise<Buffer>;
	/** Closes the connection at once. */
	die(): void;
};

/** Handles one request. */
export type Behaviour = (exchange: Exchange) => void | Promise<void>;

export type FaultyService = {
	/** `http://127.0.0.1:PORT` */
	url: string;
	/** Every request that arrived, in order, but those for embeddings. Each would have been paid for. */
	requests: readonly RecordedRequest[];
	/** Sets behaviours for the next requests, one each, in this order. After them, the default one applies. */
	next(...behaviours: Behaviour[]): void;
	/** Sets the default behaviour. At first, every request is answered with one small picture. */
	always(behaviour: Behaviour): void;
	/** The texts that were embedded, in order. Requests for embeddings are answered apart. */
	embedded: readonly string[];
	/** Resolves when this many requests have arrived since the start. */
	arrived(count: number): Promise<void>;
	close(): Promise<void>;
};

/**
 * Starts an image service on a loopback port that handles each request as a test tells it.
 * @param options.check returns what to do instead, such as to refuse a request, once its body is there; by default nothing is checked
 */
export async function startFaultyService({
	check,
	embeds = true,
}: {
	check?: (request: RecordedRequest) => Promise<Behaviour | undefined>;
	/** False: requests for embeddings have behaviours as all others have. */
	embeds?: boolean;
} = {}): Promise<FaultyService> {
	const embedded: string[] = [];
	const requests: RecordedRequest[] = [];
	const script: Behaviour[] = [];
	const waiting: { count: number; resolve: () => void }[] = [];
	let fallback = answersPictures(await smallPng());

	const server = createServer((incoming, response) => {
		const { method = '', url = '', headers } = incoming;
		const request: RecordedRequest = { method, path: url, headers, body: Buffer.alloc(0) };
		const isApart = embeds && isForEmbeddings(url);
		if (!isApart) {
			requests.push(request);
			for (const one of waiting) if (requests.length >= one.count) one.resolve();
		}
		let reading: Promise<Buffer> | undefined;
		const read = async () => {
			reading ??= incoming.toArray().then((chunks) => Buffer.concat(chunks));
			request.body = await reading;
			return request.body;
		};
		// Requests take their behaviours as they arrive, also where their bodies are read side by side.
		const scripted = isApart ? answersEmbeddings(embedded) : script.shift();
		const behaviour: Behaviour = async (exchange) => {
			if (check) await read();
			const refusal = await check?.(request);
			if (refusal && scripted && !isApart) script.unshift(scripted);
			return (refusal ?? scripted ?? fallback)(exchange);
		};
		// The client may have closed the connection, which some tests do on purpose.
		response.on('error', () => {});
		Promise.resolve(behaviour({ request, response, read, die: () => void incoming.socket.destroy() })).catch(() => {
			incoming.socket.destroy();
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		requests,
		embedded,
		next: (...behaviours) => void script.push(...behaviours),
		always(behaviour) {
			fallback = behaviour;
		},
		arrived: (count) =>
			new Promise((resolve) => {
				if (requests.length >= count) resolve();
				else waiting.push({ count, resolve });
			}),
		close: () =>
			new Promise((resolve) => {
				server.close(() => resolve());
				server.closeAllConnections();
			}),
	};
}

/** Tells whether a path is the one of embeddings. */
export const isForEmbeddings = (path: string): boolean => /\/embeddings(?:\?|$)/.test(path);

/** Answers with an embedding of each text, and records the texts. */
const answersEmbeddings =
	(embedded: string[]): Behaviour =>
	async ({ response, read }) => {
		const { input } = JSON.parse((await read()).toString()) as { input: string | string[] };
		const texts = [input].flat();
		embedded.push(...texts);
		const data = texts.map((text, index) => ({ index, embedding: embed(text) }));
		response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ data }));
	};

/** Returns a vector of length 1. Texts are near when they share words. */
function embed(text: string): number[] {
	const vector = new Array<number>(EMBEDDING_LENGTH).fill(0);
	for (const word of text
		.normalize('NFKC')
		.toLowerCase()
		.match(/[\p{L}\p{M}\p{N}]+|\S/gu) ?? ['']) {
		const bucket = createHash('sha256').update(word).digest().readUInt32LE() % EMBEDDING_LENGTH;
		vector[bucket] = (vector[bucket] ?? 0) + 1;
	}
	const length = Math.hypot(...vector);
	return vector.map((value) => value / length);
}

/** Makes a PNG of one colour. */
export function smallPng(colour = '#c0392b', width = 8, height = 8): Promise<Buffer> {
	return sharp({ create: { width, height, channels: 3, background: colour } })
		.png()
		.toBuffer();
}

/** Makes an image result as documented. */
export function imageResult(...pngs: Uint8Array[]): string {
	const data = pngs.map((png) => ({ b64_json: Buffer.from(png).toString('base64') }));
	return JSON.stringify({ created: 1_760_000_000, data });
}

/** Reads the request and answers with these pictures. */
export function answersPictures(...pngs: Uint8Array[]): Behaviour {
	return answers(200, imageResult(...pngs), { 'content-type': 'application/json' });
}

/** Reads the request and answers with exactly this. */
export function answers(
	status: number,
	body: string | Uint8Array = '',
	headers: Record<string, string> = {},
): Behaviour {
	return async ({ response, read }) => {
		await read();
		response.writeHead(status, { 'content-length': Buffer.byteLength(body), ...headers }).end(body);
	};
}

/** Reads the request and answers in pieces, each on its way before the next is written, without a content-length. */
export function answersInPieces(
	pieces: Iterable<string | Uint8Array>,
	headers: Record<string, string> = {},
): Behaviour {
	return async ({ response, read }) => {
		await read();
		response.writeHead(200, headers);
		for (const piece of pieces) {
			if (response.destroyed) return;
			// Yields to the event loop: on a closing connection, writes fail so fast that nothing else would run.
			await new Promise((resolve) => response.write(piece, () => setImmediate(resolve)));
		}
		response.end();
	};
}

/** Answers with the same piece again and again, until the client closes the connection. */
export function answersWithoutEnd(start: string, piece: string): Behaviour {
	function* pieces(): Generator<string> {
		yield start;
		while (true) yield piece;
	}
	return (exchange) => answersInPieces(pieces())(exchange);
}

/** Begins an answer and closes the connection in the middle of it. */
export function diesWithinAnswer(beginning: string, status = 200, headers: Record<string, string> = {}): Behaviour {
	return async ({ response, read, die }) => {
		await read();
		response.writeHead(status, { 'content-length': Buffer.byteLength(beginning) + 100, ...headers });
		response.write(beginning, die);
	};
}

/** Closes the connection after the request's head, with the body unread. */
export const diesUnread: Behaviour = ({ die }) => die();

/** Reads the request and closes the connection instead of answering. */
export const diesAfterReading: Behaviour = async ({ read, die }) => {
	await read();
	die();
};

/** Reads the request and never answers. */
export const neverAnswers: Behaviour = async ({ read }) => void (await read());

/** Delays a behaviour until the test calls `release`. */
export function held(behaviour: Behaviour): { behaviour: Behaviour; release(): void } {
	const { promise, resolve } = Promise.withResolvers<void>();
	return {
		behaviour: async (exchange) => {
			await exchange.read();
			await promise;
			// The body can be read only once.
			return behaviour({ ...exchange, read: async () => exchange.request.body });
		},
		release: resolve,
	};
}
