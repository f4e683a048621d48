import {
	assertMessageKey,
	type Channel,
	isPreview,
	MessageGoneError,
	type Post,
	type PostOptions,
	type Reply,
} from '../../../domain/channel.ts';
import type { MessageHandle, Place } from '../../../domain/place.ts';
import { isStoreFailure } from '../../shared/failure-message.ts';
import { EASEL, nameOf } from './directory.ts';
import type { EventHub } from './events.ts';
import type { StoredFile } from './files.ts';
import { checkReply, LIMITS } from './limits.ts';
import {
	type MessageDraft,
	type MessageEdit,
	placeOf,
	type SandboxChannel,
	type SandboxStore,
	type StoredMessage,
} from './store.ts';

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

/** The channels and messages as the bot uses them. */
export class BotChannels {
	readonly #store: SandboxStore;
	readonly #publish: EventHub['publish'];

	/** @param publish tells pages what is no change of the store */
	constructor(store: SandboxStore, publish: EventHub['publish']) {
		this.#store = store;
		this.#publish = publish;
	}

	/** Returns a channel for the answer to one event. Its limits are those that apply now. */
	async channel(channel: SandboxChannel, requester: SandboxRequester): Promise<Channel> {
		const { emulates } = await this.#store.settings();
		return {
			place: placeOf(channel),
			limits: LIMITS[emulates],
			post: (reply, key, options) => this.#post(channel, requester, reply, key, options),
			// Pages show it in the time zone of their reader.
			when: (at) => `<t:${Math.floor(at / 1000)}>`,
			refer: (kind, id) => nameOf(kind, id) ?? id,
			isVisibleToEveryone: async () => channel.onlyFor === undefined && !channel.direct,
			typing: async () => this.#publish({ name: 'typing', data: { channel: channel.id }, onlyFor: channel.onlyFor }),
			openThread: async (title, options) =>
				this.channel(await this.#openThread(channel, requester, title, options?.private ?? false), requester),
		};
	}

	/** Returns a channel that no person has asked in. */
	async at({ platform, channel: channelId, thread }: Place): Promise<Channel | undefined> {
		const channel = platform === 'sandbox' ? await this.#store.channel(thread ?? channelId) : undefined;
		return channel && this.channel(channel, {});
	}

	/** Returns a message of the bot. */
	async find({ place, key }: MessageHandle): Promise<Post | undefined> {
		const message = place.platform === 'sandbox' ? await this.#store.find(key) : undefined;
		const channel = message && (await this.#store.channel(message.room));
		if (message?.author !== EASEL || !channel) return undefined;
		const isPicture = (file: StoredFile) => file.type.startsWith('image/') && !isPreview(file);
		const pictures = async () => message.files.filter(isPicture).map((file) => this.#store.files.upload(file));
		return { ...this.#postOf(channel, message), pictures };
	}

	/** Threads do not nest: a thread that is opened in a thread is beside it, as on Discord and Slack. */
	async #openThread(
		channel: SandboxChannel,
		requester: SandboxRequester,
		title: string,
		isPrivate: boolean,
	): Promise<SandboxChannel> {
		if (requester.message !== undefined && !channel.thread && !isPrivate)
			return this.#store.startThread(channel.id, requester.message, title);
		const onlyFor = isPrivate ? requester.person : undefined;
		if (isPrivate && onlyFor === undefined) throw new Error('A private thread needs a person.');
		const draft: MessageDraft = {
			room: channel.channel,
			author: EASEL,
			text: '',
			request: requester.request,
			about: requester.person ? { person: requester.person, command: requester.command ?? 'chat' } : undefined,
			onlyFor,
		};
		const { message } = await this.#store.post(draft, `thread:${crypto.randomUUID()}`);
		return this.#store.startThread(channel.channel, message.number, title, onlyFor);
	}

	async #post(
		channel: SandboxChannel,
		requester: SandboxRequester,
		reply: Reply,
		key: string,
		{ ifAbsent = false, withoutStore = false }: PostOptions = {},
	): Promise<Post> {
		assertMessageKey(key);
		try {
			return await this.#postStored(channel, requester, reply, key, ifAbsent);
		} catch (error) {
			// The beginning of an answer is no use without its end.
			if (!withoutStore || !isStoreFailure(error) || reply.growing) throw error;
			const onlyFor = reply.visibility === 'private' ? requester.person : channel.onlyFor;
			this.#publish({ name: 'notice', data: { text: reply.text }, onlyFor });
			return noticePost(channel, key);
		}
	}

	async #postStored(
		channel: SandboxChannel,
		{ person, command, request }: SandboxRequester,
		reply: Reply,
		key: string,
		ifAbsent: boolean,
	): Promise<Post> {
		const mention = reply.notify === undefined ? '' : `${nameOf('person', reply.notify) ?? reply.notify} `;
		const shown = await this.#editOf({ ...reply, text: `${mention}${reply.text}` });
		const draft: MessageDraft = {
			...shown,
			room: channel.id,
			author: EASEL,
			files: [...(shown.files ?? []), ...(reply.files ?? [])],
			onlyFor: reply.visibility === 'private' ? person : undefined,
			about: command && person ? { person, command } : undefined,
			request,
		};
		const { message, created } = await this.#store.post(draft, key);
		if (message.author !== EASEL) throw new Error(`The key ${key} is a person’s message.`);
		if (!created && !ifAbsent)
			await this.#store.edit(message.room, message.number, { ...shown, ...(shown.files && { files: draft.files }) });
		return this.#postOf(channel, message);
	}

	#postOf(channel: SandboxChannel, { number, key, onlyFor = channel.onlyFor }: StoredMessage): Post {
		return {
			handle: { place: placeOf(channel), key },
			// The page shows the message.
			...(onlyFor === undefined && { link: `#${channel.id}/${number}` }),
			edit: async (reply) => {
				if (!(await this.#store.edit(channel.id, number, await this.#editOf(reply)))) throw new MessageGoneError();
			},
			delete: () => this.#store.remove(channel.id, number),
			describe: async (alts) => (await this.#store.edit(channel.id, number, { alts })) !== undefined,
		};
	}

	/** Returns a reply as it is stored. Without pictures, those of the message stay. */
	async #editOf({ text, pictures, buttons = [], expected }: Reply) {
		checkReply((await this.#store.settings()).emulates, text, pictures ?? []);
		return { text: text.toWellFormed(), files: pictures, buttons, expected } satisfies MessageEdit;
	}
}

/** Returns a post of which nothing is stored. */
function noticePost(channel: SandboxChannel, key: string): Post {
	const refuse = () => Promise.reject(new Error('A notice cannot be changed.'));
	return { handle: { place: placeOf(channel), key }, edit: refuse, delete: refuse };
}
