import { createHmac, randomBytes } from 'node:crypto';
import type { Config } from '../../config/config.ts';
import { codeOf, connectionStep } from '../../domain/text.ts';
import { EVENTS_PATH } from '../../platforms/slack/transport/http.ts';
import { type Finding, fault, ok, skipped } from '../check.ts';

const PUBLIC: Target = { variable: 'PUBLIC_URL', name: 'the public address' };

type Target = { variable: string; name: string };

/** Probes the address that Slack sends to, by way of its name, certificate and proxy. */
export async function checkPublicAddress(
	{ publicUrl }: Config,
	signingSecret: string,
	signal: AbortSignal,
): Promise<Finding> {
	if (publicUrl === undefined)
		return skipped('The address that Slack sends to is not known.', {
			variable: 'PUBLIC_URL',
			step: `Set PUBLIC_URL to the address of Event Subscriptions in the app's settings, without ${EVENTS_PATH}.`,
		});
	if (!publicUrl.startsWith('https:'))
		return fault('PUBLIC_URL is not https, which Slack requires.', {
			variable: 'PUBLIC_URL',
			step: 'Put a proxy with a certificate in front of HOST:PORT, and set PUBLIC_URL to its https address.',
		});
	return probe(publicUrl, PUBLIC, signingSecret, signal);
}

/** Probes the process on this machine, if it runs. */
export async function checkSigningSecret(
	{ http: { host, port } }: Config,
	signingSecret: string,
	signal: AbortSignal,
): Promise<Finding> {
	if (port === 0) return skipped('PORT is 0, so the address of a running Easel is not known.');
	const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
	const address = `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
	const isRunning = await fetch(`${address}/healthz`, { signal }).then(
		() => true,
		() => false,
	);
	if (!isRunning) return skipped('Easel does not run here, so there is nothing that could verify a signature.');
	return probe(
		address,
		{ variable: 'SLACK_SIGNING_SECRET', name: 'the process on this machine' },
		signingSecret,
		signal,
	);
}

/**
 * Sends what Slack sends to verify an address, signed with our secret: only a process with the same secret returns the challenge. Whether
 * the secret is Slack's own as well cannot be asked: Slack has no method for it.
 * https://docs.slack.dev/reference/events/url_verification
 */
export async function probe(
	address: string,
	{ variable, name }: Target,
	signingSecret: string,
	signal: AbortSignal,
): Promise<Finding> {
	const challenge = randomBytes(16).toString('hex');
	const body = JSON.stringify({ type: 'url_verification', challenge });
	const timestamp = String(Math.floor(Date.now() / 1000));
	const signature = createHmac('sha256', signingSecret).update(`v0:${timestamp}:${body}`).digest('hex');
	const headers = {
		'content-type': 'application/json',
		'x-slack-request-timestamp': timestamp,
		'x-slack-signature': `v0=${signature}`,
	};
	try {
		const response = await fetch(address + EVENTS_PATH, { method: 'POST', headers, body, redirect: 'manual', signal });
		const answer = (await response.json().catch(() => undefined)) as { challenge?: unknown } | undefined;
		if (response.ok && answer?.challenge === challenge)
			return ok(`A request with our own signature reaches Easel at ${name} and is accepted.`);
		if (response.status === 401)
			return fault(`Easel at ${name} refuses a request with our signature.`, {
				variable: 'SLACK_SIGNING_SECRET',
				step: 'Restart Easel, so that it has this SLACK_SIGNING_SECRET too, and check the clock of its machine.',
			});
		return fault(`Something else than Easel with Slack answers at ${name} (${response.status}).`, {
			variable,
			step: `Start Easel, and let the proxy pass ${EVENTS_PATH} to HOST:PORT.`,
		});
	} catch (error) {
		const code = codeOf(error);
		return fault(`There is no connection to ${name} (${code}).`, { variable, step: connectionStep(code) });
	}
}
