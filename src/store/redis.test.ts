import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import KeyvRedis from '@keyv/redis';
import { Keyv } from 'keyv';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { sharedStoreContract } from '../../test/contract/store.ts';
import { certificate } from '../../test/harness/certificate.ts';
import { hasRedis, type RedisServer, startRedis, startRedisWithTls } from '../../test/harness/redis.ts';
import { createStore, openStore } from './open-store.ts';
import { openRedis } from './redis.ts';
import { type Space, type Store, StoreError } from './store.ts';

/** Opens a store that is closed after the test. */
async function open(url: string, timeoutMs?: number): Promise<Store> {
	const store = createStore(await openRedis(url, timeoutMs));
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

describe.runIf(hasRedis)('on a Redis server', () => {
	sharedStoreContract('redis:', async () => {
		const redis = await startRedis();
		// The contract is not about time, and a busy machine needs more than 1.5 s for 14 MB.
		const store = createStore(await openRedis(redis.url, 20_000));
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
		const everyCall = () => [
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

		test('that is down makes every call reject, and is used again once it is up', async () => {
			await redis.stop();
			for (const call of everyCall()) await expect(call).rejects.toThrow(StoreError);
			await redis.start();
			await expect.poll(() => store.ping().then(() => true, String)).toBe(true);
			expect(await add()).toBe('done');
			expect(await space.keyv.get('c')).toBe(2);
		});

		test('that was restarted between two calls is used again', async () => {
			await redis.stop();
			await redis.start();
			await expect.poll(add).toBe('done');
			expect(await space.keyv.get('c')).toBe(2);
		});

		test('that stops before it has answered makes every pending call reject', async () => {
			redis.suspend();
			const calls = everyCall().map((call) => expect(call).rejects.toThrow(StoreError));
			await redis.stop();
			await Promise.all(calls);
			await redis.start();
		});

		test('that stops answering makes calls time out, and is used again once it answers', async () => {
			const impatient = await open(redis.url, 300);
			const { commit } = impatient.space('usage');
			redis.suspend();
			await expect(commit({ once: 'x' })).rejects.toThrow('The store does not answer in time.');
			await expect(impatient.ping()).rejects.toThrow(StoreError);
			redis.resume();
			await expect.poll(() => impatient.ping().then(() => true, String)).toBe(true);
			expect(await commit({ once: 'y' })).toBe('done');
		});

		test('that stops answering makes one call wait, and the calls after it fail at once', async () => {
			redis.suspend();
			onTestFinished(() => redis.resume());
			await expect(add()).rejects.toThrow('The store does not answer in time.');
			// Together, these would take longer than a test may.
			for (let call = 0; call < 50; call++) await expect(add()).rejects.toThrow(StoreError);
		});

		test('that has flushed its scripts gets the script again', async () => {
			await redis.send('SCRIPT', 'FLUSH');
			expect(await Promise.all([add(), add()])).toEqual(['done', 'done']);
			expect(await space.keyv.get('c')).toBe(3);
		});

		test('that is full rejects a whole change, and accepts removals', async () => {
			await redis.send('CONFIG', 'SET', 'maxmemory', '1');
			const change = { once: 'x', add: [{ key: 'c', by: 1 }], put: [{ key: 'p', value: 1 }] };
			await expect(space.commit(change)).rejects.toThrow('The store is full.');
			await expect(store.ping()).rejects.toThrow('The store is full.');
			expect(await Array.fromAsync(space.list(''))).toEqual([['c', 1]]);
			expect(await space.commit({ remove: ['c'] })).toBe('done');
			await redis.send('CONFIG', 'SET', 'maxmemory', '0');
			expect(await space.commit(change)).toBe('done');
			await store.ping();
		});

		test('with a value of another type under a key rejects the change', async () => {
			await redis.send('LPUSH', '{usage}::{usage}:list', 'theirs');
			await expect(space.commit({ once: 'x', add: [{ key: 'list', by: 1 }] })).rejects.toThrow(
				'The store returned an error (WRONGTYPE).',
			);
			expect(await space.keyv.has('x')).toBe(false);
		});

		test('that is full accepts a removal that is committed together with other changes', async () => {
			await redis.send('CONFIG', 'SET', 'maxmemory', '1');
			onTestFinished(async () => void (await redis.send('CONFIG', 'SET', 'maxmemory', '0')));
			const changes = [{ once: 'x' }, { remove: ['c'] }, { add: [{ key: 'd', by: 1 }] }];
			const full = { status: 'rejected', reason: new StoreError('The store is full.') };
			const results = await Promise.allSettled(changes.map((change) => space.commit(change)));
			expect(results).toEqual([full, { status: 'fulfilled', value: 'done' }, full]);
			expect(await Array.fromAsync(space.list(''))).toEqual([]);
		});

		test('makes or refuses each of the changes that are committed together', async () => {
			await redis.send('LPUSH', '{usage}::{usage}:list', 'theirs');
			await space.keyv.set('text', 'no number');
			const other = store.space('other');
			await other.keyv.clear();
			const results = await Promise.allSettled([
				space.commit({ once: 'job', add: [{ key: 'c', by: 1, atMost: 2 }] }),
				space.commit({ once: 'job', add: [{ key: 'c', by: 1, atMost: 2 }] }),
				space.commit({ add: [{ key: 'new', by: 1, ttlMs: 60_000 }] }),
				space.commit({ once: 'new' }),
				space.commit({ once: 'refused', add: [{ key: 'c', by: 1, atMost: 2 }] }),
				space.commit({
					add: [
						{ key: 'c', by: 1 },
						{ key: 'list', by: 1 },
					],
				}),
				space.commit({
					add: [
						{ key: 'c', by: 1 },
						{ key: 'text', by: 1 },
					],
				}),
				space.commit({}),
				space.commit({ put: [{ key: 'new', value: 7 }] }),
				space.commit({ add: [{ key: 'new', by: 1, atMost: 8 }], index: [{ index: 'open', member: 'a' }] }),
				space.commit({ remove: ['job'], unindex: [{ index: 'open', member: 'a' }] }),
				space.commit({ once: 'job', put: [{ key: 'job', value: 'again' }] }),
				other.commit({ once: 'job' }),
			]);
			expect(results.map((result) => (result.status === 'fulfilled' ? result.value : result.reason.message))).toEqual([
				'done',
				'duplicate',
				'done',
				'duplicate',
				{ refused: 'c' },
				'The store returned an error (WRONGTYPE).',
				'An entry in the store is not a counter.',
				...Array(6).fill('done'),
			]);
			expect(await space.keyv.getMany(['c', 'new', 'job', 'refused'])).toEqual([2, 8, 'again', undefined]);
			expect(await space.members('open', { limit: 9 })).toEqual([]);
		});

		test('makes many changes at once', async () => {
			const changes = Array.from({ length: 100 }, (_, id) => ({ once: `job:${id % 90}`, add: [{ key: 'c', by: 1 }] }));
			const results = await Promise.all(changes.map((change) => space.commit(change)));
			expect(results).toEqual([...Array(90).fill('done'), ...Array(10).fill('duplicate')]);
			expect(await space.keyv.get('c')).toBe(91);
		});

		test('finishes commits that were begun before it is closed', async () => {
			const results = Promise.all(Array.from({ length: 40 }, () => add()));
			await store.close();
			expect(await results).toEqual(Array(40).fill('done'));
			await expect(add()).rejects.toThrow('The store is closed.');
			store = await openStore(redis.url);
		});

		test('can be read and written by another Keyv', async () => {
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
			expect(await redis.send('GET', '{usage}::{usage}:c')).toBe('{"value":42}');
			await other.disconnect();
		});

		test('keeps the time to live of a counter', async () => {
			await space.keyv.set('soon', 1, 60_000);
			await space.commit({ add: [{ key: 'soon', by: 1 }] });
			expect(await redis.send('PTTL', '{usage}::{usage}:soon')).toBeGreaterThan(50_000);
		});

		test('separates the entries of its databases', async () => {
			const third = (await open(`${redis.url}/3`)).space('usage');
			expect(await third.keyv.get('c')).toBeUndefined();
		});
	});

	describe('opening a Redis store', () => {
		const rejects = async (url: string, message: string) => {
			const error = await openRedis(url, 500).catch((thrown: unknown) => thrown);
			expect(error).toEqual(new StoreError(message));
			expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain('hunter2');
		};

		test('reports that no server is there', async () => {
			const redis = await start();
			await redis.stop();
			await rejects(redis.url.replace('//', '//:hunter2@'), 'The store cannot be reached (ECONNREFUSED).');
			await rejects('redis://:hunter2@nowhere.invalid', 'The store cannot be reached (ENOTFOUND).');
		});

		test.each([
			['speaks another protocol', 'HTTP/1.1 400 Bad Request\r\n\r\n'],
			['sends a greeting', 'SSH-2.0-OpenSSH\r\n'],
		])('reports a server that %s', async (_, answer) => {
			const server = createServer((socket) => void socket.on('error', () => {}).write(answer));
			await rejects(
				`redis://u:hunter2@${await listen(server)}`,
				'The address of the store does not lead to a Redis server.',
			);
		});

		test('reports a server that hangs up', async () => {
			const server = createServer((socket) => socket.destroy());
			await rejects(`redis://u:hunter2@${await listen(server)}`, 'The connection to the store was lost.');
		});

		test('reports a server that does not answer', async () => {
			const server = createServer((socket) => void socket.on('error', () => {}).resume());
			const address = await listen(server);
			await rejects(`redis://u:hunter2@${address}`, 'The store does not answer in time.');
			await rejects(`rediss://u:hunter2@${address}`, 'The store does not answer in time.');
		});

		test('needs the right password', async () => {
			const redis = await start('--requirepass', 'sesame %/?#');
			await rejects(redis.url, 'The store requires a password, and its address contains none.');
			const wrong = 'The store rejects the user and password of its address.';
			await rejects(redis.url.replace('//', '//:hunter2@'), wrong);
			await rejects(redis.url.replace('//', '//default:hunter2@'), wrong);
			const right = await open(redis.url.replace('//', `//:${encodeURIComponent('sesame %/?#')}@`));
			expect(await right.space('a').commit({ once: 'x' })).toBe('done');
		});

		test('needs a user with the documented permissions only', async () => {
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

		test('reports a user who lacks a permission', async () => {
			const redis = await start('--user', 'easel', 'on', '>hunter2', '+ping');
			const store = await open(redis.url.replace('//', '//easel:hunter2@'));
			await expect(store.space('a').commit({ once: 'x' })).rejects.toThrow(
				"The store's user lacks a permission that Easel needs.",
			);
		});

		test('refuses a server that could evict entries', async () => {
			const redis = await start('--maxmemory', '100mb', '--maxmemory-policy', 'volatile-lru');
			await rejects(
				redis.url,
				'The store would evict entries when it is full (maxmemory-policy volatile-lru). Set maxmemory-policy to noeviction.',
			);
			await redis.send('CONFIG', 'SET', 'maxmemory-policy', 'noeviction');
			await open(redis.url);
		});

		test('refuses a node of a cluster', async () => {
			const redis = await start('--cluster-enabled', 'yes');
			await rejects(
				redis.url,
				'The store is a Redis Cluster, which is not supported. Set its address to a single primary server.',
			);
		});

		test('refuses a replica', async () => {
			const redis = await start('--replicaof', '127.0.0.1', '1');
			await rejects(redis.url, 'The store is a read-only replica. Set its address to the primary server.');
		});
	});

	describe('the settings of a Redis server', () => {
		const warnings = async (...settings: string[]) => {
			const redis = await start(...settings);
			return (await open(redis.url)).warnings();
		};

		test('need no change with an append-only file and without replicas', async () => {
			expect(await warnings()).toEqual([]);
		});

		test.each([
			[
				['--appendonly', 'no'],
				'The store keeps no append-only file: a restart loses what was counted since its last snapshot. Set appendonly to yes.',
			],
			[
				['--appendfsync', 'no'],
				'The store does not wait for its disk: a power failure loses up to half a minute. Set appendfsync to everysec or always.',
			],
			[
				['--maxmemory-policy', 'allkeys-lru'],
				'The store would evict entries if its memory were limited (maxmemory-policy allkeys-lru). Set maxmemory-policy to noeviction.',
			],
		])('are warned of with %j', async (settings, warning) => {
			expect(await warnings(...settings)).toEqual([warning]);
		});

		test('are warned of when replicas lag behind its answers', async () => {
			const redis = await start('--repl-diskless-sync-delay', '0');
			const store = await open(redis.url);
			await start('--replicaof', '127.0.0.1', String(redis.port));
			await expect.poll(() => redis.send('WAIT', '1', '100')).toBe(1);
			expect(await store.warnings()).toEqual([
				'The store answers before a replica has a write, and the promotion of a replica loses it. Set min-replicas-to-write to 1.',
			]);
			await redis.send('CONFIG', 'SET', 'min-replicas-to-write', '1');
			expect(await store.warnings()).toEqual([]);
		});

		test('that the user may not read are warned of', async () => {
			const redis = await start('--user', 'easel', 'on', '>hunter2', '~*', '+@all', '-info');
			const store = await open(redis.url.replace('//', '//easel:hunter2@'));
			expect(await store.warnings()).toEqual([
				'The user of the store may not run INFO, so the settings of the server could not be checked.',
			]);
		});

		test('reject writes while too few replicas follow', async () => {
			const redis = await start('--min-replicas-to-write', '1');
			const store = await open(redis.url);
			await expect(store.space('a').commit({ once: 'x' })).rejects.toThrow(
				'The store accepts no writes, because too few of its replicas follow it.',
			);
		});
	});

	test('rejects commits while its server is a replica', async () => {
		const redis = await start();
		const store = await open(redis.url);
		const { commit } = store.space('a');
		await commit({ once: 'x' });
		await redis.send('REPLICAOF', '127.0.0.1', '1');
		const message = 'The store is a read-only replica. Set its address to the primary server.';
		await expect(commit({ once: 'y' })).rejects.toThrow(message);
		await expect(commit({ once: 'y' })).rejects.toThrow(message);
		await redis.send('REPLICAOF', 'NO', 'ONE');
		await expect.poll(() => commit({ once: 'y' }).catch(String)).toBe('done');
	});

	test('requires a trusted TLS certificate for the host', async () => {
		const redis = await startRedisWithTls();
		onTestFinished(() => redis.close());
		await expect(open(redis.url)).rejects.toThrow('The store cannot be reached (DEPTH_ZERO_SELF_SIGNED_CERT).');
		const trusted = getCACertificates('default');
		onTestFinished(() => setDefaultCACertificates(trusted));
		setDefaultCACertificates([...trusted, certificate]);
		expect(await (await open(redis.url)).space('a').commit({ once: 'x' })).toBe('done');
		const elsewhere = redis.url.replace('localhost', '127.0.0.1');
		await expect(open(elsewhere)).rejects.toThrow('The store cannot be reached (ERR_TLS_CERT_ALTNAME_INVALID).');
	});
});
