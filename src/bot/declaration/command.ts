import type { z } from 'zod';
import type { Page, Person, Place, Reply, Upload } from '../../domain/channel.ts';
import { clip, oneLine } from '../../domain/text.ts';
import type { Easel } from '../../easel.ts';
import { type MessageId, type Translate, translatorFor } from '../../i18n/translator.ts';
import type { ImageResult, InputImage, OnPreview, PersonalService, Requester, Service } from '../../service/service.ts';

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
	/** A `z.strictObject` whose options have `.describe()`. Kinds that no form can show throw at start. */
	options: Options;
};

/** One paid call to the service. The bot reserves it, posts `status` while it runs, and delivers the pictures with their buttons. */
export type PictureCommand<Options extends z.ZodObject = z.ZodObject> = Declaration<Options> & {
	makes: 'pictures';
	/** The status message, such as `Drawing {prompt}`. */
	status: MessageId;
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
	count: number;
	/** The model that was chosen; absent for the default. */
	model?: string;
	/** The quality that was chosen; absent where none was. */
	quality?: string;
	/** The background that was chosen; absent where none was. */
	background?: string;
	/** The size, as a name or width x height; absent where it is the one of the first picture that is given. */
	size?: string;
};

/** Options as they are stored: pictures are kept apart from them. */
type WithoutPictures<Options> = {
	[Name in keyof Options as Upload extends Options[Name] ? never : Name]: Options[Name];
};

/** A reply that costs nothing. A text alone is for the person who asked. */
type AnswerCommand<Options extends z.ZodObject = z.ZodObject> = Declaration<Options> & {
	makes: 'answer';
	run(context: Context<z.output<Options>>): Promise<string | Reply>;
};

/** A thread to chat in. The bot opens it, and answers the messages in it. */
type ThreadCommand<Options extends z.ZodObject = z.ZodObject> = Declaration<Options> & {
	makes: 'thread';
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

/** Options as `run` gets them: pictures are read from the platform and checked. */
type Loaded<Options> = {
	[Name in keyof Options]: Upload extends Options[Name]
		? InputImage | Exclude<Options[Name], Upload>
		: Options[Name] extends Upload
			? InputImage
			: Options[Name];
};

/** The input of a command, for one person in one place. */
export type Context<Options = Record<string, unknown>> = {
	easel: Easel;
	service: PersonalService;
	options: Loaded<Options>;
	person: Person;
	place: Place;
	/** Translates into the person's language. */
	t: Translate;
	/** Shows points in time, people, channels and roles as this platform does. */
	show: Page;
	/** Aborted when Easel stops, or the request is cancelled. */
	signal: AbortSignal;
	/** Shows previews of the picture in the status, where that is possible. */
	onPreview?: OnPreview;
};

const serviceFor = (service: Service, by: Requester): PersonalService => ({
	get capabilities() {
		return service.capabilities;
	},
	models: (signal) => service.models(signal),
	generate: (request, ...rest) => service.generate({ ...request, by }, ...rest),
	edit: (request, ...rest) => service.edit({ ...request, by }, ...rest),
	compose: (request, ...rest) => service.compose({ ...request, by }, ...rest),
});

export const contextOf = (easel: Easel, person: Person, channel: Page): Omit<Context, 'options'> => ({
	...{
		easel,
		service: serviceFor(easel.service, { platform: channel.place.platform, id: person.id }),
		person,
		place: channel.place,
		show: channel,
	},
	...{ t: translatorFor(person.locale), signal: easel.stopping },
});

/**
 * Names every text option of a command. A `screened` text is checked for banned words and by the server's own rules. A `harmless`
 * one is not, since its schema lets nothing pass that breaks them, such as a size or the name of a model. Choices and ids are no
 * texts.
 */
export type Texts<Options extends z.ZodObject = z.ZodObject> = TextsOf<z.input<Options>, z.output<Options>>;

type TextsOf<Input, Output> = {
	readonly [Name in keyof Input & keyof Output as true extends IsText<Input[Name], Output[Name]>
		? Name
		: never]-?: Kind<Output[Name]>;
};

/** A string that people type freely, by the schema's input, whatever its output is. `unknown` may be a string. */
type IsText<Input, Output> = string extends Input ? (Output extends Id | undefined ? false : true) : false;

type Id = string & z.$brand<'id'>;

/** Only texts can be screened. */
type Kind<Output> = unknown extends Output
	? 'screened' | 'harmless'
	: Output extends string | undefined
		? 'screened' | 'harmless'
		: 'harmless';

/** Joins the texts of a request that have to be screened. */
export const screenedText = ({ texts }: { texts: Texts }, options: Readonly<Record<string, unknown>>): string =>
	Object.entries(texts)
		.flatMap(([name, kind]) => (kind === 'screened' && options[name] !== undefined ? [String(options[name])] : []))
		.join('\n');

export type ThreadOpening = {
	/** See `threadTitle`. */
	title: string;
	/** The first message to answer. Without it, the thread begins with a greeting. */
	prompt?: string;
	/** The chat model; the configured one by default. */
	model?: string;
	/** Answers only messages that mention the bot. */
	mentionsOnly: boolean;
	/** Only the person who opens the thread sees it. */
	private: boolean;
};

/** Slack does not limit titles, Discord allows 100 characters, and its list of threads shows fewer. */
const TITLE_CHARACTERS = 60;

export function threadTitle(text: string): string {
	const line = oneLine(text);
	if (line.length <= TITLE_CHARACTERS) return line;
	const cut = clip(line, TITLE_CHARACTERS).slice(0, -1);
	const space = cut.lastIndexOf(' ');
	return `${cut.slice(0, space > TITLE_CHARACTERS / 2 ? space : undefined)}…`;
}
