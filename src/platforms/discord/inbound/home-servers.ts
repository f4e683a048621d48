import type { Log } from '../../../log.ts';
import type { DiscordApi } from '../api/api.ts';
import type { MessageRecords } from '../api/message-records.ts';

/** What is known of somebody is asked again after this long. */
const HELD_MS = 5 * 60_000;

/** Of so many people is held what they are in a server. */
const HELD = 2000;

/** Whose caps and rules somebody comes under who asks outside of servers, and with which roles. */
export type HomeServer = { server: string; roles: readonly string[] };

export type HomeServers = ReturnType<typeof createHomeServers>;

/**
 * The server where somebody has asked last: what they ask elsewhere, in direct messages or where only they have brought the bot
 * along, counts there, so that nobody gets around a server's caps. Who has none, or has left it, has an account of their own.
 */
export function createHomeServers({
	records,
	api,
	log,
}: {
	records: MessageRecords;
	api: Pick<DiscordApi, 'member'>;
	log: Log;
}) {
	const members = new Map<string, { until: number; roles: readonly string[] | undefined }>();

	/** Undefined when they are not in it, or the bot is no more. What can't be known counts there all the same. */
	async function rolesIn(server: string, person: string): Promise<readonly string[] | undefined> {
		const key = `${server}:${person}`;
		const held = members.get(key);
		if (held && held.until > Date.now()) return held.roles;
		try {
			const member = await api.member(server, person);
			const oldest = members.keys().next();
			members.delete(key);
			if (members.size >= HELD && !oldest.done) members.delete(oldest.value);
			members.set(key, { until: Date.now() + HELD_MS, roles: member?.roles });
			return member?.roles;
		} catch (error) {
			log.warn({ err: error }, 'A member could not be looked up');
			return held ? held.roles : [];
		}
	}

	return {
		/** They have asked for something in this server. Nobody waits for it. */
		remember(person: string, server: string): void {
			records
				.remember('home', person, server)
				.catch((error: unknown) => log.error({ err: error }, 'Where somebody has asked could not be kept'));
		},

		/** @param owner who brought the bot along: what others do with that is not beyond the caps either */
		async of(person: string, owner = person): Promise<HomeServer> {
			for (const one of new Set([person, owner])) {
				const server = await records.recall('home', one);
				const roles = server === undefined ? undefined : await rolesIn(server, one);
				if (server !== undefined && roles) return { server, roles: one === person ? roles : [] };
			}
			return { server: `user:${owner}`, roles: [] };
		},
	};
}
