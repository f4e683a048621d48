import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { answers, startFaultyService } from '../../packages/fakes/src/service.ts';
import { INHERITED } from '../../test/harness/process.ts';
import { hasRedis, startRedis } from '../../test/harness/redis.ts';
import { SCHEMA_VERSION } from '../store/migrate.ts';
import { openStore } from '../store/open-store.ts';
import { diagnose, jsonReport, textReport, tryOut, worstOf } from './diagnose.ts';

let folder: string;
beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), 'easel-doctor-'));
});
afterEach(() => rm(folder, { recursive: true }));

const PORT = '1';

/** Returns the findings of a group, as `level check: message`. */
async function linesOf(group: string, env: Record<string, string>): Promise<string[]> {
	const results = await diagnose({ PORT, STORE_URL: `sqlite:${folder}/easel.db`, ...env }, folder);
	return results
		.filter((result) => result.group === group)
		.map(({ level, check, message }) => `${level} ${check}: ${message}`);
}

test('finds no fault where nothing is configured, and creates nothing', async () => {
	const results = await diagnose({ PORT, STORE_URL: `sqlite:${folder}/data/easel.db` }, folder);
	expect(worstOf(results)).toBe('ok');
	expect(textReport(results, false)).toMatch(
		/^Configuration\n {2}✓ ok {7}variables: All variables can be read; 2 are set/,
	);
	expect(textReport(results, false)).toMatch(/All is well: \d+ checks passed, \d+ were skipped/);
	expect(JSON.parse(jsonReport(results))).toMatchObject({
		level: 'ok',
		checks: expect.arrayContaining([
			{ group: 'Discord', check: 'all', level: 'skipped', message: 'DISCORD_TOKEN is not set.' },
		]),
	});
	await expect(rm(join(folder, 'data'))).rejects.toThrow('ENOENT');
});

test('names every fault of the configuration, and checks what can be read', async () => {
	const env = { STORE_URL: 'ftp://hunter2@x', DISCORD_SHARDS: '3', SLACK_APP_TOKEN: 'xapp-1', DISCORD_TOKNE: 'x' };
	const results = await diagnose({ PORT, ...env }, folder);
	const faults = results.filter(({ level }) => level === 'fault');
	expect(faults.map(({ variable }) => variable)).toEqual(['STORE_URL', 'DISCORD_SHARDS', 'SLACK_BOT_TOKEN']);
	expect(results).toContainEqual(expect.objectContaining({ level: 'warning', variable: 'DISCORD_TOKNE' }));
	expect(results.filter(({ group }) => group === 'Store')).toEqual([
		expect.objectContaining({ level: 'skipped', message: 'Not checked, because of the fault in STORE_URL above.' }),
	]);
	expect(results).toContainEqual(expect.objectContaining({ group: 'Host', check: 'exposure', level: 'ok' }));
	expect(JSON.stringify(results)).not.toContain('hunter2');
});

test.each([
	['SEVICE_API_KEY', 'Rename it to SERVICE_API_KEY, or remove it.'],
	['discord_token', 'Rename it to DISCORD_TOKEN, or remove it.'],
	['MAX_RETENTION_DAY', undefined],
	['SLACK_TEAM', 'Compare its name with .env.example, or remove it.'],
	['OPENAI_API_KEY', undefined],
	['https_proxy', undefined],
])('compares the name %s with those of its variables', async (name, step) => {
	const results = await diagnose({ PORT, STORE_URL: `sqlite:${folder}/easel.db`, [name]: 'x' }, folder);
	expect(results.find(({ check }) => check === 'names')?.step).toBe(step);
});

test('ends with 1 for faults and with 64 for wrong arguments, and reads .env', async () => {
	await writeFile(join(folder, '.env'), 'STORE_URL=ftp://x\nPORT=1\n', { mode: 0o600 });
	const run = async (...args: string[]) => {
		const cli = join(import.meta.dirname, '../cli/easel.ts');
		const child = spawn(process.execPath, [cli, 'doctor', ...args], {
			cwd: folder,
			env: INHERITED,
		});
		const [out, [code]] = await Promise.all([child.stdout.toArray(), once(child, 'close')]);
		return { code, out: Buffer.concat(out).toString() };
	};
	const [faulty, wrong] = await Promise.all([run('--json'), run('--jsno')]);
	expect([faulty.code, JSON.parse(faulty.out).level]).toEqual([1, 'fault']);
	expect(wrong).toEqual({ code: 64, out: '' });
});

