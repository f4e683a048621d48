import type { webApi } from '@slack/bolt';
import { LRUCache } from 'lru-cache';
import type { Person } from '../../domain/channel.ts';
import { bounded } from '../../domain/queues.ts';
import { type Translate, translatorFor } from '../../i18n/translator.ts';
import type { Log } from '../../log.ts';
import { kindOf, MENTION, type NamedKind } from './api/blocks.ts';
import { type Call, SOON_MS, soon } from './api/calls.ts';
import { isRefused, unless } from './api/slack-errors.ts';

/** The time zone is an IANA name. Of a person who is known in part, the user groups are not. */
export type KnownPerson = { person: Person; timeZone?: string; isPartial?: boolean };

export type UserGroup = { id: string; handle: string; members: ReadonlySet<string> };

/** Of one person's workspaces in an organization, so many are searched for groups. */
const MAX_WORKSPACES = 10;

/**
 * What is cached is looked up again after five minutes. Until a new look-up ends, the old value can still be read, and a look-up that was
 * evicted meanwhile still returns its result. A failed look-up is not cached, and leaves the old value.
 */
const CACHE_OPTIONS = {
	...bounded(5000),
	ttl: 5 * 60_000,
	ttlResolution: 0,
	allowStale: true,
	ignoreFetchAbort: true,
	noDeleteOnFetchRejection: true,
} as const;

/** Further mentions in a text stay ids. */
const MAX_NAMES = 30;

/** Stands for the groups while Slack does not return them. */
const UNKNOWN_GROUPS: readonly UserGroup[] = [];

/** What is looked up in a workspace or organization: a user, or for an organization one of its workspaces. */
type LookUp = { server: string; id?: string | undefined };

type PeopleOptions = {
	call: Call;
	/** Ids of people and of user groups. */
	moderators: readonly string[];
	log: Log;
	/** Milliseconds of the clock that the cache goes by. */
	now?: () => number;
};

/**
 * Profiles, roles and moderator rights of people, cached for five minutes.
 *
 * Moderators are the admins and owners of the workspace (or, in an installation for a whole organization, of the organization), and
 * those that `moderators` names. Guests never are, nor admins of other workspaces in a shared channel. A person who cannot be looked
 * up is no moderator.
 */
