import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import KeyvRedis from '@keyv/redis';
import { Keyv } from 'keyv';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { sharedStoreContract } from '../../test/contract/store.ts';
import { certificate } from '../../test/fakes/certificate.ts';
import {
	type RedisServer,
	redisIsHere,
	startRedis,
	startRedisCluster,
	startRedisWithTls,
} from '../../test/fakes/redis.ts';
import { createStore } from './create-store.ts';
import { openStore } from './open-store.ts';
import { openRedis } from './redis.ts';
import { type Space, type Store, StoreError } from './store.ts';

/** Closed after the test. */
async function open(url: string, patienceMs?: number): Promise<Store> {
	const store = createStore(await openRedis(url, patienceMs));
	onTestFinished(() => store.close());
	return store;
}

async function start(...settings: string[]): Promise<RedisServer> {
	const redis = await startRedis(...settings);
	onTestFinished(() => redis.close());
	return redis;
}

async function listen(server: Server): Promise<string> {
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	onTestFinished(() => void server.close());
	return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe.runIf(redisIsHere)('on a Redis server', () => {
	sharedStoreContract('redis:', async () => {
		const redis = await startRedis();
		const store = await openStore(redis.url);
		const cleanup = async () => {
			await store.close();
			await redis.close();
		};
		return { store, url: redis.url, cleanup };
	});

	describe('a Redis server', () => {
		let redis: RedisServer;
		let store: Store;
		let space: Space;
		beforeAll(async () => {
			redis = await startRedis();
		});
		afterAll(() => redis.close());
		beforeEach(async () => {
			store = await openStore(redis.url);
			space = store.space('usage');
			await space.keyv.clear();
			await space.commit({ add: [{ key: 'c', by: 1 }] });
		});
		afterEach(() => store.close());

		const add = () => space.commit({ add: [{ key: 'c', by: 1 }] });
		const everything = () => [
			add(),
			store.ping(),
			Array.fromAsync(space.list('')),
			space.keyv.get('c'),
			space.keyv.getMany(['c']),
			space.keyv.getRaw('c'),
			space.keyv.has('c'),
			space.keyv.set('c', 0),
			space.keyv.setMany([{ key: 'c', value: 0 }]),
			space.keyv.delete('c'),
			space.keyv.deleteMany(['c']),
			space.keyv.clear(),
		];

		test('that is gone is refused at once, by every call, and used again once it is back', async () => {
			await redis.stop();
			for (const call of everything()) await expect(call).rejects.toThrow(StoreError);
			await redis.start();
			await expect.poll(() => store.ping().then(() => true, String)).toBe(true);
			expect(await add()).toBe('done');
			expect(await space.keyv.get('c')).toBe(2);
		});

		test('that was away while nobody asked is not missed', async () => {
			await redis.stop();
			await redis.start();
			await expect.poll(add).toBe('done');
			expect(await space.keyv.get('c')).toBe(2);
		});

		test('that goes with an answer outstanding is refused', async () => {
			redis.freeze();
			const calls = everything().map((call) => expect(call).rejects.toThrow(StoreError));
			await redis.stop();
			await Promise.all(calls);
			await redis.start();
		});

		test('that answers nothing any more is given up on, and used again once it does', async () => {
			const impatient = await open(redis.url, 300);
			const { commit } = impatient.space('usage');
			redis.freeze();
			await expect(commit({ once: 'x' })).rejects.toThrow('The store does not answer in time.');
			await expect(impatient.ping()).rejects.toThrow(StoreError);
			redis.thaw();
			await expect.poll(() => impatient.ping().then(() => true, String)).toBe(true);
			expect(await commit({ once: 'y' })).toBe('done');
		});

		test('that forgets its scripts is told them again', async () => {
			await redis.ask('SCRIPT', 'FLUSH');
			expect(await Promise.all([add(), add()])).toEqual(['done', 'done']);
			expect(await space.keyv.get('c')).toBe(3);
		});

		test('that is full refuses all of a change, and takes what makes room', async () => {
			await redis.ask('CONFIG', 'SET', 'maxmemory', '1');
			const change = { once: 'x', add: [{ key: 'c', by: 1 }], put: [{ key: 'p', value: 1 }] };
			await expect(space.commit(change)).rejects.toThrow('The store is full.');
			expect(await Array.fromAsync(space.list(''))).toEqual([['c', 1]]);
			expect(await space.commit({ remove: ['c'] })).toBe('done');
			await redis.ask('CONFIG', 'SET', 'maxmemory', '0');
			expect(await space.commit(change)).toBe('done');
		});

		test('with something else under the key is refused', async () => {
			await redis.ask('LPUSH', '{usage}::{usage}:list', 'theirs');
			await expect(space.commit({ once: 'x', add: [{ key: 'list', by: 1 }] })).rejects.toThrow(
				'The store refused (WRONGTYPE).',
			);
			expect(await space.keyv.has('x')).toBe(false);
		});

		test('is the same to any other keyv', async () => {
			const other = new Keyv({ store: new KeyvRedis(redis.url), namespace: '{usage}' });
			expect(await other.get('c')).toBe(1);
			await other.set('c', 41);
			await other.set('theirs', { a: 1 }, 60_000);
			expect(await add()).toBe('done');
			expect(await other.get('c')).toBe(42);
			expect(await space.keyv.get('theirs')).toEqual({ a: 1 });
			expect(await space.commit({ once: 'theirs' })).toBe('duplicate');
			expect(Object.fromEntries(await Array.fromAsync(other.iterator?.({}) ?? []))).toEqual({
				c: 42,
				theirs: { a: 1 },
			});
			expect(Object.fromEntries(await Array.fromAsync(space.keyv.iterator?.({}) ?? []))).toEqual({
				c: 42,
				theirs: { a: 1 },
			});
			expect(await redis.ask('GET', '{usage}::{usage}:c')).toBe('{"value":42}');
			await other.disconnect();
		});

		test('lets counters expire when they should', async () => {
			await space.keyv.set('soon', 1, 60_000);
			await space.commit({ add: [{ key: 'soon', by: 1 }] });
			expect(await redis.ask('PTTL', '{usage}::{usage}:soon')).toBeGreaterThan(50_000);
		});

		test('keeps what is in one of its databases there', async () => {
			const third = (await open(`${redis.url}/3`)).space('usage');
			expect(await third.keyv.get('c')).toBeUndefined();
		});
	});

	describe('at the start', () => {
		const refused = async (url: string, sentence: string) => {
			const error = await openRedis(url, 500).catch((thrown: unknown) => thrown);
			expect(error).toEqual(new StoreError(sentence));
			expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain('hunter2');
		};

		test('nobody there is said', async () => {
			const redis = await start();
			await redis.stop();
			await refused(redis.url.replace('//', '//:hunter2@'), "The store can't be reached (ECONNREFUSED).");
			await refused('redis://:hunter2@nowhere.invalid', "The store can't be reached (ENOTFOUND).");
		});

		test.each([
			['a server that speaks otherwise', 'HTTP/1.1 400 Bad Request\r\n\r\n'],
			['a server that greets', 'SSH-2.0-OpenSSH\r\n'],
		])('%s is said', async (_, answer) => {
			const server = createServer((socket) => void socket.on('error', () => {}).write(answer));
			await refused(`redis://u:hunter2@${await listen(server)}`, 'What the address of the store names is no Redis.');
		});

		test('a server that hangs up is said', async () => {
			const server = createServer((socket) => socket.destroy());
			await refused(`redis://u:hunter2@${await listen(server)}`, 'The connection to the store broke.');
		});

		test('a server that says nothing is said', async () => {
			const server = createServer((socket) => void socket.on('error', () => {}).resume());
			const place = await listen(server);
			await refused(`redis://u:hunter2@${place}`, 'The store does not answer in time.');
			await refused(`rediss://u:hunter2@${place}`, 'The store does not answer in time.');
		});

		test('the password counts', async () => {
			const redis = await start('--requirepass', 'sesame %/?#');
			await refused(redis.url, 'The store wants a password, and its address has none.');
			const wrong = 'The store does not accept the user and password of its address.';
			await refused(redis.url.replace('//', '//:hunter2@'), wrong);
			await refused(redis.url.replace('//', '//default:hunter2@'), wrong);
			const right = await open(redis.url.replace('//', `//:${encodeURIComponent('sesame %/?#')}@`));
			expect(await right.space('a').commit({ once: 'x' })).toBe('done');
		});

		test('a user who may only do what is needed is enough', async () => {
			const rights = ['~{*}*', '+@read', '+@write', '+@scripting', '+ping', '+multi', '+exec', '-@dangerous'];
			const redis = await start('--user', 'easel', 'on', '>hunter2', ...rights);
			const store = await open(redis.url.replace('//', '//easel:hunter2@'));
			const { commit, keyv } = store.space('a');
			await store.ping();
			expect(await commit({ once: 'x', add: [{ key: 'c', by: 1 }], remove: ['y'] })).toBe('done');
			await keyv.setMany([{ key: 'k', value: 1 }]);
			expect(await keyv.hasMany(['x', 'k'])).toEqual([true, true]);
			await keyv.clear();
		});

		test('a user who may not is said', async () => {
			const redis = await start('--user', 'easel', 'on', '>hunter2', '+ping');
			const store = await open(redis.url.replace('//', '//easel:hunter2@'));
			await expect(store.space('a').commit({ once: 'x' })).rejects.toThrow(
				'The store does not let its user do what is needed.',
			);
		});

		test('a server that could evict is refused', async () => {
			const redis = await start('--maxmemory', '100mb', '--maxmemory-policy', 'volatile-lru');
			await refused(
				redis.url,
				'The store would throw entries away when it is full (maxmemory-policy volatile-lru); it must be set to noeviction.',
			);
			await redis.ask('CONFIG', 'SET', 'maxmemory-policy', 'noeviction');
			await open(redis.url);
		});

		test('a copy is refused', async () => {
			const redis = await start('--replicaof', '127.0.0.1', '1');
			await refused(redis.url, 'The store is a read-only copy; the address must name the original.');
		});
	});

	test('an original that becomes a copy is refused, until it is one again', async () => {
		const redis = await start();
		const store = await open(redis.url);
		const { commit } = store.space('a');
		await commit({ once: 'x' });
		await redis.ask('REPLICAOF', '127.0.0.1', '1');
		const copy = 'The store is a read-only copy; the address must name the original.';
		await expect(commit({ once: 'y' })).rejects.toThrow(copy);
		await expect(commit({ once: 'y' })).rejects.toThrow(copy);
		await redis.ask('REPLICAOF', 'NO', 'ONE');
		await expect.poll(() => commit({ once: 'y' }).catch(String)).toBe('done');
	});

	test('TLS wants a certificate that is trusted, for that host', async () => {
		const redis = await startRedisWithTls();
		onTestFinished(() => redis.close());
		await expect(open(redis.url)).rejects.toThrow("The store can't be reached (DEPTH_ZERO_SELF_SIGNED_CERT).");
		const trusted = getCACertificates('default');
		onTestFinished(() => setDefaultCACertificates(trusted));
		setDefaultCACertificates([...trusted, certificate]);
		expect(await (await open(redis.url)).space('a').commit({ once: 'x' })).toBe('done');
		const elsewhere = redis.url.replace('localhost', '127.0.0.1');
		await expect(open(elsewhere)).rejects.toThrow("The store can't be reached (ERR_TLS_CERT_ALTNAME_INVALID).");
	});
});

describe.runIf(redisIsHere)('on a Redis cluster', () => {
	let nodes: RedisServer[];
	let url: string;
	beforeAll(async () => {
		nodes = await startRedisCluster(3);
		url = nodes[0]?.url as string;
	});
	afterAll(() => Promise.all(nodes.map((node) => node.close())));

	sharedStoreContract('redis: (cluster)', async () => {
		await Promise.all(nodes.map((node) => node.ask('FLUSHALL')));
		const store = await openStore(url);
		return { store, url, cleanup: () => store.close() };
	});

	/** Of these, every node has one. */
	const names = ['ledger', 'jobs', 'leases', 'people'];
	const counter = { add: [{ key: 'c', by: 1 }] };

	test('every space is on one node, and not all on the same', async () => {
		const store = await open(url);
		for (const name of names) await store.space(name).commit({ once: 'x', ...counter, put: [{ key: 'p', value: 1 }] });
		const places = await Promise.all(
			nodes.map(async (node) => {
				const keys = (await node.ask('KEYS', '*')) as string[];
				return names.filter((name) => keys.filter((key) => key.startsWith(`{${name}}`)).length === 3);
			}),
		);
		expect(places.flat().sort()).toEqual([...names].sort());
		expect(places).not.toContainEqual([]);
	});

	test('is the same to any other keyv', async () => {
		const { commit } = (await open(url)).space('other');
		await commit(counter);
		const store = new KeyvRedis({ rootNodes: [{ url }] });
		const other = new Keyv({ store, namespace: '{other}' });
		expect(await other.get('c')).toBe(1);
		await other.set('c', 5);
		await commit(counter);
		expect(await other.getMany(['c', 'x'])).toEqual([6, undefined]);
		await other.disconnect();
	});

	test('a node that is gone is refused, the others go on, and it is used again once it is back', async () => {
		const [first] = nodes;
		const store = await open(url);
		const spaces = names.map((name) => store.space(name));
		const ask = () => Promise.all(spaces.map(({ commit }) => commit(counter)));
		await ask();
		await first?.stop();
		await expect(ask()).rejects.toThrow(StoreError);
		await expect(store.ping()).rejects.toThrow(StoreError);
		await expect.poll(() => store.space('leases').commit(counter).catch(String)).toBe('done');
		await first?.start();
		await expect.poll(() => store.ping().then(ask).catch(String), { timeout: 15_000 }).toEqual(names.map(() => 'done'));
	});
});
