import { expect, onTestFinished, test } from 'vitest';
import {
	answers,
	answersPictures,
	answersWithoutEnd,
	diesAfterReading,
	smallPng,
	startFaultyService,
} from '../../packages/fakes/src/service.ts';
import { ServiceClient } from './client.ts';
import { PROFILES } from './profiles.ts';
import type { ServiceObserver } from './service.ts';

test('reports each call with its outcome, also of a chat answer that its reader leaves', async () => {
	const fake = await startFaultyService({ embeds: false });
	const seen: string[] = [];
	const models = { image: 'image', chat: 'chat', embedding: 'embedding' };
	const observe: ServiceObserver = (call, outcome, seconds) => {
		expect(seconds).toBeGreaterThan(0);
		seen.push(`${call} ${outcome}`);
	};
	const service = new ServiceClient({ baseUrl: fake.url, apiKey: 'key', timeoutMs: 10_000, models, observe });
	onTestFinished(async () => {
		await service.close();
		await fake.close();
	});
	const { signal } = new AbortController();

	fake.next(answersPictures(await smallPng()));
	await service.generate({ prompt: 'a fox' }, signal);
	fake.next(answers(402, '{}'));
	await service.generate({ prompt: 'a fox' }, signal).catch(() => {});
	fake.next(diesAfterReading);
	await service.embed({ input: ['a'] }, signal).catch(() => {});
	await service.models(AbortSignal.abort(new Error('Stopping'))).catch(() => {});
	fake.next(answersWithoutEnd('', 'data: {"choices":[{"delta":{"content":"Once"}}]}\n\n'));
	for await (const text of service.chat({ messages: [] }, signal)) if (text) break;
	expect(seen).toEqual(['generate ok', 'generate balance', 'embed no-answer', 'models aborted', 'chat stopped']);

	const observed = new ServiceClient({ baseUrl: fake.url, profile: PROFILES.openai, models, observe });
	const [b64_json, url] = [(await smallPng()).toString('base64'), '/gone.png'];
	fake.next(answers(200, JSON.stringify({ data: [{ b64_json }, { url }] })), answers(404));
	expect((await observed.generate({ prompt: 'a fox', n: 2 }, signal)).images).toHaveLength(1);
	expect(seen.at(-1)).toBe('generate address');
	await observed.close();
});
