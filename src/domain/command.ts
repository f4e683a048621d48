/** One input of a command, as every platform shows it. Made from the zod declaration by `fieldsOf`. */
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
			/** What is typed is completed by `Inbox.suggest`, where the platform can. */
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
	/** Only moderators may use it: hide it from others where possible; the core checks again. */
	moderators: boolean;
	/** May be used in a direct message. */
	direct: boolean;
	/** Required ones first. */
	fields: readonly Field[];
};

/** A command, or the rest of one: inputs to be filled in. Its submission comes back as an invocation with `form: id`. */
export type Form = {
	id: string;
	/** The command that the submission invokes. */
	command: string;
	title: string;
	/** Markdown above the inputs: what is already given. */
	note?: string;
	fields: readonly Field[];
	/** What is filled in to begin with, by field name: words, numbers, flags and lists, no pictures. */
	values?: Readonly<Record<string, unknown>>;
};
