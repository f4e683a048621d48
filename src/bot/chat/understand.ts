import { isPicture, type Upload } from '../../domain/channel.ts';
import type { CommandDescription } from '../../domain/command.ts';
import type { IncomingMessage, Origin, QuotedMessage } from '../../domain/platform.ts';
import { inCode, oneLine } from '../../domain/text.ts';
import { commandAtStart, type References, readTypedOptions } from '../../domain/typed-options.ts';
import type { Easel } from '../../easel.ts';
import { languages, SentenceError, translatorFor } from '../../i18n/translator.ts';
import { tryAndLog } from '../../log.ts';
import { itemIn, itemNumberOf, pictureNumberIn } from '../words/numbered.ts';
import {
	asksForAnother,
	asksToForget,
	asksToRemove,
	drawsQuoted,
	isAboutPictures,
	isChange,
	isPolite,
	isTalk,
	promptIn,
	speaksOfPictures,
} from '../words/plain-words.ts';
import { resultsHere } from './drawings.ts';
import { sortFiles, UnreadFilesError, unreadFile } from './message-files.ts';
import { picturesInWords } from './prompt.ts';
import { askedIn, type Conversation, isAnswer, nameOf, newestWithin, type UnreadFile } from './transcript.ts';

/** A command that a message asks for, with its options. `unused` are files of the message that it has no use for. */
type CommandRequest = { command: string; options: Record<string, unknown>; unused: readonly UnreadFile[] };

/** An item of the last numbered answer to draw; -1 for its last one. */
type ItemRequest = { item: number };

type PictureQuestion = { about: readonly Upload[] };

type RepeatRequest = { again: readonly Upload[] };

/** What a message asks for where that is more than an answer in words, or what it lacks for that. */
export type MessageRequest = CommandRequest | ItemRequest | PictureQuestion | RepeatRequest | SentenceError;

type MessageContent = Pick<IncomingMessage, 'text' | 'uploads' | 'repliedTo'>;

/**
 * Returns what a message asks for by itself: a picture in plain words, a change of the pictures that it brings or of the message that it
 * replies to, or something about them. Undefined for any other message.
 *
 * @param maxReferences how many pictures a composition takes
 */
export function requestIn(message: MessageContent, maxReferences = 3): MessageRequest | undefined {
	const { brought, pictures } = filesOf(message);
	const instruction = oneLine(message.text) && message.text.trim();
	if (pictures.length === 0) return drawRequestOf(instruction, message) ?? whyUnread({ ...message, text: instruction });
	if (asksToRemove(instruction)) return new SentenceError('thread.remove');
	if (asksForAnother(instruction)) return brought.pictures.length > 0 ? { about: pictures } : { again: pictures };
	if (instruction === '')
		return brought.texts.length > 0 ? { about: pictures } : new SentenceError('thread.instruction');
	return isAboutPictures(instruction) ? { about: pictures } : changeOf(message, maxReferences);
}

/** Returns the files that a message brings, and those of the message that it replies to. `unused` are those that no picture is made of. */
function filesOf({ uploads, repliedTo }: Omit<MessageContent, 'text'>) {
	const [brought, shown] = [sortFiles(uploads), sortFiles(repliedTo?.uploads ?? [])];
	const unused = [...brought.unread, ...brought.texts.map((upload) => unreadFile(upload, 'unused'))];
	return { brought, shown, pictures: [...shown.pictures, ...brought.pictures], unused };
}

/** A text that is code as a whole, as commands are copied, or bold. */
const CODE = /^([`*_]{1,3})([^`]+)\1$/;

/** Commands that make pictures name no people, channels or roles. */
const NO_REFERENCES: References = { mentioned: () => undefined, named: () => undefined, plain: (text) => text };

/**
 * Returns what a command asks for that is typed into a message, such as “/imagine prompt: a fox”. Its name is enough where the platform
 * takes any command in a message; elsewhere only those that make pictures are understood, and the others named in a sentence.
 */
