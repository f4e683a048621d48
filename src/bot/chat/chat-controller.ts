import type { Channel } from '../../domain/channel.ts';
import type { Job } from '../../domain/job.ts';
import type { Person } from '../../domain/person.ts';
import type { Place, PlaceScope } from '../../domain/place.ts';
import type { IncomingMessage, Invocation, MessageChange } from '../../domain/requests.ts';
import { translatorFor } from '../../i18n/translator.ts';
import type { Lease } from '../../usage/lease.ts';
import { type ActionResult, say } from '../actions/action.ts';
import { type ThreadOpening, threadTitle } from '../declaration/command.ts';
import type { BotServices } from '../services.ts';
import { createAnswering } from './answering.ts';
import { type ChatActions, createChatActions } from './chat-actions.ts';
import { forgotten, mentionsButton, openingMessage, whatToDo } from './chat-messages.ts';
import { type Conversation, type Conversations, threadKey, type Utterance } from './conversations.ts';
import { drawingIn } from './drawing.ts';
import { clipped } from './history.ts';
import { endInterrupted } from './interrupted.ts';
import { createTurnScheduler } from './turn-scheduler.ts';

/** Messages that follow each other this closely are one turn. */
const FOLLOW_UP_MS = 1500;

/** What makes the bot forget, said to it alone. */
const FORGET = /^forget( everything)?[.!]?$/i;

/** Chat threads ↔ chat completions. What idles is in the store alone. */
export type ChatController = {
	/**
	 * `/chat`: opens a thread, and answers the prompt there.
	 * @param screened the text that must not break rules
	 */
	open(
		opening: ThreadOpening,
		screened: string,
		invocation: Pick<Invocation, 'id' | 'person' | 'channel'>,
	): Promise<ActionResult>;
	/** Whether a message is one for the bot to read: it is in a thread of ours or to the bot alone, or it calls the bot. */
	concerns(message: IncomingMessage): Promise<boolean>;
	/** A message that concerns us. Resolves when it is answered: where it was written, or in the thread that it opens. */
	hear(message: IncomingMessage): Promise<ActionResult>;
	/** The handlers of the buttons in threads. */
	readonly actions: ChatActions;
	changed(change: MessageChange): Promise<void>;
	forget(where: PlaceScope): Promise<void>;
	/** Ends an answer that a process which is gone has left half written. */
	interrupted(job: Job): Promise<void>;
	/** Answers what waited for a process that is gone. */
	resume(): Promise<void>;
	/** How many threads have something going on. */
	busy(): number;
};

