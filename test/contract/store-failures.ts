import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { Actor } from '../fakes/actor.ts';
import { answersChat } from '../fakes/chat.ts';
import { STORE_FAILURES } from '../fakes/failing-store.ts';
import { pngFile } from '../fakes/pictures.ts';
import { answers, answersPictures, smallPng, startFaultyService } from '../fakes/service.ts';
import type { PlatformHarness } from '../harness/platform.ts';

/** The sentence of Easel while its store fails. */
const SENTENCE = /Easel can't reach its data right now\. No call was made/;

const MODELS = JSON.stringify({ data: [{ id: 'alpha-image' }] });

/** A circuit to the store is closed again after two seconds at most. */
const WAIT = { timeout: 15_000, interval: 100 };

/** Starts Easel on a platform with the store at this URL. */
type Open = (serviceUrl: string, storeUrl: string) => Promise<PlatformHarness>;

/** Tests that people get one sentence while the store fails, in every state of it: `storeFailures('Discord', openDiscordHarness)`. */
export function storeFailures(platform: string, open: Open): void {
	describe(`on ${platform}, while`, () => {
		for (const { name, isAvailable, start } of STORE_FAILURES) {
			test.runIf(isAvailable)(
				`${name}, every request gets one sentence, and goes on by itself afterwards`,
				{ timeout: 40_000 },
				async () => {
					const store = await start();
					onTestFinished(store.close);
					const service = await startFaultyService();
					onTestFinished(service.close);
					const harness = await open(service.url, store.url);
					await everyRequestGetsOneSentence(harness, service, store);
					await harness.close();
				},
			);
		}
	});
}

async function everyRequestGetsOneSentence(
	harness: PlatformHarness,
	service: Awaited<ReturnType<typeof startFaultyService>>,
	store: { fail(): Promise<unknown>; mend(): Promise<unknown> },
): Promise<void> {
	const [ada, bjorn] = [new Actor(harness.user('ada')), new Actor(harness.user('bjorn'))];
	const image = await pngFile();
	const [picturesAnswer, modelsAnswer] = [answersPictures(await smallPng()), answers(200, MODELS)];
	service.always((exchange) => (exchange.request.path === '/v1/models' ? modelsAnswer : picturesAnswer)(exchange));
	const paidCalls = () => service.requests.filter(({ method }) => method === 'POST').length;
	const picture = await ada.does('/imagine', { prompt: 'a fox' }).sees({ text: /a fox/, pictures: 1 });
	service.next(answersChat('Foxes are small and red.'));
	await bjorn.does('/chat', { prompt: 'Tell me of foxes' });
	await bjorn.enters(/foxes/);
	await bjorn.finds(/small and red/);
	const form = await ada.presses('Edit', picture).opens('Edit image');
	expect(await harness.health()).toBe(200);
	const calls = paidCalls();

	await store.fail();
	const requests = [
		() => ada.does('/imagine', { prompt: 'a cat' }),
		() => ada.does('/edit', { image, prompt: 'brighter' }),
		() => ada.does('/models'),
		() => ada.does('/usage'),
		() => ada.does('/chat', { prompt: 'Tell me of cats' }),
		() => ada.does('/limits show'),
		() => ada.presses('Again', picture),
		() => ada.fillsIn(form, { prompt: 'at night' }),
		() => ada.says('@Easel hello'),
	];
	await Promise.all([...requests.map((request) => request()), bjorn.says('And what of wolves?')]);
	const sentences = async (person: Actor) => (await person.looks()).filter(({ text }) => SENTENCE.test(text));
	await vi.waitFor(async () => expect(await sentences(ada)).toHaveLength(requests.length), WAIT);
	await vi.waitFor(async () => expect(await sentences(bjorn)).toHaveLength(1), WAIT);
	expect(await harness.health()).toBe(503);
	expect(paidCalls()).toBe(calls);

	await store.mend();
	await vi.waitFor(async () => expect(await harness.health()).toBe(200), WAIT);
	await ada.does('/imagine', { prompt: 'a bear' }).sees({ text: /a bear/, pictures: 1 });
	service.next(answersChat('Wolves are grey.'));
	await bjorn.says('And of wolves?').sees(/are grey/);
	expect(paidCalls()).toBe(calls + 2);
	expect(await sentences(ada)).toHaveLength(requests.length);
	expect(await sentences(bjorn)).toHaveLength(1);
}
