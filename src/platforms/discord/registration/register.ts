import { createHash } from 'node:crypto';
import { type APIApplication, type APIApplicationCommand, ApplicationCommand, type REST, Routes } from 'discord.js';
import type { CommandDescription } from '../../../domain/command.ts';
import { callOf } from '../../../domain/program.ts';
import type { DiscordOptions } from '../discord.ts';
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
	const offered = commandsJson(commands);
	const isRegistered = (command: (typeof offered)[number]) =>
		registered.some((one) => asRead(one).equals(command as APIApplicationCommand, true));
	return registered.length !== offered.length || !offered.every(isRegistered);
}

/** Returns a command as the library reads it, which can compare it; to its types, only a manager creates one. */
const asRead = ({ contexts, integration_types, ...command }: APIApplicationCommand): ApplicationCommand => {
	const sorted = { contexts: contexts?.toSorted(), integration_types: integration_types?.toSorted() };
	return Reflect.construct(ApplicationCommand, [{}, { ...command, ...sorted }]);
};

async function routeOf(rest: REST, guild: string | undefined) {
	const { id } = (await rest.get(Routes.currentApplication())) as APIApplication;
	return guild === undefined ? Routes.applicationCommands(id) : Routes.applicationGuildCommands(id, guild);
}

/** How long other processes leave the registration to the one that has begun it. */
const CLAIM_MS = 30_000;

type Options = Pick<DiscordOptions, 'commands' | 'register' | 'claim' | 'log'> & { rest: REST };

/**
 * Registers the commands with Discord when others are registered, by one of the processes that start at the same time. Never rejects:
 * commands that were registered by an earlier version work as well.
 */
export async function ensureRegistered({ rest, commands, register, claim, log }: Options): Promise<void> {
	try {
		if (!(await registeredDiffers({ rest, commands }))) return;
		if (!register)
			return log.warn(
				`The commands registered with Discord are not those of this version, and DISCORD_REGISTER is off: run ${callOf('register')}`,
			);
		const digest = createHash('sha256')
			.update(JSON.stringify(commandsJson(commands)))
			.digest('hex');
		if (!(await claim(`registration:${digest}`, CLAIM_MS))) return;
		log.info(
			`Registered ${await registerCommands({ rest, commands })} commands with Discord, since others were registered`,
		);
	} catch (error) {
		log.warn({ err: error }, `The commands could not be registered with Discord: run ${callOf('register')}`);
	}
}
