import type { Keyv } from 'keyv';
import type { Place } from '../../../../domain/place.ts';
import { KeyedQueue } from '../../../shared/keyed-queue.ts';
import { SERVERS } from '../directory.ts';

/** A channel, or a thread in one. */
export type SandboxChannel = {
	id: string;
	server: string;
	/** The channel that a thread is in; of a channel, its own id. */
	channel: string;
	title: string;
	thread: boolean;
	/** The only person who sees a private thread. */
	onlyFor?: string;
};

/** A thread as it is stored. Its id is `CHANNEL.NUMBER`, of the message it was started on: there is one thread on a message. */
export type Thread = { id: string; channel: string; title: string; onlyFor?: string };

/** How many threads a channel lists. Older ones are reached from the message that they were started on. */
const LISTED_THREADS = 50;

/** Discord's limit: https://docs.discord.com/developers/resources/channel#start-thread-from-message */
const TITLE_LENGTH = 100;

const CHANNELS: ReadonlyMap<string, SandboxChannel> = new Map(
	SERVERS.flatMap((server) =>
		server.channels.map(({ id, name }) => [id, { id, server: server.id, channel: id, title: name, thread: false }]),
	),
);

/** The channels, which are fixed, and the threads in them, which are stored. */
export class SandboxChannels {
	readonly #keyv: Keyv;
	readonly #queue = new KeyedQueue();

	constructor(keyv: Keyv) {
		this.#keyv = keyv;
	}

	/** Returns a channel or thread by its id. */
	async find(id: string): Promise<SandboxChannel | undefined> {
		const channel = CHANNELS.get(id);
		if (channel) return channel;
		const thread = await this.#keyv.get<Thread>(`thread:${id}`);
		const parent = thread && CHANNELS.get(thread.channel);
		if (!thread || !parent) return undefined;
		const { title, onlyFor } = thread;
		return { ...parent, id, title, thread: true, ...(onlyFor !== undefined && { onlyFor }) };
	}

	/** Returns the threads of a channel that this person may see, newest first. */
	async threads(channel: string, person: string): Promise<Thread[]> {
		const listed = await this.#listed(channel);
		return listed.filter(({ onlyFor }) => onlyFor === undefined || onlyFor === person);
	}

	/**
	 * Starts a thread on a message, or returns the one that exists.
	 *
	 * @param onlyFor the only person who sees it
	 */
	startThread(
		channel: string,
		number: number,
		title: string,
		onlyFor?: string,
	): Promise<{ thread: Thread; created: boolean }> {
		return this.#queue.run(channel, async () => {
			const id = `${channel}.${number}`;
			const existing = await this.#keyv.get<Thread>(`thread:${id}`);
			if (existing) return { thread: existing, created: false };
			const thread = { id, channel, title: cleanTitle(title), ...(onlyFor !== undefined && { onlyFor }) };
			await this.#keyv.set(`thread:${id}`, thread);
			const listed = [thread, ...(await this.#listed(channel))];
			await this.#keyv.set(`threads:${channel}`, listed.slice(0, LISTED_THREADS));
			return { thread, created: true };
		});
	}

	async #listed(channel: string): Promise<Thread[]> {
		return (await this.#keyv.get<Thread[]>(`threads:${channel}`)) ?? [];
	}
}

/** Returns the number of the message that a thread was started on. */
export const originOf = ({ id }: SandboxChannel): number => Number(id.split('.').at(-1));

export function placeOf({ id, server, channel, thread }: SandboxChannel): Place {
	return { platform: 'sandbox', server, channel, ...(thread && { thread: id }) };
}

function cleanTitle(title: string): string {
	const line = title
		.toWellFormed()
		.replaceAll(/[\s\p{Cc}]+/gu, ' ')
		.trim();
	return [...line].slice(0, TITLE_LENGTH).join('') || 'Thread';
}
