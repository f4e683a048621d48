import type { Channel, Upload } from '../../domain/channel.ts';
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
import { type Conversation, isAnswer, utterance } from './transcript.ts';
import type { TurnScheduler } from './turn-scheduler.ts';

/** The ordinals from 1 to 4 in the languages of the catalogues, as sources of regular expressions. A result has at most four pictures. */
const ORDINALS = [
	'first|1st|erste[nrs]?|premi[eè]re?|primer[ao]?|primeir[ao]|перв[а-я]+',
	'second|2nd|zweite[nrs]?|deuxième|seconde?|segund[ao]|втор[а-я]+',
	'third|3rd|dritte[nrs]?|troisième|tercer[ao]?|terceir[ao]|треть[а-я]+',
	'fourth|4th|vierte[nrs]?|quatrième|cuart[ao]|quart[ao]|четв[её]рт[а-я]+',
];

const NOUN =
	'one|picture|image|photo|drawing|variation|version|bild|variante|imagen|imagem|foto|картинк[а-я]+|изображени[а-я]+';

const BY_ORDINAL = ORDINALS.map(
	(ordinal) => new RegExp(`(?<![\\p{L}\\p{N}])(?:${ordinal})\\s+(?:${NOUN})(?![\\p{L}\\p{N}])`, 'iu'),
);

/** “picture 2”, “#2”, “画像2”; “2枚目”; “2: make it night”. */
const BY_NUMBER = [
	new RegExp(
		`(?:#|(?<!\\p{L})(?:number|no\\.?|nr\\.?|nummer|num[ée]ro|número|номер|${NOUN})|画像)\\s*#?([1-4])(?!\\p{N})`,
		'iu',
	),
	/([1-4])\s*(?:枚目|番目|番)/u,
	/^\s*([1-4])\s*[:.)]/u,
];

/** Returns the number by which a text names one of several pictures; undefined when it names none, or one that is not there. */
export function pictureNumberIn(text: string, count: number): number | undefined {
	const plain = text.normalize('NFKC');
	const ordinal = BY_ORDINAL.findIndex((pattern) => pattern.test(plain)) + 1;
	const number = ordinal || Number(BY_NUMBER.map((pattern) => pattern.exec(plain)?.[1]).find(Boolean) ?? 0);
	return number >= 1 && number <= count ? number : undefined;
}

const ITEM_ORDINALS = [
	'first',
	'second',
	'third',
	'fourth',
	'fifth',
	'sixth',
	'seventh',
	'eighth',
	'ninth',
	'tenth',
	'last',
];

const ITEM = new RegExp(
	`^(?:the )?(?:(?<ordinal>${ITEM_ORDINALS.join('|')})(?: (?:one|item|idea|option|suggestion))?|(?:(?:number|no\\.?|item|idea|option) ?)?#?(?<number>\\d{1,2}))[.!]?$`,
	'i',
);

/** Returns the number of the item that words such as “the second one” or “number 2” name, and nothing else; -1 for the last one. */
export function itemNumberOf(words: string): number | undefined {
	const { ordinal, number } = ITEM.exec(words.trim().replace(/\s+/g, ' '))?.groups ?? {};
	if (ordinal) return ordinal.toLowerCase() === 'last' ? -1 : ITEM_ORDINALS.indexOf(ordinal.toLowerCase()) + 1;
	return number === undefined ? undefined : Number(number);
}

/** The beginning of an item in a numbered list. https://spec.commonmark.org/0.31.2/#ordered-list-marker */
const MARKER = /^ {0,3}(\d{1,3})[.)]\s+(?=\S)/;

