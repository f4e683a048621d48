import { type Channel, isPicture, type Person, type Place } from '../../domain/channel.ts';
import type { IncomingMessage, Request } from '../../domain/platform.ts';
import { MAX_PROMPT_CHARACTERS, oneLine, quoted } from '../../domain/text.ts';
import type { Easel } from '../../easel.ts';
import { PlatformRefusedError, SentenceError, type Translate, translatorFor } from '../../i18n/translator.ts';
import { tryAndLog } from '../../log.ts';
import { withRights } from '../../usage/settings.ts';
import { type ActionResult, actionButton } from '../declaration/actions.ts';
import { privately, type ThreadOpening, threadTitle } from '../declaration/command.ts';
import { groupHelp, helpIn, helpReply, welcome } from '../messages/help.ts';
import { repeatShown } from '../results/again.ts';
import { asksForHelp, asksToForget } from '../words/plain-words.ts';
import { MAX_OPENED } from './conversations.ts';
import { listed, readMaterial, UnreadFilesError, unusedFiles } from './message-files.ts';
import { forgetThread } from './thread-changes.ts';
import { type Conversation, clipped, lastItem, threadKey, utterance } from './transcript.ts';
import {
	asksModel,
	isAboutShown,
	type MessageRequest,
	requestIn,
	typedRequest,
	type Understood,
	understand,
} from './understand.ts';

/**
 * Opens a thread for `/chat`, and answers its prompt there.
 *
 * @param screened the text that must not break rules
 */
export async function openThread(
	easel: Easel,
	{ title, prompt, model, mentionsOnly, private: isPrivate }: ThreadOpening,
	screened: string,
	{ id, person, channel }: Request,
): Promise<ActionResult> {
	const { policy, conversations, turns, lease } = easel;
	const notAllowed = await policy.check('chat', { channel, person, text: screened });
	if (notAllowed) return notAllowed;
	if (!(await conversations.isFirst(`${channel.place.platform}:${id}`))) return 'duplicate';
	if (prompt === undefined && !(await conversations.mayOpen(channel.place, person))) return tooManyThreads();
	const thread = await channel.openThread(title, { private: isPrivate });
	const { place } = thread;
	const conversation = { place, mentionsOnly, model };
	if (prompt === undefined) {
		await greet(easel, thread, id, person, conversation);
		return 'answered';
	}
	// If this process ends before it answers, the next one finds the prompt.
	await conversations.save(conversation);
	await conversations.add(place, utterance(id, person, clipped(prompt)), lease.processId);
	try {
		await greet(easel, thread, id, person, conversation, prompt);
	} catch (error) {
		await conversations.waitNoLonger(place);
		throw error;
	}
	return turns.schedule(thread, 0, { isRecorded: true });
}

/**
 * Looks up the thread of a message, once for all that handles the message. In a thread it does so also when the result is not needed, so that
 * messages keep their order.
 */
export function lookUp({ conversations }: Easel, { addressed, channel: { place } }: IncomingMessage): LookUp {
	const mayChat = addressed || place.thread !== undefined || place.direct === true;
	return mayChat ? conversations.find(place) : Promise.resolve(undefined);
}

type LookUp = Promise<Conversation | undefined>;

/** Tells whether the bot should read a message: it mentions the bot, is a direct message, or is in a thread of the bot. Never rejects. */
export async function concernsBot(
	{ conversations, log }: Easel,
	{ addressed, toOthers, channel: { place } }: IncomingMessage,
	found: LookUp,
): Promise<boolean> {
	const isOurs = await found.then(
		(conversation) => conversation !== undefined,
		// While the store fails, only a message that would be answered gets the sentence about it.
		(error: unknown) => {
			log.warn({ err: error }, 'A thread could not be looked up');
			return conversations.lastSeen(place)?.mentionsOnly === false;
		},
	);
	return addressed || place.direct === true || (!toOthers && isOurs);
}

