import { randomBytes } from 'node:crypto';
import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { answers, smallPng } from '../../packages/fakes/src/service.ts';
import { ada, BotHarness, moderator } from '../../test/harness/bot-harness.ts';
import type { Bot } from '../bot/bot.ts';
import type { Upload } from '../domain/channel.ts';
import { TemporaryUploads } from './uploads.ts';

const MEGABYTE = 1024 * 1024;

let harness: BotHarness;
let bot: Bot;
let png: Buffer;
beforeEach(async () => {
	harness = await BotHarness.create();
	bot = await harness.start();
	png = await smallPng('#2980b9');
});
afterEach(() => harness.close());

/** Returns a picture of about so many bytes. The number makes its bytes different from those of the others. */
const picture = (number = 0, size = 0): Upload => ({
	name: `${number}.png`,
	read: async () => Buffer.concat([png, Buffer.alloc(size), Buffer.from([number])]),
});

/** Returns a picture of 8.7 MB that is like no other. */
function noise(): Upload {
	const raw = { width: 1700, height: 1700, channels: 3 as const };
	const pixels = randomBytes(raw.width * raw.height * raw.channels);
	return { name: 'noise.png', read: async () => sharp(pixels, { raw }).png({ compressionLevel: 0 }).toBuffer() };
}

/** Returns how many files the store holds for people's pictures. */
async function keptFiles(): Promise<number> {
	const spaces = ['uploads', 'pictures'].map((name) => harness.store.space(name).files.names(''));
	return (await Promise.all(spaces)).flat().length;
}

const moderate = (command: string, options: object) =>
	bot.invoke({ id: command, command, options: { ...options }, person: moderator, channel: harness.channel });

/** Sends a form whose number of variations is out of range. */
async function sendRefusedForm(id: string, pictures: readonly Upload[], person = ada): Promise<string | undefined> {
	const options = { prompt: 'x', n: 9, image2: pictures[1] };
	const attached = pictures.slice(0, 1);
	await bot.invoke({ id, command: 'edit', form: 'edit:1:menu', options, attached, person, channel: harness.channel });
	return harness.seen(id)?.text;
}

async function useAsReference(id: string, upload: Upload): Promise<string | undefined> {
	const { channel } = harness;
	const message = { place: channel.place, key: 'm' };
	await bot.press({
		id,
		button: 'reference:1:job',
		person: ada,
		channel,
		message,
		attached: [upload],
		async open() {},
	});
	return harness.seen(id)?.text;
}

describe.each([
	['a blocked member', () => moderate('limits block', { member: ada.id }), /blocked/],
	[
		'a member whose cap is reached',
		() => moderate('limits set', { scope: 'member', period: 'day', images: 0 }),
		/You have used 0 of 0 calls today/,
	],
	['a member who may not use the channel', () => moderate('limits allow', { channel: 'gallery' }), /only.*gallery/i],
])('of %s, no picture is kept', (_, restrict, sentence) => {
	beforeEach(async () => restrict());

	test('from a refused form', async () => {
		expect(await sendRefusedForm('f', [picture(1), picture(2)])).toMatch(sentence);
		expect(harness.seen('f')?.buttons ?? []).toEqual([]);
		expect(await keptFiles()).toBe(0);
	});

	test('as a reference', async () => {
		expect(await useAsReference('r', picture(1))).toMatch(sentence);
		expect(await keptFiles()).toBe(0);
	});
});

test('pictures of refused forms and references are kept up to a bound for each person', async () => {
	for (let form = 0; form < 9; form++) {
		expect(await sendRefusedForm(`f${form}`, [picture(form), picture(form + 100)])).toMatch(/`n`/);
		await useAsReference(`r${form}`, picture(form + 200));
	}
	expect(await keptFiles()).toBe(12);
	await sendRefusedForm('other', [picture(1), picture(2)], { ...ada, id: 'bo' });
	expect(await keptFiles()).toBe(14);
});

