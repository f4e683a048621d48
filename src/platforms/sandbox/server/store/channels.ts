import type { Place } from '../../../../domain/place.ts';
import { KeyedQueue } from '../../../../domain/queues.ts';
import { PEOPLE, SERVERS } from '../directory.ts';
import type { SandboxBounds } from './bounds.ts';
import { type SandboxSpace, type SpaceChange, timeText } from './space.ts';

/** A channel, a conversation with the bot, or a thread in one of them. */
export type SandboxChannel = {
	id: string;
	server: string;
	/** The channel that a thread is in; of a channel, its own id. */
	channel: string;
	title: string;
	thread: boolean;
	/** The only person who sees a private thread or a conversation with the bot. */
	onlyFor?: string;
	/** It is a direct message. */
	direct?: true;
};

/** A thread as it is stored. Its id is `CHANNEL.NUMBER`, of the message it was started on: there is one thread on a message. */
export type Thread = { id: string; channel: string; title: string; onlyFor?: string };

/** Discord's limit: https://docs.discord.com/developers/resources/channel#start-thread-from-message */
const TITLE_LENGTH = 100;

/** Returns the id of a person's conversation with the bot, to which the caps of this server apply. */
export const directId = (server: string, person: string) => `${server}-direct-${person}`;

const CHANNELS: ReadonlyMap<string, SandboxChannel> = new Map(
	SERVERS.flatMap(({ id: server, channels }) => {
		const all: SandboxChannel[] = [
			...channels.map(({ id, name }) => ({ id, server, channel: id, title: name, thread: false })),
			...PEOPLE.map(({ id: person }) => {
				const id = directId(server, person);
				return { id, server, channel: id, title: 'Easel', thread: false, onlyFor: person, direct: true as const };
			}),
		];
		return all.map((channel): [string, SandboxChannel] => [channel.id, channel]);
	}),
);

/** The channels, which are fixed, and the newest threads in them, which are stored. */
export class SandboxChannels {
	readonly #space: SandboxSpace;
	readonly #bounds: SandboxBounds;
	readonly #now: () => Date;
	readonly #queue = new KeyedQueue();

	constructor({ space, bounds, now }: { space: SandboxSpace; bounds: SandboxBounds; now: () => Date }) {
		this.#space = space;
		this.#bounds = bounds;
		this.#now = now;
	}

	/** Returns a channel or thread by its id. */
	async find(id: string): Promise<SandboxChannel | undefined> {
		const channel = CHANNELS.get(id);
		if (channel) return channel;
		const thread = await this.#space.keyv.get<Thread>(threadKey(id));
		const parent = thread && CHANNELS.get(thread.channel);
		if (!thread || !parent) return undefined;
		const { title, onlyFor } = thread;
		return { ...parent, id, title, thread: true, ...(onlyFor !== undefined && { onlyFor }) };
	}

	/** Returns the threads of a channel that this person may see, newest first. */
	async threads(channel: string, person: string): Promise<Thread[]> {
		const members = await this.#listed(channel);
		const threads = await this.#space.keyv.getMany<Thread>(members.map((member) => threadKey(idOf(member))));
		return threads.filter((thread) => thread && (thread.onlyFor ?? person) === person) as Thread[];
	}

	/**
	 * Starts a thread on a message, or returns the one that exists.
	 *
	 * @param onlyFor the only person who sees it
	 * @returns `dropped`: the threads that exceed the bound now
	 */
	startThread(
		channel: string,
		number: number,
		title: string,
		onlyFor?: string,
	): Promise<{ thread: Thread; created: boolean; dropped: { id: string }[] }> {
		return this.#queue.run(channel, async () => {
			const id = `${channel}.${number}`;
			const existing = await this.#space.keyv.get<Thread>(threadKey(id));
			if (existing) return { thread: existing, created: false, dropped: [] };
			const thread = { id, channel, title: cleanTitle(title), ...(onlyFor !== undefined && { onlyFor }) };
			const index = indexOf(channel);
			const listed = await this.#listed(channel);
			// A thread on the same message may have expired.
			const outdated = listed.filter((member) => idOf(member) === id);
			const dropped = listed.filter((member) => idOf(member) !== id).slice(this.#bounds.threads - 1);
			await this.#space.commit({
				put: [{ key: threadKey(id), value: thread, ttlMs: this.#bounds.retentionMs }],
				remove: dropped.map((member) => threadKey(idOf(member))),
				index: [{ index, member: `${timeText(this.#now().getTime())}:${id}` }],
				unindex: [...dropped, ...outdated].map((member) => ({ index, member })),
			});
			return { thread, created: true, dropped: dropped.map((member) => ({ id: idOf(member) })) };
		});
	}

	/** Returns the part of a commit that stores what belongs to a channel; a thread is kept longer with it. */
	async renewal(id: string, entry: { key: string; value: unknown }): Promise<NonNullable<SpaceChange['put']>> {
		if (CHANNELS.has(id)) return [entry];
		const thread = await this.#space.keyv.get<Thread>(threadKey(id));
		const all = thread ? [entry, { key: threadKey(id), value: thread }] : [entry];
		return all.map((each) => ({ ...each, ttlMs: this.#bounds.retentionMs }));
	}

	/** Returns the members of a channel's index, newest first. */
	#listed(channel: string): Promise<string[]> {
		return this.#space.members(indexOf(channel), { limit: 2 * this.#bounds.threads, descending: true });
	}
}

const threadKey = (id: string) => `thread:${id}`;
const indexOf = (channel: string) => `threads:${channel}`;

/** Returns the id of a thread from the member of an index, `TIME:ID`. */
const idOf = (member: string) => member.slice(member.indexOf(':') + 1);

/** Returns the number of the message that a thread was started on. */
export const originOf = ({ id }: { id: string }): number => Number(id.split('.').at(-1));

export function placeOf({ id, server, channel, thread, direct }: SandboxChannel): Place {
	return { platform: 'sandbox', server, channel, ...(thread && { thread: id }), ...(direct && { direct }) };
}

function cleanTitle(title: string): string {
	const line = title
		.toWellFormed()
		.replaceAll(/[\s\p{Cc}]+/gu, ' ')
		.trim();
	return [...line].slice(0, TITLE_LENGTH).join('') || 'Thread';
}
