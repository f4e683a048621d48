import { type APIGuildMember, SnowflakeUtil } from 'discord.js';
import type { Place } from '../../../domain/place.ts';
import type { Inbox } from '../../../domain/platform.ts';
import { getMember } from '../api/requests.ts';
import type { Discord } from '../discord.ts';
import { incomingOf } from './message-events.ts';

/** Messages that are older are not answered any more, in milliseconds. */
const MAX_AGE_MS = 24 * 3600_000;

/** How many messages of a conversation are looked through, and how many of them are passed on: the latest. */
const MAX_LISTED = 100;
const MAX_HEARD = 20;

/**
 * Passes on what people wrote in the conversations of a shard that has begun a session, while no events arrived: before the start, and
 * between two sessions of the gateway. A session that is resumed repeats its events itself. Never rejects.
 *
 * @param inbox returns undefined after the stop
 */
export async function catchUp(discord: Discord, shard: number, inbox: () => Inbox | undefined): Promise<void> {
	const { cache, log } = discord;
	for (const { place, last } of (await inbox()?.talks('discord')) ?? []) {
		const after = last ?? place.thread;
		if (after === undefined || cache.shardOf(place) !== shard) continue;
		try {
			await passOn(discord, place, after, inbox);
		} catch (error) {
			log.warn({ err: error }, 'What was written in a conversation meanwhile could not be read');
		}
	}
}

async function passOn(discord: Discord, place: Place, last: string, inbox: () => Inbox | undefined): Promise<void> {
	const { rest, messages } = discord;
	const { server, channel, thread = channel } = place;
	const oldest = SnowflakeUtil.generate({ timestamp: Date.now() - MAX_AGE_MS });
	const after = [oldest, BigInt(last)].reduce((a, b) => (a > b ? a : b));
	const missed = await messages.list(thread, { after, limit: MAX_LISTED });
	const members = new Map<string, Promise<APIGuildMember | undefined>>();
	for (const message of missed.slice(0, MAX_HEARD).toReversed()) {
		const { author } = message;
		if (author.bot) continue;
		if (!place.direct && !members.has(author.id)) members.set(author.id, getMember(rest, server, author.id));
		const member = await members.get(author.id);
		if (!place.direct && !member) continue;
		const incoming = await incomingOf(discord, { ...message, ...(member && { guild_id: server, member }) });
		// Not awaited: it ends with the answer, before which the core hears further messages.
		if (incoming) void inbox()?.hear(incoming);
	}
}
