import { describe, expect } from 'vitest';
import { answersCalls, answersChat, chatOf } from '../../../packages/fakes/src/chat.ts';
import { answersPictures, smallPng } from '../../../packages/fakes/src/service.ts';
import { AFTER, chatTest } from './chat-test.ts';
import type { ContractTest } from './contract-test.ts';

/** Tests the pictures that a chat model draws by calling tools. */
export function chatTools(contractTest: ContractTest): void {
	const test = chatTest(contractTest);

	describe('a chat model that calls tools', () => {
		test('draws once for the person whom it answers, and changes that picture', async ({
			service,
			ada,
			openThread,
			chatRequests,
			usageToday,
		}) => {
			await openThread();
			const [fox, owl] = [await smallPng('#c0392b'), await smallPng('#2c3e50')];
			const calls = ['a fox in the snow', 'another'].map((prompt) => ({ name: 'draw', arguments: { prompt } }));
			service.next(answersCalls(calls, { text: 'Here it comes.' }), answersPictures(fox));
			await ada.says('I would love to see one in the snow').sees({ text: /a fox in the snow.*for Ada/s, pictures: 1 });
			await ada.finds({ text: /^Here it comes\.\n\n\*I made as many pictures as you asked for/, buttons: AFTER });
			service.next(
				answersCalls([{ name: 'edit', arguments: { picture: 1, prompt: 'at night' } }]),
				answersPictures(owl),
			);
			await ada.says('I would like that at night').sees({ text: /at night.*for Ada/s, pictures: 1 });
			expect(service.requests.slice(1).map(({ path }) => path)).toEqual([
				...['/v1/chat/completions', '/v1/images/generations'],
				...['/v1/chat/completions', '/v1/images/edits'],
			]);
			service.next(answersChat('Indeed.'));
			await ada.says('How fitting').sees(/Indeed/);
			expect(
				chatOf(chatRequests().at(-1))
					.messages.map(({ role }) => role)
					.join(' '),
			).toMatch(/user assistant tool tool assistant user assistant tool assistant user$/);
			expect(await usageToday()).toBe(2);
		});

		test('draws nothing that the rules of the server forbid', async ({ service, ada, openThread }) => {
			await ada.does('/limits ban', { words: 'dragon' }).sees(/Banned words: 1/);
			await openThread();
			service.next(answersCalls([{ name: 'draw', arguments: { prompt: 'a dragon' } }]));
			await ada.says('I would love to see the beast').sees(/a word that moderators have banned/);
			expect(service.requests.filter(({ path }) => path.includes('/images/'))).toEqual([]);
		});
	});
}