export async function typedRequest(
	{ catalogue, service }: Easel,
	message: IncomingMessage,
): Promise<CommandRequest | SentenceError | undefined> {
	const { typed, person } = message;
	const written = (typed?.text ?? message.text).trim().replace(CODE, '$2').trim();
	const text = written.replace(/^[/／]/, '');
	const isPlain = text === written;
	if (isPlain && !typed) return undefined;
	const shown = [...catalogue.descriptions.values()].filter(({ name }) => !catalogue.find(name)?.hidden);
	const named = typed ? shown : shown.map((command) => ({ ...command, name: command.name.split(' ', 1).join() }));
	const { nameOf } = translatorFor(person.locale);
	const found = commandAtStart(named, text, isPlain ? undefined : nameOf);
	if (!found) return undefined;
	const { name, fields } = found.command;
	const makes = catalogue.find(name)?.makes;
	// In direct messages, “edit this sentence” is part of the chat, and the chat needs no command.
	const isInChat = isPlain && !typed?.mentions;
	if (makes === 'thread' && (isInChat || !typed)) return undefined;
	const { options, left, unclear } = readTypedOptions(fields, found.rest, typed?.references ?? NO_REFERENCES);
	// The answer to a message is for everybody who sees the message.
	if (!typed && (makes !== 'pictures' || 'private' in options))
		return new SentenceError('thread.typed', { command: inCode(`/${text.split(/\s/, 1)}`) });
	// “models are better than that” is not the command `models`.
	if (left !== '' && !isPolite(left)) return undefined;
	if (unclear.length > 0) return new SentenceError('errors.option.unreadable', { option: unclear.join('`, `') });
	const inputs = fields.filter(({ kind }) => kind === 'picture');
	const { repliedTo } = inputs.length > 0 ? message : {};
	const asked = { text: options['prompt'] ?? '', uploads: message.uploads, repliedTo };
	// A picture that `/imagine` replies to is not what it draws, one that it brings is.
	if (makes === 'pictures' && (!typed || inputs.length === 0) && filesOf(asked).pictures.length > 0) {
		const request = changeOf(asked, service.capabilities.maxReferences);
		return 'options' in request ? { ...request, options: { ...options, ...request.options } } : request;
	}
	return withPictures({ ...message, text: asked.text }, found.command, options, isInChat);
}

/** Returns a typed command with the pictures that it is about; undefined where its words may be meant for a chat. */
async function withPictures(
	message: IncomingMessage,
	{ name, fields }: CommandDescription,
	options: Readonly<Record<string, string>>,
	isInChat: boolean,
): Promise<CommandRequest | SentenceError | undefined> {
	const { uploads } = message;
	const { brought, unused } = filesOf({ uploads });
	const inputs = fields.filter(({ kind }) => kind === 'picture');
	const pictures = await picturesFor(message, inputs.filter(({ required }) => required).length);
	if (pictures.length > inputs.length) {
		const isBrought = brought.pictures.length > 0;
		if (isInChat && !isBrought) return undefined;
		const counts = { command: name, most: inputs.length, count: pictures.length };
		return new SentenceError(isBrought || inputs.length > 1 ? 'thread.tooManyPictures' : 'thread.which', counts);
	}
	// The command says why a file is no picture.
	const isForCommand = pictures.length === 0 && inputs.length > 0;
	const used = isForCommand ? uploads.slice(0, 1) : pictures;
	const all = { ...options, ...Object.fromEntries(used.map((upload, index) => [inputs[index]?.name, upload])) };
	if (isInChat && fields.some((field) => field.required && !(field.name in all))) return undefined;
	return { command: name, options: all, unused: isForCommand ? [] : unused };
}

/**
 * Returns the pictures that a typed command is about: those that it brings; where they are too few, with those of the message that it
 * replies to; else where several lack with all that people have sent above it, and where one lacks with those of the newest message above
 * that has any, or the one of them that its words name.
 *
 * @param least how many it needs
 */
async function picturesFor(
	{ text, uploads, repliedTo, before }: IncomingMessage,
	least: number,
): Promise<readonly Upload[]> {
	const picturesOf = (one: { uploads: readonly Upload[] }) => sortFiles(one.uploads).pictures;
	const brought = picturesOf({ uploads });
	const lacking = least - brought.length;
	if (lacking <= 0) return brought;
	let shown = repliedTo ? picturesOf(repliedTo) : [];
	if (shown.length < lacking) {
		const above = (await before?.()) ?? [];
		const sent = above.filter(({ own }) => lacking === 1 || !own).map(picturesOf);
		shown = lacking === 1 ? (sent.findLast(({ length }) => length > 0) ?? []) : sent.flat();
	}
	const number = lacking === 1 && shown.length > 1 ? pictureNumberIn(text, shown.length) : undefined;
	return [...(number === undefined ? shown : shown.slice(number - 1, number)), ...brought];
}

