import type { Channel } from '../../domain/channel.ts';
import type { Job } from '../../domain/job.ts';
import type { Person } from '../../domain/person.ts';
import type { Place, PlaceScope } from '../../domain/place.ts';
import type { IncomingMessage, Invocation, MessageChange } from '../../domain/requests.ts';
import { translatorFor } from '../../i18n/translator.ts';
import type { Lease } from '../../usage/lease.ts';
import { type ActionResult, say } from '../actions/action.ts';
import { type ThreadOpening, threadTitle } from '../declaration/thread-opening.ts';
import type { BotServices } from '../services.ts';
import { type ChatActions, createChatActions } from './chat-actions.ts';
import { mentionsButton, openingMessage } from './chat-messages.ts';
import { ChatResponder } from './chat-responder.ts';
import type { Conversations } from './conversations.ts';
import { eraseChats } from './erase-chats.ts';
import { clipped } from './history.ts';
import { endInterrupted } from './interrupted.ts';
import { applyChange } from './message-changes.ts';
import { pictureCommandOf } from './picture-request.ts';
import { type Conversation, threadKey, utterance } from './transcript.ts';
import { TurnScheduler } from './turn-scheduler.ts';
import type { WriteServices } from './write-answer.ts';

/** Messages that follow each other this closely are one turn. */
const FOLLOW_UP_MS = 1500;

/** A message that makes the bot forget a thread. */
const FORGET = /^forget( everything)?[.!]?$/i;

type ChatOptions = {
	services: WriteServices & Pick<BotServices, 'policy' | 'open'>;
	conversations: Conversations;
	lease: Pick<Lease, 'processId' | 'hasExpired'>;
	followUpMs?: number | undefined;
	/** Keeps track of work that no request waits for. */
	track: (work: Promise<unknown>) => void;
};

/** Connects chat threads to chat completions. Idle threads take no memory. */
export class ChatController {
	/** The handlers of the buttons in threads. */
	readonly actions: ChatActions;
	readonly #options: ChatOptions;
	readonly #followUpMs: number;
	readonly #responder: ChatResponder;
	readonly #turns: TurnScheduler;

	constructor(options: ChatOptions) {
		const { services, conversations, lease, followUpMs = FOLLOW_UP_MS } = options;
		this.#options = options;
		this.#followUpMs = followUpMs;
		const responder = new ChatResponder(services, conversations, lease);
		const turns = new TurnScheduler({ services, conversations, responder, lease, followUpMs });
		this.#responder = responder;
		this.#turns = turns;
		this.actions = createChatActions({
			services,
			conversations,
			responder,
			turns,
			forget: ({ channel, person }) => this.#forgetThread(channel.place, person),
		});
	}

	/**
	 * Opens a thread for `/chat`, and answers its prompt there.
	 *
	 * @param screened the text that must not break rules
	 */
	async open(
		{ title, prompt, model, mentionsOnly, private: isPrivate }: ThreadOpening,
		screened: string,
		{ id, person, channel }: Pick<Invocation, 'id' | 'person' | 'channel'>,
	): Promise<ActionResult> {
		const { services, conversations, lease } = this.#options;
		const notAllowed = await services.policy.checkChat({ channel, person, text: screened });
		if (notAllowed !== undefined) return say(notAllowed);
		if (!(await conversations.once(`${channel.place.platform}:${id}`))) return 'duplicate';
		const thread = await channel.openThread(title, { private: isPrivate });
		const { place } = thread;
		const conversation = { place, mentionsOnly, ...(model && { model }) };
		if (prompt === undefined) {
			await this.#greet(thread, id, person, conversation);
			return 'answered';
		}
		// If this process ends before it answers, the next one finds the prompt.
		await conversations.save(conversation);
		await conversations.append(place, () => utterance(id, person, clipped(prompt)));
		await conversations.wait(place, lease.processId);
		try {
			await this.#greet(thread, id, person, conversation, prompt);
		} catch (error) {
			await conversations.waitNoLonger(place);
			throw error;
		}
		return this.#turns.schedule(place, thread, 0);
	}

