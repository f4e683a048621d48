import type { CommandDescription } from '../../domain/command.ts';
import type { Capabilities } from '../../service/service.ts';
import type { Command } from './command.ts';
import { describeCommand } from './fields.ts';

/** Returns the commands that a service with these capabilities can carry out. */
export const availableCommands = (commands: readonly Command[], capabilities: Capabilities): Command[] =>
	commands.filter(({ needs }) => needs === undefined || capabilities[needs]);

/** Returns the available commands that people can type, as platforms list, register and show them. */
export const describeCommands = (commands: readonly Command[], capabilities: Capabilities): CommandDescription[] =>
	availableCommands(commands, capabilities)
		.filter(({ hidden }) => !hidden)
		.map((command) => describeCommand(command, capabilities));
