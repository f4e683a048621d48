import type { Button, Channel, Handle, Limits, Place, Platform, Post, Reply } from '../../src/bot/platform.ts';
import type { Process } from './process.ts';
import { deliveryOf } from './service.ts';

/** A message as people see it. */
export type Shown = { key: string; place: Place; text: string; pictures: string[]; buttons: readonly Button[] };

/** What all processes post to, and what is seen there. */
export type Wall = {
	messages: Map<string, Shown>;
	/** Words may be posted, pictures may not, as where a permission is missing. */
	wordsOnly: boolean;
	/** Keys whose last edit or post the platform has refused to do. */
	refused: Set<string>;
	/** Keys for which the platform has ever said that it failed. */
	failed: Set<string>;
	/** Keys of messages that were looked for in vain: before they were there, or when the platform did not answer. */
	unseen: Set<string>;
};

const LIMITS: Limits = { text: 2000, pictures: 10, pictureBytes: 10 ** 7, edits: { count: 5, perMs: 5000 } };

export const PLATFORM = 'stage';

export const createWall = (): Wall => ({
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
			wall.refused.delete(key);
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
		const before = wall.messages.get(key);
		if (wall.wordsOnly && pictures !== undefined && pictures.length > 0) {
			wall.refused.add(key);
			throw new Error('Missing permissions.');
		}
		const shown = pictures?.map(({ bytes }) => deliveryOf(bytes)) ?? before?.pictures ?? [];
		wall.messages.set(key, { key, place, text, pictures: shown, buttons });
		trace('platform', `${key}: ${JSON.stringify(text.slice(0, 90))}${shown.length > 0 ? ` [${shown.join()}]` : ''}`);
		return postOf(place, key);
	}

	const postOf = (place: Place, key: string): Post => ({
		handle: { place, key },
		edit: (reply) =>
			call(`edit ${reply.text.includes('…') ? 'status' : 'answer'}`, key, () => {
				if (!wall.messages.has(key)) throw new Error('There is no such message.');
				show(place, key, reply);
			}),
		delete: () => call('delete', key, () => void wall.messages.delete(key)),
	});

	const open = (place: Place): Channel => ({
		place,
		limits: LIMITS,
		post: (reply, key) => call('post', key, () => show(place, key, reply)),
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
		find: ({ place, key }: Handle) =>
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
					return new Error('The platform did not answer.');
				},
			),
		channel: async (place) => open(place),
		direct: async () => undefined,
	};
}
