import {
	assertMessageKey,
	type Channel,
	isPreview,
	MessageGoneError,
	type MessageHandle,
	type Place,
	type Post,
	type PostOptions,
	type Reply,
} from '../../../domain/channel.ts';
import { isStoreFailure } from '../../shared/failure-message.ts';
import { EASEL, nameOf } from './directory.ts';
import { checkReply, LIMITS } from './limits.ts';
import type { SandboxContext } from './requests.ts';
import { placeOf, type SandboxChannel, type SandboxStore, type StoredFile, type StoredMessage } from './store.ts';

/** The request that the bot answers. */
export type SandboxRequester = {
	/** The person who sees private answers. */
	person?: string;
	command?: string;
	/** The id of the page's request. */
	request?: string;
	/** The number of their message, on which a thread is started. */
	message?: number;
};

type Target = SandboxContext & { channel: SandboxChannel; requester: SandboxRequester };

/** Returns a channel for the answer to one event. Its limits are those that apply now. */
export async function channelFor(
	context: SandboxContext,
	channel: SandboxChannel,
	requester: SandboxRequester = {},
): Promise<Channel> {
	const target = { ...context, channel, requester };
	const { store, hub } = context;
	return {
		place: placeOf(channel),
		limits: LIMITS[(await store.settings()).emulates],
		post: (reply, key, options) => post(target, reply, key, options),
		// Pages show it in the time zone of their reader.
		when: (at) => `<t:${Math.floor(at / 1000)}>`,
		refer: (kind, id) => nameOf(kind, id) ?? id,
		isVisibleToEveryone: async () => channel.onlyFor === undefined && !channel.direct,
		typing: async () => hub.publish({ name: 'typing', data: { channel: channel.id }, onlyFor: channel.onlyFor }),
		openThread: async (title, options) =>
			channelFor(context, await openThread(target, title, options?.private), requester),
	};
}

export async function findChannel(context: SandboxContext, place: Place): Promise<Channel | undefined> {
	const { platform, channel: id, thread } = place;
	const channel = platform === 'sandbox' ? await context.store.channel(thread ?? id) : undefined;
	return channel && channelFor(context, channel);
}

export async function findPost({ store }: SandboxContext, { place, key }: MessageHandle): Promise<Post | undefined> {
	const message = place.platform === 'sandbox' ? await store.find(key) : undefined;
	const channel = message && (await store.channel(message.room));
	if (message?.author !== EASEL || !channel) return undefined;
	const isPicture = (file: StoredFile) => file.type.startsWith('image/') && !isPreview(file);
	const pictures = async () => message.files.filter(isPicture).map((file) => store.upload(file));
	return { ...postOf(store, channel, message), pictures };
}

/** Threads do not nest: a thread that is opened in a thread is beside it, as on Discord and Slack. */
async function openThread(target: Target, title: string, isPrivate = false): Promise<SandboxChannel> {
	const { store, channel } = target;
	const { person, command = 'chat', request, message: asked } = target.requester;
	if (asked !== undefined && !channel.thread && !isPrivate) return store.startThread(channel.id, asked, title);
	if (isPrivate && !person) throw new Error('A private thread needs a person.');
	const onlyFor = isPrivate ? person : undefined;
	const about = person ? { person, command } : undefined;
	const draft = { room: channel.channel, author: EASEL, text: '', request, about, onlyFor };
	const { message } = await store.post(draft, `thread:${crypto.randomUUID()}`);
	return store.startThread(channel.channel, message.number, title, onlyFor);
}

/** Posts a message or, when the store fails, shows it as a notice that is not kept. */
function post(target: Target, reply: Reply, key: string, { ifAbsent, withoutStore }: PostOptions = {}): Promise<Post> {
	const { hub, channel, requester } = target;
	return postStored(target, reply, key, ifAbsent).catch((error) => {
		// The beginning of an answer is no use without its end.
		if (!withoutStore || !isStoreFailure(error) || reply.growing) throw error;
		const onlyFor = reply.visibility === 'private' ? requester.person : channel.onlyFor;
		hub.publish({ name: 'notice', data: { text: reply.text }, onlyFor });
		const refuse = () => Promise.reject(new Error('A notice cannot be changed.'));
		return { handle: { place: placeOf(channel), key }, edit: refuse, delete: refuse };
	});
}

async function postStored(target: Target, reply: Reply, key: string, ifAbsent = false): Promise<Post> {
	assertMessageKey(key);
	const { store, channel } = target;
	const { person, command, request } = target.requester;
	const mention = reply.notify === undefined ? '' : `${nameOf('person', reply.notify) ?? reply.notify} `;
	const shown = await editOf(store, { ...reply, text: `${mention}${reply.text}` });
	const files = [...(shown.files ?? []), ...(reply.files ?? [])];
	const about = command && person ? { person, command } : undefined;
	const onlyFor = reply.visibility === 'private' ? person : undefined;
	const draft = { ...shown, room: channel.id, author: EASEL, files, onlyFor, about, request };
	const { message, created } = await store.post(draft, key);
	if (message.author !== EASEL) throw new Error(`The key ${key} is a person’s message.`);
	if (!created && !ifAbsent) await store.edit(message.room, message.number, { ...shown, files: shown.files && files });
	return postOf(store, channel, message);
}

function postOf(store: SandboxStore, channel: SandboxChannel, message: StoredMessage): Post {
	const { number, key, onlyFor = channel.onlyFor } = message;
	return {
		handle: { place: placeOf(channel), key },
		// The page shows the message.
		...(onlyFor === undefined && { link: `#${channel.id}/${number}` }),
		edit: async (reply) => {
			if (!(await store.edit(channel.id, number, await editOf(store, reply)))) throw new MessageGoneError();
		},
		delete: () => store.remove(channel.id, number),
		describe: async (alts) => (await store.edit(channel.id, number, { alts })) !== undefined,
	};
}

/** Returns a reply as it is stored. Without pictures, those of the message stay. */
async function editOf(store: SandboxStore, { text, pictures, buttons = [], expected }: Reply) {
	checkReply((await store.settings()).emulates, text, pictures ?? []);
	return { text: text.toWellFormed(), files: pictures, buttons, expected };
}
