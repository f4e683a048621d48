import { describe, expect, test } from 'vitest';
import { createFakePlatform } from '../../test/harness/bot-harness.ts';
import type { Channel } from '../domain/channel.ts';
import type { Job } from '../domain/job.ts';
import { type Platforms, platformsOf } from '../domain/platform.ts';
import { type DeliveryTarget, type Destination, deliveryTargets, findFallback } from './posting.ts';

const place = { platform: 'test', server: 'server', channel: 'channel' };
const job = { id: 'job', place, person: { id: 'ada', name: 'Ada' }, message: { place, key: 'job' } } as Job;

/** A channel with its status message, and a channel for direct messages. */
function createPlaces() {
	const { messages, channel, platform } = createFakePlatform();
	const direct = createFakePlatform();
	const directChannel: Channel = { ...direct.channel, place: { ...place, channel: 'direct', direct: true } };
	const platforms: Platforms = {
		...platformsOf([]),
		runs: () => true,
		find: platform.find,
		open: async () => channel,
		direct: async () => directChannel,
	};
	return { messages, directMessages: direct.messages, channel, platforms };
}

/** Posts to every target, and returns the key of the message that each has posted or edited; direct messages as `@KEY`. */
async function postToEach(places: ReturnType<typeof createPlaces>, destination: Destination) {
	const texts = () => [
		...[...places.messages].map(([key, { text }]) => ({ key, text })),
		...[...places.directMessages].map(([key, { text }]) => ({ key: `@${key}`, text })),
	];
	const keys: (string | undefined)[] = [];
	for await (const target of deliveryTargets(places.platforms, job, destination)) {
		await postTo(target, keys.length);
		keys.push(texts().find(({ text }) => text.endsWith(`Attempt ${keys.length}`))?.key);
	}
	return keys;
}

async function postTo(target: DeliveryTarget, number: number) {
	const reply = { text: `Attempt ${number}` };
	await target.post(target.adapt?.(reply, undefined) ?? reply, '');
}

describe('the targets of an answer', () => {
	test('are the status message, a new message in the channel, and a direct message', async () => {
		const places = createPlaces();
		const post = await places.channel.post({ text: 'Drawing' }, 'job');
		expect(await postToEach(places, { post, channel: places.channel })).toEqual(['job', 'job.2', '@job.direct']);
		expect(places.directMessages.get('job.direct')?.text).toMatch(/^You asked for this in channel.*Attempt 2$/s);
	});

	test('are a direct message and the one that was begun, when the answer began as one', async () => {
		const places = createPlaces();
		const post = await places.channel.post({ text: 'First part' }, 'job.direct');
		expect(await postToEach(places, { post, channel: places.channel })).toEqual(['@job.direct', 'job.direct']);
	});

	test('without a status message begin with its key, so that a lost one is edited', async () => {
		const places = createPlaces();
		expect(await postToEach(places, { channel: places.channel })).toEqual(['job', '@job.direct']);
	});
});

describe('a fallback', () => {
	test('is found by the key of the answer', async () => {
		const { channel, platforms } = createPlaces();
		expect(await findFallback(platforms.find, job.message)).toBeUndefined();
		await channel.post({ text: 'A pond' }, 'job.2');
		expect((await findFallback(platforms.find, job.message))?.handle.key).toBe('job.2');
	});
});