	/** Tells whether the bot should read a message: it mentions the bot, is a direct message, or is in a thread of the bot. */
	async concerns({ addressed, toOthers, channel: { place } }: IncomingMessage): Promise<boolean> {
		// Looked up for every message in a thread, also when the result is not needed, so that messages keep their order.
		const isOurs = place.thread !== undefined && Boolean(await this.#options.conversations.find(place));
		return addressed || place.direct === true || (!toOthers && isOurs);
	}

	/** Handles a message that concerns the bot. Resolves when it has been answered, there or in the thread that it opens. */
	hear(message: IncomingMessage): Promise<ActionResult> {
		const { thread, direct } = message.channel.place;
		return thread === undefined && !direct ? this.#hearMention(message) : this.#hearInThread(message);
	}

	changed(change: MessageChange): Promise<void> {
		return applyChange(this.#options.services, this.#options.conversations, change);
	}

	/** Deletes everything that is kept of the threads there. */
	forget(where: PlaceScope): Promise<void> {
		const { conversations } = this.#options;
		return eraseChats(
			this.#responder,
			this.#turns,
			(place) => isWithin(place, where),
			() => conversations.purge(where),
		);
	}

	/** Ends an answer that was being written by a process that is gone. */
	interrupted(job: Job): Promise<void> {
		return endInterrupted(this.#options.services, this.#options.conversations, job);
	}

	/** Answers the messages that waited for processes that are gone. */
	async resume(): Promise<void> {
		const { services, conversations, lease, track } = this.#options;
		for await (const { place, process } of conversations.waiting()) {
			if (!(await lease.hasExpired(process))) continue;
			const channel = await services.open(place);
			if (channel) track(this.#turns.schedule(place, channel, 0));
			else await conversations.waitNoLonger(place);
		}
	}

	/** The number of threads that have turns. */
	get busyThreads(): number {
		return this.#turns.busyThreads;
	}

	/** Answers a mention in a channel: in a thread that it opens. */
	async #hearMention(message: IncomingMessage): Promise<ActionResult> {
		const { services, conversations } = this.#options;
		const { id, text, person, channel } = message;
		const t = translatorFor(person.locale);
		const notAllowed = await services.policy.checkChat({ channel, person, text });
		if (notAllowed !== undefined) return say(notAllowed);
		if (FORGET.test(text.trim())) return say(t('thread.forgetWhere'));
		if (pictureCommandOf(message) === 'no instruction') return say(t('thread.instruction'));
		if (!(await conversations.once(`${channel.place.platform}:${id}`))) return 'duplicate';
		const title = text.trim() || t('chat.title', { name: person.name });
		const thread = await channel.openThread(threadTitle(title));
		const result = await this.#hearInThread({ ...message, channel: thread });
		if (typeof result === 'string' || !('say' in result)) return result;
		await thread.post(result.say, id);
		return 'answered';
	}

	/** Handles a message in a thread or a direct message. */
	async #hearInThread(message: IncomingMessage): Promise<ActionResult> {
		const { services, conversations } = this.#options;
		const { id, person, channel, addressed } = message;
		const { place } = channel;
		const t = translatorFor(person.locale);
		const text = message.text.trim();
		let conversation = await conversations.find(place);
		const isAnswered = addressed || place.direct === true || conversation?.mentionsOnly === false;
		const notAllowed = await services.policy.checkChat({ channel, person, text });
		if (notAllowed !== undefined) return isAnswered ? say(notAllowed) : 'unasked';
		if (!conversation) {
			conversation = { place, mentionsOnly: false };
			await this.#greet(channel, id, person, conversation);
		}
		if (isAnswered && FORGET.test(text)) return this.#forgetThread(place, person);

		const command = isAnswered ? pictureCommandOf(message) : undefined;
		if (command === 'no instruction') return say(t('thread.instruction'));
		if (text === '') return 'answered';
		const entry = utterance(id, person, clipped(text), command !== undefined || !isAnswered);
		const isNew = await conversations.append(place, ({ entries }) =>
			entries.some((other) => other.kind === 'said' && other.id === id) ? undefined : entry,
		);
		if (command) return { invoke: { id, ...command, person, channel } };
		if (!isNew) return 'duplicate';
		return isAnswered ? this.#turns.schedule(place, channel, this.#followUpMs) : 'unasked';
	}

	async #greet(channel: Channel, id: string, person: Person, conversation: Conversation, prompt?: string) {
		const { conversations } = this.#options;
		await conversations.save(conversation);
		const { platform, server, channel: where, direct } = conversation.place;
		// On Slack, every direct message starts a thread; only the first is greeted.
		if (direct && !(await conversations.once(`greeted:${platform}:${server}:${where}`))) return;
		const t = translatorFor(person.locale);
		const text = openingMessage(t, person, prompt, conversation);
		const buttons = direct ? [] : [mentionsButton(t, conversation.mentionsOnly)];
		await channel.post({ text, buttons }, `${id}.open`);
	}

	async #forgetThread(place: Place, { locale }: Person): Promise<ActionResult> {
		const isHere = (other: Place) => threadKey(other) === threadKey(place);
		await eraseChats(this.#responder, this.#turns, isHere, () => this.#options.conversations.clear(place));
		return { say: { text: translatorFor(locale)('thread.forgotten') } };
	}
}

const isWithin = (place: Place, { platform, server, channel, thread }: PlaceScope) =>
	place.platform === platform &&
	place.server === server &&
	(channel === undefined || place.channel === channel) &&
	(thread === undefined || place.thread === thread);