function changeOf(message: MessageContent, maxReferences: number): CommandRequest | SentenceError {
	const { brought, shown, unused } = filesOf(message);
	const { text, repliedTo } = message;
	const count = shown.pictures.length;
	const number = count > 1 ? pictureNumberIn(text, count) : 1;
	if (number === undefined) return new SentenceError('thread.which', { count });
	const all = [...shown.pictures.slice(number - 1, number), ...brought.pictures];
	const images = all.slice(0, maxReferences);
	const over = all.slice(maxReferences).map((upload) => unreadFile(upload, 'unused'));
	const [command, names] =
		images.length === 1 ? ['edit', ['image']] : ['compose', images.map((_, at) => `image${at + 1}`)];
	const options = Object.fromEntries(images.map((image, index) => [names[index], image]));
	const isPrivate = repliedTo?.private && { private: true };
	return { command, options: { ...options, prompt: text.trim(), ...isPrivate }, unused: [...unused, ...over] };
}

function drawRequestOf(instruction: string, message: MessageContent): CommandRequest | ItemRequest | undefined {
	const above = message.repliedTo?.text.trim() ?? '';
	const isQuoted = above !== '' && drawsQuoted(instruction);
	const prompt = isQuoted ? above : promptIn(instruction);
	if (prompt === undefined) return undefined;
	const item = isQuoted ? undefined : itemNumberOf(prompt);
	// What a reply names is in the list that it replies to, whoever has written that.
	const named = item === undefined ? prompt : itemIn(above, item);
	if (named === undefined && item !== undefined) return { item };
	return { command: 'imagine', options: { prompt: named }, unused: filesOf(message).unused };
}

/** A message of files that cannot be read, or an instruction about pictures that cannot, must not cost a turn. */
function whyUnread({ text, uploads, repliedTo }: MessageContent): SentenceError | undefined {
	if (repliedTo?.gone && uploads.length === 0 && isChange(text)) return new SentenceError('thread.replyGone');
	const { texts, unread } = sortFiles(uploads);
	const shown = repliedTo?.uploads ?? [];
	const isAlone = text === '' && texts.length === 0 && unread.length > 0;
	if (isAlone || (text !== '' && uploads.some(isPicture))) return new UnreadFilesError(unread);
	const isAboutShown = text !== '' && shown.some(isPicture) && !isAboutPictures(text);
	if (isAboutShown) return new UnreadFilesError(sortFiles(shown).unread);
	// Such as a video.
	const others = isChange(text) ? sortFiles([...uploads, ...shown]) : undefined;
	return others && others.unread.length > 0 && others.texts.length === 0
		? new UnreadFilesError(others.unread)
		: undefined;
}

export const asksModel = ({ text, uploads }: MessageContent, request: MessageRequest | undefined): boolean =>
	(text.trim() !== '' || sortFiles(uploads).texts.length > 0) &&
	!asksToForget(text) &&
	(request === undefined || 'about' in request);

/** What is quoted of one message, and of all that a message is about, in UTF-16 units. */
const MAX_QUOTE = 4000;
const MAX_CONTEXT = 8000;

/** A platform returns 15 messages at most. */
const MAX_MESSAGES = 16;

const READ_FAILED = 'What was said before could not be read';

export type Understood = {
	request: MessageRequest | undefined;
	context?: string;
	/** Its pictures are those of a message before it. */
	isAboutEarlier?: true;
};

/**
 * Checks a message that the bot answers, and finds out what it asks for. Where no chat is yet, what was said before is read for that, once
 * the rules allow the message. The caps of chats apply when a chat model answers, because a picture has its own.
 *
 * @param conversation the chat in which the message is, if any
 * @param byItself what it asks for by itself
 */
