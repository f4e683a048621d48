import { ChannelType } from 'discord.js';
import { PlatformRefusedError } from '../../../bot/messages/refused-error.ts';
import type { Place } from '../../../domain/place.ts';
import type { DiscordApi, ThreadKind } from '../api/api.ts';
import { translateErrors } from '../api/discord-errors.ts';
import { messageBodyOf } from '../api/reply-body.ts';
import type { InteractionResponder } from './interaction-responder.ts';

/** What a thread is opened for. */
type Asked = {
	/** A channel of a server, or a thread in it: threads do not nest, so what is opened from within one is its sibling. */
	place: Place;
	title: string;
	/** What asks for it, where it is an interaction. */
	exchange?: InteractionResponder | undefined;
	/** The message that asks for it, where it is one. */
	written?: string | undefined;
};

export type Threads = ReturnType<typeof createThreads>;

/**
 * Threads of a server's channels. Each rejects with `Refused` where Discord does not allow it, and else gives the thread's id.
 * @param typeOf what a channel is, as far as that is known
 */
export function createThreads(api: DiscordApi, typeOf: (channel: string) => ChannelType | undefined) {
	function kindIn({ channel }: Place): ThreadKind {
		switch (typeOf(channel)) {
			case ChannelType.GuildAnnouncement:
				return 'announcement';
			case ChannelType.GuildForum:
			case ChannelType.GuildMedia:
				return 'post';
			default:
				return 'public';
		}
	}

	/** On the answer to the interaction, which is taken away where no thread comes of it. */
	async function onAnswer({ place, title, exchange }: Asked): Promise<string> {
		const answer = await exchange?.say(messageBodyOf({ text: titled(title) }), false);
		try {
			return (await api.openThread(place.channel, title, { message: answer?.message, kind: kindIn(place) })).id;
		} catch (error) {
			if (answer) await api.remove(answer).catch(() => {});
			throw error;
		}
	}

	/** It stands for itself; who asked is told where. */
	async function beside({ place, title, exchange }: Asked): Promise<string> {
		const { id } = await api.openThread(place.channel, title, { kind: kindIn(place) });
		await exchange?.say(messageBodyOf({ text: `<#${id}>` }), false);
		return id;
	}

	function begin(asked: Asked): Promise<string> {
		const { place, title, exchange, written } = asked;
		if (place.thread !== undefined) return beside(asked);
		if (written !== undefined) return api.threadOn(place.channel, title, written);
		return exchange ? onAnswer(asked) : beside(asked);
	}

	async function beginPrivate({ place, title, exchange }: Asked): Promise<string> {
		const asker = exchange?.asker;
		if (!exchange || asker === undefined) throw new Error('Nobody is there to be invited');
		// What is begun there is a post, for all to see.
		if (kindIn(place) === 'post')
			throw new PlatformRefusedError('There are no private threads in a channel of this kind.');
		const { id } = await api.openThread(place.channel, title, { kind: 'private' });
		await api.invite(id, asker);
		await exchange.say(messageBodyOf({ text: `<#${id}>` }), true);
		return id;
	}

	return {
		open: (asked: Asked) => translateErrors('open a thread', asked.place, begin(asked)),

		/** Nobody is told of it but who asked, who alone is in it; who may manage threads can find it. */
		openPrivate: (asked: Asked) => translateErrors('open a private thread', asked.place, beginPrivate(asked)),
	};
}

/** A title as it is, whatever Markdown it may hold. */
export const titled = (title: string) =>
	`💬 ${title.replaceAll(/[\\*_~`|>#[\]()<@:-]/g, '\\$&').replaceAll(/\s+/g, ' ')}`;
