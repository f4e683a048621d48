import { createHmac, randomBytes } from 'node:crypto';
import {
	type Check,
	type Checks,
	type Finding,
	type Findings,
	fault,
	namesOf,
	ok,
	once,
	skipped,
	unreachable,
	warning,
} from '../../domain/findings.ts';
import { callOf } from '../../domain/program.ts';
import { tokenSentence } from './api/slack-errors.ts';
import { type Access, type StateSecrets, type StoredInstallation, TokenCipher } from './installation/workspaces.ts';
import { BOT_SCOPES, missingScopes } from './manifest.ts';
import { CLOCK_SKEW_S, EVENTS_PATH } from './transport/http.ts';

type OAuthAccess = Extract<Access, { kind: 'oauth' }>;

type Installations = { list(prefix: string): AsyncIterable<[key: string, value: unknown]> };

type Surroundings = {
	/** Where a process answers: as Slack reaches it, and on this machine, or why that is not known. */
	publicUrl: string | undefined;
	local: string | Finding;
	/** Checks Slack's space of the store, which has the tokens of many workspaces. */
	onSpace: (look: (space: Installations) => Promise<Findings>) => Check;
};

export function slackChecks(
	{ access, apiUrl }: { access: Access; apiUrl: string },
	{ publicUrl, local, onSpace }: Surroundings,
): Checks {
	const call: CallSlack = (method, options) => callSlack(new URL(method, apiUrl), options);
	const variable = apiUrl === 'https://slack.com/api/' ? undefined : 'SLACK_API_URL';
	const reach = (look: (signal: AbortSignal) => Promise<Findings>) => (signal: AbortSignal) =>
		look(signal).catch((error: unknown) => unreachable('Slack cannot be reached', error, variable));
	const ask = once(() =>
		access.kind === 'oauth' ? call('api.test', {}) : call('auth.test', { token: access.botToken }),
	);
	const clock = reach(async () => checkClock(await ask(), access.kind !== 'socket'));
	const token = {
		token: reach(async () => checkToken(await ask())),
		scopes: reach(async () => checkScopes(await ask())),
	};
	if (access.kind === 'socket')
		return { ...token, 'Socket Mode': reach((signal) => checkSocketMode(call, access.appToken, signal)), clock };
	const addresses: Checks = {
		'public address': (signal) => checkPublicAddress(publicUrl, access.signingSecret, signal),
		'signing secret': (signal) => checkSigningSecret(local, access.signingSecret, signal),
	};
	if (access.kind === 'http') return { ...token, ...addresses, clock };
	return {
		client: reach((signal) => checkClient(call, access, signal)),
		workspaces: onSpace((space) => checkWorkspaces(space, access)),
		...addresses,
		clock,
	};
}

/** How long a call may take whose answer several checks look at. */
const CALL_MS = 10_000;

type CallOptions = { token?: string; fields?: Record<string, string>; signal?: AbortSignal };
type CallSlack = (method: string, options: CallOptions) => Promise<Answer>;
type Answer = Awaited<ReturnType<typeof callSlack>>;

/** Returns what Slack answers, with what only its headers say, which the library's client hides. https://docs.slack.dev/apis/web-api/ */
async function callSlack(url: URL, { token, fields = {}, signal = AbortSignal.timeout(CALL_MS) }: CallOptions) {
	const headers: HeadersInit = token === undefined ? [] : [['authorization', `Bearer ${token}`]];
	// A redirect could take the token elsewhere.
	const sent = { method: 'POST', headers, body: new URLSearchParams(fields), redirect: 'error', signal } as const;
	const response = await fetch(url, sent);
	const date = Date.parse(response.headers.get('date') ?? '');
	const body = (await response.json()) as Readonly<Record<string, unknown>>;
	return {
		/** Slack's code, such as `invalid_auth`; undefined when the call succeeded. */
		error: body['ok'] === true ? undefined : String(body['error'] ?? response.status),
		body,
		scopes: response.headers.get('x-oauth-scopes')?.match(/[^\s,]+/g) ?? undefined,
		/** How far this machine's clock is ahead of Slack's, in seconds; undefined when the answer has no date. */
		clockAheadS: Number.isNaN(date) ? undefined : Math.round((Date.now() - date) / 1000),
	};
}

