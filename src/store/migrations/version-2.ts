import { timeKey } from '../pages.ts';
import type { Change, Space } from '../store.ts';
import type { MigrationOptions, SpaceMigration } from './migration.ts';

const DAY_MS = 24 * 3600_000;
const YEAR_MS = 366 * DAY_MS;

/** The entries of version 1 in the parts that this migration reads. */
type Debited = { takings?: readonly { key: string; by: number }[] };
type Receipt = Debited & { id: string; at: number; place: { platform: string; server: string } };
type Job = Debited & Claimed & { id: string; state: string };
type Claimed = { hands?: number };
type Recent = { at: number };
type Conversation = { place: { platform: string; server: string; channel: string; thread?: string } };

/**
 * Version 2 finds open jobs, receipts, threads, waiting turns and results by indexes, and lets everything expire that has ended. The
 * age of most entries is not known, so their time begins with the migration. The messages and files of the sandbox are dropped: they
 * are stored in another way.
 */
export function toVersion2({ retentionMs, now }: MigrationOptions): Record<string, SpaceMigration> {
	return {
		ledger: { entry: (key, value) => ledgerEntry(key, value, retentionMs, now()) },
		chats: chats(retentionMs, now()),
		recent: {
			entry(key, value) {
				const { owner, job } = ownerAndJob(key);
				const member = `${timeKey((value as Recent).at)}:${job}`;
				return { ...expiring(key, value, retentionMs), index: [{ index: owner, member, ttlMs: retentionMs }] };
			},
		},
		waiting: {
			entry(key) {
				const { owner, job } = ownerAndJob(key);
				return { remove: [key], index: [{ index: owner, member: job, ttlMs: retentionMs }] };
			},
		},
		requests: { entry: (key, value) => expiring(key, value, retentionMs) },
		log: { entry: (key, value) => expiring(key, value, retentionMs) },
		discord: { entry: (key, value) => discordEntry(key, value, retentionMs) },
		sandbox: { entry: (key) => (key === 'settings' ? undefined : { remove: [key] }) },
		pictures: { entry: () => undefined, finish: (space) => expireKeptPictures(space, retentionMs) },
	};
}

const expiring = (key: string, value: unknown, ttlMs: number): Change => ({ put: [{ key, value, ttlMs }] });

/** Splits a key such as `slack/T1/U1/JOB`. */
function ownerAndJob(key: string): { owner: string; job: string } {
	const end = key.lastIndexOf('/');
	return { owner: key.slice(0, end), job: key.slice(end + 1) };
}

function ledgerEntry(key: string, value: unknown, retentionMs: number, now: number): Change | undefined {
	const [kind = ''] = key.split(':', 1);
	const rest = key.slice(kind.length + 1);
	switch (kind) {
		case 'open':
			return { remove: [key], index: [{ index: 'open', member: rest }] };
		case 'receipt':
			return { put: [{ key, value: withDebits(value as Receipt) }], index: receiptMembers(value as Receipt) };
		case 'job': {
			const job = withClaims(withDebits(value as Job));
			return ['delivered', 'undeliverable'].includes(job.state)
				? expiring(key, { ...job, debits: [], person: { id: '', name: '' } }, 100 * DAY_MS)
				: { put: [{ key, value: job }] };
		}
		case 'gate':
		case 'closed':
			return expiring(key, value, 100 * DAY_MS);
		case 'claim':
			return expiring(key, value, DAY_MS);
		case 'owner':
			return expiring(key, withClaims(value as Claimed), retentionMs);
		case 'count':
		case 'chat':
		case 'cost':
			return expiring(key, value, Math.max(DAY_MS, windowEndOf(rest) + 3 * DAY_MS + retentionMs - now));
		case 'notice':
			return expiring(key, value, 32 * DAY_MS);
		case 'audit':
			return expiring(key, value, YEAR_MS);
		case 'lease':
			return expiring(key, value, DAY_MS);
		default:
			return undefined;
	}
}

/** Replaces `takings`, unless an earlier attempt has done so. */
function withDebits<Entry extends Debited>({ takings, ...entry }: Entry) {
	return takings ? { ...entry, debits: takings.map(({ key, by }) => [key, by]) } : entry;
}

/** Renames `hands`, unless an earlier attempt has done so. */
function withClaims<Entry extends Claimed>({ hands, ...entry }: Entry) {
	return hands === undefined ? entry : { ...entry, claims: hands };
}

function receiptMembers({ id, at, place: { platform, server } }: Receipt) {
	const month = new Date(at).toISOString().slice(0, 7);
	return [
		{ index: `receipts:${month}:${platform}:${server}`, member: `${timeKey(at)}:${id}` },
		{ index: 'months', member: `${month}:${platform}:${server}` },
	];
}

/** Returns when the window of a counter ends. Its key ends in a day or a month. */
function windowEndOf(key: string): number {
	const [year = 0, month = 1, day] = key
		.slice(key.lastIndexOf(':') + 1)
		.split('-')
		.map(Number);
	return day === undefined ? Date.UTC(year, month, 1) : Date.UTC(year, month - 1, day + 1);
}

function chats(retentionMs: number, now: number): SpaceMigration {
	/** The number of the next message, by thread. */
	const next = new Map<string, number>();
	return {
		entry(key, value) {
			const [kind = ''] = key.split(':', 1);
			const rest = key.slice(kind.length + 1);
			switch (kind) {
				case 'thread': {
					const conversation = { since: now, ...(value as Conversation) };
					const { platform, server, channel, thread = '' } = conversation.place;
					const member = `${timeKey(conversation.since)}:${channel}:${thread}`;
					return {
						...expiring(key, conversation, YEAR_MS),
						index: [{ index: `threads:${platform}:${server}`, member, ttlMs: YEAR_MS }],
					};
				}
				case 'entry': {
					const end = rest.lastIndexOf(':');
					const [thread, number] = [rest.slice(0, end), Number(rest.slice(end + 1))];
					next.set(thread, Math.max(next.get(thread) ?? 0, number + 1));
					return expiring(key, value, retentionMs);
				}
				case 'waiting':
					return { ...expiring(key, value, retentionMs), index: [{ index: 'waiting', member: rest }] };
				case 'first':
					return expiring(key, value, YEAR_MS);
				case 'seen':
					return expiring(key, value, rest.startsWith('greeted:') ? YEAR_MS : 7 * DAY_MS);
				default:
					return undefined;
			}
		},
		async finish(_space, commit) {
			for (const [thread, number] of next) await commit(expiring(`next:${thread}`, number, YEAR_MS));
		},
	};
}

/** Facts about users did not expire. Messages and forms did. */
function discordEntry(key: string, value: unknown, retentionMs: number): Change | undefined {
	const [kind = ''] = key.split(':', 1);
	if (kind === 'home') return expiring(key, value, YEAR_MS);
	return ['locale', 'direct'].includes(kind) ? expiring(key, value, retentionMs) : undefined;
}

/** Pictures that could not be delivered were kept for ever. */
async function expireKeptPictures({ files }: Space, retentionMs: number): Promise<void> {
	for (const name of await files.names('kept:')) {
		const bytes = await files.get(name);
		if (bytes) await files.put(name, bytes, retentionMs);
	}
}
