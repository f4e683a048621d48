import type { Config } from '../../config/config.ts';
import { codeOf, connectionStep } from '../../domain/text.ts';
import { type Check, type Finding, fault, skipped } from '../check.ts';
import type { OpenedStore } from '../store/open-for-checks.ts';
import { checkPublicAddress, checkSigningSecret } from './address.ts';
import { callSlack, type SlackAnswer } from './call-slack.ts';
import { checkClient, checkClock, checkScopes, checkSocketMode, checkToken } from './token.ts';
import { checkWorkspaces } from './workspaces.ts';

type SlackConfig = NonNullable<Config['slack']>;

/** @param open opens the store, which has the tokens of many workspaces */
export function slackChecks(config: Config, slack: SlackConfig, open: () => Promise<OpenedStore>): Check[] {
	const { access, apiUrl } = slack;
	const reach = (name: string, look: (signal: AbortSignal) => Promise<Finding | Finding[]>): Check => ({
		name,
		run: (signal) => look(signal).catch((error: unknown) => unreachable(error, apiUrl)),
	});
	let asked: Promise<SlackAnswer> | undefined;
	const token = access.kind === 'oauth' ? {} : { token: access.botToken };
	const method = access.kind === 'oauth' ? 'api.test' : 'auth.test';
	const ask = () => (asked ??= callSlack(apiUrl, method, { ...token, signal: AbortSignal.timeout(10_000) }));
	const clock = reach('clock', async () => checkClock(await ask(), access.kind !== 'socket'));
	const http =
		access.kind === 'socket'
			? []
			: [
					{
						name: 'public address',
						run: (signal: AbortSignal) => checkPublicAddress(config, access.signingSecret, signal),
					},
					{
						name: 'signing secret',
						run: (signal: AbortSignal) => checkSigningSecret(config, access.signingSecret, signal),
					},
				];
	if (access.kind === 'oauth')
		return [
			reach('client', (signal) => checkClient(apiUrl, access, signal)),
			{
				name: 'workspaces',
				async run() {
					const opened = await open();
					return 'store' in opened ? checkWorkspaces(opened.store, access) : skipped('There is no store to look at.');
				},
			},
			...http,
			clock,
		];
	return [
		reach('token', async () => checkToken(await ask())),
		reach('scopes', async () => checkScopes(await ask())),
		...(access.kind === 'socket'
			? [reach('Socket Mode', (signal) => checkSocketMode(apiUrl, access.appToken, signal))]
			: http),
		clock,
	];
}

function unreachable(error: unknown, apiUrl: string): Finding {
	const code = codeOf(error);
	const variable = apiUrl === 'https://slack.com/api/' ? {} : { variable: 'SLACK_API_URL' };
	return fault(`Slack cannot be reached (${code}).`, { ...variable, step: connectionStep(code) });
}
