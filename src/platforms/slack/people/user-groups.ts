import { LRUCache } from 'lru-cache';
import type { Log } from '../../../log.ts';
import type { CallWithRetry } from '../api/calls.ts';

/**
 * People and groups are looked up again after five minutes. Until a new look-up ends, the old value can still be read, and a look-up
 * that was evicted meanwhile still returns its result. A failed look-up is not cached.
 */
export const CACHE_OPTIONS = {
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
export const isOrganization = (server: string): boolean => server.startsWith('E');

/** The user groups of workspaces, cached for five minutes. Workspaces whose plan or scopes exclude groups have an empty list. */
export class UserGroups {
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
