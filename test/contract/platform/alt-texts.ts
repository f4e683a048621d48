import { describe, expect } from 'vitest';
import { answersChat } from '../../../packages/fakes/src/chat.ts';
import { answers, answersPictures, type Behaviour, smallPng } from '../../../packages/fakes/src/service.ts';
import type { ContractTest } from './contract-test.ts';

/** Answers requests for pictures with one, the list of models with one that sees pictures, and chats as given. */
const drawsAndChats = (png: Uint8Array, chats: Behaviour): Behaviour => {
	const model = { id: 'chat', object: 'model', architecture: { input_modalities: ['text', 'image'] } };
	return (exchange) => {
		const { method, path } = exchange.request;
		if (method === 'GET') return answers(200, JSON.stringify({ object: 'list', data: [model] }))(exchange);
		return (path.includes('/chat/') ? chats : answersPictures(png))(exchange);
	};
};

/** Tests alt texts that say what a result shows, where the operator wants them. */
export function altTexts(test: ContractTest): void {
	describe('the alt text of a result', () => {
		test('says what it shows, in the language of its requester', async ({ service, harness, ada, usageToday }) => {
			await harness.restart({ altText: 'describe' });
			service.always(drawsAndChats(await smallPng('#e67e22'), answersChat('An orange fox sleeps\nunder a tree.')));
			const result = await ada.does('/imagine', { prompt: 'fox pls' }).sees({ text: /fox pls/, pictures: 1 });
			expect(result.pictures[0]?.alt).toBe('An orange fox sleeps under a tree.');
			const asked = service.requests.find(({ path }) => path.includes('/chat/'));
			expect(String(asked?.body)).toMatch(/one plain sentence, in English.*data:image\/png/s);
			expect(await usageToday()).toBe(1);
		});

		test('is the prompt where the description fails, is no sentence, or breaks a rule', async ({
			service,
			harness,
			ada,
		}) => {
			await harness.restart({ altText: 'describe' });
			await ada.does('/limits ban', { words: 'weasel' }).sees(/Banned words: 1/);
			const png = await smallPng('#2980b9');
			for (const chats of [answersChat('A weasel runs.'), answersChat('On and on. '.repeat(60)), answers(500, '{}')]) {
				service.always(drawsAndChats(png, chats));
				const result = await ada.does('/imagine', { prompt: 'a stoat' }).sees({ text: /a stoat/, pictures: 1 });
				expect(result.pictures[0]?.alt).toBe('a stoat');
			}
		});
	});
}
