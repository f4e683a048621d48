import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import fc from 'fast-check';
import { Keyv } from 'keyv';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openStore } from '../../src/store/open-store.ts';
import {
	type Change,
	type CommitResult,
	type IndexPage,
	type Space,
	type Store,
	StoreError,
} from '../../src/store/store.ts';
import { filesContract } from './files.ts';

export type OpenedStore = { store: Store; cleanup(): Promise<void> };

/** A store that another process, or a later start, can open at `url`. */
export type SharedStore = OpenedStore & { url: string };

/** Defines the tests that every store must pass. */
export function storeContract(name: string, open: () => Promise<OpenedStore>) {
	describe(`${name} as a store`, () => {
		let opened: OpenedStore;
		let space: Space;

		beforeAll(async () => {
			opened = await open();
			space = opened.store.space('contract');
		});
		beforeEach(() => space.keyv.clear());
		afterAll(() => opened.cleanup());

		const counter = (key: string) => space.keyv.get<number>(key);

		describe('commit', () => {
			test('makes every part of a change', async () => {
				await space.keyv.set('old', 'removed below');
				const change: Change = {
					once: 'delivery',
					add: [{ key: 'member', by: 1, atMost: 1 }],
					put: [{ key: 'job', value: { state: 'reserved' } }],
					remove: ['old', 'never was'],
				};
				expect(await space.commit(change)).toBe('done');
				expect(await entries(space)).toEqual({ delivery: true, member: 1, job: { state: 'reserved' } });
			});

			test('stores a value of its own under the once key', async () => {
				expect(await space.commit({ once: 'job', put: [{ key: 'job', value: { at: 1 } }] })).toBe('done');
				expect(await space.keyv.get('job')).toEqual({ at: 1 });
			});

			test.each([
				[{ once: 'delivery', add: [{ key: 'member', by: 1, atMost: 0 }] }, 'duplicate'],
				[
					{
						add: [
							{ key: 'server', by: 1 },
							{ key: 'member', by: 1, atMost: 5 },
						],
					},
					{ refused: 'member' },
				],
				[
					{
						add: [
							{ key: 'b', by: 2, atMost: 1 },
							{ key: 'a', by: 2, atMost: 1 },
						],
					},
					{ refused: 'b' },
				],
				[{ once: 'new', add: [{ key: 'member', by: 1, atMost: 5 }] }, { refused: 'member' }],
			] satisfies [Change, CommitResult][])('changes nothing for %j: %j', async (change, outcome) => {
				await space.commit({ once: 'delivery', add: [{ key: 'member', by: 5 }] });
				const rest = { put: [{ key: 'job', value: 1 }], remove: ['delivery'] };
				expect(await space.commit({ ...change, ...rest })).toEqual(outcome);
				expect(await entries(space)).toEqual({ delivery: true, member: 5 });
			});

			test('adds twice to a key that is given twice', async () => {
				const twice = {
					add: [
						{ key: 'plan', by: 2, atMost: 3 },
						{ key: 'plan', by: 1, atMost: 3 },
					],
				};
				expect(await space.commit(twice)).toBe('done');
				expect(await space.commit(twice)).toEqual({ refused: 'plan' });
				expect(await counter('plan')).toBe(3);
			});

			test('counts in the fields of an entry, and in its first one beside other values', async () => {
				const add = [
					{ key: 'used', field: '2026-11', by: 2, ttlMs: 60_000 },
					{ key: 'used', field: '2026-11-20', by: 1, atMost: 1 },
				];
				expect(await space.commit({ add })).toBe('done');
				expect(await space.commit({ add })).toEqual({ refused: 'used', field: '2026-11-20' });
				expect(await space.keyv.getRaw('used')).toMatchObject({ value: { '2026-11': 2, '2026-11-20': 1 } });
				const job = { step: 1, name: '","step":7,"', nested: { step: 9 } };
				await space.commit({ put: [{ key: 'job', value: job }] });
				const step = { key: 'job', field: 'step', by: 1 };
				expect(await space.commit({ add: [{ ...step, atMost: 1 }] })).toEqual({ refused: 'job', field: 'step' });
				expect(await space.commit({ add: [step] })).toBe('done');
				expect(await space.keyv.get('job')).toEqual({ ...job, step: 2 });
				expect(await space.commit({ add: [step], put: [{ key: 'job', value: { step: 3 } }] })).toBe('done');
				expect(await space.keyv.get('job')).toEqual({ step: 3 });
			});

			test.each(['', 'a"b', 'a b'])('cannot count in the field %j', async (field) => {
				await expect(space.commit({ add: [{ key: 'used', field, by: 1 }] })).rejects.toThrow(TypeError);
			});

			test('always accepts a refund', async () => {
				await space.commit({ add: [{ key: 'member', by: 9 }] });
				expect(await space.commit({ add: [{ key: 'member', by: -2, atMost: 5 }] })).toBe('done');
				expect(await counter('member')).toBe(7);
			});

			test('writes add, put and remove in this order', async () => {
				const add = [
					{ key: 'a', by: 1 },
					{ key: 'b', by: 1 },
				];
				await space.commit({
					add,
					put: [
						{ key: 'a', value: 'put' },
						{ key: 'b', value: 'put' },
					],
					remove: ['b'],
				});
				expect(await entries(space)).toEqual({ a: 'put' });
			});

			test.each([0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])('rejects a step or cap of %d', async (number) => {
				const rest = { once: 'x' };
				await expect(space.commit({ ...rest, add: [{ key: 'c', by: number }] })).rejects.toThrow(TypeError);
				await expect(space.commit({ ...rest, add: [{ key: 'c', by: 1, atMost: number }] })).rejects.toThrow(TypeError);
				expect(await entries(space)).toEqual({});
			});

			test.each(['text', 1.5, null, { value: 3 }, true, 2 ** 53])(
				'does not add to an entry that is %j',
				async (value) => {
					await space.keyv.set('c', value);
					const change = {
						once: 'x',
						add: [
							{ key: 'ok', by: 1 },
							{ key: 'c', by: 1 },
						],
						put: [{ key: 'p', value: 1 }],
					};
					await expect(space.commit(change)).rejects.toThrow(StoreError);
					expect(await entries(space)).toEqual({ c: value });
				},
			);

			test('does not count beyond the largest safe integer', async () => {
				await space.commit({ add: [{ key: 'c', by: Number.MAX_SAFE_INTEGER }] });
				await expect(space.commit({ once: 'x', add: [{ key: 'c', by: 1 }] })).rejects.toThrow(StoreError);
				expect(await entries(space)).toEqual({ c: Number.MAX_SAFE_INTEGER });
			});

			test.each([Symbol('s'), () => 1])('rejects a value that cannot be serialized', async (value) => {
				await expect(space.commit({ once: 'x', put: [{ key: 'p', value }] })).rejects.toThrow(TypeError);
				expect(await entries(space)).toEqual({});
			});

			test('puts, removes and indexes in other spaces, all or nothing', async () => {
				const beside = 'contract-other';
				const other = opened.store.space(beside);
				await other.keyv.clear();
				const put = {
					put: [
						{ space: beside, key: 'p', value: 1 },
						{ key: 'p', value: 2 },
					],
				};
				const index = [{ space: beside, index: 'i', member: 'm' }];
				expect(await space.commit({ once: 'x', ...put, index })).toBe('done');
				expect([await other.keyv.get('p'), await space.keyv.get('p')]).toEqual([1, 2]);
				expect(await other.members('i', { limit: 1 })).toEqual(['m']);
				const away = { remove: [{ space: beside, key: 'p' }], unindex: index };
				expect(await space.commit({ once: 'x', ...away })).toBe('duplicate');
				expect(await space.commit(away)).toBe('done');
				expect([await other.keyv.get('p'), await space.keyv.get('p')]).toEqual([undefined, 2]);
				expect(await other.members('i', { limit: 1 })).toEqual([]);
				await expect(space.commit({ put: [{ space: 'A:', key: 'p', value: 1 }] })).rejects.toThrow(TypeError);
			});

			test('has no effect on another space', async () => {
				const other = opened.store.space('contract-other');
				await other.keyv.clear();
				await space.commit({ once: 'x', add: [{ key: 'c', by: 3 }] });
				expect(await other.commit({ once: 'x', add: [{ key: 'c', by: 1, atMost: 1 }] })).toBe('done');
				expect(await counter('c')).toBe(3);
				await other.keyv.clear();
				expect(await counter('c')).toBe(3);
			});

			test('grants exactly the cap to a thousand concurrent commits', async () => {
				const change = (id: number): Change => ({
					once: `job:${id}`,
					add: [
						{ key: 'member', by: 1 },
						{ key: 'server', by: 1, atMost: 100 },
					],
				});
				const outcomes = await Promise.all(Array.from({ length: 1000 }, (_, id) => space.commit(change(id))));
				expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(100);
				expect(outcomes.filter((outcome) => outcome !== 'done')).toEqual(Array(900).fill({ refused: 'server' }));
				expect(await space.keyv.getMany(['member', 'server'])).toEqual([100, 100]);
			});

			test('makes one of fifty identical concurrent commits', async () => {
				const change = { once: 'delivery', add: [{ key: 'member', by: 1 }] };
				const outcomes = await Promise.all(Array.from({ length: 50 }, () => space.commit(change)));
				expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(1);
				expect(await counter('member')).toBe(1);
			});

			test('agrees with a model for random changes', async () => {
				await fc.assert(
					fc.asyncProperty(fc.array(changes, { maxLength: 12 }), async (sequence) => {
						await space.keyv.clear();
						const model = new Map<string, unknown>();
						for (const change of sequence) {
							const expected = applyToModel(model, change);
							const outcome = await space.commit(change).catch((error: unknown) => error);
							if (expected === 'rejected') expect(outcome).toBeInstanceOf(StoreError);
							else expect(outcome).toEqual(expected);
						}
						expect(await entries(space)).toEqual(Object.fromEntries(model));
					}),
					{ numRuns: 60 },
				);
			});
		});

		describe('an expired entry', () => {
			const expired = async (key: string, value: unknown) => {
				await space.keyv.set(key, value, 1);
				await expect.poll(() => space.keyv.has(key), { interval: 1 }).toBe(false);
			};

			test('counts as absent', async () => {
				await expired('delivery', true);
				await expired('member', 7);
				await expired('text', 'not a counter');
				const add = [
					{ key: 'member', by: 1, atMost: 1 },
					{ key: 'text', by: 1 },
				];
				expect(await entries(space)).toEqual({});
				expect(await space.commit({ once: 'delivery', add })).toBe('done');
				expect(await entries(space)).toEqual({ delivery: true, member: 1, text: 1 });
			});

			test('exists until then, and a counter keeps its time to live', async () => {
				await space.keyv.set('delivery', true, 60_000);
				await space.keyv.set('member', 7, 60_000);
				const { expires } = (await space.keyv.getRaw('member')) ?? {};
				expect(await space.commit({ once: 'delivery' })).toBe('duplicate');
				expect(await space.commit({ add: [{ key: 'member', by: 1 }] })).toBe('done');
				expect(await space.keyv.getRaw('member')).toEqual({ value: 8, expires });
			});

			test('is made by a commit', async () => {
				const add = [{ key: 'day', by: 1, ttlMs: 60_000 }];
				const before = Date.now();
				const put = [{ key: 'job', value: 1, ttlMs: 60_000 }];
				expect(await space.commit({ once: 'job', add, put })).toBe('done');
				const [job, day] = await Promise.all([space.keyv.getRaw('job'), space.keyv.getRaw('day')]);
				for (const entry of [job, day]) expect(entry?.expires).toBeGreaterThanOrEqual(before + 60_000);
				expect(await space.commit({ add: [{ key: 'day', by: 1, ttlMs: 90_000 }] })).toBe('done');
				expect(await space.keyv.getRaw('day')).toEqual({ value: 2, expires: day?.expires });

				await space.commit({ add: [{ key: 'short', by: 1, ttlMs: 1 }], put: [{ key: 'brief', value: 1, ttlMs: 1 }] });
				await expect.poll(() => space.keyv.hasMany(['short', 'brief']), { interval: 1 }).toEqual([false, false]);
				expect(await space.commit({ once: 'brief', add: [{ key: 'short', by: 1, atMost: 1 }] })).toBe('done');
			});

			test.each([0, -1, 0.5, Number.NaN])('cannot have a time to live of %d ms', async (ttlMs) => {
				await expect(space.commit({ put: [{ key: 'x', value: 1, ttlMs }] })).rejects.toThrow(TypeError);
				await expect(space.commit({ add: [{ key: 'x', by: 1, ttlMs }] })).rejects.toThrow(TypeError);
			});

			test('loses its time to live when it is put without one', async () => {
				await space.keyv.set('job', 1, 60_000);
				await space.commit({ put: [{ key: 'job', value: 2 }] });
				expect((await space.keyv.getRaw('job'))?.expires).toBeUndefined();
			});
		});

		describe('an index', () => {
			let name: string;
			beforeEach(() => {
				name = `index:${randomUUID()}`;
			});
			const all = (page?: Partial<IndexPage>) => space.members(name, { limit: 100, ...page });
			const change = (...members: string[]) => members.map((member) => ({ index: name, member }));

			test('has each member once, until it is removed', async () => {
				expect(await all()).toEqual([]);
				await space.commit({ index: change('b', 'a', 'b') });
				await space.commit({ index: change('a', 'c'), unindex: change('b', 'never was') });
				expect(await all()).toEqual(['a', 'c']);
				await space.commit({ unindex: change('a', 'c') });
				expect(await all()).toEqual([]);
			});

			test('is changed by the same commit as entries, and not by one that is refused', async () => {
				const open = { once: 'job', index: change('job') };
				expect(await space.commit(open)).toBe('done');
				expect(await space.commit({ once: 'job', unindex: change('job') })).toBe('duplicate');
				const add = [{ key: 'cap', by: 1, atMost: 0 }];
				expect(await space.commit({ add, index: change('other') })).toEqual({ refused: 'cap' });
				expect(await all()).toEqual(['job']);
			});

			test('expires with its members', async () => {
				const add = (member: string, ttlMs: number) => space.commit({ index: [{ index: name, member, ttlMs }] });
				await add('a', 1);
				await expect.poll(() => all(), { interval: 1 }).toEqual([]);
				await add('a', 1);
				await add('a', 60_000);
				await add('b', 60_000);
				await space.commit({ index: change('b') });
				expect(await all()).toEqual(['a', 'b']);
			});

			test('is cut before a member that says so', async () => {
				await space.commit({ index: change('a', 'b', 'c') });
				await space.commit({ index: [{ index: name, member: 'd', from: 'c' }] });
				expect(await all()).toEqual(['c', 'd']);
				await space.commit({ index: [{ index: name, member: 'a', from: 'd' }] });
				expect(await all()).toEqual(['a', 'd']);
			});

			test('belongs to its space, and is no entry', async () => {
				await space.commit({ index: change('a') });
				expect(await opened.store.space('other').members(name, { limit: 1 })).toEqual([]);
				expect(await entries(space)).toEqual({});
			});

			test('is read in pages of both directions, in the order of bytes', async () => {
				const member = fc.string({ unit: fc.constantFrom(...'aAzZ09 :~-'), minLength: 1, maxLength: 3 });
				const bound = fc.option(member, { nil: undefined });
				const page = fc.record({
					after: bound,
					before: bound,
					limit: fc.integer({ min: 1, max: 4 }),
					descending: fc.boolean(),
				});
				await fc.assert(
					fc.asyncProperty(
						fc.uniqueArray(member, { maxLength: 12 }),
						page,
						async (members, { after, before, ...rest }) => {
							await space.commit({ unindex: change(...(await all())) });
							await space.commit({ index: change(...members) });
							const bounds = { ...(after !== undefined && { after }), ...(before !== undefined && { before }) };
							const expected = members
								.filter((each) => (after === undefined || each > after) && (before === undefined || each < before))
								.sort((a, b) => (a < b ? -1 : 1));
							if (rest.descending) expected.reverse();
							expect(await all({ ...bounds, ...rest })).toEqual(expected.slice(0, rest.limit));
						},
					),
					{ numRuns: 50 },
				);
			});

			test.each(['', 'ä', 'a\nb'])('cannot have the name or the member %j', async (text) => {
				await expect(space.commit({ index: [{ index: text, member: 'a' }] })).rejects.toThrow(TypeError);
				await expect(space.commit({ index: change(text) })).rejects.toThrow(TypeError);
			});
		});

		filesContract(name, () => opened.store);

		describe('keyv', () => {
			test('reads what commit wrote, and commit reads what keyv wrote, also through another Keyv', async () => {
				const namespace = space.keyv.namespace as string;
				const other = new Keyv({ store: space.keyv.opts.store, namespace });
				await space.commit({ add: [{ key: 'c', by: 2 }], put: [{ key: 'p', value: [1, null, ':colon'] }] });
				expect(await other.get(['c', 'p'])).toEqual([2, [1, null, ':colon']]);
				await other.set('c', 5);
				expect(await space.commit({ add: [{ key: 'c', by: 1, atMost: 6 }] })).toBe('done');
				expect(await other.get('c')).toBe(6);
				expect(await other.delete('c')).toBe(true);
				expect(await space.commit({ add: [{ key: 'c', by: 1, atMost: 1 }] })).toBe('done');
			});

			test.each<[string, unknown]>([
				['text', 'Grüße, 世界, 👩‍🚀, \u0000, "quotes" and \\ back'],
				['a lone surrogate', '\ud83d'],
				['structure', { a: [1, -0.5, true, null], 'b:c': { d: '' } }],
				['bytes', Buffer.from([0, 255, 1, 128])],
				['null', null],
			])('stores %s unchanged', async (_, value) => {
				await space.commit({ put: [{ key: 'put', value }] });
				await space.keyv.set('set', value);
				expect(await space.keyv.getMany(['put', 'set', 'none'])).toEqual([value, value, undefined]);
			});

			test('stores a picture of 14 MB', async () => {
				const picture = 'iVBORw0K'.repeat(1_750_000);
				await space.commit({ once: 'picture', put: [{ key: 'picture', value: picture }] });
				expect((await space.keyv.get<string>('picture')) === picture).toBe(true);
				expect(await space.commit({ once: 'picture' })).toBe('duplicate');
			});

			test('distinguishes keys that begin like its namespace', async () => {
				await space.commit({
					put: [
						{ key: 'contract:a', value: 1 },
						{ key: 'a', value: 2 },
					],
				});
				expect(await space.keyv.get('contract:a')).toBe(1);
				expect(await space.keyv.getMany(['contract:a', 'a'])).toEqual([1, 2]);
				await space.keyv.set('contract:a', 3);
				expect(await entries(space)).toEqual({ 'contract:a': 3, a: 2 });
			});

			test('accepts empty lists and an empty change', async () => {
				const { keyv, commit } = space;
				expect(await Promise.all([keyv.getMany([]), keyv.hasMany([]), keyv.setMany([])])).toEqual([[], [], []]);
				expect(await keyv.deleteMany([])).toBe(false);
				expect(await commit({})).toBe('done');
			});

			test('rejects a key with a lone surrogate', async () => {
				await expect(space.keyv.set('half \ud83d', 1)).rejects.toThrow(TypeError);
				await expect(space.commit({ once: 'half \ud83d' })).rejects.toThrow(TypeError);
			});
		});

		describe('list', () => {
			test('yields every entry with the prefix, and no other', async () => {
				const character = fc.constantFrom(...'%_[]*?^\\:ab\u{10ffff}é');
				const key = fc.array(character, { minLength: 1, maxLength: 4 }).map((characters) => characters.join(''));
				await fc.assert(
					fc.asyncProperty(fc.uniqueArray(key, { maxLength: 12 }), key, async (keys, prefix) => {
						await space.keyv.clear();
						await space.commit({ put: keys.map((each, value) => ({ key: each, value })) });
						const expected = keys.flatMap((each, value) => (each.startsWith(prefix) ? [[each, value]] : []));
						expect(await entries(space, prefix)).toEqual(Object.fromEntries(expected));
					}),
					{ numRuns: 50 },
				);
			});

			test('yields more than one page while entries are removed', async () => {
				const put = Array.from({ length: 1000 }, (_, value) => ({ key: `open:${value}`, value }));
				await space.commit({ put });
				const seen = [];
				for await (const [key, value] of space.list('open:')) {
					seen.push(value);
					await space.commit({ remove: [key] });
				}
				expect(seen.sort((a, b) => Number(a) - Number(b))).toEqual(put.map(({ value }) => value));
				expect(await entries(space)).toEqual({});
			});
		});

		test('returns the same space for the same name, and rejects invalid names', () => {
			expect(opened.store.space('contract')).toBe(space);
			for (const name of ['', 'A', 'a:b', 'a b', '*']) expect(() => opened.store.space(name)).toThrow(TypeError);
		});

		test('rejects every call once it is closed', async () => {
			const { store, cleanup } = await open();
			const { commit, keyv } = store.space('closing');
			await store.ping();
			const last = commit({ once: 'x' });
			await store.close();
			expect(await last).toBe('done');
			await expect(store.ping()).rejects.toThrow(StoreError);
			await expect(commit({ once: 'y' })).rejects.toThrow(StoreError);
			await expect(keyv.get('x')).rejects.toThrow(StoreError);
			await expect(keyv.set('x', 1)).rejects.toThrow(StoreError);
			await expect(store.space('closing').files.get('x')).rejects.toThrow(StoreError);
			await cleanup();
		});
	});
}