test('refused requests of a person keep a bounded number of bytes, for an hour', async () => {
	vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 4, 1, 6) });
	try {
		harness.faulty.always(answers(400, JSON.stringify({ error: { message: 'No.', code: 'invalid_image' } })));
		const files = ['uploads', 'pictures'].map((name) => harness.store.space(name).files);
		const written = files.map((one) => vi.spyOn(one, 'put'));
		const compose = (id: string, person = ada) => {
			const options = { prompt: 'side by side', image1: noise(), image2: noise(), image3: noise() };
			return bot.invoke({ id, command: 'compose', options, person, channel: harness.channel });
		};
		for (let request = 0; request < 14; request++) await compose(`c${request}`);
		const bytes = written.flatMap(({ mock }) => mock.calls.map(([, one]) => one.length));
		expect(bytes.reduce((sum, size) => sum + size, 0) / MEGABYTE).toBeLessThan(300);
		const sentence =
			'You have sent as many pictures as a person can today: 300 MB. Resets in 18 hours. Nothing was counted.';
		const refused = () => [...harness.messages.values()].filter(({ text }) => text?.includes(sentence)).length;
		const before = refused();
		expect(before).toBeGreaterThan(0);
		await compose('other', { ...ada, id: 'bo' });
		expect(refused()).toBe(before);

		vi.setSystemTime(Date.UTC(2026, 4, 1, 7, 1));
		const names = (await Promise.all(files.map((one) => one.names('')))).map((all, space) =>
			Promise.all(all.map((name) => files[space]?.get(name))),
		);
		expect((await Promise.all(names)).flat().filter((one) => one !== undefined)).toEqual([]);

		vi.setSystemTime(Date.UTC(2026, 4, 2));
		await compose('tomorrow');
		expect(refused()).toBe(before);
	} finally {
		vi.useRealTimers();
	}
}, 60_000);

describe('the temporary pictures of a person', () => {
	const requester = { place: { platform: 'test' }, person: { id: 'ada' } };
	const keep = async (uploads: TemporaryUploads, number: number, size = 0) =>
		uploads.keep(requester, await picture(number, size).read(AbortSignal.timeout(1000), 10_000_000));

	test('take up at most 60 MB, of which the oldest are dropped', async () => {
		const uploads = new TemporaryUploads(harness.store.space('uploads'));
		const names: string[] = [];
		for (let number = 0; number < 8; number++) names.push(await keep(uploads, number, 9.9 * MEGABYTE));
		const read = await Promise.all(names.map((name) => uploads.read(name)));
		expect(read.map((bytes) => bytes !== undefined)).toEqual([false, false, true, true, true, true, true, true]);
		expect(await Promise.all(names.map((name) => uploads.has(requester, name)))).toEqual(
			read.map((bytes) => bytes !== undefined),
		);
	});

	test('are kept once each, and never taken for another one in the same place', async () => {
		const uploads = new TemporaryUploads(harness.store.space('uploads'));
		const first = await keep(uploads, 1);
		expect(await keep(uploads, 1)).toBe(first);
		expect(await keptFiles()).toBe(1);
		for (let number = 2; number < 14; number++) await keep(uploads, number);
		expect(await uploads.read(first)).toBeUndefined();
		expect(await keptFiles()).toBe(12);
	});

	test('are not kept when they are no pictures', async () => {
		const uploads = new TemporaryUploads(harness.store.space('uploads'));
		await expect(uploads.keep(requester, Buffer.from('text'))).rejects.toThrow('The file is not a picture');
		expect(await keptFiles()).toBe(0);
	});
});

test('a cap that money beyond the plan moves is not reached before the money is spent', async () => {
	const paid = await harness.start({ plan: { imagesPerMonth: 0, price: 30 } });
	bot = paid;
	expect(await useAsReference('r1', picture(1))).toMatch(/The plan has used 0 of 0/);
	await moderate('limits overage', { usd: '0.03' });
	expect(await useAsReference('r2', picture(1))).toMatch(/reference/i);
	await bot.invoke(harness.imagine());
	expect(await useAsReference('r3', picture(1))).toMatch(/has spent 0\.03 USD of 0\.03 USD/);
});
