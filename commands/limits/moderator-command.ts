import { z } from 'zod';
import { type Command, type Context, defineCommand } from '../../src/bot/declaration/command.ts';
import type { Place, Reply } from '../../src/domain/channel.ts';
import { type MessageId, SentenceError } from '../../src/i18n/translator.ts';
import type { AuditEntry, Settings } from '../../src/usage/settings.ts';

/** Changes the server's settings, and returns them as they are then, with the entry of the audit log. */
type ChangeSettings = (edit: (settings: Settings) => Settings) => Promise<{ settings: Settings; entry: AuditEntry }>;

type Declaration<Shape extends z.ZodRawShape> = {
	name: string;
	description: MessageId;
	options: Shape;
	run(context: Context<z.output<z.ZodObject<Shape>>>, change: ChangeSettings): Promise<string | Reply>;
};

/** Declares a command of a server's moderators. It costs nothing, and they alone see its answer. */
export function moderatorCommand<Shape extends z.ZodRawShape>(declared: Declaration<Shape>): Command {
	return defineCommand<z.ZodObject<Shape>>({
		...{ ...declared, moderators: true, makes: 'answer', options: z.strictObject(declared.options) },
		run(context) {
			const { easel, place, person } = context;
			return declared.run(context, (edit) => easel.settings.change(place, person, declared.name, edit));
		},
	});
}

/** More than any server needs, and few enough to be searched with every request. */
const MAX_ENTRIES = 100;

/**
 * Returns a list of channels or roles with this one, or without it; unchanged when the id is undefined.
 * @throws SentenceError when the list is full
 */
export function withEntry(ids: readonly string[], id: string | undefined, isIn = true): readonly string[] {
	if (!isIn) return ids.filter((other) => other !== id);
	if (id === undefined || ids.includes(id)) return ids;
	if (ids.length >= MAX_ENTRIES) throw new SentenceError('limits.errors.listFull', { most: MAX_ENTRIES });
	return [...ids, id];
}

/** Returns the channel that an option names. The thread where the command is used counts as its channel. */
export const channelOf = ({ channel, thread }: Place, id: string) => (id === thread ? channel : id);
