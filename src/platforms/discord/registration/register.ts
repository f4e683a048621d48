import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { type APIApplication, type APIApplicationCommand, type REST, Routes } from 'discord.js';
import type { CommandDescription } from '../../../domain/command.ts';
import { callOf } from '../../../domain/program.ts';
import type { Log } from '../../../log.ts';
import type { Once } from '../../shared/space.ts';
import { commandsJson } from './commands.ts';

type Registration = {
	rest: REST;
	commands: readonly CommandDescription[];
	/** The id of a server to register the commands in; globally by default. */
	guild?: string | undefined;
};

/** Replaces all registered commands, in one idempotent request. Returns their number. */
export async function registerCommands({ rest, commands, guild }: Registration): Promise<number> {
	const registered = await rest.put(await routeOf(rest, guild), { body: commandsJson(commands) });
	return (registered as APIApplicationCommand[]).length;
}

export async function registeredDiffers({ rest, commands, guild }: Registration): Promise<boolean> {
	const query = new URLSearchParams({ with_localizations: 'true' });
	const registered = (await rest.get(await routeOf(rest, guild), { query })) as APIApplicationCommand[];
	return !isDeepStrictEqual(byName(registered), byName(commandsJson(commands)));
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

/**
 * The properties of commands, options and choices that are registered. Discord adds others to what it returns.
 * https://docs.discord.com/developers/interactions/application-commands#application-command-object
 */
const REGISTERED = new Set([
	...['type', 'name', 'name_localizations', 'description', 'description_localizations', 'options'],
	...['default_member_permissions', 'contexts', 'integration_types', 'nsfw'],
	...['required', 'choices', 'value', 'channel_types', 'file_types', 'autocomplete'],
	...['min_value', 'max_value', 'min_length', 'max_length'],
]);

/** Removes null, false and empty values, of which Discord omits some and adds others, and sorts values whose order means nothing. */
function normalize(value: unknown): unknown {
	if (Array.isArray(value)) {
		const items = value.map(normalize);
		return items.every((item) => typeof item !== 'object') ? items.sort() : items;
	}
	if (typeof value !== 'object' || value === null) return value;
	const entries = Object.entries(value)
		.filter(([key]) => REGISTERED.has(key))
		.map(([key, inner]) => [key, key.endsWith('_localizations') ? inner : normalize(inner)] as const)
		.filter(([, inner]) => inner !== undefined && inner !== null && inner !== false && inner !== '' && !isEmpty(inner));
	return Object.fromEntries(entries);
}

const isEmpty = (value: unknown) => typeof value === 'object' && value !== null && Object.keys(value).length === 0;

/** How long other processes leave the registration to the one that has begun it. */
const CLAIM_MS = 30_000;

type Options = {
	rest: REST;
	commands: readonly CommandDescription[];
	/** Whether commands that differ are registered; otherwise a warning says that they differ. */
	register: boolean;
	once: Once;
	log: Log;
};

/**
 * Registers the commands with Discord when others are registered, by one of the processes that start at the same time. Never rejects:
 * commands that were registered by an earlier version work as well.
 */
export async function ensureRegistered({ rest, commands, register, once, log }: Options): Promise<void> {
	try {
		if (!(await registeredDiffers({ rest, commands }))) return;
		if (!register)
			return log.warn(
				`The commands registered with Discord are not those of this version, and DISCORD_REGISTER is off: run ${callOf('register')}`,
			);
		const digest = createHash('sha256')
			.update(JSON.stringify(commandsJson(commands)))
			.digest('hex');
		if (!(await once(`registration:${digest}`, CLAIM_MS))) return;
		log.info(
			`Registered ${await registerCommands({ rest, commands })} commands with Discord, since others were registered`,
		);
	} catch (error) {
		log.warn({ err: error }, `The commands could not be registered with Discord: run ${callOf('register')}`);
	}
}
