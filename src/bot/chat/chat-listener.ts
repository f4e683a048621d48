import type { Channel } from '../../domain/channel.ts';
import type { Person, Place } from '../../domain/place.ts';
import type { IncomingMessage, Request } from '../../domain/platform.ts';
import { MAX_PROMPT_CHARACTERS, oneLine } from '../../domain/text.ts';
import { translatorFor } from '../../i18n/translator.ts';
import { tryAndLog } from '../../log.ts';
import type { Lease } from '../../usage/lease.ts';
import { type ActionResult, say } from '../declaration/actions.ts';
import { type ThreadOpening, threadTitle } from '../declaration/command.ts';
import type { BotServices } from '../services.ts';
import { mentionsButton, openingMessage } from './chat-messages.ts';
import type { ChatPictures } from './chat-pictures.ts';
import { type Conversations, MAX_OPENED } from './conversations.ts';
import { clipped } from './history.ts';
import { itemIn } from './numbered.ts';
import { type MessageRequest, type PictureQuestion, pictureCommandOf } from './picture-request.ts';
import { type Conversation, isAnswer, utterance } from './transcript.ts';
import type { TurnScheduler } from './turn-scheduler.ts';

/** A message that makes the bot forget a thread. */
const FORGET = /^forget( everything)?[.!]?$/i;

type ListenerOptions = {
	services: BotServices;
	conversations: Conversations;
	lease: Lease;
	turns: TurnScheduler;
	pictures: ChatPictures;
	/** See `TurnScheduler`. */
	followUpMs: number;
	forget(place: Place, person: Person): Promise<ActionResult>;
};

/** Receives the messages of people: opens threads, adds messages to their transcripts, and schedules turns for them. */
export class ChatListener {
	readonly #options: ListenerOptions;

	constructor(options: ListenerOptions) {
		this.#options = options;
	}

	/**
	 * Opens a thread for `/chat`, and answers its prompt there.
	 *
	 * @param screened the text that must not break rules
	 */
	async open(
		{ title, prompt, model, mentionsOnly, private: isPrivate }: ThreadOpening,
		screened: string,
		{ id, person, channel }: Request,
	): Promise<ActionResult> {
		const { services, conversations, lease, turns } = this.#options;
		const notAllowed = await services.policy.checkChat({ channel, person, text: screened });
		if (notAllowed !== undefined) return say(notAllowed);
		if (!(await conversations.isFirst(`${channel.place.platform}:${id}`))) return 'duplicate';
		if (prompt === undefined && !(await conversations.mayOpen(channel.place, person))) return tooManyThreads(person);
		const thread = await channel.openThread(title, { private: isPrivate });
		const { place } = thread;
		const conversation = { place, since: Date.now(), mentionsOnly, ...(model && { model }) };
		if (prompt === undefined) {
			await this.#greet(thread, id, person, conversation);
			return 'answered';
		}
		// If this process ends before it answers, the next one finds the prompt.
		await conversations.save(conversation);
		await conversations.add(place, utterance(id, person, clipped(prompt)));
		await conversations.wait(place, lease.processId);
		try {
			await this.#greet(thread, id, person, conversation, prompt);
		} catch (error) {
			await conversations.waitNoLonger(place);
			throw error;
		}
		return turns.schedule(place, thread, 0);
	}

	/** Handles a message that concerns the bot. Resolves when it has been answered, there or in the thread that it opens. */
	async hear(message: IncomingMessage): Promise<ActionResult> {
		const { place } = message.channel;
		// A reply to a picture where no chat is needs none.
		if (message.repliedTo && !(await this.#options.conversations.find(place))) {
			const command = pictureCommandOf(message);
			if (typeof command === 'object' && ('command' in command || 'pictures' in command))
				return this.#request(message, command);
		}
		return place.thread === undefined && !place.direct ? this.#hearMention(message) : this.#hearInThread(message);
	}

	/** Invokes the command that a message stands for, or says why it cannot. */
	async #request(
		{ id, person, channel }: IncomingMessage,
		command: Exclude<MessageRequest, PictureQuestion | 'no instruction'>,
	): Promise<ActionResult> {
		const t = translatorFor(person.locale);
		if ('pictures' in command) return say(t('thread.which', { count: command.pictures }));
		if ('command' in command) return { invoke: { id, ...command, person, channel } };
		const prompt = await this.#itemOf(channel.place, command.item);
		return prompt === undefined
			? say(t('thread.draw.noItem'))
			: { invoke: { id, command: 'imagine', options: { prompt }, person, channel } };
	}