/** A clock that is off by this many seconds should be set, although Slack's signatures allow more. */
const CLOCK_WARNING_S = 30;

/** Scopes beyond the manifest that Easel makes use of. docs/slack.md#scopes */
const OPTIONAL_SCOPES: readonly string[] = ['channels:join'];

function checkToken({ error, body }: Answer): Finding {
	if (error !== undefined) return refusal(error, 'SLACK_BOT_TOKEN');
	if (body['bot_id']) return ok(`Slack takes the bot token: @${body['user']} in ${body['team']}.`);
	const step = "Copy the Bot User OAuth Token (xoxb-…) from Install App in the app's settings.";
	return fault('SLACK_BOT_TOKEN is not the token of a bot.', step, 'SLACK_BOT_TOKEN');
}

function checkScopes({ error, scopes }: Answer): Findings {
	if (error !== undefined) return skipped('Not checked, because Slack does not accept the bot token.');
	if (!scopes) return skipped('Slack did not say which scopes the token has.');
	const missing = missingScopes(scopes);
	const superfluous = scopes.filter((scope) => !BOT_SCOPES.includes(scope) && !OPTIONAL_SCOPES.includes(scope));
	const lacks = `The app lacks ${missing.length === 1 ? 'the scope' : 'the scopes'} ${missing.join(', ')}.`;
	const replace = `Replace the App Manifest by that of ${callOf('manifest')}, then install the app again.`;
	const unused = `The app has scopes that Easel does not use: ${superfluous.join(', ')}.`;
	const remove = 'Remove them under OAuth & Permissions, then install the app again.';
	if (missing.length + superfluous.length === 0) return ok(`The ${scopes.length} scopes are those of the manifest.`);
	return [
		missing.length > 0 ? fault(lacks, replace) : [],
		superfluous.length > 0 ? warning(unused, remove) : [],
	].flat();
}

/** Slack signs requests with the time, and Easel refuses those that seem older than five minutes. */
function checkClock({ clockAheadS: ahead }: Answer, isSigned: boolean): Finding {
	if (ahead === undefined) return skipped('Slack did not say what time it is.');
	const off = Math.abs(ahead);
	if (off < CLOCK_WARNING_S) return ok("This machine's clock agrees with Slack's.");
	const span = off < 120 ? `${off} s` : `about ${Math.round(off / 60)} min`;
	const message = `This machine's clock is ${span} ${ahead > 0 ? 'ahead of' : 'behind'} Slack's.`;
	const step = 'Turn on time synchronization: timedatectl set-ntp true.';
	if (off < CLOCK_SKEW_S || !isSigned) return warning(message, step);
	return fault(`${message} Slack's signatures are refused from ${CLOCK_SKEW_S} s on.`, step);
}

/** Asks for an address of Socket Mode, and does not connect to it: a connection would receive a part of the running bot's events. */
async function checkSocketMode(call: CallSlack, appToken: string, signal: AbortSignal): Promise<Finding> {
	const { error, body } = await call('apps.connections.open', { token: appToken, signal });
	if (error !== undefined) return refusal(error, 'SLACK_APP_TOKEN');
	if (typeof body['url'] !== 'string') return fault('Slack gave no address for Socket Mode.');
	return ok('Slack takes the app-level token and offers a connection, which was not made.');
}

/** Exchanges a code that does not exist: Slack looks at the client's id and secret first. */
async function checkClient(
	call: CallSlack,
	{ clientId, clientSecret }: OAuthAccess,
	signal: AbortSignal,
): Promise<Finding> {
	const fields = { client_id: clientId, client_secret: clientSecret, code: 'easel-doctor' };
	const { error } = await call('oauth.v2.access', { fields, signal });
	if (error === 'invalid_code') return ok('Slack takes client id and client secret.');
	const variable = { invalid_client_id: 'SLACK_CLIENT_ID', bad_client_secret: 'SLACK_CLIENT_SECRET' }[error ?? ''];
	const place = "Basic Information in the app's settings.";
	if (variable) return fault(`Slack does not accept ${variable}.`, `Copy ${variable} again from ${place}`, variable);
	return warning(`Slack answered ${codeLike(error)} to client id and client secret.`, `Compare both with ${place}`);
}

