import type { Button, Channel, ChannelLimits, MessageHandle, Place, Post, Reply } from '../../../src/domain/channel.ts';
import type { Platform } from '../../../src/domain/platform.ts';
import { PlatformRefusedError } from '../../../src/i18n/translator.ts';
import type { SimulatedProcess } from '../engine/process.ts';
import type { Trace } from '../engine/trace.ts';
import { type PictureId, pictureIdOf } from './service.ts';

/** A message as people see it. */
export type VisibleMessage = {
	key: string;
	place: Place;
	text: string;
	pictures: PictureId[];
	buttons: readonly Button[];
};

/** The state of the platform itself, which all processes share. */
export type PlatformState = {
	messages: Map<string, VisibleMessage>;
	picturesPerMessage: number;
	/** While true, pictures cannot be posted in servers, as without the permission for it. */
	isTextOnly: boolean;
	/** Ids of people who cannot be sent direct messages. */
	withoutDirectMessages: readonly string[];
	/** Called with every message and edit as it becomes visible. */
	onMessage(message: VisibleMessage): void;
	/** Keys whose last post or edit had no effect. */
	rejected: Set<string>;
	/** Keys for which a call has ever been reported as failed. */
	failed: Set<string>;
	/** Keys of messages that were not found: they did not exist yet, or the platform did not answer. */
	missed: Set<string>;
};

const LIMITS: Omit<ChannelLimits, 'pictures'> = { text: 2000, pictureBytes: 10 ** 7, edits: { count: 5, perMs: 5000 } };

export const createPlatformState = (
	options: Pick<PlatformState, 'picturesPerMessage' | 'withoutDirectMessages' | 'onMessage'>,
): PlatformState => ({
	...options,
	messages: new Map(),
	isTextOnly: false,
	rejected: new Set(),
	failed: new Set(),
	missed: new Set(),
});

/** Called when a process sends a message or an edit, before it becomes visible. */
export type SendObserver = (process: SimulatedProcess, key: string, reply: Reply) => void;

export type FakePlatform = Platform & {
	/** Returns a channel for a request from it. */
	open(place: Place): Channel;
};

/** Returns a platform as one process reaches it, with delays and faults. */
export function createFakePlatform(
	name: string,
	process: SimulatedProcess,
	state: PlatformState,
	trace: Trace,
	onSend: SendObserver,
): FakePlatform {
	const noAnswer = () => new Error('The platform did not answer.');

	async function call<Result>(description: string, key: string, effect: () => Result): Promise<Result> {
		let hadEffect = false;
		const work = async () => {
			hadEffect = true;
			return effect();
		};
		const error = () => {
			state.failed.add(key);
			if (!hadEffect) state.rejected.add(key);
			return new Error('The platform did not accept it.');
		};
		return process.call('platform', `${description} ${key}`, work, error);
	}

	const show = (place: Place, key: string, reply: Reply): Post => {
		showMessage(state, place, key, reply, (text) => trace.add(`platform for ${process.name}`, text));
		return postOf(place, key);
	};

	const postOf = (place: Place, key: string): Post => ({
		handle: { place, key },
		edit(reply) {
			onSend(process, key, reply);
			return call(`edit ${reply.text.includes('…') ? 'status' : 'answer'}`, key, () => {
				if (!state.messages.has(key)) throw new Error('The message does not exist.');
				show(place, key, reply);
			});
		},
		delete: () =>
			call('delete', key, () => {
				state.rejected.delete(key);
				state.messages.delete(key);
			}),
	});

	const open = (place: Place): Channel => ({
		place,
		limits: { ...LIMITS, pictures: state.picturesPerMessage },
		post(reply, key, { ifAbsent = false } = {}) {
			// Otherwise it replaces nothing.
			if (!ifAbsent) onSend(process, key, reply);
			return call('post', key, () =>
				ifAbsent && state.messages.has(key) ? postOf(place, key) : show(place, key, reply),
			);
		},
		openThread: async () => open(place),
		when: (at) => new Date(at).toISOString(),
		refer: (_, id) => id,
	});

	function find({ key }: MessageHandle): Promise<Post | undefined> {
		const effect = async () => {
			const message = state.messages.get(key);
			// It is edited where it is, also when it is a direct message.
			if (message)
				return {
					...postOf(message.place, key),
					pictures: async () => message.pictures.map(() => ({ name: 'picture', read: async () => new Uint8Array() })),
				};
			state.missed.add(key);
			return undefined;
		};
		return process.call('platform', `find ${key}`, effect, () => {
			state.missed.add(key);
			state.failed.add(key);
			return noAnswer();
		});
	}

	function openDirect(server: string, person: string): Promise<Channel | undefined> {
		const place = { platform: name, server, channel: `with ${person}`, direct: true } as const;
		const effect = async () => (state.withoutDirectMessages.includes(person) ? undefined : open(place));
		return process.call('platform', `direct ${person}`, effect, noAnswer);
	}

	return {
		name,
		open,
		start: async () => {},
		stop: async () => {},
		state: () => 'ready',
		find,
		channel: async (place) => open(place),
		direct: ({ server }, { id }) => openDirect(server, id),
	};
}

/** A platform on which nothing is found. */
export const emptyPlatform = (name: string): Platform => ({
	name,
	start: async () => {},
	stop: async () => {},
	state: () => 'ready',
	find: async () => undefined,
	channel: async () => undefined,
	direct: async () => undefined,
});

/** Posts or edits a message. Throws when it has pictures that cannot be posted. */
function showMessage(
	state: PlatformState,
	place: Place,
	key: string,
	{ text, pictures, buttons = [] }: Reply,
	addToTrace: (text: string) => void,
): void {
	state.rejected.delete(key);
	const count = pictures?.length ?? 0;
	if ((state.isTextOnly && !place.direct && count > 0) || count > state.picturesPerMessage) {
		state.rejected.add(key);
		throw new PlatformRefusedError('discord.errors.channelGone');
	}
	const previous = state.messages.get(key)?.pictures ?? [];
	const shown = pictures?.map(({ bytes }) => pictureIdOf(bytes)) ?? previous;
	const message: VisibleMessage = { key, place, text, pictures: shown, buttons };
	state.messages.set(key, message);
	const ids = shown.map(({ delivery, index }) => `${delivery}#${index}`);
	addToTrace(`${key}: ${JSON.stringify(text.slice(0, 90))}${ids.length > 0 ? ` [${ids.join()}]` : ''}`);
	state.onMessage(message);
}