export async function understand(
	easel: Easel,
	message: IncomingMessage,
	conversation: Conversation | undefined,
	byItself: MessageRequest | undefined,
): Promise<Understood | SentenceError> {
	const { policy, log } = easel;
	const { channel, person, repliedTo, before } = message;
	const asking = { channel, person, text: message.text.trim() };
	// Where no chat is, there is nothing to delete but pictures.
	const removes = !conversation && asksToRemove(asking.text);
	const asked = byItself ?? (removes ? new SentenceError('thread.remove') : undefined);
	const mayBeAbove =
		conversation !== undefined && asked === undefined && (itemAlone(asking.text) || isAboutShown(asking.text));
	const refused = mayBeAbove || !asksModel(message, asked) ? await policy.check('message', asking) : undefined;
	if (refused) return refused;
	const request = mayBeAbove ? await requestAbove(easel, message) : asked;
	if (!asksModel(message, request)) return { request };
	const readsBefore = conversation === undefined && before !== undefined;
	const isInThread = channel.place.thread !== undefined || channel.place.direct === true;
	// Words about a picture further up are an edit, which has caps of its own.
	const mayBeEdit = isInThread
		? readsBefore && !isTalk(asking.text)
		: isAboutShown(asking.text) && message.uploads.length === 0 && !repliedTo;
	const mayEdit = conversation === undefined && request === undefined && mayBeEdit;
	const notAllowed = await policy.check(mayEdit ? 'message' : 'chat', asking);
	if (notAllowed) return notAllowed;

	const earlier = (readsBefore && (await tryAndLog(log, READ_FAILED, before))) || [];
	const above = repliedTo?.gone ? undefined : earlier.findLast(({ uploads }) => sortFiles(uploads).pictures.length > 0);
	// Not every platform tells what was said in a channel.
	const own = mayEdit && !readsBefore ? await pictureAbove(easel, message) : undefined;
	const shown = request ? undefined : (above ?? own);
	if (mayEdit && shown) return { request: requestAbout(easel, message, shown), isAboutEarlier: true };
	const noChat = mayEdit ? await policy.check('chat', asking) : undefined;
	if (noChat) return noChat;
	const context = await contextOf(easel, message, earlier, repliedTo);
	return shown
		? { request: { about: sortFiles(shown.uploads).pictures }, context, isAboutEarlier: true }
		: { request, context };
}

/** Tells whether words are about the picture above them: a change, another one like it, or its end. */
export const isAboutShown = (text: string): boolean => isChange(text) || asksForAnother(text) || asksToRemove(text);

const requestAbout = ({ service }: Easel, message: IncomingMessage, shown: QuotedMessage) =>
	requestIn({ ...message, repliedTo: shown }, service.capabilities.maxReferences);

/** Tells whether words name an item and nothing else. A number alone may answer a question. */
const itemAlone = (text: string) => !/^[\s\d.!]*$/.test(text) && itemNumberOf(text) !== undefined;

/** Returns what words in a chat ask for by what is right above them: an item of ideas for pictures, or a picture that they change. */
async function requestAbove(easel: Easel, message: IncomingMessage): Promise<MessageRequest | undefined> {
	const { text, uploads, repliedTo } = message;
	if (uploads.length > 0 || repliedTo) return undefined;
	const item = itemAlone(text) ? itemNumberOf(text) : undefined;
	if (item !== undefined) return (await hasIdea(easel, message, item)) ? { item } : undefined;
	const shown = await pictureAbove(easel, message);
	return shown && requestAbout(easel, message, shown);
}

/** Tells whether the last answer, with nothing said after it, has such an item in a list about pictures. */
async function hasIdea({ conversations }: Easel, { channel }: IncomingMessage, item: number): Promise<boolean> {
	const entries = await conversations.read(channel.place);
	const at = entries.findLastIndex(isAnswer);
	const answer = entries[at];
	if (!answer || !isAnswer(answer) || askedIn(entries).length > 0) return false;
	const asked = entries.slice(0, at).findLast((entry) => entry.kind === 'said')?.text ?? '';
	return itemIn(answer.text, item) !== undefined && speaksOfPictures(`${asked}\n${answer.text}`);
}

