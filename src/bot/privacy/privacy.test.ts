import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { answersChat } from '../../../packages/fakes/src/chat.ts';
import { answersPictures, held, smallPng } from '../../../packages/fakes/src/service.ts';
import { BotHarness } from '../../../test/harness/bot-harness.ts';
import { countersOf, dump, dyingStore, mismatches } from '../../../test/harness/stored-data.ts';
import { SPACES } from '../../collections.ts';
import type { Person, Upload } from '../../domain/channel.ts';
import { openStore } from '../../store/open-store.ts';
import type { Store } from '../../store/store.ts';
import type { Bot } from '../bot.ts';

const grace: Person = { id: 'grace-7', name: 'Grace Hopper', moderator: true, locale: 'en' };
const linus: Person = { id: 'linus', name: 'Linus', moderator: false };

let harness: BotHarness;
let folder: string;
let requests = 0;
beforeEach(async () => {
	harness = await BotHarness.create();
	folder = await mkdtemp(join(tmpdir(), 'easel-'));
});
afterEach(async () => {
	await harness.close();
	await rm(folder, { recursive: true });
});

const erasuresFile = () => join(folder, 'erasures.jsonl');
const start = (store: Store = harness.store) => harness.start({ store, erasuresFile: erasuresFile(), followUpMs: 0 });

async function invoke(bot: Bot, command: string, options: Record<string, unknown> = {}, person = grace) {
	const id = `r${++requests}`;
	await bot.invoke({ id, command, options, person, channel: harness.channel });
	return { id, reply: harness.seen(id) };
}

const uploadOf = (bytes: Uint8Array): Upload => ({ name: 'cat.png', read: async () => bytes });

/** Presses the button of a message that this bot has posted. */
async function press(bot: Bot, key: string, person = grace) {
	const id = `p${++requests}`;
	await harness.press(bot, id, harness.seen(key)?.buttons?.[0]?.id ?? '', key, person);
	return harness.seen(id)?.text;
}

/** Makes what Easel can keep of a person: pictures, an edit, a chat, a changed setting, and the same by somebody else. */
async function live(bot: Bot, brought: Uint8Array) {
	await invoke(bot, 'limits settings', { log: harness.channel.place.channel });
	await invoke(bot, 'imagine', { prompt: 'a secret lighthouse', n: 1 });
	await invoke(bot, 'edit', { prompt: 'paint it secretly', image: uploadOf(brought) });
	harness.faulty.next(answersChat('Your secret is safe.'));
	await invoke(bot, 'chat', { prompt: 'I tell you a secret' });
	await invoke(bot, 'imagine', { prompt: 'a plain barn', n: 1 }, linus);
}

