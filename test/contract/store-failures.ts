import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { Actor } from '../../packages/fakes/src/actor.ts';
import { answersChat } from '../../packages/fakes/src/chat.ts';
import { pngFile } from '../../packages/fakes/src/pictures.ts';
import {
	answers,
	answersPictures,
	type FaultyService,
	held,
	smallPng,
	startFaultyService,
} from '../../packages/fakes/src/service.ts';
import { type FailingStore, STORE_FAILURES } from '../harness/failing-store.ts';
import type { PlatformHarness } from '../harness/platform.ts';

/** The sentence of Easel while its store fails. */
const SENTENCE = /Easel can't reach its data right now\. No call was made/;

const MODELS = JSON.stringify({ data: [{ id: 'alpha-image' }] });

/** A circuit to the store is closed again after two seconds at most. */
const WAIT = { timeout: 15_000, interval: 100 };

/** Starts Easel on a platform with the store at this URL. */
type Open = (serviceUrl: string, storeUrl: string) => Promise<PlatformHarness>;

/**
 * Tests that people get one sentence while the store fails, in every state of it: `storeFailures('Discord', openDiscordHarness)`.
 *
 * @param options.delivers also tests that pictures are delivered; not where the platform's messages are in the store
 */
export function storeFailures(platform: string, open: Open, { delivers = true } = {}): void {
	describe(`on ${platform}, while`, () => {
		for (const { name, isAvailable, start } of STORE_FAILURES) {
			async function run(scenario: Scenario) {
				const store = await start();
				onTestFinished(store.close);
				const service = await startFaultyService();
				onTestFinished(service.close);
				const harness = await open(service.url, store.url);
				await scenario(harness, service, store);
				await harness.close();
			}
			const onFailure = test.runIf(isAvailable);
			onFailure(`${name}, every request gets one sentence, and the next ones are answered`, { timeout: 40_000 }, () =>
				run(everyRequestGetsOneSentence),
			);
			if (!delivers) continue;
			onFailure(`${name}, a picture is delivered, and stays as it is after a restart`, { timeout: 40_000 }, () =>
				run(deliveredPictureStays),
			);
		}
	});
}

type Scenario = (harness: PlatformHarness, service: FaultyService, store: FailingStore) => Promise<void>;

async function deliveredPictureStays(harness: PlatformHarness, service: FaultyService, store: FailingStore) {
	const ada = new Actor(harness.user('ada'));
	const call = held(answersPictures(await smallPng()));
	service.next(call.behaviour);
	const imagine = ada.does('/imagine', { prompt: 'a fox' });
	await imagine.sees(/Drawing/);
	await service.arrived(1);
	await store.fail();
	call.release();
	const picture = await imagine.sees({ text: /AI-generated for Ada/, pictures: 1 });

	await store.mend();
	await vi.waitFor(async () => expect(await harness.health()).toBe(200), WAIT);
	await harness.restart();
	await ada.does('/usage').sees(/You today: 1/);
	// The caption may say meanwhile how many calls are left.
	expect((await ada.looks()).find(({ id }) => id === picture.id)).toMatchObject({
		text: expect.stringContaining(picture.text),
		pictures: picture.pictures,
		buttons: picture.buttons,
	});
	expect(service.requests).toHaveLength(1);
}

async function everyRequestGetsOneSentence(
	harness: PlatformHarness,
	service: FaultyService,
	store: FailingStore,
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
	await vi.waitFor(async () => expect(await harness.health()).toBe(200), WAIT);
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
	await vi.waitFor(async () => expect(await harness.health()).toBe(503), WAIT);
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
