import type { QuotedMessage } from '../../../domain/platform.ts';
import { OWN_MENTION, oneLine, withoutOwnMentions, wordsToBot } from '../../../domain/text.ts';
import { channelFor } from './bot-channels.ts';
import { authorize, authorizeAt, BadRequest, deliveryId, handOver, openInbox, type SandboxContext } from './context.ts';
import { EASEL, PEOPLE } from './directory.ts';
import { action, at, type FormFile, id, onMessage, text } from './http/input.ts';
import { LIMITS } from './limits.ts';
import { originOf, placeOf, type SandboxChannel, type StoredMessage, viewOf } from './store.ts';

/** The limit depends on the emulated platform too, and is checked later. */
const messageText = text('The message', 12_000);

export const postMessage = action({
	fields: at.extend({ id, text: messageText, replyTo: onMessage.shape.number.optional() }),
	status: 201,
	hasFiles: true,
	async run(context, input, files) {
		const { store } = context;
		const { channel, person } = await authorize(context, input);
		const inbox = openInbox(context);
		await checkContent(context, input.text, files);
		const { message: repliedTo } = input.replyTo ? await authorizeAt(context, { ...input, number: input.replyTo }) : {};
		const draft = { room: channel.id, author: person.id, text: input.text, files };
		const key = `p:${person.id}:${input.id}`;
		const { message, created } = await store.post({ ...draft, replyTo: repliedTo && excerptOf(repliedTo) }, key);
		if (!created) return viewOf(message);
		const { number } = message;
		const heard = {
			id: deliveryId(person.id, input.id),
			...wordsOf(input.text),
			uploads: message.files.map((file) => store.files.upload(file, { person: person.id })),
			person,
			channel: await channelFor(context, channel, { person: person.id, request: input.id, message: number }),
			repliedTo: repliedTo && quotedFrom(context, repliedTo),
			before: () => saidBefore(context, person.id, channel, number),
			...addresseesOf(input.text, person.id, repliedTo?.author),
			...(channel.direct && { addressed: true }),
		};
		handOver(context, inbox.hear(heard));
		return viewOf(message);
	},
});

export const editMessage = action({
	fields: onMessage.extend({ text: messageText }),
	async run(context, input) {
		const { channel, person, message } = await authorizeAt(context, input);
		if (message.author !== person.id) throw new BadRequest(403, 'sandbox.server.notYours');
		await checkContent(context, input.text, [], message.files.length > 0);
		const changed = await context.store.edit(channel.id, input.number, { text: input.text });
		if (!changed) throw new BadRequest(404, 'sandbox.server.noMessage');
		reportChange(context, channel, message, wordsOf(input.text).text);
		return viewOf(changed);
	},
});

/** Deletes a person's own message, one that only they see, or, as a moderator, any message. */
export const deleteMessage = action({
	fields: onMessage,
	async run(context, input) {
		const { channel, person, message } = await authorizeAt(context, input);
		if (message.author !== person.id && message.onlyFor !== person.id && !person.moderator)
			throw new BadRequest(403, 'sandbox.server.moderatorsOnly');
		await context.store.remove(channel.id, message.number);
		reportChange(context, channel, message);
		return {};
	},
});

export const startThread = action({
	fields: onMessage.extend({ title: text('The title', 100).default('') }),
	status: 201,
	async run(context, input) {
		const { channel, message } = await authorizeAt(context, input);
		if (channel.thread || channel.direct) throw new BadRequest(409, 'sandbox.server.nestedThread');
		if (message.onlyFor) throw new BadRequest(409, 'sandbox.server.privateThread');
		const title = input.title || message.text || 'Thread';
		const thread = await context.store.startThread(channel.id, message.number, title);
		return { id: thread.id, title: thread.title, channel: channel.id };
	},
});

