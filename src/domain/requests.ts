import type { Channel } from './channel.ts';
import type { Form } from './command.ts';
import type { Person } from './person.ts';
import type { MessageHandle, Place } from './place.ts';
import type { Upload } from './reply.ts';

/** Somebody asks for a command. */
export type Invocation = {
	/** The platform's delivery id: one event delivered twice carries one id. At most 48 of `A-Z a-z 0-9 - _ : .` */
	id: string;
	/** A declared command's name, `limits set` for a subcommand. */
	command: string;
	/** By field name: string, number, boolean, `Upload` for pictures, ids for person, channel and role. Unchecked. */
	options: Readonly<Record<string, unknown>>;
	person: Person;
	channel: Channel;
	/** The form that this submits. */
	form?: string;
	/** The pictures of the message that the form was opened from. */
	attached?: readonly Upload[];
};

/** A person presses a button, or chooses an entry from the menu of a message. */
export type ButtonPress = {
	/** As `Invocation.id`. */
	id: string;
	/** An action id. */
	button: string;
	person: Person;
	channel: Channel;
	/** The message pressed on. */
	message: MessageHandle;
	/** Only this person sees that message. */
	private?: true;
	/** Its pictures, in order. */
	attached: readonly Upload[];
	/** Shows a form to this person. To be called before anything slow: platforms allow seconds. */
	open(form: Form): Promise<void>;
};

/** Somebody writes a message where the bot may read. */
export type IncomingMessage = {
	/** Names the message itself, also when it is changed later. At most 48 of `A-Z a-z 0-9 - _ : .` */
	id: string;
	/** As it was written, but without the mention of the bot that it may begin with. */
	text: string;
	uploads: readonly Upload[];
	person: Person;
	channel: Channel;
	/** It mentions the bot, answers it, or is a direct message to it. */
	addressed: boolean;
	/** It mentions or answers somebody else. */
	toOthers?: boolean;
};

/** Somebody has edited a message, or it is gone. */
export type MessageChange = {
	/** As the `Message` had it; the key of the post where it was ours. */
	id: string;
	place: Place;
	/** Undefined when the message was deleted. */
	text?: string;
};
