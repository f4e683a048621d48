import { DatabaseSync } from 'node:sqlite';
import { CAP, JOB, keysOf, type LedgerPeer } from './ledger-peer.ts';

/** Two prepared transactions on node:sqlite. */
export function openSqliteLedger(path: string): LedgerPeer {
	const database = new DatabaseSync(path);
	database.exec(`
		PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
		CREATE TABLE counters (key TEXT PRIMARY KEY, used INTEGER NOT NULL) STRICT;
		CREATE TABLE jobs (id TEXT PRIMARY KEY, entry TEXT NOT NULL) STRICT;
		CREATE TABLE receipts (id TEXT PRIMARY KEY, entry TEXT NOT NULL) STRICT;`);
	const [begin, commit] = [database.prepare('BEGIN IMMEDIATE'), database.prepare('COMMIT')];
	const take = database.prepare(`
		INSERT INTO counters VALUES (?, 1) ON CONFLICT DO UPDATE SET used = used + 1 WHERE used < ${CAP} RETURNING used`);
	const insert = database.prepare('INSERT INTO jobs VALUES (?, ?)');
	const update = database.prepare('UPDATE jobs SET entry = ? WHERE id = ?');
	const receipt = database.prepare('INSERT INTO receipts VALUES (?, ?)');
	const together = (work: () => void) => {
		begin.run();
		work();
		commit.run();
	};
	return {
		async fill(count) {
			together(() => {
				for (let i = 0; i < count; i++) for (const key of keysOf(`m${i}`).slice(3)) take.get(key);
			});
		},
		async call(id, member) {
			together(() => {
				for (const key of keysOf(member)) if (!take.get(key)) throw new Error('The benchmark was refused.');
				insert.run(id, JOB);
			});
			together(() => {
				receipt.run(id, JOB);
				update.run(JOB, id);
			});
		},
		async close() {
			database.close();
		},
	};
}
