import type { Channel } from './channel.ts';
import type { Form } from './command.ts';
import type { Person } from './person.ts';
import type { MessageHandle, Place } from './place.ts';
import type { CallOutcome } from './receipt.ts';
import type { Upload } from './reply.ts';

/** A person invokes a command. */
export type Invocation = {
	/** The platform's delivery id, the same when an event is delivered twice. At most 48 of `A-Z a-z 0-9 - _ : .` */
	id: string;
	/** The name of a declared command; `limits set` for a subcommand. */
	command: string;
	/** Unchecked values by field name: strings, numbers, booleans, `Upload` for pictures, ids for person, channel and role. */
	options: Readonly<Record<string, unknown>>;
	person: Person;
	channel: Channel;
	/** The result whose request is repeated: `link` is its address, where it has one that others can open. */
	source?: { link?: string };
	/** The id of the form that was submitted. */
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
	/** The message that the button belongs to. */
	message: MessageHandle;
	/** Only this person sees that message. */
	private?: true;
	/** The pictures of that message, in order. */
	attached: readonly Upload[];
	/** Shows a form to this person. Call it before anything slow, because platforms allow a few seconds. */
	open(form: Form): Promise<void>;
};

/** A person writes a message that the bot can read. */
export type IncomingMessage = {
	/** The id of the message itself, which later changes refer to. At most 48 of `A-Z a-z 0-9 - _ : .` */
	id: string;
	/** The text without a mention of the bot at its beginning. */
	text: string;
	uploads: readonly Upload[];
	person: Person;
	channel: Channel;
	/** The message mentions the bot, replies to it, or is a direct message to it. */
	addressed: boolean;
	/** The message mentions or replies to another person. */
	toOthers?: boolean;
	/** The message that it replies to, where that shows pictures; `private` where only this person sees that message. */
	repliedTo?: { pictures: readonly Upload[]; private?: true };
};

/** A message was edited or deleted. */
export type MessageChange = {
	/** The id of the `IncomingMessage`, or the key of a post of the bot. */
	id: string;
	place: Place;
	/** Undefined when the message was deleted. */
	text?: string;
};

/**
 * How a request ended, as the metrics count it:
 *
 * - `answered`: with a reply that costs nothing
 * - `refused`: with a sentence about why nothing comes of it
 * - `duplicate`: it was delivered before
 * - `unasked`: a message in a thread that does not ask the bot
 * - `unanswered`: not even the sentence about its error could be posted
 * - a call's outcome, or the state of a chat answer
 */
export type RequestOutcome =
	| 'answered'
	| 'refused'
	| 'duplicate'
	| 'unasked'
	| 'unanswered'
	| CallOutcome
	| AnswerState;

/**
 * The state of an answer in a chat thread:
 *
 * - `running`: it is being written
 * - `done` · `stopped` by a person · `cut` by the service · `interrupted` by the end of the process: `text` is what arrived
 * - `failed` · `refused` by a cap: no text arrived
 */
export type AnswerState = 'running' | 'done' | 'stopped' | 'cut' | 'interrupted' | 'failed' | 'refused';
