import type { Channel } from './channel.ts';
import type { Form } from './command.ts';
import type { Person } from './person.ts';
import type { MessageHandle, Place } from './place.ts';
import type { Upload } from './reply.ts';

/** A person uses a command. */
export type Invocation = {
	/** The platform's delivery id, the same for an event that is delivered twice. At most 48 of `A-Z a-z 0-9 - _ : .` */
	id: string;
	/** The name of a declared command; `limits set` for a subcommand. */
	command: string;
	/** Unchecked values by field name: strings, numbers, booleans, an `Upload` for a picture, ids of people, channels and roles. */
	options: Readonly<Record<string, unknown>>;
	person: Person;
	channel: Channel;
	/** The id of the form that this submits. */
	form?: string;
	/** The pictures of the message that the form was opened from. */
	attached?: readonly Upload[];
};

/** A form that was submitted. */
export type FormSubmission = Invocation & { form: string };

/** A person presses a button, or chooses an entry from the menu of a message. */
export type ButtonPress = {
	/** As `Invocation.id`. */
	id: string;
	/** An action id. */
	button: string;
	person: Person;
	channel: Channel;
	/** The message with the button. */
	message: MessageHandle;
	/** Only this person sees that message. */
	private?: true;
	/** The pictures of the message, in order. */
	attached: readonly Upload[];
	/** Opens a form for this person. Call it before anything slow: platforms allow seconds. */
	open(form: Form): Promise<void>;
};

/** A person posts a message that the bot can read. */
export type IncomingMessage = {
	/** Identifies the message, also in later changes. At most 48 of `A-Z a-z 0-9 - _ : .` */
	id: string;
	/** The text as it was written, without a mention of the bot at its start. */
	text: string;
	uploads: readonly Upload[];
	person: Person;
	channel: Channel;
	/** The message mentions the bot, replies to it, or is a direct message to it. */
	addressed: boolean;
	/** The message mentions another person, or replies to one. */
	toOthers?: boolean;
};

/** A message was edited or deleted. */
export type MessageChange = {
	/** See `IncomingMessage.id`; for a message of the bot its key. */
	id: string;
	place: Place;
	/** Undefined when the message was deleted. */
	text?: string;
};
