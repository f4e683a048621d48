import {
	type APIApplicationCommandInteractionDataBasicOption,
	type APIApplicationCommandInteractionDataOption,
	type APIAttachment,
	ApplicationCommandOptionType,
	type InteractionType,
} from 'discord.js';
import type { Upload } from '../../../domain/channel.ts';

/** The data of a chat input command, or of its autocomplete interaction. */
type CommandData = {
	name: string;
	options?: readonly APIApplicationCommandInteractionDataOption<
		InteractionType.ApplicationCommand | InteractionType.ApplicationCommandAutocomplete
	>[];
	resolved?: { attachments?: Record<string, APIAttachment> };
};

type Option = APIApplicationCommandInteractionDataBasicOption<
	InteractionType.ApplicationCommand | InteractionType.ApplicationCommandAutocomplete
>;

/** Reads a command that was sent: its whole name, `limits set` for a subcommand, and its options by name. */
export function readCommand(
	data: CommandData,
	uploadOf: (attachment: APIAttachment) => Upload,
): { command: string; options: Record<string, unknown> } {
	const { command, options } = flatten(data);
	const values = options.map(({ type, name, value }) => {
		const attachment =
			type === ApplicationCommandOptionType.Attachment ? data.resolved?.attachments?.[value] : undefined;
		return [name, attachment ? uploadOf(attachment) : value] as const;
	});
	return { command, options: Object.fromEntries(values) };
}

/** Reads the option that is being typed into, and the text so far. */
export function readFocused(data: CommandData): { command: string; option: string; typed: string } | undefined {
	const { command, options } = flatten(data);
	const focused = options.find((option) => 'focused' in option && option.focused);
	return focused && { command, option: focused.name, typed: String(focused.value) };
}

function flatten({ name, options = [] }: CommandData): { command: string; options: readonly Option[] } {
	const [first] = options;
	return first?.type === ApplicationCommandOptionType.Subcommand
		? { command: `${name} ${first.name}`, options: first.options ?? [] }
		: { command: name, options: options as readonly Option[] };
}
