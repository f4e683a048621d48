import { tokenSentence } from '../../platforms/slack/installation/token-errors.ts';
import { BOT_SCOPES } from '../../platforms/slack/manifest.ts';
import { CLOCK_SKEW_S } from '../../platforms/slack/transport/http.ts';
import { type Finding, fault, ok, skipped, warning } from '../check.ts';
import { callSlack, type SlackAnswer } from './call-slack.ts';

/** A clock that is off by this many seconds should be set, although Slack's signatures allow more. */
const CLOCK_WARNING_S = 30;

/** Scopes beyond the manifest that Easel makes use of. docs/slack.md#scopes */
const OPTIONAL_SCOPES: readonly string[] = ['channels:join'];

export function checkToken({ error, body }: SlackAnswer): Finding {
	if (error !== undefined) return refusal(error, 'SLACK_BOT_TOKEN');
	if (!body['bot_id'])
		return fault('SLACK_BOT_TOKEN is not the token of a bot.', {
			variable: 'SLACK_BOT_TOKEN',
			step: "Copy the Bot User OAuth Token (xoxb-…) from Install App in the app's settings.",
		});
	return ok(`Slack takes the bot token: @${body['user']} in ${body['team']}.`);
}

/** Compares the scopes of the token with those of `npm run manifest`. */
export function checkScopes({ error, scopes }: SlackAnswer): Finding | Finding[] {
	if (error !== undefined) return skipped('Not checked, because Slack does not accept the bot token.');
	if (!scopes) return skipped('Slack did not say which scopes the token has.');
	const missing = BOT_SCOPES.filter((scope) => !scopes.includes(scope));
	const superfluous = scopes.filter((scope) => !BOT_SCOPES.includes(scope) && !OPTIONAL_SCOPES.includes(scope));
	const findings: Finding[] = [];
	if (missing.length > 0)
		findings.push(
			fault(`The app lacks ${missing.length === 1 ? 'the scope' : 'the scopes'} ${missing.join(', ')}.`, {
				step: 'Replace the App Manifest by that of npm run manifest, then install the app again.',
			}),
		);
	if (superfluous.length > 0)
		findings.push(
			warning(`The app has scopes that Easel does not use: ${superfluous.join(', ')}.`, {
				step: 'Remove them under OAuth & Permissions, then install the app again.',
			}),
		);
	return findings.length > 0 ? findings : ok(`The ${scopes.length} scopes are those of the manifest.`);
}

/** Slack signs requests with the time, and Easel refuses those that seem older than five minutes. */
export function checkClock({ clockAheadS: ahead }: SlackAnswer, isSigned: boolean): Finding {
	if (ahead === undefined) return skipped('Slack did not say what time it is.');
	const off = Math.abs(ahead);
	if (off < CLOCK_WARNING_S) return ok("This machine's clock agrees with Slack's.");
	const span = off < 120 ? `${off} s` : `about ${Math.round(off / 60)} min`;
	const message = `This machine's clock is ${span} ${ahead > 0 ? 'ahead of' : 'behind'} Slack's.`;
	const step = 'Turn on time synchronization: timedatectl set-ntp true.';
	if (off < CLOCK_SKEW_S || !isSigned) return warning(message, { step });
	return fault(`${message} Slack's signatures are refused from ${CLOCK_SKEW_S} s on.`, { step });
}

/** Asks for an address of Socket Mode, and does not connect to it: a connection would receive a part of the running bot's events. */
export async function checkSocketMode(apiUrl: string, appToken: string, signal: AbortSignal): Promise<Finding> {
	const { error, body } = await callSlack(apiUrl, 'apps.connections.open', { token: appToken, signal });
	if (error !== undefined) return refusal(error, 'SLACK_APP_TOKEN');
	if (typeof body['url'] !== 'string') return fault('Slack gave no address for Socket Mode.', {});
	return ok('Slack takes the app-level token and offers a connection, which was not made.');
}

/** Exchanges a code that does not exist: Slack looks at the client's id and secret first. */
export async function checkClient(
	apiUrl: string,
	{ clientId, clientSecret }: { clientId: string; clientSecret: string },
	signal: AbortSignal,
): Promise<Finding> {
	const fields = { client_id: clientId, client_secret: clientSecret, code: 'easel-doctor' };
	const { error } = await callSlack(apiUrl, 'oauth.v2.access', { fields, signal });
	const variable = { invalid_client_id: 'SLACK_CLIENT_ID', bad_client_secret: 'SLACK_CLIENT_SECRET' }[error ?? ''];
	if (variable !== undefined)
		return fault(`Slack does not accept ${variable}.`, {
			variable,
			step: `Copy ${variable} again from Basic Information in the app's settings.`,
		});
	if (error === 'invalid_code') return ok('Slack takes client id and client secret.');
	return warning(`Slack answered ${codeLike(error)} to client id and client secret.`, {
		step: "Compare both with Basic Information in the app's settings.",
	});
}

function refusal(error: string, variable: 'SLACK_BOT_TOKEN' | 'SLACK_APP_TOKEN'): Finding {
	const [message = '', step] = tokenSentence(error, variable)?.split(/: (?=[a-z])/) ?? [];
	if (!message)
		return fault(`Slack answers ${codeLike(error)}.`, {
			variable,
			step: 'Try again in some minutes; https://slack-status.com tells of outages.',
		});
	const capital = step && `${step.charAt(0).toUpperCase()}${step.slice(1)}`;
	return fault(message.replace(/\.?$/, '.'), {
		variable,
		step: capital ?? `Set ${variable} to a token from the app's settings.`,
	});
}

/** Slack's codes have lower case and underscores; anything else is left out. */
const codeLike = (error = 'nothing') => (/^[a-z0-9_]{1,60}$/.test(error) ? error : 'an unknown error');
