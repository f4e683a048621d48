import { hash } from 'node:crypto';

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
	/** Only moderators may use it. Platforms hide it from others where they can; the bot checks permissions again. */
	moderators: boolean;
	/** It can be used in a direct message. */
	direct: boolean;
	/** Required fields come first. */
	fields: readonly Field[];
};

/** A form for the options of a command, or for those that are missing. Its submission is an invocation with `form: id`. */
export type Form = {
	id: string;
	/** The command that the submission invokes. */
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

/** Returns the keys of all open forms that a person may have. */
export const formKeysOf = (person: string): string[] =>
	Array.from({ length: FORM_SLOTS }, (_, slot) => `${person}:${slot.toString(16)}`);
