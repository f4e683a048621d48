import type { webApi } from '@slack/bolt';
import { LRUCache } from 'lru-cache';
import type { Person } from '../../../domain/place.ts';
import { type Translate, translatorFor } from '../../../i18n/translator.ts';
import type { Log } from '../../../log.ts';
import type { CallWithRetry } from '../api/calls.ts';

/** The time zone is an IANA name. */
export type KnownPerson = { person: Person; timeZone?: string };

type PersonId = { server: string; user: string };

/** Channels are renamed from time to time. */
const CHANNEL_NAME_TTL_MS = 3600_000;
const MAX_CHANNELS = 1000;
/** People and names are looked up before an answer is begun, which does not wait for a rate limit. */
const MAX_WAIT_MS = 1500;

/** `name` is undefined for channels that the bot cannot see. */
type ChannelName = { name: string | undefined };

/**
 * Profiles, roles and moderator rights of people, cached for five minutes.
 *
 * Moderators are the admins and owners of the workspace (or, in an installation for a whole organization, of the organization), and
 * those that `moderators` names. Guests never are, nor admins of other workspaces in a shared channel. A person who cannot be looked
 * up is no moderator.
 */
export class People {
	readonly #call: CallWithRetry;
	readonly #log: Log;
	readonly #moderators: ReadonlySet<string>;
	readonly #groups: UserGroups;
	readonly #cache: LRUCache<string, KnownPerson, PersonId>;
	readonly #channels: LRUCache<string, ChannelName, string>;

	/**
	 * @param options.moderators ids of people and of user groups
	 * @param options.now milliseconds of the clock that the cache goes by
	 */
	constructor(options: { call: CallWithRetry; moderators: readonly string[]; log: Log; now?: () => number }) {
		const { call, moderators, log, now = Date.now } = options;
		this.#call = call;
		this.#log = log;
		this.#moderators = new Set(moderators);
		this.#groups = new UserGroups({ call, log, now });
		this.#cache = new LRUCache({
			...CACHE_OPTIONS,
			perf: { now },
			fetchMethod: (_, __, { context }) => this.#fetch(context),
		});
		this.#channels = new LRUCache({
			max: MAX_CHANNELS,
			ttl: CHANNEL_NAME_TTL_MS,
			ignoreFetchAbort: true,
			fetchMethod: (id, _, { context }) => this.#fetchChannel(context, id),
		});
	}

	/** Returns the name of a person, a channel or a user group; undefined where Slack does not return it. */
	async nameOf(server: string, kind: NamedKind, id: string): Promise<string | undefined> {
		if (kind === 'person') return (await this.person(server, id)).name;
		if (kind === 'channel') return (await this.#channels.forceFetch(id, { context: server })).name;
		return (await this.groups(server)).find((group) => group.id === id)?.handle;
	}

	/** Returns a person by their id. When Slack does not answer, the person has their id as name and no rights. */
	async person(server: string, user: string): Promise<Person> {
		try {
			const key = keyOf(server, user);
			return (await this.#cache.forceFetch(key, { context: { server, user }, allowStale: false })).person;
		} catch (error) {
			this.#log.warn({ err: error }, 'A person cannot be looked up');
			return { id: user, name: user, moderator: false };
		}
	}

	/** Returns a person only if cached, even if outdated. Calls nothing. */
	cached(server: string, user: string): KnownPerson | undefined {
		return this.#cache.peek(keyOf(server, user));
	}

	/** Returns the translator for a person's language if they are cached, else the one for English. */
	translator(server: string, user?: string): Translate {
		return translatorFor(user === undefined ? undefined : this.cached(server, user)?.person.locale);
	}

	/**
	 * Returns the user groups of a workspace.
	 *
	 * @param workspaces for an organization, the workspaces to list; all cached ones by default
	 */
	groups(server: string, workspaces?: readonly string[]): Promise<readonly UserGroup[]> {
		return this.#groups.of(server, workspaces);
	}

	#fetchChannel(server: string, id: string): Promise<ChannelName> {
		const options = { maxWaitMs: MAX_WAIT_MS };
		return this.#call(
			server,
			'conversations.info',
			(client) => client.conversations.info({ channel: id }),
			options,
		).then(
			({ channel }) => ({ name: channel?.name }),
			() => ({ name: undefined }),
		);
	}

	async #fetch({ server, user }: PersonId): Promise<KnownPerson> {
		const [{ user: profile = {} }, ownGroups] = await Promise.all([
			this.#call(server, 'users.info', (client) => client.users.info({ user, include_locale: true }), {
				idempotent: true,
				maxWaitMs: MAX_WAIT_MS,
			}),
			isOrganization(server) ? undefined : this.#groups.of(server),
		]);
		const { team_id: home, enterprise_user: member } = profile;
		const groups = ownGroups ?? (await this.#groups.of(server, [...(home ? [home] : []), ...(member?.teams ?? [])]));
		const roles = groups.filter(({ members }) => members.has(user)).map(({ id }) => id);
		const isNamed = this.#moderators.has(user) || roles.some((id) => this.#moderators.has(id));
		const mayModerate = !isGuest(profile);
		return {
			person: {
				id: user,
				name: nameOf(profile) || user,
				moderator: mayModerate && (isNamed || isAdmin(server, profile)),
				...(!mayModerate && { mayModerate }),
				...(isOutsider(server, profile) && { outsider: true as const }),
				roles,
				...(profile.locale && { locale: profile.locale }),
			},
			...(profile.tz && { timeZone: profile.tz }),
		};
	}
}