/** Defines the tests that every store must pass which several processes can open. */
export function sharedStoreContract(name: string, open: () => Promise<SharedStore>) {
	storeContract(name, open);

	describe(`${name} as a shared store`, () => {
		let opened: SharedStore;
		let space: Space;

		beforeEach(async () => {
			opened = await open();
			space = opened.store.space('shared');
		});
		afterEach(() => opened.cleanup());

		test('shows every change to another connection at once', async () => {
			await space.commit({ once: 'x', add: [{ key: 'c', by: 2 }] });
			const other = await openStore(opened.url);
			const there = other.space('shared');
			expect(await entries(there)).toEqual({ x: true, c: 2 });
			expect(await there.commit({ once: 'x' })).toBe('duplicate');
			const both = Array.from({ length: 200 }, (_, i) => (i % 2 ? space : there));
			const outcomes = await Promise.all(both.map(({ commit }) => commit({ add: [{ key: 'c', by: 1, atMost: 102 }] })));
			expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(100);
			expect(await space.keyv.get('c')).toBe(102);
			await other.close();
		});

		/** Starts a process that commits against a cap of 100, and prints the id of each commit once it is answered. */
		const startProcess = (id: string, tries: number) => {
			const script = `
				import { openStore } from ${JSON.stringify(import.meta.resolve('../../src/store/open-store.ts'))};
				const store = await openStore(${JSON.stringify(opened.url)});
				const { commit } = store.space('shared');
				const next = Array.from({ length: ${tries} }, (_, i) => '${id}-' + i);
				await Promise.all(Array.from({ length: 32 }, async () => {
					for (let id; (id = next.pop()); ) {
						const outcome = await commit({ once: 'job:' + id, add: [{ key: 'cap', by: 1, atMost: 100 }] });
						if (outcome === 'done') process.stdout.write(id + '\\n');
					}
				}));
				await store.close();`;
			return spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
		};

		const granted = async () => Object.keys(await entries(space, 'job:')).map((key) => key.slice('job:'.length));

		test('grants exactly the cap to two processes', async () => {
			const answered: string[] = [];
			const processes = [startProcess('a', 500), startProcess('b', 500)].map(async (child) => {
				for await (const id of createInterface({ input: child.stdout })) answered.push(id);
			});
			await Promise.all(processes);
			expect(answered).toHaveLength(100);
			expect((await granted()).sort()).toEqual(answered.sort());
			expect(await space.keyv.get('cap')).toBe(100);
		});

		test('keeps answered commits and the cap when one of two processes is killed', async () => {
			const answered: string[] = [];
			const [victim, survivor] = [startProcess('victim', 500), startProcess('survivor', 500)];
			const both = [victim, survivor].map(async (child) => {
				for await (const id of createInterface({ input: child.stdout })) {
					answered.push(id);
					if (child === victim) child.kill('SIGKILL');
				}
			});
			await Promise.all([...both, once(victim, 'exit')]);
			const kept = await granted();
			expect(kept).toEqual(expect.arrayContaining(answered));
			expect(await space.keyv.get('cap')).toBe(kept.length);
			expect(kept).toHaveLength(100);
		});
	});
}