export class People {
	readonly #options: PeopleOptions;
	readonly #people = this.#cacheOf((person): Promise<KnownPerson> => this.#lookUpPerson(person));
	/** Workspaces whose plan or scopes exclude groups have an empty list. */
	readonly #groups = this.#cacheOf((workspace) => this.#listGroups(workspace));
	/** Without a name, the bot cannot see the channel. */
	readonly #channels = this.#cacheOf(async ({ server, id = '' }) => {
		const looked = this.#options.call(server, 'conversations.info', { channel: id }, SOON_MS);
		return { name: (await looked.catch(() => undefined))?.channel?.name };
	});

	constructor(options: PeopleOptions) {
		this.#options = options;
	}

	#cacheOf<Value extends object>(lookUp: (what: LookUp) => Promise<Value>) {
		return new LRUCache<string, Value, LookUp>({
			...CACHE_OPTIONS,
			perf: { now: () => (this.#options.now ?? Date.now)() },
			fetchMethod: async (_key, _stale, { context, options }) => {
				const value = await lookUp(context);
				// It is looked up again.
				if ('isPartial' in value) options.ttl = 1;
				return value;
			},
		});
	}

	/** Returns the name of a person, a channel or a user group; undefined where Slack does not return it. */
	async nameOf(server: string, kind: NamedKind, id: string): Promise<string | undefined> {
		if (kind === 'person') return (await this.person(server, id)).name;
		if (kind === 'role')
			return (await soon(this.groups(server)).catch(() => [])).find((group) => group.id === id)?.handle;
		const channel = this.#channels.forceFetch(id, { context: { server, id } });
		return (await soon(channel).catch(() => undefined))?.name;
	}

	/** Returns the names of all that a text in Slack's markup mentions, by their signs and ids, without those that Slack does not return. */
	async namesIn(server: string, text: string): Promise<ReadonlyMap<string, string>> {
		const mentioned = Map.groupBy(text.matchAll(MENTION), ([, sign = '', id = '']) => sign + id);
		const look = async ([key, [found]]: [string, RegExpExecArray[]]) =>
			[key, (await this.nameOf(server, kindOf(found?.[1] ?? ''), found?.[2] ?? '')) ?? ''] as const;
		const known = await Promise.all([...mentioned].slice(0, MAX_NAMES).map(look));
		return new Map(known.filter(([, name]) => name !== ''));
	}

	/** Returns a person by their id. When Slack does not answer, the person is as last known, else with the given name, and has no rights. */
	async person(server: string, id: string, name = id): Promise<Person> {
		try {
			const options = { context: { server, id }, allowStale: false };
			return (await soon(this.#people.forceFetch(`${server}:${id}`, options))).person;
		} catch (error) {
			this.#options.log.warn({ err: error }, 'A person cannot be looked up');
			return { id, name, ...this.cached(server, id)?.person, moderator: false };
		}
	}

	/** Returns a person only if cached, even if outdated. Calls nothing. */
	cached(server: string, id: string): KnownPerson | undefined {
		return this.#people.peek(`${server}:${id}`);
	}

	/** Returns the translator for a person's language if they are cached, else the one for English. */
	translator(server: string, id?: string): Translate {
		return translatorFor(id === undefined ? undefined : this.cached(server, id)?.person.locale);
	}

	/**
	 * Returns the user groups of a workspace. A token of an organization lists them for one workspace at a time.
	 * https://docs.slack.dev/reference/methods/usergroups.list
	 *
	 * @param workspaces for an organization, the workspaces to list; all cached ones by default
	 */
	async groups(server: string, workspaces?: readonly string[]): Promise<readonly UserGroup[]> {
		const list = (id?: string) =>
			this.#groups.forceFetch(`${server}:${id ?? ''}`, { context: { server, id }, allowStale: false });
		if (!isOrganization(server)) return list();
		if (!workspaces)
			return [...this.#groups.entries()].flatMap(([key, groups]) => (key.startsWith(`${server}:`) ? groups : []));
		const searched = [...new Set(workspaces)].slice(0, MAX_WORKSPACES);
		return (await Promise.all(searched.map(list))).flat();
	}

	async #lookUpPerson({ server, id = '' }: LookUp): Promise<KnownPerson> {
		const [{ user: profile = {} }, ownGroups] = await Promise.all([
			this.#options.call(server, 'users.info', { user: id, include_locale: true }, SOON_MS),
			isOrganization(server) ? undefined : this.groups(server).catch(() => UNKNOWN_GROUPS),
		]);
		const { team_id: home, enterprise_user: member, locale } = profile;
		const all = () => this.groups(server, [...(home ? [home] : []), ...(member?.teams ?? [])]);
		const groups = ownGroups ?? (await all().catch(() => UNKNOWN_GROUPS));
		const roles = groups.filter(({ members }) => members.has(id)).map((group) => group.id);
		const isNamed = [id, ...roles].some((one) => this.#options.moderators.includes(one));
		const mayModerate = !isGuest(profile);
		return {
			person: {
				id,
				name: nameOf(profile) || id,
				moderator: mayModerate && (isNamed || isAdmin(server, profile)),
				...(!mayModerate && { mayModerate }),
				...(isOutsider(server, profile) && { outsider: true as const }),
				roles,
				...(locale && { locale }),
			},
			timeZone: timeZoneOf(profile),
			...(groups === UNKNOWN_GROUPS && { isPartial: true }),
		};
	}

	async #listGroups({ server, id }: LookUp): Promise<readonly UserGroup[]> {
		const args = { include_users: true, ...(id !== undefined && { team_id: id }) };
		// What passes is not cached.
		const listed = await this.#options.call(server, 'usergroups.list', args, SOON_MS).catch(unless(isRefused));
		return (listed?.usergroups ?? []).map((group) => ({
			id: group.id ?? '',
			handle: group.handle ?? '',
			members: new Set(group.users),
		}));
	}
}

/** Ids of organizations begin with `E`. https://docs.slack.dev/enterprise/ */
const isOrganization = (server: string): boolean => server.startsWith('E');

type Profile = NonNullable<webApi.UsersInfoResponse['user']>;

const nameOf = ({ profile, real_name, name }: Profile): string | undefined =>
	profile?.display_name || profile?.real_name || real_name || name;

/** Slack may name a time zone that is not known here. */
function timeZoneOf({ tz }: Profile): string | undefined {
	try {
		return tz && new Intl.DateTimeFormat('en', { timeZone: tz }).resolvedOptions().timeZone;
	} catch {
		return undefined;
	}
}

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