describe('/privacy', () => {
	test('shows, exports and erases everything of a person, and leaves counters and others alone', async () => {
		const bot = await start();
		const brought = await smallPng('#123456');
		await live(bot, brought);
		const before = await countersOf(harness.store);
		expect(await dump(harness.store)).toMatch(
			/secret lighthouse[\s\S]*Grace Hopper|Grace Hopper[\s\S]*secret lighthouse/,
		);

		const { reply: shown } = await invoke(bot, 'privacy show');
		expect(shown?.visibility).toBe('private');
		expect(shown?.text).toMatch(
			/Requests, with their prompts: for 30 days\n- Pictures kept as files \(1\): for 30 days/,
		);
		expect((await invoke(bot, 'privacy show')).reply?.text).toMatch(/less than a minute ago/);

		const { reply: exported } = await invoke(bot, 'privacy export');
		const files = unzipSync(exported?.files?.[0]?.bytes ?? new Uint8Array());
		expect(Object.keys(files)).toEqual(['data.json', 'uploads/1.png']);
		expect(files['uploads/1.png']).toEqual(new Uint8Array(brought));
		const json = Buffer.from(files['data.json'] ?? []).toString();
		expect(json).toContain('a secret lighthouse');
		expect(json).toContain('I tell you a secret');
		expect(json).not.toContain('plain barn');

		const { id, reply: asked } = await invoke(bot, 'privacy erase');
		expect(asked).toMatchObject({ visibility: 'private', buttons: [{ label: 'Delete my data', kind: 'danger' }] });
		expect(await press(bot, id, linus)).toMatch(/no longer works/);
		expect(await press(bot, id)).toMatch(/^Your data is deleted/);
		await bot.stop(1000);

		const left = await dump(harness.store);
		expect(left).not.toMatch(/secret|Grace|Hopper/);
		expect(left).not.toContain(Buffer.from(brought).toString('base64'));
		expect(left).toMatch(/plain barn/);
		expect(left).toMatch(/Linus/);
		expect(await countersOf(harness.store)).toEqual(before);
		expect(await mismatches(harness.store)).toEqual([]);
		// The bot's messages with the data are gone, too.
		const messages = [...harness.messages.values()].map(({ text }) => text).join('\n');
		expect(messages).not.toMatch(/lighthouse|secretly|Your secret/);
		expect(messages).toMatch(/plain barn/);
		expect(await readFile(erasuresFile(), 'utf8')).not.toMatch(/grace/i);
	});

	test('keeps a picture that somebody else has brought, too', async () => {
		const bot = await start();
		const brought = await smallPng('#654321');
		for (const person of [grace, linus])
			await invoke(bot, 'edit', { prompt: 'brighter', image: uploadOf(brought) }, person);
		await press(bot, (await invoke(bot, 'privacy erase')).id);
		expect(await harness.store.space('pictures').files.names('input:')).toHaveLength(1);
	});

	test('refuses to erase while a request of the person runs', async () => {
		const bot = await start();
		const call = held(answersPictures(harness.png));
		harness.faulty.next(call.behaviour);
		const running = invoke(bot, 'imagine', { prompt: 'a slow fox' });
		await harness.faulty.arrived(1);
		const { id } = await invoke(bot, 'privacy erase');
		expect(await press(bot, id)).toMatch(/^Nothing was deleted/);
		call.release();
		await running;
		expect(await press(bot, id)).toMatch(/^Your data is deleted/);
	});

	test('asks again when the button is older than ten minutes', async () => {
		vi.useFakeTimers({ toFake: ['Date'] });
		const bot = await start();
		const { id } = await invoke(bot, 'privacy erase');
		vi.setSystemTime(Date.now() + 11 * 60_000);
		expect(await press(bot, id)).toMatch(/no longer works/);
		vi.useRealTimers();
	});

	test('leaves out the largest pictures of an export that would be too large', async () => {
		const bot = await start();
		const [small, large] = [await smallPng('#111111'), Buffer.concat([await smallPng(), Buffer.alloc(2 ** 20, 7)])];
		await invoke(bot, 'edit', { prompt: 'brighter', image: uploadOf(small) });
		await harness.store.space('pictures').files.put('kept:waiting:0', large);
		await harness.store.space('waiting').commit({ index: [{ index: 'test/server/grace-7', member: 'waiting' }] });
		harness.channel.limits.pictureBytes = 2 ** 20;
		const { reply } = await invoke(bot, 'privacy export');
		expect(reply?.text).toMatch(/with 1 picture\. 1 picture was left out/);
		expect(Object.keys(unzipSync(reply?.files?.[0]?.bytes ?? new Uint8Array()))).toEqual([
			'data.json',
			'uploads/2.png',
		]);
		await harness.store.space('pictures').files.delete('kept:waiting:0');
	});

	test('says so when the file cannot be posted', async () => {
		const bot = await start();
		harness.refuses.post = ({ files }) => files !== undefined;
		expect((await invoke(bot, 'privacy export')).reply?.text).toMatch(/^The file could not be posted here/);
	});
});

