import {
	type APIGuildMember,
	type APIUser,
	type ChannelType,
	Constants,
	GuildMemberFlags,
	PermissionFlagsBits,
	type PermissionsBitField,
	type REST,
	Routes,
} from 'discord.js';
import type { Keyv } from 'keyv';
import { LRUCache } from 'lru-cache';
import type { Place } from '../../../domain/channel.ts';
import { type Log, tryAndLog } from '../../../log.ts';
import { ignoreMissing } from './rest.ts';

/** Tells whether a member with these permissions moderates, as administrators and those who manage the server do. */
export const mayModerate = (permissions: PermissionsBitField) => permissions.has(PermissionFlagsBits.ManageGuild);

export const nameOf = ({ global_name, username }: APIUser, nick?: APIGuildMember['nick']) =>
	nick ?? global_name ?? username;

/** The roles of a member, and whether they have joined by a guest invite, which is for one voice channel. */
export const memberFacts = ({ roles = [], flags }: Partial<Pick<APIGuildMember, 'roles' | 'flags'>> = {}) => ({
	roles,
	...(((flags ?? 0) & GuildMemberFlags.IsGuest) !== 0 && { outsider: true as const }),
});

export const isThread = (type: ChannelType): boolean => Constants.ThreadChannelTypes.some((thread) => thread === type);

/** The place of a channel or a thread. Discord's threads are channels with a parent. */
export function placeOf(server: string, { id, type, parent_id, parentId = parent_id }: ChannelFacts): Place {
	const place = { platform: 'discord', server };
	return isThread(type) && parentId ? { ...place, channel: parentId, thread: id } : { ...place, channel: id };
}

/** A channel as Discord sends it, or as the library has cached it. */
type ChannelFacts = { id: string; type: ChannelType; parent_id?: string | null; parentId?: string | null };

export const isAgeRestricted = (channel: object | undefined): boolean =>
	channel !== undefined && 'nsfw' in channel && channel.nsfw === true;

/** `home`: the server that a user used the bot in last. `locale`: the language of their client. `direct`: whose direct messages a channel is. */
type UserFact = 'home' | 'locale' | 'direct';

const DAY_MS = 24 * 3600_000;

/**
 * How long a home server is kept after its last use, in milliseconds. It decides whose caps apply to direct messages, so it outlasts
 * every window of a cap whatever the retention time is, and it contains no names.
 */
const HOME_MS = 366 * DAY_MS;

/** A fact that is used is kept longer at most once in this time, so that requests do not write each time. */
const RENEW_EVERY_MS = DAY_MS;

/** How long a member's roles are used without asking again, in milliseconds. */
const FRESH_MS = 5 * 60_000;
const MAX_MEMBERS = 2000;

/** The server whose caps and rules apply to a user outside of servers, and the user's roles in it. */
export type HomeServer = { server: string; roles: readonly string[] };

type UserOptions = {
	keyv: Keyv;
	/** How long languages and direct messages are kept after their last use. */
	retentionMs: number;
	/** Returns undefined when the user, or the bot, is not a member of the server. */
	findMember: (server: string, user: string) => Promise<Pick<APIGuildMember, 'roles'> | undefined>;
	log: Log;
};

/**
 * Facts about users that events do not carry. They are always read from the store, since another process may have changed them, and
 * expire when they have not been used for a while.
 */
export class UserRecords {
	readonly #options: UserOptions;
	/** The roles of members, by server and user. After a failed lookup the last ones still count. */
	readonly #members = new LRUCache<string, Partial<Pick<APIGuildMember, 'roles'>>>({
		...{ max: MAX_MEMBERS, ttl: FRESH_MS, perf: Date, ignoreFetchAbort: true, allowStaleOnFetchRejection: true },
		fetchMethod: async (key) => {
			const [server = '', user = ''] = key.split(':');
			return (await this.#options.findMember(server, user)) ?? {};
		},
	});

	constructor(options: UserOptions) {
		this.#options = options;
	}

	/**
	 * Returns the home server of a user: the one that they used the bot in last. Requests in direct messages, and where only the user has
	 * installed the bot, count in that server, so that its caps cannot be avoided there. A user without a home server, or who has left
	 * it, has an account of their own.
	 *
	 * @param owner the user who has installed the bot: what others do with it counts in the owner's home server
	 */
	async homeOf(user: string, owner = user): Promise<HomeServer> {
		for (const one of new Set([user, owner])) {
			const server = await this.recall('home', one);
			if (server === undefined) continue;
			const find = () => this.#members.fetch(`${server}:${one}`);
			const member = await tryAndLog(this.#options.log, 'A member could not be looked up', find);
			// A user who cannot be looked up still counts as a member.
			const roles = member ? member.roles : [];
			if (roles) return { server, roles: one === user ? roles : [] };
		}
		return { server: `user:${owner}`, roles: [] };
	}

	/** @param id a user's id; a channel's for `direct` */
	async recall(fact: UserFact, id: string): Promise<string | undefined> {
		const stored = await this.#options.keyv.getRaw<string>(`${fact}:${id}`);
		const value = stored?.value;
		// The fact holds, also when the store is full.
		if (value !== undefined) await this.remember(fact, id, value, stored).catch(() => {});
		return value;
	}

	/** @param known what is stored of it; read when it is missing */
	async remember(
		fact: UserFact,
		id: string,
		value: string,
		known?: { value?: string | undefined; expires?: number | null | undefined },
	): Promise<void> {
		const { keyv, retentionMs } = this.#options;
		const lastsMs = fact === 'home' ? HOME_MS : retentionMs;
		const stored = known ?? (await keyv.getRaw<string>(`${fact}:${id}`));
		// Earlier versions stored facts that do not expire.
		const isKept = stored?.value === value && (stored.expires ?? 0) >= Date.now() + lastsMs;
		if (!isKept) await keyv.set(`${fact}:${id}`, value, lastsMs + RENEW_EVERY_MS);
	}

	note(fact: UserFact, id: string, value: string): void {
		this.remember(fact, id, value).catch((err: unknown) =>
			this.#options.log.error({ err, fact }, 'A fact about a user could not be saved'),
		);
	}

	/**
	 * Returns the last known language of a user's client, also from another process, else that of the server, as `Person.locale`.
	 * Interactions carry it; messages do not.
	 *
	 * @param serverLocale undefined in direct messages, or when it is not cached
	 */
	async languageOf(user: string, serverLocale?: string): Promise<string | undefined> {
		const find = () => this.recall('locale', user);
		return (await tryAndLog(this.#options.log, 'The language of a user could not be looked up', find)) ?? serverLocale;
	}
}

/** Returns undefined when the user, or the bot, is not a member of the server. */
export const getMember = (rest: REST, server: string, user: string) =>
	rest.get(Routes.guildMember(server, user)).catch(ignoreMissing) as Promise<APIGuildMember | undefined>;
