import { createHmac, timingSafeEqual } from 'node:crypto';
import type { App, Receiver } from '@slack/bolt';
import { Hono, type HonoRequest } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { Dispatcher, EventBody } from './dispatch.ts';

export const EVENTS_PATH = '/slack/events';

/** Far more than Slack sends: a form with every field filled in has some tens of kilobytes. */
const MAX_BODY_BYTES = 2 ** 20;

/** Seconds that a request may be old, or ahead of our clock. https://docs.slack.dev/authentication/verifying-requests-from-slack */
export const CLOCK_SKEW_S = 300;

type HttpOptions = {
	signingSecret: string;
	dispatcher: Dispatcher;
	/** Unix milliseconds. */
	now?: () => number;
};

/**
 * Receives deliveries by HTTP: events, commands, buttons and forms, all at one address, each with Slack's signature of the exact bytes.
 * Does not listen by itself: `routes` are mounted on a listener.
 */
export class HttpReceiver implements Receiver {
	readonly routes = new Hono();
	readonly #options: HttpOptions;
	#isOpen = false;

	constructor(options: HttpOptions) {
		this.#options = options;
		const onError = () => new Response('The request is larger than Slack sends.', { status: 413 });
		this.routes.post(EVENTS_PATH, bodyLimit({ maxSize: MAX_BODY_BYTES, onError }), ({ req }) => this.#receive(req));
	}

	init(app: App): void {
		this.#options.dispatcher.init(app);
	}

	async start(): Promise<void> {
		this.#isOpen = true;
	}

	async stop(): Promise<void> {
		this.#isOpen = false;
	}

	async #receive(request: HonoRequest): Promise<Response> {
		const raw = Buffer.from(await request.arrayBuffer());
		const type = request.header('content-type') ?? '';
		// Slack checks the certificate of the address with a request that it does not sign. The response tells nothing.
		if (isForm(type) && fieldsOf(raw)['ssl_check'] === '1') return new Response(null, { status: 200 });
		const { signingSecret, now = Date.now } = this.#options;
		const timestamp = request.header('x-slack-request-timestamp');
		const signature = request.header('x-slack-signature');
		if (!isSigned({ signingSecret, timestamp, signature, raw, seconds: now() / 1000 }))
			return new Response('The request is not signed by Slack.', { status: 401 });
		const body = parse(raw, type);
		if (!body) return new Response('The request cannot be read.', { status: 400 });
		if (body['type'] === 'url_verification') return Response.json({ challenge: body['challenge'] });
		// Slack delivers events again, and tells people that anything else failed.
		if (!this.#isOpen) return new Response('Easel is not running.', { status: 503, headers: { 'retry-after': '5' } });
		return this.#dispatch(body, request);
	}

	/** Resolves with the acknowledgement. */
	#dispatch(body: EventBody, request: HonoRequest): Promise<Response> {
		return new Promise((resolve) => {
			void this.#options.dispatcher.deliver({
				body,
				retryNum: numberOf(request.header('x-slack-retry-num')),
				retryReason: request.header('x-slack-retry-reason'),
				acknowledge: async (response) => resolve(responseOf(response)),
				decline: () => resolve(new Response('Try again later.', { status: 503 })),
			});
		});
	}
}

/** https://docs.slack.dev/authentication/verifying-requests-from-slack#verifying-requests-from-slack-using-a-signing-secret */
function isSigned(request: {
	signingSecret: string;
	timestamp: string | undefined;
	signature: string | undefined;
	raw: Buffer;
	seconds: number;
}): boolean {
	const { signingSecret, timestamp = '', signature = '', raw, seconds } = request;
	if (!/^\d{1,12}$/.test(timestamp) || Math.abs(seconds - Number(timestamp)) > CLOCK_SKEW_S) return false;
	const expected = Buffer.from(
		`v0=${createHmac('sha256', signingSecret).update(`v0:${timestamp}:`).update(raw).digest('hex')}`,
	);
	const actual = Buffer.from(signature);
	return expected.length === actual.length && timingSafeEqual(expected, actual);
}

/** Parses an event, which is JSON, a command, which is a form, or an interaction, which is JSON in a form. */
function parse(raw: Buffer, type: string): EventBody | undefined {
	if (!isForm(type)) return objectFrom(raw.toString('utf8'));
	const fields = fieldsOf(raw);
	return fields['payload'] === undefined ? fields : objectFrom(fields['payload']);
}

const isForm = (type: string) => type.startsWith('application/x-www-form-urlencoded');
const fieldsOf = (raw: Buffer): Record<string, string> => Object.fromEntries(new URLSearchParams(raw.toString('utf8')));

function objectFrom(json: string): EventBody | undefined {
	try {
		const value: unknown = JSON.parse(json);
		return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as EventBody) : undefined;
	} catch {
		return undefined;
	}
}

function responseOf(acknowledgement: unknown): Response {
	if (acknowledgement === undefined || acknowledgement === '') return new Response(null, { status: 200 });
	return typeof acknowledgement === 'string' ? new Response(acknowledgement) : Response.json(acknowledgement);
}

function numberOf(header: string | undefined): number | undefined {
	return header !== undefined && /^\d{1,3}$/.test(header) ? Number(header) : undefined;
}