/** Returns an item of the numbered list in an answer, as plain text with its further lines; the last one for -1. */
export function itemIn(answer: string, number: number): string | undefined {
	const items: { number: number; lines: string[] }[] = [];
	for (const line of answer.split('\n')) {
		const marker = MARKER.exec(line);
		const last = items.at(-1);
		if (marker) items.push({ number: Number(marker[1]), lines: [line.slice(marker[0].length)] });
		// Only indented lines and those right below belong to an item: a paragraph after the list does not.
		else if (last && (/^\s+\S/.test(line) || last.lines.at(-1)?.trim())) last.lines.push(line);
	}
	const item = number === -1 ? items.at(-1) : items.find((one) => one.number === number);
	return item && plainText(item.lines.join(' '));
}

const plainText = (markdown: string) =>
	markdown
		.replace(/!?\[([^[\]]*)\]\([^()\s]*\)/g, '$1')
		.replace(/\*\*|__|`|(?<!\w)[*_](?=\S)|(?<=\S)[*_](?!\w)/g, '')
		.replace(/\s+/g, ' ')
		.trim();

/** A command that a message asks for, with its options. */
type PictureCommand = { command: string; options: Record<string, unknown> };

/** The pictures that a message asks a question about. */
export type PictureQuestion = { about: readonly Upload[] };

/** An item of the last numbered answer to draw; -1 for its last one. */
type ItemRequest = { item: number };

/** A reply to several pictures that does not say which one is meant. */
type UnclearReply = { pictures: number };

/** The pictures that a message asks for, or asks about; `'no instruction'` for pictures alone. */
export type MessageRequest = PictureCommand | PictureQuestion | ItemRequest | UnclearReply | 'no instruction';

/** A composition takes at most three pictures. */
const MAX_PICTURES = 3;

/**
 * Returns the picture command that a chat message stands for: one that begins with the word "draw", or that brings pictures and an
 * instruction, or replies to a message with pictures. Returns `'no instruction'` for pictures alone, the pictures of a question about
 * them, and undefined for any other message.
 */
export function pictureCommandOf({
	text,
	uploads,
	repliedTo,
}: Pick<IncomingMessage, 'text' | 'uploads' | 'repliedTo'>): MessageRequest | undefined {
	const brought = uploads.filter(isPicture);
	const shown = repliedTo?.pictures ?? [];
	const instruction = oneLine(text) && text.trim();
	if (brought.length + shown.length === 0) return drawRequestOf(instruction);
	if (instruction === '') return 'no instruction';
	if (isQuestion(instruction)) return { about: [...shown, ...brought] };
	const number = shown.length > 1 ? pictureNumberIn(instruction, shown.length) : 1;
	if (number === undefined) return { pictures: shown.length };
	const pictures = [...shown.slice(number - 1, number), ...brought].slice(0, MAX_PICTURES);
	const options = { prompt: instruction, ...(repliedTo?.private && { private: true }) };
	if (pictures.length === 1) return { command: 'edit', options: { image: pictures[0], ...options } };
	const images = Object.fromEntries(pictures.map((picture, index) => [`image${index + 1}`, picture]));
	return { command: 'compose', options: { ...images, ...options } };
}

function drawRequestOf(instruction: string): PictureCommand | ItemRequest | undefined {
	const prompt = /^draw[\s:,]+(\S.*)$/is.exec(instruction)?.[1];
	if (prompt === undefined) return undefined;
	const item = itemNumberOf(prompt);
	return item === undefined ? { command: 'imagine', options: { prompt } } : { item };
}

/**
 * Tells a question about pictures, which the chat model answers, from an instruction. "Can you make it night?" is an instruction; in other
 * languages, a polite instruction must not end with a question mark.
 */
const isQuestion = (text: string) => /[?？؟]\s*$/.test(text) && !REQUEST.test(text);

const REQUEST =
	/^(please\b|(can|could|would|will) (you|we|i)\b(?!.*\b(see|tell|describe|read|explain|say|recogni[sz]e|identify|translate|count)\b))/is;

/** Trusts the platform's claim for now; whether it is a picture is decided from its bytes later. */
const isPicture = ({ type, name }: Upload) =>
	type === undefined ? /\.(png|jpe?g|webp|gif|avif|tiff?)$/i.test(name) : type.startsWith('image/');

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
