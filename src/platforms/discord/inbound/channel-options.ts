import type { APIInteractionDataResolved } from 'discord.js';
import type { CommandDescription } from '../../../domain/command.ts';
import { POSTABLE_TYPES } from '../api/channel-types.ts';

const POSTABLE: ReadonlySet<number> = new Set(POSTABLE_TYPES);

/**
 * Returns the id of a channel that no message can be posted in, although its option requires that. Discord's client does not offer
 * such channels, unless its list of commands is outdated.
 *
 * @param channels as the interaction has them, by id
 */
export function findUnpostable(
	commands: readonly CommandDescription[],
	{ command, options }: { command: string; options: Readonly<Record<string, unknown>> },
	channels: APIInteractionDataResolved['channels'] = {},
): string | undefined {
	const fields = commands.find(({ name }) => name === command)?.fields ?? [];
	const ids = fields.flatMap((field) =>
		field.kind === 'channel' && field.postable && options[field.name] !== undefined ? String(options[field.name]) : [],
	);
	return ids.find((id) => channels[id] && !POSTABLE.has(channels[id].type));
}
