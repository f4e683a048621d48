import type { Channel, Post, PostOptions } from '../../../domain/channel.ts';
import { assertMessageKey } from '../../../domain/message-key.ts';
import type { MessageHandle, Place } from '../../../domain/place.ts';
import type { Reply } from '../../../domain/reply.ts';
import type { SandboxFiles } from './files.ts';
import { checkReply, LIMITS } from './limits.ts';
import type { Edit, Messages, StoredMessage } from './messages.ts';
import type { SandboxPace } from './pace.ts';
import { EASEL, nameOf, placeOf, type Room, type Rooms, type Thread } from './rooms.ts';

/** What the bot's answers are about: the person who sees the private ones, and their command when there is one. */
export type Asker = {
	person?: string;
	command?: string /** Their message, by its number: a thread hangs on it. */;
	message?: number;
};

export type SandboxChannels = ReturnType<typeof createChannels>;

/** Rooms as the core sees them: channels to post in, and posts to edit. */
export function createChannels(options: {
	rooms: Rooms;
	messages: Messages;
	files: SandboxFiles;
	pace: SandboxPace;
	threadOpened: (thread: Thread, server: string) => void;
	typing: (room: Room) => void;
}) {
	const { rooms, messages, files, pace } = options;

	/** What a reply changes of a message, with its pictures stored. Rejects when the reply is over the limits. */
	async function changesOf(reply: Reply): Promise<Edit & { text: string }> {
		checkReply((await rooms.settings()).look, reply.text, reply.pictures ?? []);
		const changes = { text: reply.text.toWellFormed(), buttons: reply.buttons ?? [] };
		if (!reply.pictures) return changes;
		const saved = [];
		for (const { name, bytes, ...shown } of reply.pictures) saved.push(await files.save(name, bytes, shown));
		return { ...changes, files: saved };
	}

	/** Discord counts the edits of a channel, Slack those of a workspace. */
	async function turnToEdit(room: Room): Promise<void> {
		const { look } = await rooms.settings();
		await pace(look === 'discord' ? room.id : room.server, LIMITS[look].edits);
	}

	function postOf(room: Room, { number, key }: StoredMessage): Post {
		return {
			handle: { place: placeOf(room), key },
			async edit(reply) {
				await turnToEdit(room);
				const changes = await changesOf(reply);
				if (await messages.edit(room.id, number, changes)) return;
				for (const file of changes.files ?? []) await files.remove(file);
				throw new Error('The message was deleted.');
			},
			delete: () => messages.remove(room.id, number),
		};
	}

	async function channel(room: Room, asker: Asker): Promise<Channel> {
		// Looked up for every event, as a channel does not outlive one; what it can take may be another tomorrow.
		const { look } = await rooms.settings();

		async function post(reply: Reply, key: string, { ifAbsent = false }: PostOptions = {}): Promise<Post> {
			assertMessageKey(key);
			const { files: pictures = [], ...changes } = await changesOf(reply);
			const files = [...pictures];
			for (const { name, bytes } of reply.files ?? []) files.push(await options.files.save(name, bytes));
			const draft = {
				room: room.id,
				author: EASEL,
				text: changes.text,
				files,
				buttons: changes.buttons ?? [],
				...(reply.visibility === 'private' && asker.person && { onlyFor: asker.person }),
				...(room.onlyFor !== undefined && { roomOf: room.onlyFor }),
				...(asker.command && asker.person && { about: { person: asker.person, command: asker.command } }),
			};
			const { message, created } = await messages.post(draft, key);
			if (message.author !== EASEL) throw new Error(`The key ${key} is a person’s message.`);
			if (!created && ifAbsent) {
				for (const file of files) await options.files.remove(file);
			} else if (!created) {
				await turnToEdit(room);
				await messages.edit(message.room, message.number, reply.pictures ? { ...changes, files } : changes);
			}
			return postOf(room, message);
		}

		return {
			place: placeOf(room),
			limits: LIMITS[look],
			post,
			// Pages show it in the reader's own time zone.
			when: (at) => `<t:${Math.floor(at / 1000)}>`,
			refer: (kind, id) => nameOf(kind, id) ?? id,
			typing: async () => options.typing(room),

			/** Threads do not nest: from within one, the new one is its sibling, as on both platforms. */
			async openThread(title, options) {
				if (asker.message !== undefined && !room.thread && !options?.private)
					return channel(await openThread(room.id, asker.message, title), asker);
				const onlyFor = options?.private ? asker.person : undefined;
				if (options?.private && onlyFor === undefined) throw new Error('Nobody is there to be alone with.');
				const draft = {
					room: room.channel,
					author: EASEL,
					text: '',
					files: [],
					buttons: [],
					...aboutOf(asker, 'chat'),
				};
				const { message } = await messages.post(
					onlyFor === undefined ? draft : { ...draft, onlyFor },
					`thread:${crypto.randomUUID()}`,
				);
				const thread = await openThread(room.channel, message.number, title, onlyFor);
				return channel(thread, asker);
			},
		};
	}

	/** The thread on a message, opened when there is none yet. */
	async function openThread(channelId: string, number: number, title: string, onlyFor?: string): Promise<Room> {
		const { thread, created } = await rooms.openThread(channelId, number, title, onlyFor);
		const room = await rooms.room(thread.id);
		if (!room) throw new Error(`There is no channel ${channelId}.`);
		if (created) {
			await messages.edit(channelId, number, { thread: { id: thread.id, title: thread.title } });
			options.threadOpened(thread, room.server);
		}
		return room;
	}

	return {
		channel,
		openThread,

		/** A place that nobody asked from. */
		async at({ platform, channel: channelId, thread }: Place): Promise<Channel | undefined> {
			const room = platform === 'sandbox' ? await rooms.room(thread ?? channelId) : undefined;
			return room && channel(room, {});
		},

		async find(handle: MessageHandle): Promise<Post | undefined> {
			const message = handle.place.platform === 'sandbox' ? await messages.find(handle.key) : undefined;
			const room = message && (await rooms.room(message.room));
			return message?.author === EASEL && room ? postOf(room, message) : undefined;
		},
	};
}

const aboutOf = ({ person, command }: Asker, otherwise: string) =>
	person === undefined ? {} : { about: { person, command: command ?? otherwise } };
