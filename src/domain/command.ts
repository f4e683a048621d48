import { hash } from 'node:crypto';
import { encodeActionId } from './channel.ts';

/** An input of a command, in a form that every platform can show. `describeCommand` derives it from the declaration. */
export type Field = {
	name: string;
	/** One line for people: a message's id, or a text that is shown as it is. */
	description: string;
	required: boolean;
} & (
	| {
			kind: 'text';
			minLength: number;
			maxLength: number;
			suggestions: readonly string[];
			/** In a typed command it is given by its name alone, as in `usd:2.50`. */
			named?: true;
			/** `Inbox.suggest` completes what is typed, where the platform supports it. */
			completed?: true;
	  }
	| { kind: 'choice'; choices: readonly string[] }
	/** In forms only. The value is a list. `labels` are shown in place of the names of choices. */
	| { kind: 'choices'; choices: readonly string[]; labels?: Readonly<Record<string, string>>; min: number; max: number }
	| { kind: 'integer'; min: number; max: number }
	| { kind: 'flag' | 'picture' | 'person' | 'role' }
	/**
	 * `postable`: only a channel that the bot can post in, not a category or a forum. `requestable`: only a channel that people can
	 * make requests in, not a category; a thread stands for its channel, whose id the platform gives as the value.
	 */
	| { kind: 'channel'; postable?: true; requestable?: true }
);

/** A command as platforms list, register and show it. */
export type CommandDescription = {
	/** `imagine`; `limits set` for a subcommand. */
	name: string;
	/** One line for people: a message's id, or a text that is shown as it is. */
	description: string;
	/**
	 * Only moderators may use it, and only in a server. Platforms hide it from others, and in direct messages, where they can; the bot checks
	 * permissions again.
	 */
	moderators: boolean;
	/** Required fields come first. */
	fields: readonly Field[];
};

/** A form for the options of a command, or for those that are missing. Its submission is an invocation with `form: id`. */
export type Form = {
	id: string;
	command: string;
	title: string;
	/** Markdown above the inputs, which states the options already given. */
	note?: string;
	fields: readonly Field[];
	/** Initial values by field name: texts, numbers, flags and lists, but no pictures. */
	values?: Readonly<Record<string, unknown>>;
};

const FORM_SLOTS = 16;

/** Returns one of 16 keys for the open forms of a person: forms cost nothing, and a new one may replace one that was left open. */
export const formKeyOf = (person: string, form: string): string => `${person}:${hash('sha256', form).charAt(0)}`;

export const formKeysOf = (person: string): string[] =>
	Array.from({ length: FORM_SLOTS }, (_, slot) => `${person}:${slot.toString(16)}`);

export type ActionAccess = 'everyone' | 'requester' | 'viewers' | 'moderators';

/** An entry of the menu that platforms show on every message. It needs a message with pictures. */
export type MessageMenuEntry = {
	button: string;
	/**
	 * The id of a message of at most 24 characters: also the title of the form that it opens.
	 * https://docs.slack.dev/reference/app-manifest · https://docs.slack.dev/reference/views/modal-views
	 */
	name: 'menu.edit' | 'menu.compose' | 'menu.about';
	/** English, at most 150 characters. https://docs.slack.dev/reference/app-manifest */
	description: string;
	/** The command that it leads to. The entry is offered only where the command is. */
	command: string;
};

export const EDIT_IMAGE: MessageMenuEntry = {
	button: encodeActionId({ action: 'edit', version: 1, subject: 'menu' }),
	name: 'menu.edit',
	description: 'Edit a picture of this message with an instruction',
	command: 'edit',
};

export const COMPOSE_IMAGES: MessageMenuEntry = {
	button: encodeActionId({ action: 'compose', version: 1, subject: 'menu' }),
	name: 'menu.compose',
	description: 'Combine the pictures of this message into one',
	command: 'compose',
};

const ABOUT_PICTURE: MessageMenuEntry = {
	button: encodeActionId({ action: 'about', version: 1, subject: 'menu' }),
	name: 'menu.about',
	description: 'Show who made a picture of this message, with which words, and when',
	command: 'history',
};

const ENTRIES: readonly MessageMenuEntry[] = [EDIT_IMAGE, COMPOSE_IMAGES, ABOUT_PICTURE];

export const messageMenu = (commands: readonly { name: string }[]): MessageMenuEntry[] =>
	ENTRIES.filter((entry) => commands.some(({ name }) => name === entry.command));

/** Returns the entry with this action id; undefined for the id of a button. */
export const menuEntryOf = (button: string): MessageMenuEntry | undefined =>
	ENTRIES.find((entry) => entry.button === button);