async function entries(space: Space, prefix = ''): Promise<Record<string, unknown>> {
	const found: Record<string, unknown> = {};
	for await (const [key, value] of space.list(prefix)) found[key] = value;
	return found;
}

const keys = fc.constantFrom('a', 'b', 'c');
const changes: fc.Arbitrary<Change> = fc.record(
	{
		once: keys,
		add: fc.array(
			fc.record(
				{
					key: keys,
					field: fc.constantFrom('n', '2026-11-20'),
					by: fc.integer({ min: -3, max: 3 }),
					atMost: fc.integer({ min: 0, max: 4 }),
				},
				{ requiredKeys: ['key', 'by'] },
			),
			{ maxLength: 4 },
		),
		put: fc.array(fc.record({ key: keys, value: fc.constantFrom<unknown>(0, 2, 'text', { n: 1 }) }), { maxLength: 2 }),
		remove: fc.array(keys, { maxLength: 2 }),
	},
	{ requiredKeys: [] },
);

/** Applies a change to a model of the store: the rules of `Change`, implemented as simply as possible. */
function applyToModel(
	model: Map<string, unknown>,
	{ once, add = [], put = [], remove = [] }: Change,
): CommitResult | 'rejected' {
	if (once !== undefined && model.has(once)) return 'duplicate';
	const next = new Map(model);
	for (const { key, field, by, atMost } of add) {
		const entry = next.get(key) ?? (field === undefined ? 0 : {});
		if (typeof entry !== (field === undefined ? 'number' : 'object')) return 'rejected';
		const value = field === undefined ? (entry as number) : ((entry as Record<string, number>)[field] ?? 0);
		if (by >= 0 && atMost !== undefined && value + by > atMost) return { refused: key, field };
		if (by !== 0) next.set(key, field === undefined ? value + by : { ...(entry as object), [field]: value + by });
	}
	if (once !== undefined) next.set(once, true);
	for (const { key, value } of put) next.set(key, value);
	for (const key of remove) next.delete(key as string);
	model.clear();
	for (const [key, value] of next) model.set(key, value);
	return 'done';
}