describe('the image service', () => {
	const models = JSON.stringify({ data: ['alpha-image', 'beta', 'alpha3-embedding'].map((id) => ({ id })) });

	test('is asked for its models with the key, and for nothing that costs', async () => {
		const service = await startFaultyService();
		onTestFinished(() => service.close());
		service.always(answers(200, models, { 'content-type': 'application/json' }));
		const env = { SERVICE_BASE_URL: service.url, SERVICE_API_KEY: 'a-secret-key', SERVICE_PROFILE: 'easel' };
		expect(await linesOf('Image service', env)).toEqual([
			'ok models: The service answers, takes the key, and offers 3 models. Nothing was bought.',
			'warning models: The service does not list alpha3.6-35b, which is the CHAT_MODEL.',
			'ok profile: The API of the service is easel, as configured.',
			'ok encryption: The key leaves this machine encrypted only.',
		]);
		expect(service.requests.map(({ method, path }) => `${method} ${path}`)).toEqual(['GET /v1/models']);
		expect(service.requests[0]?.headers.authorization).toBe('Bearer a-secret-key');
	});

	test('is told apart from the services for chats and for embeddings', async () => {
		const [pictures, chats] = await Promise.all([startFaultyService(), startFaultyService()]);
		onTestFinished(() => Promise.all([pictures.close(), chats.close()]).then(() => {}));
		pictures.always(answers(200, models));
		chats.next(answers(200, '{"data":[{"id":"talk"}]}'));
		chats.always(answers(401, '{"error":{"message":"no: chat-key-secret"}}'));
		const env = {
			...{ SERVICE_BASE_URL: pictures.url, SERVICE_API_KEY: 'a-secret-key', SERVICE_PROFILE: 'easel' },
			...{ SERVICE_HEADERS: '{"x-pass": "header-secret"}', CHAT_MODEL: 'talk' },
			...{ CHAT_BASE_URL: chats.url, CHAT_API_KEY: 'chat-key-secret' },
			...{ EMBEDDING_BASE_URL: chats.url, EMBEDDING_API_KEY: 'chat-key-secret' },
		};
		const lines = await linesOf('Image service', env);
		expect(lines).toEqual([
			'ok models: The service answers, takes the key, and offers 3 models. Nothing was bought.',
			'ok profile: The API of the service is easel, as configured.',
			expect.stringContaining('ok chat: The service answers'),
			'fault embedding: The service refuses the key (401).',
			'ok encryption: The key leaves this machine encrypted only.',
		]);
		expect(chats.requests.map(({ headers }) => headers['x-pass'])).toEqual([undefined, undefined]);
		expect(pictures.requests[0]?.headers['x-pass']).toBe('header-secret');
	});

	test('proposes prices for its models, and says those that are set', async () => {
		const env = { SERVICE_BASE_URL: 'http://127.0.0.1:1', SERVICE_API_KEY: 'key', IMAGE_MODEL: 'gpt-image-1-mini' };
		const pricesIn = async (more = {}) =>
			(await linesOf('Configuration', { ...env, ...more })).filter((line) => line.includes(' prices: '));
		expect(await pricesIn()).toEqual([expect.stringMatching(/^ok .*not set.*low 1024x1024 0\.005.*Sources: https:/)]);
		expect(await pricesIn({ IMAGE_COSTS: 'default' })).toEqual([
			expect.stringMatching(/^ok prices: .* gpt-image-1-mini: low/),
		]);
		expect(await pricesIn({ IMAGE_MODEL: 'unknown' })).toEqual([]);
	});

	test('says when a model ends', async () => {
		const service = await startFaultyService();
		onTestFinished(() => service.close());
		const ends = [{ id: 'old', shutdown_date: '2020-01-31' }, { id: 'new' }, { id: 'alpha3.6-35b' }];
		service.always(answers(200, JSON.stringify({ data: [...ends, { id: 'alpha3-embedding' }] })));
		const env = { SERVICE_BASE_URL: service.url, SERVICE_API_KEY: 'key', SERVICE_PROFILE: 'openai' };
		const lines = await linesOf('Image service', { ...env, IMAGE_MODEL: 'old', IMAGE_MODELS: 'new,other' });
		expect(lines.filter((line) => line.startsWith('warning'))).toEqual([
			'warning models: The service says that old, which is the IMAGE_MODEL, ended on 2020-01-31.',
			'warning models: The service does not list other, which is the IMAGE_MODELS.',
		]);
	});

	test.each([
		[401, 'fault models: The service refuses the key (401).'],
		[402, 'fault models: The service says that plan and balance are used up (402).'],
		[404, 'warning models: The service lists no models (404), so that key and models could not be checked.'],
		[503, 'warning models: The service is busy (503).'],
	])('answers %d', async (status, line) => {
		const service = await startFaultyService();
		onTestFinished(() => service.close());
		service.always(answers(status, '{"error":{"message":"no: a-secret-key"}}', { 'content-type': 'application/json' }));
		const env = { SERVICE_BASE_URL: service.url, SERVICE_API_KEY: 'a-secret-key', SERVICE_PROFILE: 'easel' };
		const lines = await linesOf('Image service', env);
		expect(lines[0]).toBe(line);
		expect(lines.join()).not.toContain('a-secret-key');
	});

	test('cannot be reached', async () => {
		const { url, close } = await startFaultyService();
		await close();
		const env = { SERVICE_BASE_URL: url, SERVICE_API_KEY: 'key', SERVICE_ALT_BASE_URL: url };
		expect(await linesOf('Image service', env)).toEqual([
			'fault models: The service cannot be reached (ECONNREFUSED).',
			'warning profile: The service does not say which API it has, so it is used as easel.',
			'fault second address: The second address cannot be reached (ECONNREFUSED).',
			'ok encryption: The key leaves this machine encrypted only.',
		]);
	});
});

