import type { Options } from '../../test-user.ts';
import type { Option } from '../schemas/commands.ts';
import type { CommandRegistry, RegisteredCommand } from '../world/command-registry.ts';
import type { ResolvedData } from './resolved.ts';

type ParsedCommand = {
	command: RegisteredCommand;
	/** Of `limits set`: the subcommand `set`. */
	branches: readonly Option[];
	/** The options that take values. */
	options: readonly Option[];
};

/** Finds a command that is visible in a server. */
export function findCommand(registry: CommandRegistry, server: string | undefined, type: number, name: string) {
	const command = registry.visible(server).find((one) => one.type === type && one.name === name);
	if (!command) throw new Error(`No command ${name} is registered`);
	return command;
}

/** Finds a chat input command by its whole name, such as `limits set`. */
export function parseCommand(registry: CommandRegistry, server: string | undefined, name: string): ParsedCommand {
	const [first = '', ...path] = name.split(' ');
	const command = findCommand(registry, server, 1, first);
	let options = command.options ?? [];
	const branches = path.map((part) => {
		const branch = options.find((option) => option.name === part);
		if (!branch) throw new Error(`No command ${name} is registered`);
		options = branch.options ?? [];
		return branch;
	});
	return { command, branches, options };
}

/**
 * The `data` of an interaction with these options, in the types of the registered command.
 *
 * @param focused the option that is being typed into, for autocompletion
 */
export function commandData(
	{ command, branches, options }: ParsedCommand,
	values: Options,
	resolved: ResolvedData,
	focused?: string,
): Record<string, unknown> {
	const filled = Object.entries(values).map(([name, value]) => {
		const option = options.find((one) => one.name === name);
		if (!option) throw new Error(`/${command.name} has no option ${name}`);
		const { type } = option;
		return { name, type, value: resolved.add(type, value), ...(name === focused && { focused: true }) };
	});
	const nested = branches.reduceRight<object[]>((inner, { type, name }) => [{ type, name, options: inner }], filled);
	const { id, guild_id } = command;
	return { id, name: command.name, type: 1, options: nested, ...(guild_id && { guild_id }), ...resolved.data() };
}
