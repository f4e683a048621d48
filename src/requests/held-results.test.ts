import { expect, test } from 'vitest';
import { openStore } from '../store/open-store.ts';
import { HeldResults } from './held-results.ts';

const place = { platform: 'test', server: 'club', channel: 'general' };
const job = { id: 'job', place, person: { id: 'ada', name: 'Ada' } };
const HOUR_MS = 3600_000;

test('a decision that has to be shown once more is due again, although another process has just shown it', async () => {
	const heldResults = new HeldResults({ store: await openStore('memory:'), retentionMs: HOUR_MS }, Date.now);
	const due = async () => (await Array.fromAsync(heldResults.due())).length > 0;
	const held = async () => {
		const { held } = await heldResults.find('job');
		if (!held) throw new Error('The result is not in review');
		return held;
	};
	await heldResults.hold(job, HOUR_MS);
	await heldResults.decide(await held(), { verdict: 'approved', pictures: 1 });
	expect(await due()).toBe(true);

	const shown = await held();
	await heldResults.begin(shown);
	await heldResults.repeat(job);
	await heldResults.finish(shown);
	expect(await due()).toBe(true);

	await heldResults.begin(await held());
	await heldResults.finish(await held());
	expect(await due()).toBe(false);
	expect((await heldResults.find('job')).held).toBeUndefined();
});
