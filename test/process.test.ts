import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { get } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Actor } from '../packages/fakes/src/actor.ts';
import { startDiscord } from '../packages/fakes/src/discord/index.ts';
import { startOpenaiService } from '../packages/fakes/src/openai/openai-service.ts';
import { answers, answersPictures, held, smallPng, startFaultyService } from '../packages/fakes/src/service.ts';
import { SCHEMA_VERSION } from '../src/store/migrate.ts';
import { openStore } from '../src/store/open-store.ts';
import { missingMetrics } from './harness/monitoring.ts';
import { startProcess } from './harness/process.ts';
import { hasRedis, startRedis } from './harness/redis.ts';
import { userAt } from './harness/sandbox.ts';

describe('the process', () => {
	let folder: string;
	const running = new Set<ChildProcess>();

	beforeEach(async () => {
		folder = await mkdtemp(join(tmpdir(), 'easel-'));
	});
	afterEach(async () => {
		for (const child of running) child.kill('SIGKILL');
		running.clear();
		await rm(folder, { recursive: true, maxRetries: 5 });
	});

	function run(env: Record<string, string> = {}, prefix?: readonly string[]) {
		const easel = startProcess(folder, env, prefix);
		running.add(easel.child);
		return easel;
	}

	test('is healthy in an empty folder without any setting, makes a picture, and has all metrics of the dashboard', async () => {
		const easel = run();
		const address = await easel.address;
		const health = await fetch(`${address}/healthz`);
		expect(health.status).toBe(200);
		expect(await health.json()).toEqual({ status: 'ok', platforms: { sandbox: 'ready' }, store: 'ready' });

		const ada = new Actor(userAt('ada', () => address));
		const { pictures } = await ada
			.does('/imagine', { prompt: 'a red fox in the snow', size: '256x256' })
			.sees({ text: /256 × 256/, pictures: 1 });
		expect(Buffer.from(pictures[0]?.bytes.subarray(1, 4) ?? []).toString()).toBe('PNG');
		// The picture is seen before the request has ended.
		await expect
			.poll(async () => (await fetch(`${address}/metrics`)).text(), { timeout: 10_000 })
			.toMatch(/easel_requests_total\{platform="sandbox",command="imagine",outcome="succeeded"\} 1/);
		expect(missingMetrics(await (await fetch(`${address}/metrics`)).text())).toEqual([]);

		easel.child.kill('SIGTERM');
		expect(await easel.ended).toBe(0);
		expect(easel.lines.join('\n')).not.toContain('red fox');
	});

	test('says at the start that the name of a variable is misspelt', async () => {
		const easel = run({ DISCORD_TOKN: 'abc' });
		await easel.address;
		expect(easel.lines.join('\n')).toContain(
			'DISCORD_TOKN is set, but Easel has no such variable. Rename it to DISCORD_TOKEN.',
		);
	});

	test('brings a store of an earlier version to its own, and refuses one of version 1 or of a newer version', async () => {
		const data = join(folder, 'data');
		await cp(new URL('fixtures/version-1', import.meta.url), data, { recursive: true });
		const refused = run();
		await expect(refused.address).rejects.toEqual([
			'STORE_URL: The store has version 1, which Easel no longer reads. Set it to a new, empty store.',
		]);
		expect(await refused.ended).toBe(78);
		await rm(data, { recursive: true });
		await cp(new URL('fixtures/version-5', import.meta.url), data, { recursive: true });
		const easel = run({ LOG_LEVEL: 'info' });
		await easel.address;
		expect(easel.lines.join('\n')).toContain(`The store was brought from version 5 to version ${SCHEMA_VERSION}`);
		easel.child.kill('SIGTERM');
		await easel.ended;

		const store = await openStore(`sqlite:${data}/easel.db`);
		await store.space('ledger').commit({ add: [{ key: 'schema', by: 97 }] });
		await store.close();
		const older = run();
		await expect(older.address).rejects.toEqual([
			'STORE_URL: The store was written by a newer version of Easel. Start that version.',
		]);
		expect(await older.ended).toBe(78);
	});

	test('keeps the embedded studio to itself, and its metrics from web sites', async () => {
		const address = await run({ METRICS_HOSTS: 'Easel.internal.example' }).address;
		const answers = async (path: string, headers: Record<string, string> = {}) => {
			const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
			// Unlike fetch, it can send any Host header.
			get(`${address}${path}`, { headers }, (answer) => resolve(answer.resume().statusCode)).on('error', reject);
			return [path, await promise];
		};
		for (const key of ['any', 'easel'])
			expect(await answers('/v1/usage', { authorization: `Bearer ${key}` })).toEqual(['/v1/usage', 401]);
		expect(await answers('/metrics')).toEqual(['/metrics', 200]);
		expect(await answers('/metrics', { host: 'easel:3000' })).toEqual(['/metrics', 200]);
		expect(await answers('/metrics', { host: 'easel.internal.example:3000' })).toEqual(['/metrics', 200]);
		for (const host of ['evil.test', 'evil.test:3000', '127.0.0.1.evil.test'])
			expect(await answers('/metrics', { host })).toEqual(['/metrics', 403]);
	});

	test('takes the configured key of the embedded studio', async () => {
		const address = await run({ STUDIO_API_KEY: 'our-own-key-of-at-least-32-characters' }).address;
		const models = (key: string) => fetch(`${address}/v1/models`, { headers: { authorization: `Bearer ${key}` } });
		expect([(await models('another')).status, (await models('our-own-key-of-at-least-32-characters')).status]).toEqual([
			401, 200,
		]);
	});

	test.each([
		['easel', () => startFaultyService()],
		['openai', () => startOpenaiService({ key: 'a-key-to-keep' })],
	])(
		'reports a call that was killed in the same message after the restart, and does not repeat it: %s',
		async (profile, start) => {
			const service = await start();
			service.next(held(answersPictures(await smallPng())).behaviour);
			const env = {
				...{ SERVICE_BASE_URL: service.url, SERVICE_PROFILE: profile, SERVICE_API_KEY: 'a-key-to-keep' },
				IMAGE_MODEL: 'gpt-image-2',
			};
			const first = run(env);
			let address = await first.address;
			const ada = new Actor(userAt('ada', () => address));
			const imagine = ada.does('/imagine', { prompt: 'a long drawing' });
			const status = await imagine.sees(/Drawing/);
			await service.arrived(1);
			first.child.kill('SIGKILL');
			await first.ended;

			const second = run(env);
			address = await second.address;
			const answer = await imagine.sees(/stopped while this ran.*stays counted/);
			expect(answer.id).toBe(status.id);
			await ada.presses('Again', answer).sees({ text: /a long drawing/, pictures: 1 });
			expect(service.requests).toHaveLength(2);
			expect(service.requests[0]?.headers.authorization).toBe('Bearer a-key-to-keep');
			const [before, after] = service.requests.map(({ body }) => JSON.parse(String(body)).safety_identifier);
			if (profile === 'openai') expect(before).toMatch(/^[\da-f]{64}$/);
			else expect(before).toBeUndefined();
			expect(after).toBe(before);
			expect([...first.lines, ...second.lines].join('\n')).not.toMatch(/a-key-to-keep|a long drawing/);
			await service.close();
		},
	);

	test('finishes running requests before it stops', async () => {
		const service = await startFaultyService();
		const { behaviour, release } = held(answersPictures(await smallPng()));
		service.next(behaviour);
		const easel = run({ SERVICE_BASE_URL: service.url, SERVICE_PROFILE: 'easel', SERVICE_API_KEY: 'key' });
		let address = await easel.address;
		const ada = new Actor(userAt('ada', () => address));
		const imagine = ada.does('/imagine', { prompt: 'the last one' });
		await service.arrived(1);
		easel.child.kill('SIGTERM');
		await expect.poll(() => easel.lines.join()).toContain('Stopping');
		release();
		expect(await easel.ended).toBe(0);

		address = await run().address;
		await imagine.sees({ text: /the last one/, pictures: 1 });
		await service.close();
	});

	test.runIf(hasRedis)('refuses requests while Redis is down, and recovers without a restart', async () => {
		const redis = await startRedis();
		const service = await startFaultyService();
		const easel = run({
			STORE_URL: redis.url,
			SERVICE_BASE_URL: service.url,
			SERVICE_PROFILE: 'easel',
			SERVICE_API_KEY: 'key',
		});
		const address = await easel.address;
		const health = async () => {
			const response = await fetch(`${address}/healthz`);
			return { code: response.status, ...((await response.json()) as { store: string }) };
		};
		const ada = new Actor(userAt('ada', () => address));
		await ada.does('/imagine', { prompt: 'before' }).sees({ pictures: 1 });

		await redis.stop();
		await expect
			.poll(health, { timeout: 15_000 })
			.toMatchObject({ code: 503, store: expect.not.stringMatching('ready') });
		const input = JSON.stringify({
			as: 'ada',
			channel: 'atelier-general',
			id: 'while-gone',
			command: 'imagine',
			options: { prompt: 'x' },
		});
		const headers = { 'content-type': 'application/json' };
		const refused = await fetch(`${address}/sandbox/api/commands`, { method: 'POST', headers, body: input });
		expect(refused.ok).toBe(false);
		expect(service.requests).toHaveLength(1);

		await redis.start();
		await expect.poll(health, { timeout: 15_000 }).toMatchObject({ code: 200, store: 'ready' });
		await ada.does('/imagine', { prompt: 'after' }).sees({ text: /2 calls today/, pictures: 1 });
		easel.child.kill('SIGTERM');
		expect(await easel.ended).toBe(0);
		await service.close();
		await redis.close();
	});

	test('starts without a Discord that cannot be reached, and connects later', async () => {
		const discord = await startDiscord({ pace: 0.02 });
		discord.faults.add({ path: /^\/gateway\/bot$/ }, { disconnect: true }, 2);
		const easel = run({ DISCORD_TOKEN: discord.token, DISCORD_API_URL: discord.api, SANDBOX: 'on' });
		const address = await easel.address;
		const health = async () => {
			const response = await fetch(`${address}/healthz`);
			return { code: response.status, ...((await response.json()) as { platforms: object }) };
		};
		expect(await health()).toMatchObject({ code: 503, platforms: { discord: 'unreachable', sandbox: 'ready' } });
		expect(easel.lines.join()).toMatch(
			/Discord can’t be reached \([A-Z_]+\); the next try is in 1 s\. Check the address/,
		);
		expect(easel.lines.join()).not.toMatch(/stack|\d\.\d+ s/);
		const ada = new Actor(userAt('ada', () => address));
		await ada.does('/imagine', { prompt: 'a fox', size: '64x64' }).sees({ pictures: 1 });
		await expect.poll(health, { timeout: 15_000 }).toMatchObject({ code: 200, platforms: { discord: 'ready' } });
		easel.child.kill('SIGTERM');
		expect(await easel.ended).toBe(0);
		await discord.close();
	});

	test('ends with a sentence for each token that a platform refuses', async () => {
		const discord = await startDiscord();
		const slack = await startFaultyService();
		slack.always(answers(200, JSON.stringify({ ok: false, error: 'invalid_auth' })));
		const easel = run({
			DISCORD_TOKEN: 'MTIzNDU2Nzg5.Easel1.not-the-right-token-at-all',
			DISCORD_API_URL: discord.api,
			SLACK_BOT_TOKEN: 'xoxb-not-the-right-token',
			SLACK_SIGNING_SECRET: 'secret',
			SLACK_API_URL: slack.url,
		});
		await easel.address.catch(() => {});
		expect(await easel.ended).toBe(78);
		expect(easel.errors).toEqual([
			expect.stringMatching(/DISCORD_TOKEN: reset the token/),
			expect.stringMatching(/token in SLACK_BOT_TOKEN/),
		]);
		expect(easel.lines.join()).not.toMatch(/stack|"level":(50|60)/);
		await discord.close();
		await slack.close();
	});

	test('stops in order while Discord does not answer its start', async () => {
		const asked = Promise.withResolvers<void>();
		const silent = createServer(() => asked.resolve()).listen(0, '127.0.0.1');
		await once(silent, 'listening');
		const { port } = silent.address() as AddressInfo;
		const easel = run({ DISCORD_TOKEN: 'a.b.c', DISCORD_API_URL: `http://127.0.0.1:${port}` });
		await asked.promise;
		easel.child.kill('SIGTERM');
		await easel.address.catch(() => {});
		expect(await easel.ended).toBe(0);
		silent.close();
	});

	test('ends with a sentence when DISCORD_API_URL leads somewhere else', async () => {
		const service = await startFaultyService();
		service.always(answers(404, '<html>Not Found</html>', { 'content-type': 'text/html' }));
		const easel = run({ DISCORD_TOKEN: 'MTIzNDU2Nzg5.Easel1.a-token-of-this-form', DISCORD_API_URL: service.url });
		await easel.address.catch(() => {});
		expect(await easel.ended).toBe(78);
		expect(easel.errors).toEqual([expect.stringMatching(/^DISCORD_API_URL .*404/)]);
		await service.close();
	});

	test('ends with code 78 and a line for each invalid setting', async () => {
		const easel = run({ PORT: 'many', LOG_LEVEL: 'loud', SERVICE_BASE_URL: 'nowhere', STORE_URL: 'ftp://x' });
		await easel.address.catch(() => {});
		expect(await easel.ended).toBe(78);
		expect(easel.errors.map((line) => line.split(' ')[0]).sort()).toEqual([
			'LOG_LEVEL',
			'PORT',
			'SERVICE_API_KEY',
			'SERVICE_BASE_URL',
			'STORE_URL',
		]);
	});

	test('ends with the number of a port that is taken', async () => {
		const other = createServer().listen(0, '127.0.0.1');
		await once(other, 'listening');
		const { port } = other.address() as { port: number };
		const easel = run({ PORT: String(port) });
		await easel.address.catch(() => {});
		expect(await easel.ended).toBe(1);
		expect(easel.lines.join()).toContain(`PORT ${port} is taken`);
		other.close();
	});
});
