import { createHmac, timingSafeEqual } from 'node:crypto';
import type { App, Receiver } from '@slack/bolt';
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { Dispatch, EventBody } from './dispatch.ts';

const EVENTS_PATH = '/slack/events';

/** Far above what Slack sends: a form with everything filled in has some tens of kilobytes. */
const BODY_BYTES = 2 ** 20;

/** Seconds that a request may be old, or ahead of our clock. https://docs.slack.dev/authentication/verifying-requests-from-slack */
const CLOCKS_DIFFER_BY_S = 300;

/**
 * Slack's deliveries by HTTP, on a listener that others own: events, commands and what people do with buttons and forms, all at one
 * address, and none without Slack's signature over the very bytes.
 */
export function createHttpReceiver(options: { signingSecret: string; dispatch: Dispatch; now?: () => number }): {
	receiver: Receiver;
	routes: Hono;
} {
	const { signingSecret, dispatch, now = Date.now } = options;
	let open = false;
	const routes = new Hono();

	routes.post(
		EVENTS_PATH,
		bodyLimit({ maxSize: BODY_BYTES, onError: (context) => context.text('This is more than Slack sends.', 413) }),
		async ({ req }) => {
			const raw = Buffer.from(await req.arrayBuffer());
			const type = req.header('content-type') ?? '';
			// Slack looks whether the address answers, by a request that it does not sign. There is nothing in the answer.
			if (isForm(type) && fieldsOf(raw)['ssl_check'] === '1') return new Response(null, { status: 200 });
			const signed = isSigned({
				signingSecret,
				timestamp: req.header('x-slack-request-timestamp'),
				signature: req.header('x-slack-signature'),
				raw,
				seconds: now() / 1000,
			});
			if (!signed) return new Response('This is not signed by Slack.', { status: 401 });
			const body = parse(raw, type);
			if (!body) return new Response('This can’t be read.', { status: 400 });
			if (body['type'] === 'url_verification') return Response.json({ challenge: body['challenge'] });
			// Slack delivers events again; whoever waits for anything else is told by Slack.
			if (!open) return new Response('Not now.', { status: 503, headers: { 'retry-after': '5' } });
			return new Promise<Response>((resolve) => {
				void dispatch.deliver({
					body,
					retryNum: numberOf(req.header('x-slack-retry-num')),
					retryReason: req.header('x-slack-retry-reason'),
					acknowledge: async (response) => resolve(responseOf(response)),
					decline: () => resolve(new Response('Not now.', { status: 503 })),
				});
			});
		},
	);

	const receiver: Receiver = {
		init: (app: App) => dispatch.init(app),
		start: async () => {
			open = true;
		},
		stop: async () => {
			open = false;
		},
	};
	return { receiver, routes };
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
	if (!/^\d{1,12}$/.test(timestamp) || Math.abs(seconds - Number(timestamp)) > CLOCKS_DIFFER_BY_S) return false;
	const ours = Buffer.from(
		`v0=${createHmac('sha256', signingSecret).update(`v0:${timestamp}:`).update(raw).digest('hex')}`,
	);
	const theirs = Buffer.from(signature);
	return ours.length === theirs.length && timingSafeEqual(ours, theirs);
}

/** Events come as JSON; commands as a form; buttons and forms as JSON in a form. Undefined when it is none of these. */
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