async function checkContent(
	{ store }: SandboxContext,
	text: string,
	files: readonly FormFile[],
	hasFiles = files.length > 0,
): Promise<void> {
	const { emulates } = await store.settings();
	const { pictures, pictureBytes, ownText: maxText } = LIMITS[emulates];
	if (text.length > maxText) throw new BadRequest(400, 'sandbox.server.textTooLong', { max: maxText });
	if (files.length > pictures) throw new BadRequest(413, 'sandbox.server.tooManyFiles', { max: pictures });
	if (files.some(({ bytes }) => bytes.length > pictureBytes))
		throw new BadRequest(413, 'sandbox.server.fileTooLarge', { max: Math.floor(pictureBytes / 1e6) });
	if (oneLine(text) === '' && !hasFiles) throw new BadRequest(400, 'sandbox.server.emptyMessage');
}

/** Tells the core that a message was changed, or deleted when there is no text. */
function reportChange(context: SandboxContext, channel: SandboxChannel, message: StoredMessage, text?: string): void {
	// Of a person's message, the key and the delivery id differ in their beginning.
	const id = message.author === EASEL ? message.key : message.key.replace(/^p:/, 'd:');
	if (context.inbox) handOver(context, context.inbox.changed({ id, place: placeOf(channel), text }));
}

/** The most messages that a mention brings with it. */
const MAX_BEFORE = 15;

/** Returns the message that a thread was started on, and the last ones before a message, without those that only one person sees. */
async function saidBefore(
	context: SandboxContext,
	person: string,
	channel: SandboxChannel,
	number: number,
): Promise<QuotedMessage[]> {
	const { messages } = await context.store.page(channel.id, person, MAX_BEFORE - 1, number);
	const first = channel.thread ? await context.store.get(channel.channel, originOf(channel)) : undefined;
	return [...(first ? [first] : []), ...messages]
		.filter(({ onlyFor }) => onlyFor === undefined)
		.map((message) => quotedFrom(context, message));
}

/** Returns a message as the core takes it. */
function quotedFrom({ store }: SandboxContext, { author, key, text, files, onlyFor }: StoredMessage) {
	const isOwn = author === EASEL;
	return {
		author: isOwn ? 'Easel' : (PEOPLE.find(({ id }) => id === author)?.name ?? author),
		text,
		uploads: files.map((file) => store.files.upload(file, { person: author, key })),
		...(isOwn && { own: true as const }),
		...(onlyFor !== undefined && { private: true as const }),
	};
}

function excerptOf({ number, author, text, files }: StoredMessage) {
	return { number, author, excerpt: oneLine(text, 90) || (files[0]?.name ?? '') };
}

/** A mention, but not the beginning of a longer word or the end of an address. */
const mentionOf = (name: string) => `(?<![\\p{L}\\p{N}_])@${name}(?![\\p{L}\\p{N}_])`;
const OWN = new RegExp(mentionOf(EASEL), 'giu');
const MENTIONS = [{ id: EASEL, name: EASEL }, ...PEOPLE].map(({ id, name }) => ({
	...{ id, mention: new RegExp(mentionOf(name), 'iu') },
}));
/** The people whom a text begins with. */
const NAMED = new RegExp(`^\\s*(?:(?:${PEOPLE.map(({ name }) => mentionOf(name)).join('|')})[\\s,:]*)+`, 'iu');

/** Tells whether a message is for the bot, and whether it is for other people. @param repliedTo the author of the message that it replies to */
function addresseesOf(text: string, author: string, repliedTo: string | undefined) {
	const meant = MENTIONS.filter(({ id, mention }) => repliedTo === id || mention.test(text)).map(({ id }) => id);
	return { addressed: meant.includes(EASEL), toOthers: meant.some((id) => id !== EASEL && id !== author) };
}

/** Returns what a text says without the mentions of the bot. */
function wordsOf(written: string): { text: string; toBot: string | undefined } {
	const marked = written.replaceAll(OWN, OWN_MENTION);
	return { text: withoutOwnMentions(marked), toBot: wordsToBot(marked, NAMED) };
}