/** Handles a message that concerns the bot. Resolves when it has been answered, there or in the thread that it opens. */
export async function hearMessage(easel: Easel, heard: IncomingMessage, found: LookUp): Promise<ActionResult> {
	const { typed, ...said } = heard;
	const command = typed && (await typedRequest(easel, heard));
	if (typed && command) return carryOut(easel, { ...heard, channel: typed.channel }, command);
	const message = withQuotedWords(said);
	const { channel, addressed, repliedTo } = message;
	const { place } = channel;
	const isAlone = oneLine(message.text) === '' && !repliedTo?.uploads.some(isPicture);
	const hasFiles = message.uploads.length > 0;
	const asksHelp = !hasFiles && asksForHelp(message.text);
	if (addressed && (asksHelp || (isAlone && !hasFiles))) return help(easel, message);
	const conversation = await found;
	const isAnswered = addressed || place.direct === true || conversation?.mentionsOnly === false;
	if (!isAnswered) return overhear(easel, message);
	if (asksHelp) return help(easel, message);
	const about = helpOn(easel, message);
	if (about !== undefined) return { reply: privately(about) };
	const isHere = (one: Place) => threadKey(one) === threadKey(place);
	const isStatus = repliedTo?.own && repliedTo.uploads.length === 0 && easel.ownJobs.makesPictures(isHere);
	if (isStatus && isAboutShown(message.text)) return new SentenceError('thread.drawing');
	const asked = await askedIn(easel, message);
	// A reply to a picture where no chat is needs none.
	const isReply = !conversation && repliedTo?.uploads.some(isPicture) === true;
	if (isReply && asked && !('about' in asked)) return carryOut(easel, message, asked);
	const understood = await understand(easel, message, conversation, asked);
	if (understood instanceof SentenceError) return understood;
	const { request, isAboutEarlier } = understood;
	if (isAboutEarlier && request && !('about' in request)) return carryOut(easel, message, request);
	const isInChat = place.thread !== undefined || place.direct;
	return isInChat ? hearInThread(easel, message, conversation, understood) : hearMention(easel, message, understood);
}

/** Returns what a message asks for by itself, as a whole or in the words to the bot. */
async function askedIn(easel: Easel, { toBot, ...message }: IncomingMessage): Promise<MessageRequest | undefined> {
	const asked = (await typedRequest(easel, message)) ?? requestIn(message, easel.service.capabilities.maxReferences);
	const isAsked = asked && !('about' in asked);
	return (isAsked || !toBot?.trim() ? undefined : await askedIn(easel, { ...message, text: toBot })) ?? asked;
}

/** A mention alone, in reply to words of somebody, asks what these do. */
function withQuotedWords(message: IncomingMessage): IncomingMessage {
	const { text, uploads, repliedTo } = message;
	const isAlone = oneLine(text) === '' && uploads.length === 0 && !repliedTo?.uploads.some(isPicture);
	if (!isAlone || !repliedTo || repliedTo.own || oneLine(repliedTo.text) === '') return message;
	return { ...message, text: repliedTo.text, uploads: repliedTo.uploads, repliedTo: undefined };
}

/** Adds a message that does not ask the bot to the transcript of its thread. Nothing is said, whatever fails. */
async function overhear(easel: Easel, message: IncomingMessage): Promise<ActionResult> {
	const { policy, conversations, log } = easel;
	const { id, person, channel } = message;
	const text = message.text.trim();
	if (await policy.check('message', { channel, person, text })) return 'unasked';
	if (oneLine(text) === '' && message.uploads.length === 0) return 'unasked';
	const entry = utterance(id, person, clipped(text), unusedFiles(message));
	await tryAndLog(log, 'A message could not be added to its thread', () => conversations.add(channel.place, entry));
	return 'unasked';
}

async function help(easel: Easel, { id, person, channel }: IncomingMessage): Promise<ActionResult> {
	const reader = await withRights(easel, person, channel.place, 'viewers');
	await welcome(easel, { id, person, channel }, true);
	await channel.post(await helpReply(easel, translatorFor(person.locale), reader, channel), `${id}.help`);
	return 'answered';
}

/** Returns what explains the command or group that a message asks about. The name of a group alone may be an answer in a talk. */
function helpOn(easel: Easel, { text, uploads, addressed, person, channel }: IncomingMessage): string | undefined {
	if (uploads.length > 0) return undefined;
	const t = translatorFor(person.locale);
	const isGroup = addressed && !channel.place.direct && /^\s*\S+\s*$/.test(text);
	return isGroup ? groupHelp(easel, text, t) : helpIn(easel, text, t);
}

async function carryOut(
	easel: Easel,
	{ id, person, channel }: IncomingMessage,
	request: Exclude<MessageRequest, { about: unknown }>,
): Promise<ActionResult> {
	const { conversations } = easel;
	if (request instanceof SentenceError) return request;
	if ('again' in request) return repeatShown(easel, { id, person, channel }, request.again);
	if ('command' in request) {
		const t = translatorFor(person.locale);
		const { unused, ...command } = request;
		// Before the call is paid for.
		if (unused.length > 0)
			await channel.post(privately(t('thread.files.unused', { files: listed(t, unused) })), `${id}.unused`);
		return { invoke: { id, ...command, person, channel } };
	}
	// The item is one of the last answer that has a numbered list. A channel has none.
	const isChat = channel.place.thread !== undefined || channel.place.direct === true;
	const item = isChat ? lastItem(await conversations.read(channel.place), request.item) : undefined;
	if (item === undefined) return new SentenceError('thread.draw.noItem');
	const prompt = item.slice(0, MAX_PROMPT_CHARACTERS).toWellFormed();
	return { invoke: { id, command: 'imagine', options: { prompt }, person, channel } };
}

