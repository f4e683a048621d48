import type { Person } from '../../../domain/channel.ts';
import type { CommandDescription } from '../../../domain/command.ts';
import type { TryOut } from '../../../domain/findings.ts';
import type { Inbox } from '../../../domain/platform.ts';
import { type Translate, translatorFor, type Values } from '../../../i18n/translator.ts';
import type { OpenForms } from '../../shared/open-forms.ts';
import type { EventHub } from './events.ts';
import type { StoredFile } from './files.ts';
import { isVisibleTo, type SandboxChannel, type SandboxStore, type StoredMessage } from './store.ts';

export type SandboxContext = {
	/** With the pictures of the message that a form was opened from. */
	openForms: OpenForms<{ command: string; files: readonly StoredFile[] }>;
	commands: readonly CommandDescription[];
	store: SandboxStore;
	hub: EventHub;
	tryOut?: TryOut;
	/** Undefined while the platform takes no events. */
	inbox?: Inbox;
	onError: (error: unknown) => void;
};

/**
 * Thrown for a request that cannot be carried out. Its sentence is a message when people can cause the error at the page, and
 * plain English when only a program can.
 */
export class BadRequest extends Error {
	readonly status: 400 | 403 | 404 | 409 | 413 | 415 | 503;
	readonly messageIn: (t: Translate) => string;

	constructor(status: BadRequest['status'], idOrText: string, values?: Values) {
		super(translatorFor('en').declared(idOrText, values));
		this.status = status;
		this.messageIn = (t) => t.declared(idOrText, values);
	}
}

/** The person who does something, the channel or thread they do it in, and the language of their browser. */
export type Actor = { as: string; channel: string; locale?: string };

/**
 * Returns the channel, and the person with the rights they have there now.
 *
 * @throws BadRequest when there is no such channel for this person
 */
export async function authorize(
	{ store }: SandboxContext,
	{ as, channel: id, locale }: Actor,
): Promise<{ channel: SandboxChannel; person: Person }> {
	const channel = await store.channel(id);
	if (!channel || (channel.onlyFor ?? as) !== as) throw new BadRequest(404, 'There is no such channel.');
	const person = await store.person(as, channel.server);
	if (!person) throw new BadRequest(404, 'There is no such person.');
	return { channel, person: { ...person, locale } };
}

/** Returns the channel and person as `authorize` does, with a message there. @throws BadRequest when this person sees no such message */
export async function authorizeAt(
	context: SandboxContext,
	actor: Actor & { number: number },
): Promise<{ channel: SandboxChannel; person: Person; message: StoredMessage }> {
	const { channel, person } = await authorize(context, actor);
	const message = await context.store.get(channel.id, actor.number);
	if (!message || !isVisibleTo(message, person.id)) throw new BadRequest(404, 'sandbox.server.noMessage');
	return { channel, person, message };
}

/** @throws BadRequest while the platform takes no events */
export function openInbox({ inbox }: SandboxContext): Inbox {
	if (!inbox) throw new BadRequest(503, 'sandbox.server.starting');
	return inbox;
}

/** Hands an event to the core without waiting: the core answers in the channel. */
export const handOver = ({ onError }: SandboxContext, event: Promise<void>): void => void event.catch(onError);

/** Returns the delivery id of a request: a request that is sent twice is one event. */
export const deliveryId = (person: string, requestId: string): string => `d:${person}:${requestId}`;
