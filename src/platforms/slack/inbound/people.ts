import type { Person } from '../../../domain/person.ts';
import type { Log } from '../../../log.ts';
import type { CallWithRetry } from '../api/call-with-retry.ts';

export type People = {
	/** Who they are, with their moderator's rights, language and user groups; held for five minutes. */
	person(server: string, user: string): Promise<Person>;
	/** What is known of somebody by now, without asking Slack; the time zone in the words of the IANA. */
	known(server: string, user: string): { person: Person; timeZone?: string } | undefined;
	/**
	 * The workspace's user groups.
	 * @param workspaces of an organisation, whose; without it those that are known by now
	 */
	groups(server: string, workspaces?: readonly string[]): Promise<readonly { id: string; handle: string }[]>;
};

/** How long what Slack says of people and groups is believed. */
const KEPT_MS = 5 * 60_000;
/** So many of somebody's workspaces are looked at for groups, where the bot is installed for all of an organisation. */
const MOST_WORKSPACES = 10;
/** People and workspaces that are remembered; from so many on, the oldest are forgotten. */
const MOST = 5000;

type Known = { person: Person; timeZone?: string };
type Group = { id: string; handle: string; members: ReadonlySet<string> };

/**
 * Who people are: asked of Slack, and held for five minutes. Moderators are the workspace's admins and owners (of an organisation
 * that has installed Easel as a whole, its own), and whoever `moderators` names, by id or by user group; guests never are, nor are
 * the admins of other workspaces in a shared channel, who are not ours. What can't be asked makes nobody a moderator.
 */
export function createPeople(options: {
	call: CallWithRetry;
	/** Ids of people and of user groups. */
	moderators: readonly string[];
	log: Log;
	now?: () => number;
}): People {
	const { call, log, now = Date.now } = options;
	const moderators = new Set(options.moderators);
	const people = createCache<Known>(now);
	const groups = createCache<readonly Group[]>(now);

	async function askGroups(server: string, workspace?: string): Promise<readonly Group[]> {
		const { usergroups = [] } = await call(
			server,
			'usergroups.list',
			(client) =>
				client.usergroups.list({ include_users: true, ...(workspace !== undefined && { team_id: workspace }) }),
			{ idempotent: true },
		);
		return usergroups.map(({ id = '', handle = '', users = [] }) => ({ id, handle, members: new Set(users) }));
	}

	/** Plans without groups, and apps without the scope for them, have none. */
	const listOf = (server: string, workspace?: string) =>
		groups.of(`${server}:${workspace ?? ''}`, () =>
			askGroups(server, workspace).catch((error: unknown) => {
				log.debug({ err: error }, 'User groups are not known');
				return [];
			}),
		);

	/** By the token of an organisation, they are asked for of one workspace at a time. https://docs.slack.dev/reference/methods/usergroups.list */
	async function groupsOf(server: string, workspaces?: readonly string[]): Promise<readonly Group[]> {
		if (!isOrganisation(server)) return listOf(server);
		if (!workspaces) return groups.known(`${server}:`).flat();
		const asked = [...new Set(workspaces)].slice(0, MOST_WORKSPACES);
		return (await Promise.all(asked.map((workspace) => listOf(server, workspace)))).flat();
	}

	async function ask(server: string, user: string): Promise<Known> {
		const [{ user: found = {} }, ours] = await Promise.all([
			call(server, 'users.info', (client) => client.users.info({ user, include_locale: true }), { idempotent: true }),
			isOrganisation(server) ? undefined : groupsOf(server),
		]);
		const { team_id: home, enterprise_user: member } = found;
		const all = ours ?? (await groupsOf(server, [...(home ? [home] : []), ...(member?.teams ?? [])]));
		const roles = all.filter(({ members }) => members.has(user)).map(({ id }) => id);
		const guest = found.is_restricted || found.is_ultra_restricted || found.is_stranger || found.is_bot;
		const named = moderators.has(user) || roles.some((id) => moderators.has(id));
		const { profile } = found;
		const rules = isOrganisation(server)
			? member?.enterprise_id === server && (member.is_admin || member.is_owner)
			: home === server && (found.is_admin || found.is_owner || found.is_primary_owner);
		return {
			person: {
				id: user,
				name: profile?.display_name || profile?.real_name || found.real_name || found.name || user,
				moderator: !guest && Boolean(named || rules),
				roles,
				...(found.locale && { locale: found.locale }),
			},
			...(found.tz && { timeZone: found.tz }),
		};
	}

	return {
		async person(server, user) {
			try {
				return (await people.of(`${server}:${user}`, () => ask(server, user))).person;
			} catch (error) {
				log.warn({ err: error }, 'Slack does not say who somebody is');
				return { id: user, name: user, moderator: false };
			}
		},
		known: (server, user) => people.peek(`${server}:${user}`),
		groups: groupsOf,
	};
}

const isOrganisation = (server: string) => server.startsWith('E');

/** Values for five minutes, each asked for once at a time. What fails is not kept. */
function createCache<Value>(now: () => number) {
	const held = new Map<string, { at: number; value: Promise<Value>; done?: Value }>();
	return {
		of(key: string, ask: () => Promise<Value>): Promise<Value> {
			const there = held.get(key);
			if (there && now() - there.at < KEPT_MS) return there.value;
			const one: { at: number; value: Promise<Value>; done?: Value } = { at: now(), value: ask() };
			held.delete(key);
			held.set(key, one);
			one.value.then(
				(value) => {
					one.done = value;
				},
				() => {
					if (held.get(key) === one) held.delete(key);
				},
			);
			for (const oldest of held.keys()) {
				if (held.size <= MOST) break;
				held.delete(oldest);
			}
			return one.value;
		},
		/** Of all whose names begin like this, what is known by now. */
		known: (prefix: string): Value[] =>
			[...held].flatMap(([key, { done }]) => (done !== undefined && key.startsWith(prefix) ? [done] : [])),
		/** What is known by now, also when it is due to be asked anew. */
		peek: (key: string): Value | undefined => held.get(key)?.done,
	};
}
