import { timeKey } from '../pages.ts';
import type { MigrationOptions, SpaceMigration } from './migration.ts';

const REVIEW_MS = 30 * 24 * 3600_000;

/** What jobs and receipts of version 2 have in common. A job that has ended, and an opening receipt, have no person. */
type Call = { id: string; at: number; place: { platform: string; server: string }; person: { id: string } };

/** Version 3 finds the calls of a person, and what is kept about them, by an index. */
export const toVersion3 = ({ retentionMs }: MigrationOptions): Record<string, SpaceMigration> => ({
	ledger: {
		entry(key, value) {
			if (!/^(job|receipt):/.test(key)) return undefined;
			const { id, at, place, person } = value as Call;
			if (person.id === '') return undefined;
			const member = `${timeKey(at)}:${place.server} ${id}`;
			return { index: [{ index: `calls:${place.platform}:${person.id}`, member, ttlMs: retentionMs + REVIEW_MS }] };
		},
	},
});
