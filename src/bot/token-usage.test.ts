import { afterEach, beforeEach, expect, test } from 'vitest';
import { type OpenaiService, startOpenaiService } from '../../packages/fakes/src/openai/openai-service.ts';
import { ada, BotHarness, moderator } from '../../test/harness/bot-harness.ts';
import { PROFILES } from '../service/profiles.ts';

let service: OpenaiService;
let harness: BotHarness;

beforeEach(async () => {
	service = await startOpenaiService();
	harness = await BotHarness.create();
	await harness.useService(PROFILES.openai, { baseUrl: service.url, apiKey: 'test-key' });
});

afterEach(() => Promise.all([harness.close(), service.close()]));

test('the report shows the tokens of pictures and chat turns', async () => {
	const bot = await harness.start({ followUpMs: 0 });
	await bot.invoke(harness.imagine('job', { model: 'gpt-image-2' }));
	await bot.hear({
		...{ id: 'said', text: 'Are foxes red?', uploads: [], addressed: true },
		...{ person: ada, channel: { ...harness.channel, place: { ...harness.channel.place, thread: 't' } } },
	});
	await bot.invoke({
		id: 'report',
		command: 'limits report',
		options: {},
		person: moderator,
		channel: harness.channel,
	});
	const report = harness.seen('report');
	expect(report?.text).toMatch(/Tokens.*\n +1 +1 +0 +149 +0\.00 {2}Ada/);
	const rows = String(Buffer.from(report?.files?.[0]?.bytes ?? [])).split('\r\n');
	expect(rows.map((row) => row.split(',').slice(-2))).toEqual([
		['input_tokens', 'output_tokens'],
		['12', '100'],
		['30', '7'],
		[''],
	]);
	expect(service.refusals).toEqual([]);
});
