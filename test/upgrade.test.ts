import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { Actor } from '../packages/fakes/src/actor.ts';
import { answersChat } from '../packages/fakes/src/chat.ts';
import { answersPictures, type FaultyService, smallPng, startFaultyService } from '../packages/fakes/src/service.ts';
import { startProcess } from './harness/process.ts';
import { hasRedis, startRedis } from './harness/redis.ts';
import { userAt } from './harness/sandbox.ts';

/** What a version had stored when it was killed while it made a picture, edited one, and answered in a chat thread. */
type Fixture = { path: string; ageMs: number };
const fixtureOf = (version: number, writtenAt: number): Fixture => ({
	path: join(import.meta.dirname, `fixtures/version-${version}`),
	ageMs: Date.now() - writtenAt,
});
const FIXTURES = [
	{ version: 2, fixture: fixtureOf(2, 1795600119753) },
	{ version: 4, fixture: fixtureOf(4, 1795672294145) },
	{ version: 5, fixture: fixtureOf(5, 1795683387578) },
];

/** Moves every time in a text on, so that nothing in it has expired: Unix milliseconds, and the times of index members. */
const renewed = (text: string, { ageMs }: Fixture) =>
	text
		.replace(/(?<![\w.])1[78]\d{11}(?!\w)/g, (at) => String(Number(at) + ageMs))
		.replace(/(?<!\w)0mw[0-9a-z]{6}(?=:)/g, (at) => (Number.parseInt(at, 36) + ageMs).toString(36).padStart(9, '0'));

function temporaryFolder(): string {
	const folder = mkdtempSync(join(tmpdir(), 'easel-upgrade-'));
	onTestFinished(() => rmSync(folder, { recursive: true }));
	return folder;
}

/** Returns the URL of the store in SQLite. */
async function sqliteStore(fixture: Fixture): Promise<string> {
	const folder = temporaryFolder();
	cpSync(fixture.path, folder, { recursive: true });
	const database = new DatabaseSync(join(folder, 'easel.db'));
	const rows = database.prepare('SELECT key, entry, expires FROM entries').all();
	const update = database.prepare('UPDATE entries SET entry = ?, expires = ? WHERE key = ?');
	for (const { key, entry, expires } of rows)
		update.run(renewed(String(entry), fixture), expires === null ? null : Number(expires) + fixture.ageMs, key ?? null);
	const members = database.prepare('SELECT name, member FROM members').all();
	for (const { name, member } of members)
		database
			.prepare('UPDATE members SET member = ?, expires = expires + ? WHERE name = ? AND member = ?')
			.run(renewed(String(member), fixture), fixture.ageMs, name ?? null, member ?? null);
	database.close();
	for (const { name, parentPath } of readdirSync(join(folder, 'easel.db-files'), {
		recursive: true,
		withFileTypes: true,
	}).filter((one) => one.isFile())) {
		const file = readFileSync(join(parentPath, name));
		file.writeDoubleBE(file.readDoubleBE() + fixture.ageMs);
		writeFileSync(join(parentPath, name), file);
	}
	return `sqlite:${join(folder, 'easel.db')}`;
}

type Dumped = { type: 'string' | 'zset'; value: string | { base64: string } | string[]; expires?: number };

async function redisStore(fixture: Fixture): Promise<string> {
	const redis = await startRedis();
	onTestFinished(() => redis.close());
	const dump = JSON.parse(readFileSync(join(fixture.path, 'redis.json'), 'utf8')) as Record<string, Dumped>;
	for (const [key, { value, expires }] of Object.entries(dump)) {
		if (Array.isArray(value))
			await redis.send('ZADD', key, ...value.flatMap((member) => ['0', renewed(member, fixture)]));
		else if (typeof value === 'string') await redis.send('SET', key, renewed(value, fixture));
		else await redis.send('SET', key, Buffer.from(value.base64, 'base64'));
		if (expires) await redis.send('PEXPIREAT', key, String(expires + fixture.ageMs));
	}
	return redis.url;
}

const BACKENDS = [{ name: 'SQLite', open: sqliteStore }, ...(hasRedis ? [{ name: 'Redis', open: redisStore }] : [])];

describe.each(FIXTURES.flatMap((fixture) => BACKENDS.map((backend) => ({ ...fixture, ...backend }))))(
	'a store of version $version in $name',
	({ fixture, open }) => {
		let service: FaultyService;
		let ada: Actor;
		let bjorn: Actor;
		beforeEach(async () => {
			service = await startFaultyService();
			service.always(answersPictures(await smallPng()));
			const easel = startProcess(temporaryFolder(), {
				...{ SANDBOX: 'on', STORE_URL: await open(fixture), PLAN_IMAGES_PER_MONTH: '1000' },
				...{ SERVICE_BASE_URL: service.url, SERVICE_PROFILE: 'easel', SERVICE_API_KEY: 'key' },
			});
			onTestFinished(async () => {
				easel.child.kill('SIGTERM');
				expect(await easel.ended).toBe(0);
				await service.close();
			});
			const address = await easel.address;
			ada = new Actor(userAt('ada', () => address));
			bjorn = new Actor(userAt('bjorn', () => address));
		});

		test('answers what was under way in its own message, and pays for nothing again', { timeout: 90_000 }, async () => {
			const stopped = /Easel was stopped while this ran. The call stays counted/;
			// The leases of that version last for 30 seconds.
			const answered = async () => (await bjorn.looks()).filter(({ text }) => stopped.test(text));
			await expect.poll(answered, { timeout: 50_000 }).toHaveLength(2);
			await ada.enters(/Tell me of foxes/);
			await ada.finds(/Foxes are red/);
			await ada.finds(/Easel was stopped/);
			expect(service.requests).toEqual([]);
		});

		test('goes on with its results, pictures, settings and threads', async () => {
			const fox = await ada.finds({ text: /a red fox/, pictures: 1 });
			// Each fixture has a picture of its own, of random pixels.
			expect(fox.pictures[0]?.bytes.length).toBeGreaterThan(62_000);
			const blue = await bjorn.finds({ text: /make it blue/, pictures: 1 });
			await bjorn.presses('Again', blue).sees({ text: /make it blue/, pictures: 1 });
			await bjorn.does('/history').sees(/make it blue.*two owls/s);
			await ada.does('/limits show').sees(/(?=.*30 calls a day).*20 calls a month/s);
			service.always(answersChat('Owls are wise.'));
			await ada.enters(/Tell me of foxes/);
			await ada.says('Which owls?').sees(/Owls are wise/);
		});
	},
);