async function hearMention(easel: Easel, message: IncomingMessage, understood: Understood): Promise<ActionResult> {
	const { conversations } = easel;
	const { id, text, person, channel } = message;
	const { request } = understood;
	const t = translatorFor(person.locale);
	if (asksToForget(text)) return new SentenceError('thread.forgetWhere');
	if (request && !('about' in request || 'command' in request)) return carryOut(easel, message, request);
	if (!(await conversations.isFirst(`${channel.place.platform}:${id}`))) return 'duplicate';
	const isFree = !asksModel(message, request);
	if (isFree && !(await conversations.mayOpen(channel.place, person))) return tooManyThreads();
	const title = oneLine(text) || t('chat.title', { name: person.name });
	const thread = await channel.openThread(threadTitle(title)).catch((error: unknown) => {
		if (!(request && 'command' in request && error instanceof PlatformRefusedError)) throw error;
	});
	// A picture needs no thread where none can be opened, such as in a voice channel.
	if (!thread) return carryOut(easel, message, request as Exclude<MessageRequest, { about: unknown }>);
	const conversation = await conversations.find(thread.place);
	const result = await hearInThread(easel, { ...message, channel: thread }, conversation, understood);
	if (!(result instanceof SentenceError)) return result;
	await thread.post(privately(result.messageIn(t)), id);
	return 'refused';
}

async function hearInThread(
	easel: Easel,
	message: IncomingMessage,
	found: Conversation | undefined,
	understood: Understood,
): Promise<ActionResult> {
	const { id, person, channel } = message;
	const { place } = channel;
	const text = message.text.trim();
	const conversation = found ?? { place, mentionsOnly: false };
	if (!found) await greet(easel, channel, id, person, conversation);
	if (asksToForget(text)) return forgetThread(easel, place, person);
	if (oneLine(text) === '' && message.uploads.length === 0)
		return text === '' ? 'unasked' : new SentenceError('errors.option.empty', { option: 'prompt' });
	return answer(easel, message, understood, conversation.model);
}

async function answer(
	easel: Easel,
	message: IncomingMessage,
	{ request, context, isAboutEarlier }: Understood,
	model: string | undefined,
): Promise<ActionResult> {
	const { conversations, turns, lease } = easel;
	const { id, person, channel } = message;
	const { place } = channel;
	const about = request && 'about' in request ? request.about : [];
	const more = asksModel(message, request)
		? await readMaterial(easel, message, about, { model, isOptional: isAboutEarlier })
		: unusedFiles(message);
	if (more instanceof SentenceError) return more;
	const isForModel = !('aside' in more);
	const entry = utterance(id, person, clipped(message.text.trim()), more);
	// A turn that is ending may remove the record that people wait; the next turn of the thread then writes it again.
	const isRecorded = isForModel && !turns.running(place);
	const isNew = await conversations.add(place, entry, isRecorded ? lease.processId : undefined, context);
	if (request && !('about' in request)) return carryOut(easel, message, request);
	if (!isForModel) return new UnreadFilesError(more.unread ?? []);
	if (!isNew) return 'duplicate';
	return turns.schedule(channel, turns.followUpMs, { isRecorded });
}

/** Joins a thread, and posts its first message: the prompt, and how to use the thread. */
async function greet(
	easel: Easel,
	channel: Channel,
	id: string,
	person: Person,
	conversation: Conversation,
	prompt?: string,
): Promise<void> {
	await easel.conversations.save(conversation);
	if (conversation.place.direct) return welcome(easel, { id, person, channel });
	const t = translatorFor(person.locale);
	const { mentionsOnly } = conversation;
	const answered = mentionsOnly ? t('thread.intro.mentions') : t('thread.intro.all');
	const lines = [`${answered} ${t('thread.intro.memory')}`, t('thread.intro.pictures')];
	if (prompt !== undefined) lines.unshift(`**${quoted(person.name)}:** ${quoted(prompt)}`, '');
	await channel.post({ text: lines.join('\n'), buttons: [mentionsButton(t, mentionsOnly)] }, `${id}.open`);
}

const tooManyThreads = () => new SentenceError('thread.tooMany', { count: MAX_OPENED });

/** Returns a button that changes the setting to its opposite. */
export const mentionsButton = (t: Translate, only: boolean) => actionButton(t, 'mentions', only ? 'all' : 'only');