describe('in a store with much of others', () => {
	const LARGE = ['requests', 'recent', 'search', 'ledger/receipt:', 'ledger/job:', 'log/entry:'];

	/** A store that records what is listed, and how many lists are open at once. */
	function watched(store: Store) {
		const seen = { lists: [] as string[], open: 0, most: 0 };
		const watching: Store = {
			...store,
			space(name) {
				const space = store.space(name);
				return {
					...space,
					async *list(prefix) {
						seen.lists.push(prefix ? `${name}/${prefix}` : name);
						seen.most = Math.max(seen.most, ++seen.open);
						await new Promise(setImmediate);
						yield* space.list(prefix);
						seen.open--;
					},
				};
			},
		};
		return { store: watching, seen };
	}

	test('reads the calls of the person alone, for one person at a time', async () => {
		const { store, seen } = watched(harness.store);
		const bot = await start(store);
		for (const person of [grace, linus]) await invoke(bot, 'imagine', { prompt: 'a secret lighthouse', n: 1 }, person);
		seen.lists.length = 0;
		seen.most = 0;
		const people = Array.from({ length: 8 }, (_, index) => ({ ...linus, id: `p${index}` }));
		const shown = await Promise.all([grace, ...people].map((person) => invoke(bot, 'privacy show', {}, person)));
		expect(shown[0]?.reply?.text).toContain('Requests, with their prompts: for 30 days');
		for (const { reply } of shown.slice(1)) expect(reply?.text).toBe('I keep nothing about you.');
		await invoke(bot, 'privacy export');
		await press(bot, (await invoke(bot, 'privacy erase')).id);
		expect(await dump(harness.store)).toMatch(/secret lighthouse[\s\S]*Linus|Linus[\s\S]*secret lighthouse/);
		expect(await dump(harness.store)).not.toMatch(/Grace/);
		expect(seen.lists.filter((list) => LARGE.includes(list))).toEqual([]);
		expect(seen.lists.length).toBeGreaterThan(0);
		expect(seen.most).toBe(1);
	});
});

describe('an erasure', () => {
	test('is finished by the next start, wherever it was cut off', async () => {
		for (let cutAt = 1; ; cutAt++) {
			const bot = await start();
			await invoke(bot, 'imagine', { prompt: 'a secret lighthouse' });
			const { id } = await invoke(bot, 'privacy erase');
			await bot.stop(0);
			const { store, arm, writes } = dyingStore(harness.store, cutAt);
			const dying = await start(store);
			arm();
			await press(dying, id);
			const wasAsked = (await harness.store.space('erasures').members('tasks', { limit: 1 })).length > 0;
			const next = await start();
			await next.sweep();
			await next.stop(1000);
			expect([cutAt, wasAsked && /lighthouse|Grace/.test(await dump(harness.store))]).toEqual([cutAt, false]);
			expect(await mismatches(harness.store)).toEqual([]);
			if (writes() < cutAt) break;
		}
	}, 30_000);

	test('is repeated in a restored store, once', async () => {
		const bot = await start();
		await invoke(bot, 'imagine', { prompt: 'a secret lighthouse' });
		const backup = await openStore('memory:');
		await copy(harness.store, backup);
		await press(bot, (await invoke(bot, 'privacy erase')).id);
		expect(await dump(backup)).toMatch(/lighthouse/);
		await start(backup);
		expect(await dump(backup)).not.toMatch(/lighthouse|Grace/);
		const again = await start(backup);
		await invoke(again, 'imagine', { prompt: 'a new lighthouse' });
		await start(backup);
		expect(await dump(backup)).toMatch(/a new lighthouse/);
		await backup.close();
	});
});

/** Copies entries, and the indexes of receipts, as a backup does. */
async function copy(from: Store, to: Store): Promise<void> {
	for (const name of SPACES)
		for await (const [key, value] of from.space(name).list('')) await to.space(name).keyv.set(key, value);
}
