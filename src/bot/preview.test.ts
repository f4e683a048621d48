import { afterEach, beforeEach, expect, test } from 'vitest';
import { eventually } from '../../packages/fakes/src/eventually.ts';
import { answersPictures, type Behaviour, smallPng } from '../../packages/fakes/src/service.ts';
import { BotHarness, moderator } from '../../test/harness/bot-harness.ts';
import type { Channel } from '../domain/channel.ts';
import { PROFILES } from '../service/profiles.ts';

const models = { image: 'gpt-image-2', chat: 'chat', embedding: 'embedding' };
let harness: BotHarness;
let preview: Buffer;
/** A channel where edits replace pictures, without a limit. */
let channel: Channel;

beforeEach(async () => {
	harness = await BotHarness.create();
	await harness.useService(PROFILES.openai, { previews: 1, models });
	preview = await smallPng('#2c3e50');
	channel = {
		...harness.channel,
		limits: { ...harness.channel.limits, previews: true, edits: { count: 1000, perMs: 1 } },
	};
});
afterEach(() => harness.close());

/** Streams a preview, and after `finish` one more event. */
function streams(last: object) {
	const { promise, resolve } = Promise.withResolvers<void>();
	const frame = (event: object) => `data: ${JSON.stringify(event)}\n\n`;
	const behaviour: Behaviour = async ({ response, read }) => {
		await read();
		response.writeHead(200, { 'content-type': 'text/event-stream' });
		response.write(frame({ type: 'image_generation.partial_image', b64_json: preview.toString('base64') }));
		await promise;
		response.end(frame(last));
	};
	harness.faulty.next(behaviour);
	return resolve;
}
const completed = () => ({ type: 'image_generation.completed', b64_json: harness.png.toString('base64') });

test('shows a preview in the status, and the picture in its place', async () => {
	const finish = streams(completed());
	const ended = (await harness.start()).invoke({ ...harness.imagine(), channel });
	await eventually(() => expect(harness.pictureIn('job')).toEqual(preview));
	expect(harness.seen('job')).toMatchObject({
		text: expect.stringContaining('…'),
		pictures: [{ name: 'easel.preview.png' }],
	});
	finish();
	await ended;
	expect(harness.pictureIn('job')).toEqual(harness.png);
	expect(await harness.callsToday()).toBe(1);
	expect(harness.faulty.requests).toHaveLength(1);
});

test('removes a preview when the request fails or is cancelled', async () => {
	const finish = streams({ type: 'image_generation.in_progress' });
	const bot = await harness.start();
	const ended = bot.invoke({ ...harness.imagine(), channel });
	await eventually(() => expect(harness.pictureIn('job')).toEqual(preview));
	finish();
	await ended;
	expect(harness.seen('job')).toMatchObject({ text: expect.stringContaining('stays counted'), pictures: [] });

	streams(completed());
	const cancelled = bot.invoke({ ...harness.imagine('second'), channel });
	await eventually(() => expect(harness.pictureIn('second')).toEqual(preview));
	await harness.press(bot, 'press', 'cancel:1:second', 'second');
	await cancelled;
	expect(harness.seen('second')).toMatchObject({ text: expect.stringContaining('Cancelled'), pictures: [] });
});

test('asks for no preview where it could not be shown, or moderators see pictures first', async () => {
	const bot = await harness.start();
	harness.faulty.always(answersPictures(harness.png));
	await bot.invoke(harness.imagine('elsewhere'));
	const options = { on: true };
	await bot.invoke({ id: 'log', command: 'limits settings', options: { log: 'log' }, person: moderator, channel });
	await bot.invoke({ id: 'review', command: 'limits review', options, person: moderator, channel });
	await bot.invoke({ ...harness.imagine('reviewed'), channel });
	expect(harness.faulty.requests.map(({ body }) => String(body).includes('partial_images'))).toEqual([false, false]);
});
