/**
 * A process that makes calls through the ledger: `ledger-process.ts STORE_URL NAME CALLS`. It prints `ready`, waits for
 * a line, and prints `granted ID` for each call that it was granted and has sent. It settles each call at once.
 */

import { openStore } from '../../src/store/open-store.ts';
import { Lease } from '../../src/usage/lease.ts';
import { createLedgerContext } from '../../src/usage/ledger.fixture.ts';

const [url = '', name = '', calls = '0'] = process.argv.slice(2);
const store = await openStore(url);
const space = store.space('ledger');
const lease = new Lease(space, Date.now);
await lease.renew();
const { ledger } = createLedgerContext(store, { lease });
const place = { platform: 'test', server: 'club', channel: 'general' };

async function call(index: number) {
	const id = `${name}-${index}`;
	const person = { id: `member-${index % 7}`, name: 'Member' };
	const job = await ledger.reserve({ id, command: 'imagine', place, person, message: { place, key: id } });
	if (job === 'duplicate' || !('state' in job)) return;
	const sent = await ledger.send(job);
	if (sent) process.stdout.write(`granted ${id}\n`);
	await ledger.end(sent ?? job, { outcome: 'succeeded', pictures: 1 });
}

process.stdout.write('ready\n');
await new Promise((resolve) => process.stdin.once('data', resolve));
process.stdin.destroy();
await Promise.all(Array.from({ length: Number(calls) }, (_, index) => call(index)));
await store.close();
