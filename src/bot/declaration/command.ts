import type { z } from 'zod';
import type { Reply, Upload } from '../../domain/reply.ts';
import type { MessageId } from '../../i18n/catalogues.ts';
import type { ImageResult } from '../../service/service.ts';
import type { Settings } from '../../usage/settings/settings.ts';
import type { Context } from './context.ts';
import type { Texts } from './texts.ts';
import type { ThreadOpening } from './thread-opening.ts';

export { blockMember, DEFAULT_SETTINGS, setLogChannel, unblockMember } from '../../usage/settings/settings.ts';
export type { AuditEntry } from '../../usage/settings/settings-repository.ts';
export type { Settings };

type Declaration<Options extends z.ZodObject> = {
	/** The name that people type after the slash; `limits set` for a subcommand. */
	name: string;
	/** One line for people. */
	description: MessageId;
	/** The capability of the service without which the command is not offered. */
	needs?: 'edit' | 'compose';
	/** Only moderators may use it, and only in a server. */
	moderators?: boolean;
	/** Invoked by buttons only: no platform lists it. */
	hidden?: true;
	/** Not offered in direct messages. */
	serversOnly?: boolean;
	/** A `z.strictObject` whose options have `.describe()`. Kinds that no form can show throw at start. */
	options: Options;
};

/** One paid call to the service. The bot reserves it, posts `status` while it runs, and delivers the pictures with their buttons. */
export type PictureCommand<Options extends z.ZodObject = z.ZodObject> = Declaration<Options> & {
	makes: 'pictures';
	/** The status message, such as `Drawing {prompt}`. */
	status: MessageId;
	/** Which text options have to be screened. */
	texts: Texts<Options>;
	/** Describes the request; the bot knows no option by its name. It is called with stored options, too, so it has to be pure. */
	request(options: WithoutPictures<z.output<Options>>): RequestSummary;
	run(context: Context<z.output<Options>>): Promise<ImageResult>;
};

/** A request for pictures as it is shown, posted and logged, whatever the command. */
export type RequestSummary = {
	prompt: string;
	/** Only the person who asked may see the result. */
	private: boolean;
	/** How many pictures are asked for. */
	count: number;
	/** The model that was chosen; absent for the default. */
	model?: string | undefined;
	/** The size, as a name or width x height; absent where it is the one of the first picture that is given. */
	size?: string | undefined;
};

/** Options as they are stored: pictures are kept apart from them. */
type WithoutPictures<Options> = {
	[Name in keyof Options as Upload extends Options[Name] ? never : Name]: Options[Name];
};

/** A reply that costs nothing. */
type AnswerCommand<Options extends z.ZodObject = z.ZodObject> = Declaration<Options> & {
	makes: 'answer';
	run(context: Context<z.output<Options>>): Promise<Reply>;
};

/** A thread to chat in. The bot opens it, and answers the messages in it. */
type ThreadCommand<Options extends z.ZodObject = z.ZodObject> = Declaration<Options> & {
	makes: 'thread';
	/** Which text options have to be screened. */
	texts: Texts<Options>;
	run(context: Context<z.output<Options>>): Promise<ThreadOpening>;
};

export type Command = PictureCommand | AnswerCommand | ThreadCommand;

/**
 * Declares a command: one plain object that is checked, run, listed, registered and shown as a form.
 *
 * @example
 * export const imagine = defineCommand({
 * 	name: 'imagine',
 * 	description: 'imagine.description',
 * 	makes: 'pictures',
 * 	status: 'imagine.status',
 * 	options: z.strictObject({ prompt: prompt('imagine.options.prompt'), size, private: isPrivate }),
 * 	texts: { prompt: 'screened', size: 'harmless' },
 * 	request: ({ prompt, private: isPrivate = false }) => ({ prompt, private: isPrivate, count: 1 }),
 * 	run: ({ options: { prompt, size }, service, signal }) => service.generate({ prompt, size }, signal),
 * });
 */
export function defineCommand<Options extends z.ZodObject>(
	command: PictureCommand<Options> | AnswerCommand<Options> | ThreadCommand<Options>,
): Command {
	// A list of commands cannot express that each `run` takes the options of its own schema. The compiler has checked it here.
	return command as unknown as Command;
}

/** Returns a reply that only the person who asked sees. */
export const privately = (text: string): Reply => ({ text, visibility: 'private' });
