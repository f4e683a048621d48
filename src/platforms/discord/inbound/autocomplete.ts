import type { APIApplicationCommandAutocompleteInteraction, APIApplicationCommandOptionChoice } from 'discord.js';
import type { CommandDescription, Field } from '../../../domain/command.ts';
import type { Inbox } from '../../../domain/platform.ts';
import { MAX_CHOICE_LENGTH, MAX_CHOICES } from '../api/limits.ts';
import { readFocused } from './command-options.ts';

/** Returns the choices for the option that a user is typing into; undefined when there is no such option. */
export async function autocomplete(
	{ data }: APIApplicationCommandAutocompleteInteraction,
	commands: readonly CommandDescription[],
	inbox: Inbox,
): Promise<APIApplicationCommandOptionChoice<string>[] | undefined> {
	const focused = readFocused(data);
	if (!focused) return undefined;
	const command = commands.find(({ name }) => name === focused.command);
	const field = command?.fields.find(({ name }) => name === focused.option);
	const isSuggestedByCore = field?.kind === 'text' && field.completed;
	return choicesOf(isSuggestedByCore ? await inbox.suggest(focused) : completions(field, focused.typed));
}

/** Returns the declared values of a field that contain what was typed. */
export function completions(field: Field | undefined, typed: string): string[] {
	const values = field?.kind === 'text' ? field.suggestions : field?.kind === 'choice' ? field.choices : [];
	const search = typed.trim().toLowerCase();
	return values.filter((value) => value.toLowerCase().includes(search));
}

/** Leaves out texts that Discord does not accept. https://docs.discord.com/developers/interactions/application-commands#autocomplete */
export const choicesOf = (texts: readonly string[]) =>
	texts
		.filter((text) => text.length >= 1 && text.length <= MAX_CHOICE_LENGTH)
		.slice(0, MAX_CHOICES)
		.map((text) => ({ name: text, value: text }));