export function createChatController(parts: {
	services: BotServices;
	conversations: Conversations;
	lease: Lease;
	followUpMs?: number | undefined;
	/** Told of work that nobody waits for. */
	track: (work: Promise<unknown>) => void;
}): ChatController {
	const { services, conversations, lease, followUpMs = FOLLOW_UP_MS } = parts;
	const answering = createAnswering(services, conversations, lease);
	const turns = createTurnScheduler({ services, conversations, answering, lease, followUpMs });
	const actions = createChatActions({
		services,
		conversations,
		answering,
		turns,
		forget: ({ channel, person }) => forgetThread(channel.place, person),
	});

	async function wipe(place: Place) {
		const isHere = (other: Place) => threadKey(other) === threadKey(place);
		// What waits is not answered any more; what was begun may have written something down until it ended.
		await conversations.clear(place);
		answering.stopWhere(isHere);
		await turns.over(isHere);
		await conversations.clear(place);
	}

	async function greet(channel: Channel, id: string, person: Person, conversation: Conversation, prompt?: string) {
		await conversations.set(conversation);
		const { platform, server, channel: where, direct } = conversation.place;
		// Slack makes a thread of every message to the bot alone.
		if (direct && !(await conversations.once(`greeted:${platform}:${server}:${where}`))) return;
		const t = translatorFor(person.locale);
		const text = openingMessage(t, person, prompt, conversation);
		const buttons = direct ? [] : [mentionsButton(t, conversation.mentionsOnly)];
		await channel.post({ text, buttons }, `${id}.open`);
	}

	/** Whoever calls the bot in a channel is answered in a thread. */
	async function called(message: IncomingMessage): Promise<ActionResult> {
		const { id, text, person, channel } = message;
		const t = translatorFor(person.locale);
		const notAllowed = await services.policy.chat({ channel, person, text });
		if (notAllowed !== undefined) return say(notAllowed);
		if (FORGET.test(text.trim())) return say(t('thread.forgetWhere'));
		if (drawingIn(message) === 'no instruction') return say(whatToDo(t));
		// One delivered twice opens no second thread.
		if (!(await conversations.once(`${channel.place.platform}:${id}`))) return 'duplicate';
		const title = text.trim() || t('chat.title', { name: person.name });
		const thread = await channel.openThread(threadTitle(title));
		const ended = await listen({ ...message, channel: thread });
		if (typeof ended === 'string' || !('say' in ended)) return ended;
		await thread.post(ended.say, id);
		return 'answered';
	}

	/** A message in a thread, or to the bot alone. */
	async function listen(message: IncomingMessage): Promise<ActionResult> {
		const { id, person, channel, addressed } = message;
		const { place } = channel;
		const t = translatorFor(person.locale);
		const text = message.text.trim();
		let conversation = await conversations.find(place);
		const wanted = addressed || place.direct === true || conversation?.mentionsOnly === false;
		const notAllowed = await services.policy.chat({ channel, person, text });
		if (notAllowed !== undefined) return wanted ? say(notAllowed) : 'unasked';
		if (!conversation) {
			conversation = { place, mentionsOnly: false };
			await greet(channel, id, person, conversation);
		}
		if (wanted && FORGET.test(text)) return forgetThread(place, person);

		const drawing = wanted ? drawingIn(message) : undefined;
		if (drawing === 'no instruction') return say(whatToDo(t));
		if (text === '') return 'answered';
		const entry = said(id, person, text, drawing !== undefined || !wanted);
		const isNew = await conversations.append(place, ({ entries }) =>
			entries.some((other) => other.kind === 'said' && other.id === id) ? undefined : entry,
		);
		if (drawing) return { invoke: { id, ...drawing, person, channel } };
		if (!isNew) return 'duplicate';
		return wanted ? turns.attend(place, channel, followUpMs) : 'unasked';
	}

	/** Whether other words may take the place of a message; what may not is no longer sent to the model. */
	async function maySay(place: Place, person: Utterance['person'], text: string): Promise<boolean> {
		const channel = (await services.open(place).catch(() => undefined)) ?? {
			place,
			refer: (_: string, id: string) => id,
		};
		return (await services.policy.chat({ channel, person: { ...person, moderator: false }, text })) === undefined;
	}

	async function forgetThread(place: Place, { locale }: Person): Promise<ActionResult> {
		await wipe(place);
		return { say: { text: forgotten(translatorFor(locale)) } };
	}

	return {
		async open({ title, prompt, model, mentionsOnly, private: isPrivate }, screened, { id, person, channel }) {
			const notAllowed = await services.policy.chat({ channel, person, text: screened });
			if (notAllowed !== undefined) return say(notAllowed);
			// One delivered twice opens no second thread.
			if (!(await conversations.once(`${channel.place.platform}:${id}`))) return 'duplicate';
			const thread = await channel.openThread(title, { private: isPrivate });
			const { place } = thread;
			const conversation = { place, mentionsOnly, ...(model && { model }) };
			if (prompt === undefined) {
				await greet(thread, id, person, conversation);
				return 'answered';
			}
			// Should this process end before it answers, the next one finds what to.
			await conversations.set(conversation);
			await conversations.append(place, () => said(id, person, prompt));
			await conversations.wait(place, lease.processId);
			try {
				await greet(thread, id, person, conversation, prompt);
			} catch (error) {
				await conversations.waitNoLonger(place);
				throw error;
			}
			return turns.attend(place, thread, 0);
		},

		async concerns({ addressed, toOthers, channel: { place } }) {
			// The same is looked up for every message in a thread, so that none overtakes the one before it.
			const ours = place.thread !== undefined && Boolean(await conversations.find(place));
			return addressed || place.direct === true || (!toOthers && ours);
		},

		hear(message) {
			const { thread, direct } = message.channel.place;
			return thread === undefined && !direct ? called(message) : listen(message);
		},

		actions,

		async changed({ id, place, text }) {
			if (!(await conversations.find(place))) return;
			const { first, entries } = await conversations.read(place);
			for (const [index, entry] of entries.entries()) {
				if (entry.kind === 'said' && entry.id === id)
					await conversations.replace(
						place,
						first + index,
						text === undefined || !(await maySay(place, entry.person, text))
							? { kind: 'gone' }
							: { ...entry, text: clipped(text.trim()) },
					);
				// An answer that was deleted keeps its place: what it answered is answered.
				if (entry.kind === 'answer' && text === undefined && entry.posts.some(({ key }) => key === id))
					await conversations.replace(place, first + index, { ...entry, text: '' });
			}
		},

		async forget(where) {
			await conversations.purge(where);
			const isThere = (place: Place) => isWithin(place, where);
			answering.stopWhere(isThere);
			await turns.over(isThere);
			await conversations.purge(where);
		},

		interrupted: (job) => endInterrupted(services, conversations, job),

		async resume() {
			for await (const { place, process } of conversations.waiting()) {
				if (!(await lease.hasExpired(process))) continue;
				const channel = await services.open(place);
				if (channel) parts.track(turns.attend(place, channel, 0));
				else await conversations.waitNoLonger(place);
			}
		},

		busy: () => turns.busy(),
	};
}

const said = (id: string, { id: by, name, roles, locale }: Person, text: string, aside = false) => ({
	kind: 'said' as const,
	id,
	person: { id: by, name, ...(roles && { roles }), ...(locale && { locale }) },
	text: clipped(text),
	...(aside && { aside: true as const }),
});

const isWithin = (place: Place, { platform, server, channel, thread }: PlaceScope) =>
	place.platform === platform &&
	place.server === server &&
	(channel === undefined || place.channel === channel) &&
	(thread === undefined || place.thread === thread);
