import { isValidSlackRequest } from '@slack/bolt';
import { Hono, type HonoRequest } from 'hono';
import type { Deliver, Delivery } from './dispatch.ts';

export const EVENTS_PATH = '/slack/events';

/**
 * Slack's largest deliveries quote a message twice, as text and as blocks: an edit with the earlier one as well, or in a form, where a
 * character that is not ASCII takes eight bytes. A message has at most 40,000 characters.
 * https://api.slack.com/changelog/2018-04-truncating-really-long-messages
 */
const MAX_BODY_BYTES = 2 ** 20;

/** Slack's check of the certificate, which it does not sign, has two short fields. */
const MAX_CHECK_BYTES = 1000;

/** The memory of all bodies of which it is not known yet whether Slack sent them. */
const MAX_UNSIGNED_BYTES = 16 * 2 ** 20;

/** What a piece of a body takes beside its bytes, of which it may have one. */
const PIECE_BYTES = 256;

/** Slack waits 3 s for the response. https://docs.slack.dev/apis/events-api/#responding */
const READ_WITHIN_MS = 5000;

/** Seconds that a request may be old, or ahead of our clock. https://docs.slack.dev/authentication/verifying-requests-from-slack */
export const CLOCK_SKEW_S = 300;

/**
 * Returns the routes that receive deliveries by HTTP: events, commands, buttons and forms, all at one address, each with Slack's signature of
 * the exact bytes.
 *
 * @param isOpen tells whether deliveries are taken now
 */
export function eventRoutes(signingSecret: string, deliver: Deliver, isOpen: () => boolean): Hono {
	const bodies = new UnsignedBodies();
	// Looks at the headers first, then reads the body, then compares the signature; only then parses anything.
	return new Hono().post(EVENTS_PATH, async ({ req: request }) => {
		const type = request.header('content-type') ?? '';
		const nowMilliseconds = Date.now();
		const headers = signedHeaders(request, nowMilliseconds / 1000);
		if (!headers && !isForm(type)) return refusal(401);
		const raw = await bodies.read(request, headers ? MAX_BODY_BYTES : MAX_CHECK_BYTES);
		if (typeof raw === 'number') return refusal(headers ? raw : 401);
		const text = raw.toString('utf8');
		// The response tells nothing.
		if (isForm(type) && raw.length <= MAX_CHECK_BYTES && fieldsOf(text)['ssl_check'] === '1') return new Response(null);
		if (!headers || !isValidSlackRequest({ signingSecret, body: text, headers, nowMilliseconds })) return refusal(401);
		const body = parse(text, type);
		if (!body) return refusal(400);
		if (body['type'] === 'url_verification') return Response.json({ challenge: body['challenge'] });
		// Slack delivers events again, and tells people that anything else failed.
		if (!isOpen()) return new Response('Easel is not running.', { status: 503, headers: { 'retry-after': '5' } });
		const answer = await deliver(body);
		return answer === 'declined' ? refusal(503) : responseOf(answer.response);
	});
}

const REFUSALS = {
	400: 'The request cannot be read.',
	401: 'The request is not signed by Slack.',
	408: 'The request did not arrive in time.',
	413: 'The request is larger than Slack sends.',
	503: 'Try again later.',
};

const refusal = (status: keyof typeof REFUSALS) => new Response(REFUSALS[status], { status });

/** Returns what Slack signs with, if it may be right. https://docs.slack.dev/authentication/verifying-requests-from-slack */
function signedHeaders(request: HonoRequest, seconds: number) {
	const timestamp = request.header('x-slack-request-timestamp') ?? '';
	const signature = request.header('x-slack-signature') ?? '';
	const isLikely = /^v0=[0-9a-f]{64}$/.test(signature) && /^\d{1,12}$/.test(timestamp);
	if (!isLikely || Math.abs(seconds - Number(timestamp)) > CLOCK_SKEW_S) return undefined;
	return { 'x-slack-signature': signature, 'x-slack-request-timestamp': Number(timestamp) };
}

/** Reads bodies of which it is not known who sent them, all of them together in bounded memory. */
class UnsignedBodies {
	/** The bytes of memory that each takes, by what stops reading it; the oldest first. */
	readonly #reading = new Map<(status: 408 | 503) => void, number>();

	/**
	 * Returns the body, or a status: 413 when it is too large, 408 when it is late or cut off, 503 when it made room for others. A body
	 * of Slack arrives at once, so those that have taken longest are the ones that make room.
	 */
	async read(request: HonoRequest, maxBytes: number): Promise<Buffer | 408 | 413 | 503> {
		if (Number(request.header('content-length') ?? 0) > maxBytes) return 413;
		const reader = request.raw.body?.getReader();
		if (!reader) return Buffer.alloc(0);
		const { promise: stopped, resolve: stop } = Promise.withResolvers<408 | 503>();
		const timer = setTimeout(stop, READ_WITHIN_MS, 408);
		const chunks: Uint8Array[] = [];
		let length = 0;
		try {
			for (;;) {
				this.#reading.set(stop, length + chunks.length * PIECE_BYTES);
				this.#makeRoom();
				const next = await Promise.race([stopped, reader.read()]);
				if (typeof next === 'number') return next;
				if (next.done) return Buffer.concat(chunks);
				length += next.value.length;
				if (length > maxBytes) return 413;
				chunks.push(next.value);
			}
		} catch {
			return 408;
		} finally {
			clearTimeout(timer);
			this.#reading.delete(stop);
			reader.cancel().catch(() => {});
		}
	}

	#makeRoom(): void {
		let total = this.#reading.values().reduce((sum, bytes) => sum + bytes, 0);
		for (const [stop, bytes] of this.#reading) {
			if (total <= MAX_UNSIGNED_BYTES) return;
			total -= bytes;
			stop(503);
		}
	}
}

/** Parses an event, which is JSON, a command, which is a form, or an interaction, which is JSON in a form. */
function parse(text: string, type: string): Delivery | undefined {
	const fields = isForm(type) ? fieldsOf(text) : { payload: text };
	if (fields['payload'] === undefined) return fields;
	try {
		const value: unknown = JSON.parse(fields['payload']);
		return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Delivery) : undefined;
	} catch {
		return undefined;
	}
}

const isForm = (type: string) => type.toLowerCase().startsWith('application/x-www-form-urlencoded');
const fieldsOf = (text: string): Record<string, string> => Object.fromEntries(new URLSearchParams(text));

function responseOf(response: unknown): Response {
	if (response === undefined || response === '') return new Response(null);
	return typeof response === 'string' ? new Response(response) : Response.json(response);
}
