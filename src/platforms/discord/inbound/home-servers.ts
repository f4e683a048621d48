import type { APIGuildMember } from 'discord.js';
import { LRUCache } from 'lru-cache';
import type { Log } from '../../../log.ts';
import type { UserRecords } from '../api/user-records.ts';

/** How long a member's roles are used without asking again, in milliseconds. */
const FRESH_MS = 5 * 60_000;
const MAX_MEMBERS = 2000;

/** The server whose caps and rules apply to a user outside of servers, and the user's roles in it. */
export type HomeServer = { server: string; roles: readonly string[] };

/** Returns undefined when the user, or the bot, is not a member of the server. */
type FindMember = (server: string, user: string) => Promise<Pick<APIGuildMember, 'roles'> | undefined>;

/**
 * The home server of each user is the one that they used the bot in last. Requests in direct messages, and where only the user has
 * installed the bot, count in that server, so that its caps cannot be avoided there. A user without a home server, or who has left
 * it, has an account of their own.
 */
export class HomeServers {
	readonly #records: UserRecords;
	readonly #findMember: FindMember;
	readonly #log: Log;
	readonly #members = new LRUCache<string, { roles: readonly string[] | undefined; freshUntil: number }>({
		max: MAX_MEMBERS,
	});

	constructor(records: UserRecords, findMember: FindMember, log: Log) {
		this.#records = records;
		this.#findMember = findMember;
		this.#log = log;
	}

	/** @param owner the user who has installed the bot: what others do with it counts in the owner's home server */
	async of(user: string, owner = user): Promise<HomeServer> {
		for (const one of new Set([user, owner])) {
			const server = await this.#records.recall('home', one);
			const roles = server === undefined ? undefined : await this.#rolesIn(server, one);
			if (server !== undefined && roles) return { server, roles: one === user ? roles : [] };
		}
		return { server: `user:${owner}`, roles: [] };
	}

	/** Returns undefined for a user who has left. After a failed lookup the user still counts as a member. */
	async #rolesIn(server: string, user: string): Promise<readonly string[] | undefined> {
		const key = `${server}:${user}`;
		const cached = this.#members.get(key);
		if (cached && cached.freshUntil > Date.now()) return cached.roles;
		try {
			const roles = (await this.#findMember(server, user))?.roles;
			this.#members.set(key, { roles, freshUntil: Date.now() + FRESH_MS });
			return roles;
		} catch (error) {
			this.#log.warn({ err: error }, 'A member could not be looked up');
			return cached ? cached.roles : [];
		}
	}
}
