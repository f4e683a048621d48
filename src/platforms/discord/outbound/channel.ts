import { PlatformRefusedError } from '../../../bot/messages/refused-error.ts';
import type { Channel, ChannelLimits, Post, PostOptions } from '../../../domain/channel.ts';
import { assertMessageKey } from '../../../domain/message-key.ts';
import type { Person } from '../../../domain/person.ts';
import type { MessageHandle, Place } from '../../../domain/place.ts';
import type { Reply } from '../../../domain/reply.ts';
import type { Log } from '../../../log.ts';
import { type DiscordApi, isMissing, type RequestRoute } from '../api/api.ts';
import { translateErrors } from '../api/discord-errors.ts';
import { limitsOf } from '../api/limits.ts';
import type { MessageRecords } from '../api/message-records.ts';
import { type MessageBody, messageBodyOf } from '../api/reply-body.ts';
import type { InteractionResponder } from './interaction-responder.ts';
import { type Threads, titled } from './threads.ts';

export type DiscordChannels = ReturnType<typeof createChannels>;

/** Channels to post in, and posts to edit. */
export function createChannels(options: {
	api: DiscordApi;
	records: MessageRecords;
	threads: Threads;
	/** Whether a channel is for adults. */
	ageRestricted(channel: string): boolean;
	/** Bytes of one file in a server. */
	fileBytes(server: string): number;
	/** Which of its server's own rules a text breaks. */
	screen(place: Place, text: string, person: Person): Promise<string | undefined>;
	log: Log;
}) {
	const { api, records, threads, ageRestricted, fileBytes, screen, log } = options;
	/** Interactions that are being answered, by their tokens. */
	const exchanges = new Map<string, InteractionResponder>();

	/** What was pressed on and only one person sees is reached only once the pressing is acknowledged. */
	async function ready({ via }: RequestRoute): Promise<void> {
		if (via) await exchanges.get(via.token)?.acknowledge();
	}

	function postOf(place: Place, key: string, where: RequestRoute): Post {
		return {
			handle: { place, key, data: dataOf(where) },
			...linkOf(place, where),
			async edit(reply) {
				const body = messageBodyOf(reply);
				await ready(where);
				await translateErrors('write', place, api.edit(where, body));
			},
			async delete() {
				await ready(where);
				await translateErrors('write', place, api.remove(where));
				await records.forget(key, where);
			},
		};
	}

	/** Edits what was posted under the key before; false when it is gone. */
	async function editKnown(where: RequestRoute, body: MessageBody): Promise<boolean> {
		try {
			await api.edit(where, body);
			return true;
		} catch (error) {
			if (isMissing(error)) return false;
			throw error;
		}
	}

	/**
	 * @param exchange whose token is tried first, and which alone can say something to one person
	 * @param written the message that is answered, where it is one: a thread hangs on it
	 */
	function channel(place: Place, limits: ChannelLimits, exchange?: InteractionResponder, written?: string): Channel {
		const id = place.thread ?? place.channel;

		async function say(body: MessageBody, isPrivate: boolean, key: string, ifAbsent: boolean): Promise<RequestRoute> {
			// Written down before, since a crash between answer and record would leave the message without its key.
			if (exchange?.isOriginalNext(isPrivate))
				await records.save(key, {
					channel: id,
					message: '@original',
					via: exchange.token,
					...(isPrivate && { private: true }),
				});
			const said = await exchange?.say(body, isPrivate);
			if (said) return { ...said, channel: id };
			if (exchange && isPrivate)
				throw new PlatformRefusedError(
					'Only the requester may see this, and Discord takes no private answer any more.',
				);
			const message = await api.say(id, body, key);
			const where = { channel: id, message: message.id };
			// Said before, by a process that did not live to write it down: then it says what was the case at that time.
			const isOld = message.content !== body.payload.content?.trim() || message.attachments.length < body.files.length;
			if (isOld && !ifAbsent) await api.edit(where, body);
			return where;
		}

		/** Whether something is under the key now that may stay there. */
		async function stands(known: RequestRoute, body: MessageBody, ifAbsent: boolean): Promise<boolean> {
			if (!ifAbsent) return editKnown(known, body);
			await ready(known);
			return (await api.read(known)) !== undefined;
		}

		async function post(reply: Reply, key: string, { ifAbsent = false }: PostOptions = {}): Promise<Post> {
			assertMessageKey(key);
			const body = messageBodyOf(reply);
			const known = await records.find(key);
			if (known && (await translateErrors('write', place, stands(known, body, ifAbsent))))
				return postOf(place, key, known);
			const where = await translateErrors('write', place, say(body, reply.visibility === 'private', key, ifAbsent));
			// It is posted: a store that fails now must not make it look otherwise.
			await records.save(key, where).catch((error: unknown) => log.error({ err: error }, 'A message has no record'));
			return postOf(place, key, where);
		}

		/** Direct messages are a conversation by themselves. */
		async function openThread(title: string, options: { private?: boolean } = {}): Promise<Channel> {
			if (exchange?.isVisiting)
				throw new PlatformRefusedError(
					'There can be no threads here, since I am no member myself; write to me directly instead.',
				);
			if (place.direct) {
				await exchange?.say(messageBodyOf({ text: titled(title) }), false);
				return channel(place, limits, exchange);
			}
			const asked = { place, title, exchange, written };
			const thread = options.private ? await threads.openPrivate(asked) : await threads.open(asked);
			return channel({ ...place, thread }, limitsOf(fileBytes(place.server)));
		}

		return {
			place,
			limits,
			post,
			openThread,
			...(ageRestricted(place.channel) && { ageRestricted: true as const }),
			...(!place.server.startsWith('user:') && { screen: (text, person) => screen(place, text, person) }),
			typing: async () => void (await api.typing(id)),
			when: (at) => `<t:${Math.floor(at / 1000)}:f> (<t:${Math.floor(at / 1000)}:R>)`,
			refer: (kind, named) => `<${{ person: '@', channel: '#', role: '@&' }[kind]}${named}>`,
		};
	}

	return {
		channel,
		postOf,

		/** The channel that an interaction is answered in, for as long as `work` runs. */
		async during<T>(exchange: InteractionResponder, work: () => Promise<T>): Promise<T> {
			exchanges.set(exchange.token.token, exchange);
			try {
				return await work();
			} finally {
				await exchange.end();
				exchanges.delete(exchange.token.token);
			}
		},

		async find({ place, key, data }: MessageHandle): Promise<Post | undefined> {
			if (place.platform !== 'discord') return undefined;
			const where = whereOf(data) ?? (await records.find(key));
			if (!where) return undefined;
			await ready(where);
			const message = await api.read(where);
			return message && postOf(place, key, { ...where, message: message.id });
		},

		/** A place that nobody asked from. A locked thread is left alone; an archived one wakes up with the first message. */
		async at(place: Place): Promise<Channel | undefined> {
			if (place.platform !== 'discord') return undefined;
			const found = await api.channel(place.thread ?? place.channel);
			const isLocked = found && 'thread_metadata' in found && found.thread_metadata?.locked;
			return found && !isLocked ? channel(place, limitsOf(fileBytes(place.server))) : undefined;
		},

		/** Whether they take direct messages is known when one is sent. */
		async direct({ server }: Place, { id }: Pick<Person, 'id'>): Promise<Channel | undefined> {
			const found = await api.directMessages(id);
			const place: Place = { platform: 'discord', server, channel: found?.id ?? '', direct: true };
			return found && channel(place, limitsOf());
		},
	};
}

/** Where a message is looked at; what one person sees can't be. */
const linkOf = (
	{ server, direct }: Place,
	{ channel, message, private: isPrivate }: RequestRoute,
): Pick<Post, 'link'> =>
	isPrivate || direct || message === '@original'
		? {}
		: { link: `https://discord.com/channels/${server}/${channel}/${message}` };

const dataOf = ({ channel, message, via, private: isPrivate }: RequestRoute): Record<string, string> => ({
	channel,
	message,
	...(isPrivate && { private: 'yes' }),
	...(via && { application: via.application, token: via.token, until: String(via.until) }),
});

/** The inverse of `dataOf`. */
function whereOf({
	channel,
	message,
	private: isPrivate,
	application,
	token,
	until,
}: Record<string, string> = {}): RequestRoute | undefined {
	if (channel === undefined || message === undefined) return undefined;
	const via = application !== undefined && token !== undefined && { application, token, until: Number(until) };
	return { channel, message, ...(isPrivate && { private: true }), ...(via && { via }) };
}