describe('the store', () => {
	const COMPLETE = [
		'ok reachable: The store can be read and written.',
		'ok settings: What is written survives a crash and a power failure.',
		'ok version: The store is empty.',
		'ok pictures: Pictures are kept beside the store.',
		expect.stringMatching(/^ok disk: .* are free on the disk of /),
		'ok counters: Every counter equals the sum of its receipts.',
	];

	test('is checked while another process has the SQLite file open', async () => {
		const store = await openStore(`sqlite:${folder}/easel.db`);
		onTestFinished(() => store.close());
		await store.ping();
		expect(await linesOf('Store', {})).toEqual(COMPLETE);
	});

	test('is a fault with a newer version, with counters that differ, and with a file that is not a database', async () => {
		const store = await openStore(`sqlite:${folder}/easel.db`);
		await store.space('ledger').commit({
			add: [
				{ key: 'schema', by: SCHEMA_VERSION + 1 },
				{ key: 'used:count:test:club:server:2999-11', field: '2999-11', by: 3 },
			],
		});
		await store.close();
		const lines = await linesOf('Store', {});
		expect(lines).toContainEqual(
			expect.stringMatching(/^fault version: The store has version \d+; this program writes/),
		);
		expect(lines).toContainEqual(
			expect.stringMatching(/^fault counters: 1 counters differ .*: 3 counted, 0 in receipts/),
		);
		await writeFile(join(folder, 'easel.db'), 'this is a text file, which is long enough to have a header of its own');
		expect((await linesOf('Store', {}))[0]).toMatch(
			/^fault reachable: The database file .* cannot be used: file is not a database/,
		);
	});

	test.runIf(hasRedis)('warns of the settings of a Redis server, and names one that is down', async () => {
		const redis = await startRedis('--appendonly', 'no');
		onTestFinished(() => redis.close());
		const lines = await linesOf('Store', { STORE_URL: redis.url });
		expect(lines[0]).toBe(COMPLETE[0]);
		expect(lines[1]).toMatch(/^warning settings: The store keeps no append-only file/);
		await redis.stop();
		const url = redis.url.replace('redis://', 'redis://ada:hunter2@');
		expect((await linesOf('Store', { STORE_URL: url }))[0]).toMatch(/^fault reachable: /);
	});
});

test('warns of a sandbox that other machines can reach, and of it spending calls', async () => {
	expect((await linesOf('Host', { HOST: '0.0.0.0' }))[0]).toMatch(/^warning exposure: .*the sandbox has no passwords/);
	const env = { HOST: '0.0.0.0', SERVICE_BASE_URL: 'http://127.0.0.1:1', SERVICE_API_KEY: 'key' };
	expect((await linesOf('Host', env))[0]).toMatch(/^fault exposure: .*can spend calls of your image service/);
});

test('tries out variables before they are set, and names no secret', async () => {
	const service = await startFaultyService();
	onTestFinished(() => service.close());
	service.always(answers(401, '{}'));
	const found = await tryOut({ SERVICE_BASE_URL: service.url, SERVICE_API_KEY: 'a-secret-key' });
	expect(found).toContainEqual(expect.objectContaining({ level: 'fault', variable: 'SERVICE_API_KEY' }));
	expect(JSON.stringify(found)).not.toMatch(/a-secret-key|sqlite|\.env/);
	expect(await tryOut({ SERVICE_BASE_URL: 'images.example.com' })).toContainEqual(
		expect.objectContaining({ level: 'fault', variable: 'SERVICE_BASE_URL' }),
	);
	expect(await tryOut({ SLACK_APP_TOKEN: 'xapp-1' })).toContainEqual(expect.objectContaining({ level: 'fault' }));
});
