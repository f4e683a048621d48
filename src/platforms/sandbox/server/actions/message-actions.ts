import type { QuotedMessage } from '../../../../domain/platform.ts';
import { BadRequest } from '../bad-request.ts';
import { EASEL, PEOPLE } from '../directory.ts';
import type { FormFile } from '../http/body.ts';
import type { MessageInput } from '../http/input.ts';
import { LIMITS } from '../limits.ts';
import { addresseesOf, withoutMention } from '../mentions.ts';
import { placeOf, type SandboxChannel } from '../store/channels.ts';
import type { StoredFile } from '../store/files.ts';
import type { MessageDraft, StoredMessage } from '../store/message.ts';
import { type MessageView, viewOf } from '../view.ts';
import { type Actor, authorize, visibleMessage } from './access.ts';
import { deliveryId, handOver, openInbox, type SandboxActionContext } from './context.ts';

/** A message that a person acts on. */
type Target = { as: string; channel: string; number: number };

export async function postMessage(
	context: SandboxActionContext,
	input: MessageInput & Actor,
	files: readonly FormFile[],
): Promise<MessageView> {
	const { channel, person } = await authorize(context, input);
	const inbox = openInbox(context);
	await checkContent(context, input.text, files);
	const repliedTo = input.replyTo && (await visibleMessage(context.messages, person.id, channel, input.replyTo));
	const key = messageKey(person.id, input.id);
	const existing = await context.messages.find(key);
	if (existing) return viewOf(existing);
	const saved: StoredFile[] = [];
	for (const { name, bytes } of files) saved.push(await context.files.save(name, bytes));
	const draft: MessageDraft = {
		room: channel.id,
		author: person.id,
		text: input.text,
		files: saved,
		buttons: [],
		...(channel.onlyFor !== undefined && { roomOf: channel.onlyFor }),
		...(repliedTo && { replyTo: excerptOf(repliedTo) }),
	};
	const { message, created } = await context.messages.post(draft, key);
	if (!created) {
		for (const file of saved) await context.files.remove(file);
		return viewOf(message);
	}
	const heard = {
		id: deliveryId(person.id, input.id),
		text: withoutMention(input.text),
		uploads: saved.map((file) => context.files.upload(file)),
		person,
		channel: await context.botChannels.channel(channel, { person: person.id, message: message.number }),
		...(repliedTo && {
			repliedTo: {
				...quotedFrom(context, repliedTo),
				...(repliedTo.onlyFor !== undefined && { private: true as const }),
			},
		}),
		before: () => saidBefore(context, person.id, channel, message.number),
		...addresseesOf(input.text, person.id, repliedTo ? repliedTo.author : undefined),
		...(channel.direct && { addressed: true }),
	};
	handOver(context, inbox.hear(heard));
	return viewOf(message);
}

/** Changes the text of a person's own message. */
export async function editMessage(
	context: SandboxActionContext,
	input: Target & { text: string },
): Promise<MessageView> {
	const { channel, person } = await authorize(context, input);
	const message = await visibleMessage(context.messages, person.id, channel, input.number);
	if (message.author !== person.id) throw new BadRequest(403, 'sandbox.server.notYours');
	await checkContent(context, input.text, [], message.files.length > 0);
	const changed = await context.messages.edit(channel.id, input.number, { text: input.text });
	if (!changed) throw new BadRequest(404, 'sandbox.server.noMessage');
	reportChange(context, channel, message, withoutMention(input.text));
	return viewOf(changed);
}

/** Deletes a person's own message, one that only they see, or, as a moderator, any message. */
export async function deleteMessage(context: SandboxActionContext, input: Target): Promise<Record<never, never>> {
	const { channel, person } = await authorize(context, input);
	const message = await visibleMessage(context.messages, person.id, channel, input.number);
	if (message.author !== person.id && message.onlyFor !== person.id && !person.moderator)
		throw new BadRequest(403, 'sandbox.server.moderatorsOnly');
	await context.messages.remove(channel.id, message.number);
	reportChange(context, channel, message);
	return {};
}

export async function startThread(context: SandboxActionContext, input: Target & { title: string }) {
	const { channel, person } = await authorize(context, input);
	if (channel.thread || channel.direct) throw new BadRequest(409, 'sandbox.server.nestedThread');
	const message = await visibleMessage(context.messages, person.id, channel, input.number);
	if (message.onlyFor) throw new BadRequest(409, 'sandbox.server.privateThread');
	const title = input.title || message.text || 'Thread';
	const thread = await context.botChannels.startThread(channel.id, message.number, title);
	return { id: thread.id, title: thread.title, channel: channel.id };
}

async function checkContent(
	{ settings }: SandboxActionContext,
	text: string,
	files: readonly FormFile[],
	hasFiles = files.length > 0,
): Promise<void> {
	const limits = LIMITS[(await settings.read()).emulates];
	if (text.length > limits.text) throw new BadRequest(400, 'sandbox.server.textTooLong', { max: limits.text });
	if (files.length > limits.pictures)
		throw new BadRequest(413, 'sandbox.server.tooManyFiles', { max: limits.pictures });
	if (files.some(({ bytes }) => bytes.length > limits.pictureBytes))
		throw new BadRequest(413, 'sandbox.server.fileTooLarge', { max: Math.floor(limits.pictureBytes / 1e6) });
	if (text.trim() === '' && !hasFiles) throw new BadRequest(400, 'sandbox.server.emptyMessage');
}

const messageKey = (person: string, requestId: string) => `p:${person}:${requestId}`;

/** Tells the core that a message was changed, or deleted when there is no text. */
function reportChange(
	context: SandboxActionContext,
	channel: SandboxChannel,
	{ author, key }: StoredMessage,
	text?: string,
): void {
	const id = author === EASEL ? key : deliveryId(author, key.slice(messageKey(author, '').length));
	const change = { id, place: placeOf(channel), ...(text !== undefined && { text }) };
	const inbox = context.inbox();
	if (inbox) handOver(context, inbox.changed(change));
}

/** The most messages that a mention brings with it. */
const MAX_BEFORE = 15;

/** Returns the message that a thread was started on, and the last ones before a message, without those that only one person sees. */
async function saidBefore(
	context: SandboxActionContext,
	person: string,
	channel: SandboxChannel,
	number: number,
): Promise<QuotedMessage[]> {
	const { messages } = await context.messages.page(channel.id, person, MAX_BEFORE - 1, number);
	const start = Number(channel.id.slice(channel.channel.length + 1));
	const first = channel.thread ? await context.messages.get(channel.channel, start) : undefined;
	return [...(first ? [first] : []), ...messages]
		.filter(({ onlyFor }) => onlyFor === undefined)
		.map((message) => quotedFrom(context, message));
}

/** Returns a message as the core takes it. */
function quotedFrom({ files }: SandboxActionContext, { author, text, files: all }: StoredMessage): QuotedMessage {
	const uploads = all.map((file) => files.upload(file));
	if (author === EASEL) return { author: 'Easel', text, uploads, own: true };
	return { author: PEOPLE.find(({ id }) => id === author)?.name ?? author, text, uploads };
}

function excerptOf({ number, author, text, files }: StoredMessage) {
	const line = text.replaceAll(/\s+/g, ' ').trim() || files[0]?.name || '';
	return { number, author, excerpt: [...line].slice(0, 90).join('') };
}
