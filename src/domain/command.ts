/** One input of a command, as every platform shows it. `describeCommand` derives it from the declaration. */
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
			/** `Inbox.suggest` completes the text, on platforms that support it. */
			completed?: true;
	  }
	| { kind: 'choice'; choices: readonly string[] }
	/** Only in forms. Its value is a list. */
	| { kind: 'choices'; choices: readonly string[]; min: number; max: number }
	| { kind: 'integer'; min: number; max: number }
	| { kind: 'flag' | 'picture' | 'person' | 'channel' | 'role' }
);

/** A command as platforms list, register and show it. */
export type CommandDescription = {
	/** `imagine`; `limits set` for a subcommand. */
	name: string;
	/** One line for people: a message's id, or a text that is shown as it is. */
	description: string;
	/** Only moderators may use it. Platforms hide it from others when they can; the bot checks it as well. */
	moderators: boolean;
	/** It can be used in direct messages. */
	direct: boolean;
	/** Required ones first. */
	fields: readonly Field[];
};

/** Inputs of a command for a person to fill in. Its submission is an invocation whose `form` is this id. */
export type Form = {
	id: string;
	/** The command that the submission invokes. */
	command: string;
	title: string;
	/** Markdown above the inputs, such as the pictures that are given already. */
	note?: string;
	fields: readonly Field[];
	/** Initial values by field name: texts, numbers, flags and lists. Pictures have none. */
	values?: Readonly<Record<string, unknown>>;
};
