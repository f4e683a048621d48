import { z } from 'zod';
import type { ImageResult, InputImage, Service } from '../service/service.ts';
import type { Person, Place, Reply, Upload } from './platform.ts';

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
	place: Place;
	service: Service;
	usage: UsageView;
	/** Aborted when Easel stops. */
	signal: AbortSignal;
};

/** What commands may ask of the ledger and of what is kept for people. */
export type UsageView = {
	/** Calls taken today and this month, and when (Unix ms) those windows end. */
	of(place: Place, person: Person): Promise<{ person: Used; server: Used; resets: { day: number; month: number } }>;
	/** Finished pictures that could not be posted. */
	undelivered(place: Place, person: Person): Promise<number>;
};
export type Used = { day: number; month: number };

type Declaration<Options extends z.ZodObject> = {
	/** What people type after the slash; `limits set` for a subcommand. */
	name: string;
	/** One line for people. */
	description: string;
	/** Only moderators may use it. */
	moderators?: boolean;
	/** Zod options with `.describe()`; kinds that no form can show throw at start. */
	options: Options;
};

/** One paid call to the service. The core reserves it, says `status` meanwhile, and posts the pictures with their buttons. */
type PictureCommand<Options extends z.ZodObject> = Declaration<Options> & {
	makes: 'pictures';
	/** What is going on, in one word: Drawing. */
	status: string;
	run(context: Context<z.output<Options>>): Promise<ImageResult>;
};

/** An answer in words that costs nothing. */
type AnswerCommand<Options extends z.ZodObject> = Declaration<Options> & {
	makes: 'answer';
	run(context: Context<z.output<Options>>): Promise<Reply>;
};

/** Any declared command. */
export type Command = PictureCommand<z.ZodObject> | AnswerCommand<z.ZodObject>;

/** Declares a command: the one plain object that is checked, run, listed, registered and shown as a form. */
export function defineCommand<Options extends z.ZodObject>(
	command: PictureCommand<Options> | AnswerCommand<Options>,
): Command {
	// The options that `run` takes are the ones that this very schema puts out, which the union of all commands can't express.
	return command as unknown as Command;
}

/** A picture that the person brings: a file on Discord and in the sandbox, a file input on Slack. */
export const picture = (description: string) => z.custom<Upload>(isUpload).meta({ field: 'picture', description });

export const isUpload = (value: unknown): value is Upload =>
	typeof value === 'object' && value !== null && 'read' in value && typeof value.read === 'function';
