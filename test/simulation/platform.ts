import type { Channel, ChannelLimits, Post } from '../../src/domain/channel.ts';
import type { MessageHandle, Place } from '../../src/domain/place.ts';
import type { Platform } from '../../src/domain/platform.ts';
import type { Button, Reply } from '../../src/domain/reply.ts';
import type { Process } from './process.ts';
import { type Shot, shotOf } from './service.ts';

/** A message as people see it. */
export type Shown = { key: string; place: Place; text: string; pictures: Shot[]; buttons: readonly Button[] };

/** What all processes post to, and what is seen there. */
export type Wall = {
	messages: Map<string, Shown>;
	/** How many pictures one message takes. */
	most: number;
	/** In servers words may be posted, pictures may not, as where a permission is missing. */
	wordsOnly: boolean;
	/** People who take no direct messages. */
	closed: readonly string[];
	/** Told of every message and edit as it becomes visible. */
	seen(message: Shown): void;
	/** Keys whose last edit or post the platform has refused to do. */
	refused: Set<string>;
	/** Keys for which the platform has ever said that it failed. */
	failed: Set<string>;
	/** Keys of messages that were looked for in vain: before they were there, or when the platform did not answer. */
	unseen: Set<string>;
};

const LIMITS: Omit<ChannelLimits, 'pictures'> = { text: 2000, pictureBytes: 10 ** 7, edits: { count: 5, perMs: 5000 } };

export const PLATFORM = 'stage';

export const createWall = (parts: Pick<Wall, 'most' | 'closed' | 'seen'>): Wall => ({
	...parts,
	messages: new Map(),
	wordsOnly: false,
	refused: new Set(),
	failed: new Set(),
	unseen: new Set(),
});

/** The platform as one process reaches it. */
export function platformOf(
	process: Process,
	wall: Wall,
	trace: (who: string, what: string) => void,
): Platform & { open(place: Place): Channel } {
	async function call<Result>(what: string, key: string, effect: () => Result): Promise<Result> {
		let done = false;
		const work = async () => {
			done = true;
			return effect();
		};
		const refusal = () => {
			wall.failed.add(key);
			if (!done) wall.refused.add(key);
			return new Error('The platform did not take it.');
		};
		return process.call('platform', `${what} ${key}`, work, refusal);
	}

	function show(place: Place, key: string, { text, pictures, buttons = [] }: Reply): Post {
		wall.refused.delete(key);
		const before = wall.messages.get(key);
		if ((wall.wordsOnly && !place.direct && pictures?.length) || (pictures?.length ?? 0) > wall.most) {
			wall.refused.add(key);
			throw new Error('Missing permissions.');
		}
		const message = {
			key,
			place,
			text,
			pictures: pictures?.map(({ bytes }) => shotOf(bytes)) ?? before?.pictures ?? [],
			buttons,
		};
		wall.messages.set(key, message);
		const shots = message.pictures.map(({ delivery, index }) => `${delivery}#${index}`);
		trace('platform', `${key}: ${JSON.stringify(text.slice(0, 90))}${shots.length > 0 ? ` [${shots.join()}]` : ''}`);
		wall.seen(message);
		return postOf(place, key);
	}

	const postOf = (place: Place, key: string): Post => ({
		handle: { place, key },
		edit: (reply) =>
			call(`edit ${reply.text.includes('…') ? 'status' : 'answer'}`, key, () => {
				if (!wall.messages.has(key)) throw new Error('There is no such message.');
				show(place, key, reply);
			}),
		delete: () =>
			call('delete', key, () => {
				wall.refused.delete(key);
				wall.messages.delete(key);
			}),
	});

	const open = (place: Place): Channel => ({
		place,
		limits: { ...LIMITS, pictures: wall.most },
		post: (reply, key, { ifAbsent = false } = {}) =>
			call('post', key, () => (ifAbsent && wall.messages.has(key) ? postOf(place, key) : show(place, key, reply))),
		openThread: async () => open(place),
		when: (at) => new Date(at).toISOString(),
		refer: (_, id) => id,
	});

	return {
		name: PLATFORM,
		open,
		start: async () => {},
		stop: async () => {},
		state: () => 'ready',
		find: ({ place, key }: MessageHandle) =>
			process.call(
				'platform',
				`find ${key}`,
				async () => {
					if (wall.messages.has(key)) return postOf(place, key);
					wall.unseen.add(key);
					return undefined;
				},
				() => {
					wall.unseen.add(key);
					wall.failed.add(key);
					return new Error('The platform did not answer.');
				},
			),
		channel: async (place) => open(place),
		direct: ({ server }, { id }) =>
			process.call(
				'platform',
				`direct ${id}`,
				async () =>
					wall.closed.includes(id)
						? undefined
						: open({ platform: PLATFORM, server, channel: `with ${id}`, direct: true }),
				() => new Error('The platform did not answer.'),
			),
	};
}