function refusal(error: string, variable: 'SLACK_BOT_TOKEN' | 'SLACK_APP_TOKEN'): Finding {
	const sentence = tokenSentence(error, variable);
	if (!sentence) {
		const step = 'Try again in some minutes; https://slack-status.com tells of outages.';
		return fault(`Slack answers ${codeLike(error)}.`, step, variable);
	}
	const [message = '', step = `set ${variable} to a token from the app's settings.`] = sentence.split(/: (?=[a-z])/);
	return fault(message.replace(/\.?$/, '.'), `${step.charAt(0).toUpperCase()}${step.slice(1)}`, variable);
}

/** Slack's codes have lower case and underscores; anything else is left out. */
const codeLike = (error = 'nothing') => (/^[a-z0-9_]{1,60}$/.test(error) ? error : 'an unknown error');

const PREFIX = 'installation:';

/** Looks at the stored installations. Their tokens are not used: the running bot may be replacing them. */
async function checkWorkspaces(space: Installations, secrets: StateSecrets): Promise<Findings> {
	const cipher = new TokenCipher(secrets);
	const texts: (string | undefined)[] = [];
	for await (const [key, encrypted] of space.list(PREFIX))
		texts.push(await cipher.decrypt(String(encrypted), key.slice(PREFIX.length)));
	const readable = texts.flatMap((text) => (text === undefined ? [] : [JSON.parse(text) as StoredInstallation]));
	const unreadable = texts.length - readable.length;
	const outdated = readable.filter(({ scopes }) => missingScopes(scopes).length > 0);
	if (unreadable + outdated.length === 0)
		return ok(`${texts.length === 1 ? 'One workspace has' : `${texts.length} workspaces have`} installed the app.`);
	const lost = `The tokens of ${unreadable} of ${texts.length} workspaces cannot be decrypted.`;
	const restore = 'Set SLACK_PREVIOUS_STATE_SECRET to the earlier value, or install the app again at /slack/install.';
	const fewer = `The app was installed with fewer scopes in ${namesOf(outdated.map(({ name }) => name))}.`;
	const again = 'Let an admin there install it again at /slack/install.';
	return [
		unreadable > 0 ? fault(lost, restore, 'SLACK_STATE_SECRET') : [],
		outdated.length > 0 ? warning(fewer, again) : [],
	].flat();
}

type Target = { variable: string; name: string };

/** Probes the address that Slack sends to, by way of its name, certificate and proxy. */
async function checkPublicAddress(url: string | undefined, signingSecret: string, signal: AbortSignal) {
	const variable = 'PUBLIC_URL';
	const set = `Set PUBLIC_URL to the address of Event Subscriptions in the app's settings, without ${EVENTS_PATH}.`;
	if (url === undefined) return skipped('The address that Slack sends to is not known.', set, variable);
	if (url.startsWith('https:')) return probe(url, { variable, name: 'the public address' }, signingSecret, signal);
	const proxy = 'Put a proxy with a certificate in front of HOST:PORT, and set PUBLIC_URL to its https address.';
	return fault('PUBLIC_URL is not https, which Slack requires.', proxy, variable);
}

async function checkSigningSecret(address: string | Finding, signingSecret: string, signal: AbortSignal) {
	if (typeof address !== 'string') return address;
	const running = await fetch(`${address}/healthz`, { signal }).catch(() => undefined);
	if (!running) return skipped('Easel does not run here, so there is nothing that could verify a signature.');
	const target = { variable: 'SLACK_SIGNING_SECRET', name: 'the process on this machine' };
	return probe(address, target, signingSecret, signal);
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
		const restart = 'Restart Easel, so that it has this SLACK_SIGNING_SECRET too, and check the clock of its machine.';
		if (response.status === 401)
			return fault(`Easel at ${name} refuses a request with our signature.`, restart, 'SLACK_SIGNING_SECRET');
		const other = `Something else than Easel with Slack answers at ${name} (${response.status}).`;
		return fault(other, `Start Easel, and let the proxy pass ${EVENTS_PATH} to HOST:PORT.`, variable);
	} catch (error) {
		return unreachable(`There is no connection to ${name}`, error, variable);
	}
}