/** What a text can mention. */
export type NamedKind = 'person' | 'channel' | 'role';

const keyOf = (server: string, user: string) => `${server}:${user}`;

type Profile = NonNullable<webApi.UsersInfoResponse['user']>;

const nameOf = ({ profile, real_name, name }: Profile): string | undefined =>
	profile?.display_name || profile?.real_name || real_name || name;

/** Guests, people of other workspaces, and bots. */
const isGuest = ({ is_restricted, is_ultra_restricted, is_stranger, is_bot }: Profile): boolean =>
	Boolean(is_restricted || is_ultra_restricted || is_stranger || is_bot);

/** Guests, and people of other workspaces or organizations, as in channels that are shared with them. */
function isOutsider(server: string, { team_id, enterprise_user: member, ...profile }: Profile): boolean {
	if (profile.is_restricted || profile.is_ultra_restricted || profile.is_stranger) return true;
	if (isOrganization(server)) return member?.enterprise_id !== server;
	return team_id !== undefined && team_id !== server && !member?.teams?.includes(server);
}

function isAdmin(server: string, { team_id, enterprise_user: member, ...profile }: Profile): boolean {
	if (isOrganization(server)) return member?.enterprise_id === server && Boolean(member.is_admin || member.is_owner);
	return team_id === server && Boolean(profile.is_admin || profile.is_owner || profile.is_primary_owner);
}

/**
 * People and groups are looked up again after five minutes. Until a new look-up ends, the old value can still be read, and a look-up
 * that was evicted meanwhile still returns its result. A failed look-up is not cached.
 */
const CACHE_OPTIONS = {
	max: 5000,
	ttl: 5 * 60_000,
	ttlResolution: 0,
	allowStale: true,
	ignoreFetchAbort: true,
} as const;

/** Of one person's workspaces in an organization, so many are searched for groups. */
const MAX_WORKSPACES = 10;

export type UserGroup = { id: string; handle: string; members: ReadonlySet<string> };

type Scope = { server: string; workspace?: string | undefined };

/** Ids of organizations begin with `E`. https://docs.slack.dev/enterprise/ */
const isOrganization = (server: string): boolean => server.startsWith('E');

/** The user groups of workspaces, cached for five minutes. Workspaces whose plan or scopes exclude groups have an empty list. */
class UserGroups {
	readonly #call: CallWithRetry;
	readonly #log: Log;
	readonly #cache: LRUCache<string, readonly UserGroup[], Scope>;

	/** @param options.now milliseconds of the clock that the cache goes by */
	constructor(options: { call: CallWithRetry; log: Log; now: () => number }) {
		const { call, log, now } = options;
		this.#call = call;
		this.#log = log;
		this.#cache = new LRUCache({
			...CACHE_OPTIONS,
			perf: { now },
			fetchMethod: (_, __, { context }) => this.#fetch(context),
		});
	}

	/**
	 * Returns the groups of a workspace. A token of an organization lists them for one workspace at a time.
	 * https://docs.slack.dev/reference/methods/usergroups.list
	 *
	 * @param workspaces for an organization, the workspaces to list; all cached ones by default
	 */
	async of(server: string, workspaces?: readonly string[]): Promise<readonly UserGroup[]> {
		if (!isOrganization(server)) return this.#list({ server });
		if (!workspaces) return this.#cached(server);
		const searched = [...new Set(workspaces)].slice(0, MAX_WORKSPACES);
		return (await Promise.all(searched.map((workspace) => this.#list({ server, workspace })))).flat();
	}

	#list(scope: Scope): Promise<readonly UserGroup[]> {
		const key = `${scope.server}:${scope.workspace ?? ''}`;
		return this.#cache.forceFetch(key, { context: scope, allowStale: false });
	}

	#cached(server: string): UserGroup[] {
		return [...this.#cache.entries()].flatMap(([key, groups]) => (key.startsWith(`${server}:`) ? [...groups] : []));
	}

	async #fetch({ server, workspace }: Scope): Promise<readonly UserGroup[]> {
		try {
			const { usergroups = [] } = await this.#call(
				server,
				'usergroups.list',
				(client) =>
					client.usergroups.list({ include_users: true, ...(workspace !== undefined && { team_id: workspace }) }),
				{ idempotent: true },
			);
			return usergroups.map(({ id = '', handle = '', users = [] }) => ({ id, handle, members: new Set(users) }));
		} catch (error) {
			this.#log.debug({ err: error }, 'User groups cannot be listed');
			return [];
		}
	}
}
