import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { flatPicture, picturesOf, plainArtist, refusalOf, startStudio } from '../test/studio.fixture.ts';
import { memoryCounters } from './counters.ts';
import { ApiError } from './http/api-error.ts';
import { createQuota } from './quota.ts';

const JULY = new Date('2026-07-31T23:59:59Z');
const AUGUST = new Date('2026-08-01T00:00:00Z');

async function quotaOf(options: { imagesPerMonth?: number; balanceMills?: number }, now = () => JULY) {
	const counters = memoryCounters();
	return { counters, quota: createQuota({ counters, now, balanceMills: 0, priceMills: 30, ...options }) };
}

describe('the quota', () => {
	it('takes from the plan, then from the balance, then refuses', async () => {
		const { quota } = await quotaOf({ imagesPerMonth: 2, balanceMills: 70 });
		for (let call = 0; call < 4; call++) await quota.take();
		await expect(quota.take()).rejects.toMatchObject({ status: 402, details: { code: 'insufficient_quota' } });
		expect(await quota.usage()).toEqual({
			object: 'usage',
			month: '2026-07',
			resets_at: '2026-08-01T00:00:00.000Z',
			images: { used: 2, included: 2 },
			balance: { paid_in_mills: 70, spent_mills: 60, price_per_image_mills: 30 },
		});
	});

	it('never passes its ends, however many ask at once', async () => {
		const { quota } = await quotaOf({ imagesPerMonth: 5, balanceMills: 95 });
		const outcomes = await Promise.allSettled(Array.from({ length: 50 }, () => quota.take()));
		expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(8);
	});

	it('resets with the month in UTC, and gives back to the month that it took from', async () => {
		let today = JULY;
		const { counters, quota } = await quotaOf({ imagesPerMonth: 1 }, () => today);
		const payment = await quota.take();
		await expect(quota.take()).rejects.toThrow();
		today = AUGUST;
		await quota.take();
		await quota.giveBack(payment);
		expect(await counters.get('images:2026-07')).toBe(0);
		expect(await counters.get('images:2026-08')).toBe(1);
	});

	it('counts a month until the next has ended, and the balance for ever', async () => {
		vi.useFakeTimers({ toFake: ['Date'], now: JULY });
		onTestFinished(() => void vi.useRealTimers());
		const { counters, quota } = await quotaOf({ imagesPerMonth: 1, balanceMills: 30 }, () => new Date());
		await quota.take();
		await quota.take();
		vi.setSystemTime(new Date('2026-08-31T23:59:59Z'));
		expect(await counters.get('images:2026-07')).toBe(1);
		vi.setSystemTime(new Date('2026-11-01T00:00:00Z'));
		expect(await counters.get('images:2026-07')).toBeUndefined();
		expect((await quota.usage()).balance.spent_mills).toBe(30);
	});

	it('gives back to the balance what was taken from it', async () => {
		const { quota } = await quotaOf({ imagesPerMonth: 0, balanceMills: 30 });
		const payment = await quota.take();
		await expect(quota.take()).rejects.toThrow();
		await quota.giveBack(payment);
		await quota.take();
	});

	it('has no end without a plan, but counts', async () => {
		const { quota } = await quotaOf({});
		for (let call = 0; call < 20; call++) await quota.take();
		expect((await quota.usage()).images).toEqual({ used: 20, included: null });
	});

	it('outlives the studio, and grows when more is paid in', async () => {
		const counters = memoryCounters();
		const start = (balanceMills: number) =>
			createQuota({ counters, now: () => JULY, imagesPerMonth: 0, balanceMills, priceMills: 30 });
		await start(30).take();
		await expect(start(30).take()).rejects.toThrow();
		await start(60).take();
	});
});

describe('a call', () => {
	it('is one image at each of the three endpoints, whatever n is', async () => {
		const { post, used } = await startStudio({ ...plainArtist(), imagesPerMonth: 3 });
		const image = (await flatPicture(8, 8)).toBase64();
		await picturesOf(await post('/v1/images/generations', { prompt: 'a fox', n: 4 }));
		expect(await used()).toBe(1);
		await picturesOf(await post('/v1/images/edits', { prompt: 'night', image, n: 2 }));
		expect(await used()).toBe(2);
		await picturesOf(await post('/v1/images/compose', { prompt: 'blend', images: [image, image] }));
		expect(await used()).toBe(3);
		for (const [path, body] of [
			['/v1/images/generations', { prompt: 'a fox' }],
			['/api/v1/images/generations', { prompt: 'a fox' }],
			['/v1/images/edits', { prompt: 'night', image }],
			['/v1/images/compose', { prompt: 'blend', images: [image, image] }],
		] as const) {
			expect(await refusalOf(await post(path, body))).toMatchObject({
				status: 402,
				type: 'insufficient_quota',
				code: 'insufficient_quota',
			});
		}
	});

	it('costs nothing when a variation fails', async () => {
		const { artist } = plainArtist({
			draw: ({ scene: { variation } }) =>
				variation === 2 ? Promise.reject(new Error('The third one fails.')) : flatPicture(8, 8),
		});
		const { post, used } = await startStudio({ artist, imagesPerMonth: 1 });
		expect((await post('/v1/images/generations', { prompt: 'a fox', n: 4 })).status).toBe(500);
		expect(await used()).toBe(0);
		await picturesOf(await post('/v1/images/generations', { prompt: 'a fox', n: 2 }));
	});

	it('costs nothing when the words take too long', async () => {
		const tooLong = new ApiError(400, 'The words took too long to read.', { code: 'too_complex' });
		const { artist } = plainArtist({ read: () => Promise.reject(tooLong) });
		const { post, used } = await startStudio({ artist });
		const image = (await flatPicture(20, 20)).toBase64();
		for (const [path, body] of [
			['/v1/images/generations', { prompt: 'a fox', n: 4 }],
			['/v1/images/edits', { prompt: 'night', image }],
			['/v1/images/compose', { prompt: 'blend', images: [image, image] }],
		] as const)
			expect(await refusalOf(await post(path, body))).toMatchObject({ status: 400, code: 'too_complex' });
		expect(await used()).toBe(0);
	});
});
