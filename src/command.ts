/** What a command from outside is written with: `import { defineCommand } from 'easel/command'`. docs/plugins.md */
import type { z } from 'zod';
import * as options from '../commands/options.ts';
import { type Command, defineCommand as declare } from './bot/declaration/command.ts';
import type { Language, MessageId } from './i18n/translator.ts';

export { z } from 'zod';
export { isPrivate, model, n, quality, size, sizedSummaryOf, summaryOf } from '../commands/options.ts';

/** The texts of a command by language, each by its id. English is needed; a text that another language lacks is in English. */
export type Messages = { en: Readonly<Record<string, string>> } & {
	readonly [Tag in Language]?: Readonly<Record<string, string>>;
};

/** Ids of messages are any texts outside: `messages` has them. */
type WithOwnIds<Declared> = {
	[Key in keyof Declared]: Declared[Key] extends MessageId ? string : Declared[Key];
};

export type PluginCommand = Command & { messages: Messages };

/** The text that a picture is drawn from: 1 to 2,000 characters. @param description the id of its description */
export const prompt = (description: string) => options.prompt(description as MessageId);

/** Declares a command with its messages, as the default export of a module. */
export const defineCommand = <Options extends z.ZodObject>(
	command: WithOwnIds<Parameters<typeof declare<Options>>[0]> & { messages: Messages },
): PluginCommand => declare(command as Parameters<typeof declare<Options>>[0]) as PluginCommand;
