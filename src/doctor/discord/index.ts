import { type APIApplication, DiscordAPIError, type REST, Routes } from 'discord.js';
import type { CommandDescription } from '../../domain/command.ts';
import { codeOf, connectionStep } from '../../domain/text.ts';
import type { Log } from '../../log.ts';
import { createRest } from '../../platforms/discord/index.ts';
import { type Check, type Finding, fault, ok, skipped } from '../check.ts';
import { checkCommands, checkIntent, checkInteractions, checkSessions, type DiscordConfig } from './application.ts';
import { inviteLink } from './permissions.ts';
import { checkServers } from './servers.ts';

type Options = { discord: DiscordConfig; offered: () => Promise<CommandDescription[]>; log: Log };

/** Two requests for each server, at the pace of Discord's rate limits. */
const SERVERS_TIMEOUT_MS = 120_000;

/** Asks Discord by REST alone: a connection to the gateway would take one of the day's session starts. */
export function discordChecks({ discord, offered, log }: Options): Check[] {
	const rest = createRest({ ...discord, log });
	let asked: Promise<APIApplication | Finding> | undefined;
	const ask = () => (asked ??= askApplication(rest, discord.apiUrl));

	/** A check that needs the application, and is skipped without it. */
	const withApplication = (
		name: string,
		look: (application: APIApplication, signal: AbortSignal) => Promise<Finding | Finding[]> | Finding,
	): Check => ({
		name,
		async run(signal) {
			const application = await ask();
			if ('level' in application) return skipped('Not checked, because Discord did not answer the first question.');
			return look(application, signal);
		},
	});

	return [
		{
			name: 'token',
			async run() {
				const application = await ask();
				if ('level' in application) return application;
				const { name, approximate_guild_count: servers = 0 } = application;
				return ok(`Discord takes the token: ${name}, in ${servers} ${servers === 1 ? 'server' : 'servers'}.`);
			},
		},
		withApplication('intent', (application) => checkIntent(discord, application)),
		withApplication('interactions', checkInteractions),
		withApplication('commands', async () => checkCommands(discord, rest, await offered())),
		withApplication('sessions', (_, signal) => checkSessions(discord, rest, signal)),
		{
			...withApplication('permissions', ({ id, bot }, signal) => checkServers(rest, bot?.id ?? id, signal)),
			timeoutMs: SERVERS_TIMEOUT_MS,
		},
		withApplication('invite', ({ id }) => ok(`Invite link with the least permissions: ${inviteLink(id)}`)),
	];
}

async function askApplication(rest: REST, apiUrl: string): Promise<APIApplication | Finding> {
	try {
		return (await rest.get(Routes.currentApplication())) as APIApplication;
	} catch (error) {
		if (error instanceof DiscordAPIError && error.status === 401)
			return fault('Discord does not accept the token.', {
				variable: 'DISCORD_TOKEN',
				step: 'Reset the token in the developer portal under Bot, and set DISCORD_TOKEN to the new one.',
			});
		const { status } = error as { status?: unknown };
		const variable = apiUrl === 'https://discord.com/api' ? {} : { variable: 'DISCORD_API_URL' };
		if (typeof status === 'number')
			return fault(`Discord answers ${status}.`, {
				...variable,
				step: 'Try again in some minutes; https://discordstatus.com tells of outages.',
			});
		const code = codeOf(error);
		return fault(`Discord cannot be reached (${code}).`, { ...variable, step: connectionStep(code) });
	}
}
