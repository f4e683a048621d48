import { createHmac } from 'node:crypto';
import type { Slack } from '../context.ts';
import type { Outcome, Transport } from './delivery.ts';
import type { Envelope } from './envelope.ts';

/** https://docs.slack.dev/authentication/verifying-requests-from-slack */
const MAX_AGE_S = 300;

/** HTTP mode: sends signed requests to the application's address. */
export function createHttpTransport(slack: () => Slack): Transport {
	const waiting: (() => void)[] = [];

	function headersFor(body: string, type: string): Record<string, string> {
		const { signingSecret, settings } = slack();
		const headers = { 'content-type': type, 'user-agent': 'Slackbot 1.0 (+https://api.slack.com/robots)' };
		if (settings.signatures === 'absent') return headers;
		const shift = { old: -MAX_AGE_S - 60, future: MAX_AGE_S + 60, right: 0, forged: 0 }[settings.signatures];
		// The application uses the machine's clock, while the fake's may have been moved forward.
		const timestamp = String(Math.floor(Date.now() / 1000) + shift);
		const key = settings.signatures === 'forged' ? 'another secret' : signingSecret;
		const signature = createHmac('sha256', key).update(`v0:${timestamp}:${body}`).digest('hex');
		return { ...headers, 'x-slack-request-timestamp': timestamp, 'x-slack-signature': `v0=${signature}` };
	}

	return {
		reachable: () => slack().settings.requestUrl !== undefined,
		async whenReachable() {
			if (slack().settings.requestUrl !== undefined) return;
			await new Promise<void>((resolve) => waiting.push(resolve));
		},
		async send(envelope, attempt): Promise<Outcome> {
			const { settings, violate } = slack();
			if (settings.requestUrl === undefined) return { ok: false, reason: 'unreachable' };
			const { body, type } = encode(envelope);
			const retry: Record<string, string> =
				attempt.number === 0
					? {}
					: { 'x-slack-retry-num': String(attempt.number), 'x-slack-retry-reason': `http_${attempt.reason}` };
			const request = { method: 'POST', headers: { ...headersFor(body, type), ...retry }, body };
			const response = await fetch(settings.requestUrl, request).catch(() => undefined);
			if (!response) return { ok: false, reason: 'unreachable' };
			const text = await response.text();
			if (settings.signatures !== 'right') {
				if (response.ok) violate(`${envelope.name} was accepted although its signature is ${settings.signatures}`);
				return { ok: response.ok, reason: 'refused', body: response.status };
			}
			if (!response.ok) return { ok: false, reason: 'error', body: response.status };
			return { ok: true, body: decode(text) };
		},
	};
}

function encode({ kind, payload }: Envelope): { body: string; type: string } {
	if (kind === 'events_api') return { body: JSON.stringify(payload), type: 'application/json' };
	const fields = kind === 'interactive' ? { payload: JSON.stringify(payload) } : payload;
	const body = new URLSearchParams(Object.entries(fields).map(([name, value]) => [name, String(value)])).toString();
	return { body, type: 'application/x-www-form-urlencoded' };
}

/** Decodes a response body. Text that is not JSON is the text of a message. */
function decode(text: string): unknown {
	if (text === '') return undefined;
	try {
		return JSON.parse(text);
	} catch {
		return { text };
	}
}
