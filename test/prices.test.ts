import { expect, test } from 'vitest';
import { startOpenaiService } from '../packages/fakes/src/openai/openai-service.ts';
import { startOtherService } from '../packages/fakes/src/other-services.ts';
import { pngFile } from '../packages/fakes/src/pictures.ts';
import type { FaultyService } from '../packages/fakes/src/service.ts';
import { startWithService } from './harness/with-service.ts';

/** Starts Easel with a service and a table of prices, and a person. */
const start = (service: FaultyService, env: Record<string, string>, table?: object) =>
	startWithService(
		service,
		{ IMAGE_COSTS: table ? 'costs.json' : 'default', ...env },
		table && { 'costs.json': JSON.stringify(table) },
	);

const OPENAI = { SERVICE_PROFILE: 'openai', IMAGE_MODEL: 'gpt-image-2', MEMBER_USD_PER_DAY: '1.20' };

test('calls are settled to the millionth by the tokens that the service counts', async () => {
	const service = await startOpenaiService();
	const { ada: open } = await start(service, OPENAI);
	const ada = await open();
	await ada.does('/usage').sees(/1\.20 USD left: \d+ at low or \d+ at high quality/);
	// 12 tokens of text at 5 USD, and 100 of the picture at 30 USD a million.
	await ada.does('/imagine', { prompt: 'a fox', quality: 'high' }).sees({ text: /a fox/, pictures: 1 });
	await ada.does('/usage').sees(/0\.00306 USD of 1\.20 USD spent, 1\.19694 USD left/);
	await ada
		.does('/edit', { image: await pngFile('#ff0000'), prompt: 'at night' })
		.sees({ text: /at night/, pictures: 1 });
	await ada.does('/usage').sees(/0\.00612 USD of 1\.20 USD spent/);
	// Three pictures of a high quality and any size may cost 1.32 USD.
	await ada.does('/imagine', { prompt: 'too dear', quality: 'high', n: 3 }).sees(/this request may cost 1\.32\d+ USD/);
	await ada.does('/imagine', { prompt: 'cheap', n: 3 }).sees({ pictures: 3 });
	const qualities = service.requests.map(({ body }) => String(body).match(/quality"[:\s]+"?(\w+)/)?.[1]);
	expect(qualities.filter(Boolean)).toEqual(['high', 'low', 'low']);
	expect([service.refusals, service.accepted()]).toEqual([[], 3]);
});

test('calls are settled by the price that the service says', async () => {
	const service = await startOtherService('openrouter');
	const table = { rows: [{ usd_per_picture: 0.25 }] };
	const env = { SERVICE_PROFILE: 'openrouter', IMAGE_MODEL: 'some/image-model', MEMBER_USD_PER_DAY: '0.30' };
	const { ada: open } = await start(service, env, table);
	const ada = await open();
	for (const prompt of ['one', 'two'])
		await ada.does('/imagine', { prompt }).sees({ text: new RegExp(prompt), pictures: 1 });
	await ada.does('/usage').sees(/0\.08 USD of 0\.30 USD spent, 0\.22 USD left: 0 pictures/);
	await ada
		.does('/imagine', { prompt: 'three' })
		.sees(/spent 0\.08 USD of 0\.30 USD today, and this request may cost 0\.25 USD/);
});

test('a table with faults ends the start with a line for each', async () => {
	const service = await startOpenaiService();
	const { easel } = await start(service, OPENAI, { rows: [{ usd_per_call: -1 }, { model: 'x' }] });
	easel.address.catch(() => {});
	expect(await easel.ended).toBe(78);
	const said = [...easel.lines, ...easel.errors].join('\n');
	expect(said).toMatch(/IMAGE_COSTS has a fault: row 1 \(usd_per_call\) is below 0\./);
	expect(said).toMatch(/IMAGE_COSTS has a fault: row 2 needs either usd_per_picture or usd_per_call\./);
});
