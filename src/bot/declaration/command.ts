import { z } from 'zod';
import type { Channel } from '../../domain/channel.ts';
import type { Limit } from '../../domain/limit.ts';
import type { Person } from '../../domain/person.ts';
import type { Place } from '../../domain/place.ts';
import type { Reply, Upload } from '../../domain/reply.ts';
import type { MessageId } from '../../i18n/catalogues.ts';
import type { Translate } from '../../i18n/translator.ts';
import type { ImageResult, InputImage, Service } from '../../service/service.ts';
import type { ServerAdmin } from '../../usage/server-admin.ts';
import type { Settings } from '../../usage/settings.ts';
import type { UsageStatus } from '../../usage/usage-status.ts';
import type { Texts } from './texts.ts';

export { blockMember } from '../../usage/settings.ts';
export type { Limit, Settings };

/** A checked picture option as `run` gets it: read from the platform, sniffed, within the caps. */
type Loaded<Options> = {
	[Name in keyof Options]: Upload extends Options[Name]
		? InputImage | Exclude<Options[Name], Upload>
		: Options[Name] extends Upload
			? InputImage
			: Options[Name];
};

/** What a command gets to work with. */
export type Context<Options = Record<string, unknown>> = {
	options: Loaded<Options>;
	person: Person;
	/** Says things in the person's language. */
	t: Translate;
	place: Place;
	service: Service;
	usage: UsageView;
	/** Settings, caps and reports of this server, for its moderators. */
	serverAdmin: ServerAdmin;
	/** How this platform shows points in time, and somebody or something by name. */
	show: Pick<Channel, 'when' | 'refer'>;
	/** Aborted when Easel stops. */
	signal: AbortSignal;
};

/** What commands may ask of the ledger and of what is kept for people. */
export type UsageView = {
	/** Every counter that applies to a member here, chat before pictures, and of each the widest first. */
	standing(member: Pick<Person, 'id' | 'roles'>): Promise<UsageStatus[]>;
	/** How many of the person's requests have finished pictures that could not be posted. */
	uncollected(): Promise<number>;
};

type Declaration<Options extends z.ZodObject> = {
	/** What people type after the slash; `limits set` for a subcommand. */
	name: string;
	/** One line for people. */
	description: MessageId;
	/** The capability of the service without which the command is not offered. */
	needs?: 'edit' | 'compose';
	/** Only moderators may use it. */
	moderators?: boolean;
	/** Not for direct messages, where there is no server and nobody else. The moderators' commands are not, either. */
	serversOnly?: boolean;
	/** Zod options with the id of a message as their description; kinds that no form can show throw at start. */
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
};

/** Options as they are stored: pictures are kept apart from them. */
type WithoutPictures<Options> = {
	[Name in keyof Options as Upload extends Options[Name] ? never : Name]: Options[Name];
};

/** An answer in words that costs nothing. */
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

export type ThreadOpening = {
	/** See `threadTitle`. */
	title: string;
	/** What is answered first. */
	prompt?: string | undefined;
	/** The chat model; the configured one by default. */
	model?: string | undefined;
	/** Answer only what mentions the bot. */
	mentionsOnly: boolean;
	/** Seen by who asks alone. */
	private: boolean;
};

/** Slack's titles are free; Discord's threads have at most 100 characters, and a list of them shows fewer. */
const TITLE_CHARACTERS = 60;

/** The first words that fit on one line. */
export function threadTitle(text: string): string {
	const line = text.replaceAll(/\s+/g, ' ');
	if (line.length <= TITLE_CHARACTERS) return line;
	const cut = line.slice(0, TITLE_CHARACTERS - 1);
	return `${cut.slice(0, cut.lastIndexOf(' ') > TITLE_CHARACTERS / 2 ? cut.lastIndexOf(' ') : undefined).toWellFormed()}…`;
}

/** Any declared command. */
export type Command = PictureCommand | AnswerCommand | ThreadCommand;

/** Declares a command: the one plain object that is checked, run, listed, registered and shown as a form. */
export function defineCommand<Options extends z.ZodObject>(
	command: PictureCommand<Options> | AnswerCommand<Options> | ThreadCommand<Options>,
): Command {
	// The options that `run` takes are the ones that this very schema puts out, which the union of all commands can't express.
	return command as unknown as Command;
}

/** An answer that only who asked sees. */
export const privately = (text: string): Reply => ({ text, visibility: 'private' });

/** A picture that the person brings: a file on Discord and in the sandbox, a file input on Slack. */
export const picture = (description: MessageId) => z.custom<Upload>(isUpload).meta({ field: 'picture', description });

/** Somebody, a channel or a role of the server: its id. */
export const member = (description: MessageId) => reference('person', description);
export const channel = (description: MessageId) => reference('channel', description);
export const role = (description: MessageId) => reference('role', description);
const reference = (field: 'person' | 'channel' | 'role', description: MessageId) =>
	z.string().min(1).max(MAX_ID).meta({ field, description }).brand<'id'>();

/** Longer than the ids of any platform. */
const MAX_ID = 64;

export const isUpload = (value: unknown): value is Upload =>
	typeof value === 'object' && value !== null && 'read' in value && typeof value.read === 'function';
