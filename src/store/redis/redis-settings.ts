import type { RedisClient } from './redis-client.ts';
import { replyCode } from './redis-errors.ts';

/** The settings of a server that decide whether entries last; undefined where the user may not read them. */
export type RedisSettings = {
	appendOnly: boolean;
	/** `always`, `everysec` or `no`. */
	appendFsync: string | undefined;
	/** In bytes; 0 for no limit. */
	maxMemory: number;
	policy: string;
	replicas: number;
	/** Whether writes are accepted only while replicas follow: `min-replicas-to-write` is at least 1. */
	requiresReplicas: boolean;
};

type Send = (command: string[]) => Promise<unknown>;

/** Reads the settings of one server. Managed services forbid CONFIG, and users without the category `@dangerous` also INFO. */
export async function readSettings(send: Send): Promise<RedisSettings | undefined> {
	const info = await sendIfAllowed(send, ['INFO']);
	if (info === undefined) return undefined;
	const config = await sendIfAllowed(send, ['CONFIG', 'GET', 'appendfsync']);
	const fields = new Map(Array.from(String(info).matchAll(/^(\w+):(\S+)/gm), ([, name, value]) => [name, value]));
	const field = (name: string) => fields.get(name);
	return {
		appendOnly: field('aof_enabled') !== '0',
		appendFsync: Array.isArray(config) ? String(config[1]) : undefined,
		maxMemory: Number(field('maxmemory') ?? 0),
		policy: field('maxmemory_policy') ?? 'noeviction',
		replicas: Number(field('connected_slaves') ?? 0),
		// The field is there only with that setting. https://redis.io/docs/latest/commands/info/
		requiresReplicas: field('min_slaves_good_slaves') !== undefined,
	};
}

async function sendIfAllowed(send: Send, command: string[]): Promise<unknown> {
	try {
		return await send(command);
	} catch (error) {
		if (['NOPERM', 'ERR'].includes(replyCode(error) ?? '')) return undefined;
		throw error;
	}
}

/**
 * Returns why a server cannot be used: when it is full, it would evict counters and jobs instead of rejecting writes. All policies but
 * `noeviction` do. https://redis.io/docs/latest/develop/reference/eviction/
 */
export function evictionFault({ maxMemory, policy }: RedisSettings): string | undefined {
	if (maxMemory === 0 || policy === 'noeviction') return undefined;
	return `The store would evict entries when it is full (maxmemory-policy ${policy}). Set maxmemory-policy to noeviction.`;
}

/**
 * Returns what should be changed about the servers that hold keys, a sentence each. A server of a cluster that is down is left out:
 * calls report it.
 */
export async function settingsWarnings(client: RedisClient): Promise<string[]> {
	const servers = await Promise.allSettled((await client.nodesWithKeys()).map(readSettings));
	const warnings = servers.flatMap((server) => (server.status === 'fulfilled' ? warningsOf(server.value) : []));
	return [...new Set(warnings)];
}

function warningsOf(settings: RedisSettings | undefined): string[] {
	if (!settings) return ['The user of the store may not run INFO, so the settings of the server could not be checked.'];
	const { appendOnly, appendFsync, policy, replicas, requiresReplicas } = settings;
	const warnings = [];
	if (!appendOnly)
		warnings.push(
			'The store keeps no append-only file: a restart loses what was counted since its last snapshot. Set appendonly to yes.',
		);
	if (appendOnly && appendFsync === 'no')
		warnings.push(
			'The store does not wait for its disk: a power failure loses up to half a minute. Set appendfsync to everysec or always.',
		);
	const eviction = evictionFault(settings);
	if (eviction !== undefined) warnings.push(eviction);
	else if (policy !== 'noeviction')
		warnings.push(
			`The store would evict entries if its memory were limited (maxmemory-policy ${policy}). Set maxmemory-policy to noeviction.`,
		);
	if (replicas > 0 && !requiresReplicas)
		warnings.push(
			'The store answers before a replica has a write, and the promotion of a replica loses it. Set min-replicas-to-write to 1.',
		);
	return warnings;
}
