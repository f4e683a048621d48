import { createHash } from 'node:crypto';
import type { REST } from 'discord.js';
import type { CommandDescription } from '../../../domain/command.ts';
import type { Log } from '../../../log.ts';
import type { Once } from '../../shared/once.ts';
import { commandsJson } from './commands.ts';
import { localize } from './localize.ts';
import { registerCommands, registeredDiffers } from './register.ts';

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
				'The commands registered with Discord are not those of this version, and DISCORD_REGISTER is off: run npm run register',
			);
		const digest = createHash('sha256')
			.update(JSON.stringify(commandsJson(commands, localize)))
			.digest('hex');
		if (!(await once(`registration:${digest}`, CLAIM_MS))) return;
		log.info(
			`Registered ${await registerCommands({ rest, commands })} commands with Discord, since others were registered`,
		);
	} catch (error) {
		log.warn({ err: error }, 'The commands could not be registered with Discord: run npm run register');
	}
}
