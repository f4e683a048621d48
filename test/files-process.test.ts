import type { ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Actor } from '../packages/fakes/src/actor.ts';
import { smallPng } from '../packages/fakes/src/service.ts';
import { openStore } from '../src/store/open-store.ts';
import { BotHarness, hasPictures } from './harness/bot-harness.ts';
import { startProcess } from './harness/process.ts';
import { FakeS3 } from './harness/s3/index.ts';
import { userAt } from './harness/sandbox.ts';

describe('the process with its files in a bucket', () => {
	let folder: string;
	let s3: FakeS3;
	const running = new Set<ChildProcess>();

	beforeEach(async () => {
		folder = await mkdtemp(join(tmpdir(), 'easel-'));
		s3 = await FakeS3.start();
	});
	afterEach(async () => {
		for (const child of running) child.kill('SIGKILL');
		running.clear();
		await s3.stop();
		await rm(folder, { recursive: true, maxRetries: 5 });
	});

	function run(env: Record<string, string> = {}) {
		const { accessKey, secretKey } = s3.credentials;
		const easel = startProcess(folder, {
			FILES_URL: `s3://${s3.bucket}?endpoint=${s3.endpoint}`,
			FILES_ACCESS_KEY: accessKey,
			FILES_SECRET_KEY: secretKey,
			...env,
		});
		running.add(easel.child);
		return easel;
	}

	test('keeps pictures there, and uses it again after it was gone', async () => {
		const easel = run();
		const address = await easel.address;
		const health = async () => (await fetch(`${address}/healthz`)).status;
		const ada = new Actor(userAt('ada', () => address));
		const image = { name: 'photo.png', bytes: await smallPng() };
		const edited = await ada.does('/edit', { image, prompt: 'make it blue' }).sees({ pictures: 1 });
		// The picture that Ada brought stays for Again; the finished one is deleted once it is delivered.
		await expect.poll(() => [...s3.objects.keys()].filter((key) => key.startsWith('pictures/'))).toHaveLength(1);
		await expect.poll(health).toBe(200);

		await s3.stop();
		// The sandbox keeps what it posts there, too. Other platforms do not.
		await ada.does('/imagine', { prompt: 'a red fox' }).sees(/could not be posted/);
		await expect.poll(health).toBe(503);
		await s3.start();
		await expect.poll(health).toBe(200);
		await ada.presses('Again', edited).sees({ text: /make it blue/, pictures: 1 });

		easel.child.kill('SIGTERM');
		expect(await easel.ended).toBe(0);
		expect(easel.lines.join('\n')).toContain('Finished pictures could not be kept');
		expect(easel.lines.join('\n')).not.toMatch(/never\+logged|EASELKEY/);
	});

	test('ends with a sentence when the bucket cannot be used', async () => {
		const easel = run({ FILES_SECRET_KEY: 'hunter2' });
		await easel.address.catch(() => {});
		expect(await easel.ended).toBe(1);
		expect(easel.lines.join()).toContain('FILES_URL: The object store rejects the access key and the secret key.');
		expect([...easel.lines, ...easel.errors].join()).not.toContain('hunter2');
	});
});

test('a bot delivers pictures while its bucket is gone', async () => {
	const s3 = await FakeS3.start();
	const bots = await BotHarness.create(await openStore('memory:', s3.options));
	const bot = await bots.start();
	await s3.stop();
	await bot.invoke(bots.imagine());
	expect(bots.seen('job')).toSatisfy(hasPictures);
	expect(await bots.openJobs()).toEqual([]);
	await bots.close();
});
