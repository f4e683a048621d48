import { Refused } from '../../../bot/messages/refused-error.ts';
import type { Channel, Limits, Post, PostOptions } from '../../../domain/channel.ts';
import type { Person } from '../../../domain/person.ts';
import type { Handle, Place } from '../../../domain/place.ts';
import type { Reply } from '../../../domain/reply.ts';
import type { Log } from '../../../log.ts';
import { isMissing, type Where, type Wire } from '../api/api.ts';
import { told } from '../api/discord-errors.ts';
import { limitsOf } from '../api/limits.ts';
import type { Records } from '../api/message-records.ts';
import { type Body, bodyOf } from '../api/reply-body.ts';
import type { Exchange } from './interaction-responder.ts';
import { type Threads, titled } from './threads.ts';

export type Channels = ReturnType<typeof createChannels>;

const KEY = /^[\w:.-]{1,64}$/;

/** Channels to post in, and posts to edit. */
export function createChannels(options: {
	wire: Wire;
	records: Records;
	threads: Threads;
	/** Whether a channel is for adults. */
	ageRestricted(channel: string): boolean;
	/** Bytes of one file in a server. */
	fileBytes(server: string): number;
	/** Which of its server's own rules a text breaks. */
	screen(place: Place, text: string, person: Person): Promise<string | undefined>;
	log: Log;
}) {
	const { wire, records, threads, ageRestricted, fileBytes, screen, log } = options;
	/** Interactions that are being answered, by their tokens. */
	const exchanges = new Map<string, Exchange>();

	/** What was pressed on and only one person sees is reached only once the pressing is acknowledged. */
	async function ready({ via }: Where): Promise<void> {
		if (via) await exchanges.get(via.token)?.acknowledge();
	}

	function postOf(place: Place, key: string, where: Where): Post {
		return {
			handle: { place, key, data: dataOf(where) },
			...linkOf(place, where),
			async edit(reply) {
				const body = bodyOf(reply);
				await ready(where);
				await told('write', place, wire.edit(where, body));
			},
			async delete() {
				await ready(where);
				await told('write', place, wire.remove(where));
				await records.forget(key, where);
			},
		};
	}

	/** Edits what was posted under the key before; false when it is gone. */
	async function editKnown(where: Where, body: Body): Promise<boolean> {
		try {
			await wire.edit(where, body);
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
	function channel(place: Place, limits: Limits, exchange?: Exchange, written?: string): Channel {
		const id = place.thread ?? place.channel;

		async function say(body: Body, isPrivate: boolean, key: string, ifAbsent: boolean): Promise<Where> {
			// Written down before, since a crash between answer and record would leave the message without its key.
			if (exchange?.isOriginalNext(isPrivate))
				await records.save(key, {
					...{ channel: id, message: '@original', via: exchange.token },
					...(isPrivate && { private: true }),
				});
			const said = await exchange?.say(body, isPrivate);
			if (said) return { ...said, channel: id };
			if (exchange && isPrivate)
				throw new Refused('Only the requester may see this, and Discord takes no private answer any more.');
			const message = await wire.say(id, body, key);
			const where = { channel: id, message: message.id };
			// Said before, by a process that did not live to write it down: then it says what was the case at that time.
			const isOld = message.content !== body.payload.content?.trim() || message.attachments.length < body.files.length;
			if (isOld && !ifAbsent) await wire.edit(where, body);
			return where;
		}

		/** Whether something is under the key now that may stay there. */
		async function stands(known: Where, body: Body, ifAbsent: boolean): Promise<boolean> {
			if (!ifAbsent) return editKnown(known, body);
			await ready(known);
			return (await wire.read(known)) !== undefined;
		}

		async function post(reply: Reply, key: string, { ifAbsent = false }: PostOptions = {}): Promise<Post> {
			if (!KEY.test(key)) throw new RangeError(`“${key}” is not a key for a message.`);
			const body = bodyOf(reply);
			const known = await records.find(key);
			if (known && (await told('write', place, stands(known, body, ifAbsent)))) return postOf(place, key, known);
			const where = await told('write', place, say(body, reply.visibility === 'private', key, ifAbsent));
			// It is posted: a store that fails now must not make it look otherwise.
			await records.save(key, where).catch((error: unknown) => log.error({ err: error }, 'A message has no record'));
			return postOf(place, key, where);
		}

		/** Direct messages are a conversation by themselves. */
		async function openThread(title: string, options: { private?: boolean } = {}): Promise<Channel> {
			if (exchange?.isVisiting)
				throw new Refused('There can be no threads here, since I am no member myself; write to me directly instead.');
			if (place.direct) {
				await exchange?.say(bodyOf({ text: titled(title) }), false);
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
			typing: async () => void (await wire.typing(id)),
			when: (at) => `<t:${Math.floor(at / 1000)}:f> (<t:${Math.floor(at / 1000)}:R>)`,
			refer: (kind, named) => `<${{ person: '@', channel: '#', role: '@&' }[kind]}${named}>`,
		};
	}

	return {
		channel,
		postOf,

		/** The channel that an interaction is answered in, for as long as `work` runs. */
		async during<T>(exchange: Exchange, work: () => Promise<T>): Promise<T> {
			exchanges.set(exchange.token.token, exchange);
			try {
				return await work();
			} finally {
				await exchange.end();
				exchanges.delete(exchange.token.token);
			}
		},

		async find({ place, key, data }: Handle): Promise<Post | undefined> {
			if (place.platform !== 'discord') return undefined;
			const where = whereOf(data) ?? (await records.find(key));
			if (!where) return undefined;
			await ready(where);
			const message = await wire.read(where);
			return message && postOf(place, key, { ...where, message: message.id });
		},

		/** A place that nobody asked from. A locked thread is left alone; an archived one wakes up with the first message. */
		async at(place: Place): Promise<Channel | undefined> {
			if (place.platform !== 'discord') return undefined;
			const found = await wire.channel(place.thread ?? place.channel);
			const isLocked = found && 'thread_metadata' in found && found.thread_metadata?.locked;
			return found && !isLocked ? channel(place, limitsOf(fileBytes(place.server))) : undefined;
		},

		/** Whether they take direct messages is known when one is sent. */
		async direct({ server }: Place, { id }: Pick<Person, 'id'>): Promise<Channel | undefined> {
			const found = await wire.directMessages(id);
			const place: Place = { platform: 'discord', server, channel: found?.id ?? '', direct: true };
			return found && channel(place, limitsOf());
		},
	};
}

/** Where a message is looked at; what one person sees can't be. */
const linkOf = ({ server, direct }: Place, { channel, message, private: isPrivate }: Where): Pick<Post, 'link'> =>
	isPrivate || direct || message === '@original'
		? {}
		: { link: `https://discord.com/channels/${server}/${channel}/${message}` };

const dataOf = ({ channel, message, via, private: isPrivate }: Where): Record<string, string> => ({
	...{ channel, message },
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
}: Record<string, string> = {}): Where | undefined {
	if (channel === undefined || message === undefined) return undefined;
	const via = application !== undefined && token !== undefined && { application, token, until: Number(until) };
	return { channel, message, ...(isPrivate && { private: true }), ...(via && { via }) };
}