	/** Returns an item of the thread's last answer that has a numbered list. */
	async #itemOf(place: Place, number: number): Promise<string | undefined> {
		const { entries } = await this.#options.conversations.read(place);
		const numbered = entries.findLast((entry) => isAnswer(entry) && itemIn(entry.text, -1) !== undefined);
		const item = numbered && isAnswer(numbered) ? itemIn(numbered.text, number) : undefined;
		return item?.slice(0, MAX_PROMPT_CHARACTERS).toWellFormed();
	}

	/** Answers a mention in a channel: in a thread that it opens. */
	async #hearMention(message: IncomingMessage): Promise<ActionResult> {
		const { conversations } = this.#options;
		const { id, text, person, channel } = message;
		const t = translatorFor(person.locale);
		const command = pictureCommandOf(message);
		const notAllowed = await this.#check(message, command);
		if (notAllowed !== undefined) return say(notAllowed);
		if (FORGET.test(text.trim())) return say(t('thread.forgetWhere'));
		if (command === 'no instruction') return say(t('thread.instruction'));
		// A channel has no answers with items.
		if (command && 'item' in command) return say(t('thread.draw.noItem'));
		if (!(await conversations.isFirst(`${channel.place.platform}:${id}`))) return 'duplicate';
		const isFree = !asksModel(message, command);
		if (isFree && !(await conversations.mayOpen(channel.place, person))) return tooManyThreads(person);
		const title = oneLine(text) || t('chat.title', { name: person.name });
		const thread = await channel.openThread(threadTitle(title));
		const result = await this.#hearInThread({ ...message, channel: thread }, true);
		if (typeof result === 'string' || !('say' in result)) return result;
		await thread.post(result.say, id);
		return 'answered';
	}

	/**
	 * Handles a message in a thread or a direct message.
	 * @param isChecked by the policy, before the thread was opened
	 */
	async #hearInThread(message: IncomingMessage, isChecked = false): Promise<ActionResult> {
		const { services, conversations } = this.#options;
		const { id, person, channel, addressed } = message;
		const { place } = channel;
		const t = translatorFor(person.locale);
		const text = message.text.trim();
		let conversation = await conversations.find(place);
		const isAnswered = addressed || place.direct === true || conversation?.mentionsOnly === false;
		const command = isAnswered ? pictureCommandOf(message) : undefined;
		const isForModel = isAnswered && asksModel(message, command);
		const notAllowed = isChecked
			? undefined
			: await (isAnswered ? this.#check(message, command) : services.policy.checkMessage({ channel, person, text }));
		if (notAllowed !== undefined) return isAnswered ? say(notAllowed) : 'unasked';
		if (!conversation) {
			conversation = { place, since: Date.now(), mentionsOnly: false };
			await this.#greet(channel, id, person, conversation);
		}
		if (isAnswered && FORGET.test(text)) return this.#options.forget(place, person);

		if (command === 'no instruction') return say(t('thread.instruction'));
		if (text === '') return 'answered';
		if (oneLine(text) === '') return isAnswered ? say(t('errors.option.empty', { option: 'prompt' })) : 'unasked';
		const isQuestion = command !== undefined && 'about' in command;
		const pictures = isQuestion
			? await this.#options.pictures.keep(place, person, command.about, conversation.model)
			: undefined;
		const aside = !isAnswered || (command !== undefined && !isQuestion);
		const entry = utterance(id, person, clipped(text), { aside, unscreened: !isForModel, pictures });
		if (!isAnswered) {
			// People who do not ask the bot get no answer, whatever fails.
			await tryAndLog(services.log, 'A message could not be added to its thread', () =>
				conversations.add(place, entry),
			);
			return 'unasked';
		}
		const isNew = await conversations.add(place, entry);
		if (command && !isQuestion) return this.#request(message, command);
		if (!isNew) return 'duplicate';
		return this.#options.turns.schedule(place, channel, this.#options.followUpMs);
	}

	/** Checks a message that the bot answers: with the caps of chats when a chat model answers it, because a picture has its own. */
	#check({ channel, person, ...message }: IncomingMessage, command: MessageRequest | undefined) {
		const { policy } = this.#options.services;
		const asking = { channel, person, text: message.text.trim() };
		return asksModel(message, command) ? policy.checkChat(asking) : policy.checkMessage(asking);
	}

	async #greet(channel: Channel, id: string, person: Person, conversation: Conversation, prompt?: string) {
		const { conversations } = this.#options;
		await conversations.save(conversation);
		const { direct } = conversation.place;
		// On Slack, every direct message starts a thread; only the first is greeted.
		if (direct && !(await conversations.isFirstContact(conversation.place))) return;
		const t = translatorFor(person.locale);
		const text = openingMessage(t, person, prompt, conversation);
		const buttons = direct ? [] : [mentionsButton(t, conversation.mentionsOnly)];
		await channel.post({ text, buttons }, `${id}.open`);
	}
}

const tooManyThreads = ({ locale }: Person): ActionResult =>
	say(translatorFor(locale)('thread.tooMany', { count: MAX_OPENED }));

/** Tells whether a message that the bot answers is answered by a chat model. */
const asksModel = ({ text }: Pick<IncomingMessage, 'text'>, command: MessageRequest | undefined): boolean =>
	text.trim() !== '' &&
	!FORGET.test(text.trim()) &&
	(command === undefined || (typeof command === 'object' && 'about' in command));