/** Returns the change of the picture that was shown last to somebody, in the words of their question; undefined where there is none. */
export async function changeOfShown(easel: Easel, { text, ...asking }: Origin & { text: string }) {
	const repliedTo = await pictureAbove(easel, asking);
	return repliedTo && changeOf({ text, uploads: [], repliedTo }, easel.service.capabilities.maxReferences);
}

/** How long a result is right above in a chat whose messages cannot be read, in milliseconds. */
const RECENT_MS = 600_000;

/** Tells whether the bot asks in a message what to do with the picture above. */
const asksForInstruction = (message: QuotedMessage | undefined) =>
	message?.own === true &&
	languages.some((language) => translatorFor(language)('thread.instruction') === message.text.trim());

/** Returns the message right above another one, or above the question what to do with it, if it shows pictures and can be read. */
const pictureAbove = (easel: Easel, message: Origin & { before?: IncomingMessage['before'] }) =>
	tryAndLog(easel.log, READ_FAILED, async (): Promise<QuotedMessage | undefined> => {
		const { channel, person, before } = message;
		if (before) {
			const said = await before();
			const above = asksForInstruction(said.at(-1)) ? said.findLast(({ own }) => !own) : said.at(-1);
			return above && sortFiles(above.uploads).pictures.length > 0 ? above : undefined;
		}
		const [result] = await resultsHere(easel, channel.place, person);
		if (!result || result.at < easel.now() - RECENT_MS) return undefined;
		// The answer to a message in a channel is for everybody there.
		if (result.request.private && !channel.place.direct) return undefined;
		const uploads = (await (await easel.platforms.find(result.handle))?.pictures?.()) ?? [];
		return { author: 'Easel', text: '', uploads, own: true, ...(result.request.private && { private: true }) };
	});

/** Quotes what was said before a message: what it replies to, and of the rest the first and the last ones that there is room for. */
async function contextOf(
	easel: Easel,
	message: IncomingMessage,
	earlier: readonly QuotedMessage[],
	repliedTo: QuotedMessage | undefined,
): Promise<string | undefined> {
	const [reply] = await quotesOf(easel, message, repliedTo ? [repliedTo] : []);
	const quotes = (await quotesOf(easel, message, earlier)).filter((quote) => quote !== reply);
	const [first, ...others] = quotes;
	const room = MAX_CONTEXT - (reply?.length ?? 0) - (first?.length ?? 0);
	const latest = newestWithin(others, room, ({ length }) => length);
	const gap = latest.length < others.length ? ['> …'] : [];
	const before = first === undefined ? [] : ['Said before:', first, ...gap, ...latest];
	const parts = [...before, ...(reply === undefined ? [] : ['In reply to:', reply])];
	return parts.length > 0 ? parts.join('\n\n') : undefined;
}

/** Returns messages as quotations, without those that the server's rules forbid, which go to no model either. */
async function quotesOf(
	{ policy }: Easel,
	{ channel, person }: IncomingMessage,
	messages: readonly QuotedMessage[],
): Promise<string[]> {
	const quotes: string[] = [];
	for (const message of messages.slice(-MAX_MESSAGES)) {
		const quote = quoteOf(message);
		if (quote !== undefined && !(await policy.check('message', { channel, person, text: message.text })))
			quotes.push(quote);
	}
	return quotes;
}

function quoteOf({ author, text, uploads, own, gone }: QuotedMessage): string | undefined {
	if (gone) return '> (a message that was deleted)';
	const words = oneLine(text) && text.trim().slice(0, MAX_QUOTE);
	const { pictures, texts, unread } = sortFiles(uploads);
	const files = [...texts, ...unread].map(({ name }) => oneLine(name, 80));
	const shows = [
		...(pictures.length > 0 ? [picturesInWords(pictures.length)] : []),
		...(files.length > 0 ? [`the files ${files.slice(0, 10).join(', ')}`] : []),
	];
	if (words === '' && shows.length === 0) return undefined;
	const note = shows.length > 0 ? `(with ${shows.join(' and ')})` : '';
	const whole = [`${own ? 'You' : nameOf(author)}:`, words, note].filter(Boolean).join(' ');
	return whole.replace(/^/gm, '> ').slice(0, MAX_QUOTE).toWellFormed();
}
