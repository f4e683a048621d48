import { isDeepStrictEqual } from 'node:util';
import { type APIApplication, type APIApplicationCommand, type REST, Routes } from 'discord.js';
import type { CommandDescription } from '../../../domain/command.ts';
import { commandsJson } from './commands.ts';
import { localize } from './localize.ts';

type Registration = {
	rest: REST;
	commands: readonly CommandDescription[];
	/** The id of a server to register the commands in; globally by default. */
	guild?: string | undefined;
};

/** Replaces all registered commands, in one idempotent request. Returns their number. */
export async function registerCommands({ rest, commands, guild }: Registration): Promise<number> {
	const registered = await rest.put(await routeOf(rest, guild), { body: commandsJson(commands, localize) });
	return (registered as APIApplicationCommand[]).length;
}

/** Tells whether other commands than these are registered. */
export async function registeredDiffers({ rest, commands, guild }: Registration): Promise<boolean> {
	const query = new URLSearchParams({ with_localizations: 'true' });
	const registered = (await rest.get(await routeOf(rest, guild), { query })) as APIApplicationCommand[];
	return !isDeepStrictEqual(byName(registered), byName(commandsJson(commands, localize)));
}

async function routeOf(rest: REST, guild: string | undefined) {
	const { id } = (await rest.get(Routes.currentApplication())) as APIApplication;
	return guild === undefined ? Routes.applicationCommands(id) : Routes.applicationGuildCommands(id, guild);
}

const byName = (commands: readonly object[]) =>
	Object.fromEntries(
		commands.map((command) => {
			const { type = 1, name, ...rest } = normalize(command) as { type?: number; name: string };
			return [`${type} ${name}`, rest];
		}),
	);

/** Properties that Discord adds to a registered command. */
const ADDED = new Set([
	'id',
	'version',
	'application_id',
	'guild_id',
	'default_permission',
	'dm_permission',
	'handler',
]);

/** Removes null, false and empty values: Discord omits some of them and adds others. */
function normalize(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(normalize);
	if (typeof value !== 'object' || value === null) return value;
	const entries = Object.entries(value)
		.filter(([key]) => !ADDED.has(key))
		.map(([key, inner]) => [key, normalize(inner)] as const)
		.filter(([, inner]) => inner !== undefined && inner !== null && inner !== false && inner !== '' && !isEmpty(inner));
	return Object.fromEntries(entries);
}

const isEmpty = (value: unknown) => typeof value === 'object' && value !== null && Object.keys(value).length === 0;
