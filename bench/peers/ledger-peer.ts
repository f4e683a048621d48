import type { Place } from '../../src/domain/place.ts';

/** A ledger under test: takes a call of a member from five layers, with the job's entry; then settles it, with its receipt. */
export type LedgerPeer = {
	/** Gives every member a counter for the day and one for the month. */
	fill(members: number): Promise<void>;
	call(id: string, member: string): Promise<void>;
	close(): Promise<void>;
};

export const FILL_AT_ONCE = 500;

export const place: Place = { platform: 'bench', server: 'club', channel: 'general' };
/** Never reached, but always compared with. */
export const CAP = 1_000_000_000;

export const keysOf = (member: string) => ['plan', 'server:day', 'server:month', `${member}:day`, `${member}:month`];
/** As large as what the ledger writes for one call. */
export const JOB = JSON.stringify({
	state: 'reserved',
	debits: keysOf('m12345').map((key) => [key, 1]),
	place,
	at: 1e12,
});
