import { isDeepStrictEqual } from 'node:util';
import { type APIApplication, type APIApplicationCommand, type REST, Routes } from 'discord.js';
import type { CommandDescription } from '../../../domain/command.ts';
import { commandsJson } from './commands.ts';
import { localise } from './localise.ts';

type Where = {
	rest: REST;
	commands: readonly CommandDescription[];
	/** One server alone, where they are there at once and for nobody else; everywhere by default. */
	guild?: string | undefined;
};

/** Puts the commands in place of whatever was registered, in one call that can be repeated. Returns how many there are. */
export async function registerCommands({ rest, commands, guild }: Where): Promise<number> {
	const answer = await rest.put(await routeOf(rest, guild), { body: commandsJson(commands, localise) });
	return (answer as APIApplicationCommand[]).length;
}

/** Whether Discord has other commands than these, so that somebody should register them. */
export async function registeredDiffers({ rest, commands, guild }: Where): Promise<boolean> {
	const query = new URLSearchParams({ with_localizations: 'true' });
	const registered = (await rest.get(await routeOf(rest, guild), { query })) as APIApplicationCommand[];
	const wanted = commandsJson(commands, localise);
	return !isDeepStrictEqual(byName(registered), byName(wanted));
}

async function routeOf(rest: REST, guild: string | undefined) {
	const { id } = (await rest.get(Routes.currentApplication())) as APIApplication;
	return guild === undefined ? Routes.applicationCommands(id) : Routes.applicationGuildCommands(id, guild);
}

const byName = (commands: readonly object[]) =>
	Object.fromEntries(
		commands.map((command) => {
			const { type = 1, name, ...rest } = plain(command) as { type?: number; name: string };
			return [`${type} ${name}`, rest];
		}),
	);

/** What Discord adds to a command of its own. */
const ADDED = new Set([
	'id',
	'version',
	'application_id',
	'guild_id',
	'default_permission',
	'dm_permission',
	'handler',
]);

/** Only what says something: Discord leaves out some of what is no or nothing, and adds other. */
function plain(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(plain);
	if (typeof value !== 'object' || value === null) return value;
	const entries = Object.entries(value)
		.filter(([key]) => !ADDED.has(key))
		.map(([key, inner]) => [key, plain(inner)] as const)
		.filter(([, inner]) => inner !== undefined && inner !== null && inner !== false && inner !== '' && !isEmpty(inner));
	return Object.fromEntries(entries);
}

const isEmpty = (value: unknown) => typeof value === 'object' && value !== null && Object.keys(value).length === 0;
