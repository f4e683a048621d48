import { describe, expect } from 'vitest';
import { answersChat, streamedAnswer } from '../../../packages/fakes/src/chat.ts';
import { answers } from '../../../packages/fakes/src/service.ts';
import { AFTER, chatTest } from './chat-test.ts';
import type { ContractTest } from './contract-test.ts';

/** Tests the answers in chat threads: stopping, retrying, failures and long texts. */
export function chatAnswers(contractTest: ContractTest): void {
	const test = chatTest(contractTest);

	describe('an answer in a chat thread', () => {
		test('is stopped by the person it answers: the request is aborted, the text stays, and Retry replaces it', async ({
			service,
			ada,
			bjorn,
			openThread,
			lastPrompt,
			conversation,
		}) => {
			await openThread();
			const answer = streamedAnswer();
			service.next(answer.behaviour);
			await ada.says('A long story, please');
			await answer.sends('Once upon a time');
			const running = await ada.finds({ text: /Once upon/, buttons: ['Stop'] });
			await bjorn.presses('Stop', running).sees({ text: /Only the person this answers/, private: true });
			await ada.presses('Stop', running);
			await answer.aborted;
			const stopped = await ada.finds({ text: /Once upon a time\n\n\*Stopped\.\*/, buttons: AFTER });
			expect(stopped.id).toBe(running.id);

			service.next(answersChat('A short one.'));
			await ada.presses('Retry', stopped);
			const rewritten = await ada.finds({ text: /^A short one\.$/, buttons: AFTER });
			expect(rewritten.id).toBe(running.id);
			expect(lastPrompt()).toBe('Ada: A long story, please');
			expect(conversation()).not.toContain('Once upon');
		});

		test('reports a failure in a sentence, and can be retried', async ({ service, ada }) => {
			service.next(answers(503, '', { 'retry-after': '7' }));
			await ada.does('/chat', { prompt: 'Tell me of foxes' });
			await ada.enters(/foxes/);
			const failed = await ada.finds({ text: /busy\. Try again in 7 sec\. Nothing was counted/, buttons: ['Retry'] });
			service.next(answersChat('Here they are.'));
			await ada.presses('Retry', failed);
			const answer = await ada.finds(/Here they are/);
			expect(answer.id).toBe(failed.id);
			expect(answer.text).not.toMatch(/busy/);
		});

		test('keeps the text of a stream that breaks off, and says so', async ({ service, ada }) => {
			const answer = streamedAnswer();
			service.next(answer.behaviour);
			await ada.does('/chat', { prompt: 'Tell me of foxes' });
			await ada.enters(/foxes/);
			await answer.sends('Foxes are');
			await ada.finds(/Foxes are/);
			await answer.breaks();
			await ada.finds({ text: /Foxes are\n\n\*The answer was cut off here\.\*/, buttons: AFTER });
		});

		test('is marked after a restart, and can be retried', async ({ service, harness, ada, openThread }) => {
			await openThread();
			const answer = streamedAnswer();
			service.next(answer.behaviour);
			await ada.says('A long story, please');
			await answer.sends('Once upon a time');
			const running = await ada.finds(/Once upon/);
			await harness.restart();
			const cut = await ada.finds({ text: /Once upon a time\n\n\*Interrupted/, buttons: AFTER });
			expect(cut.id).toBe(running.id);
			service.next(answersChat('The end.'));
			await ada.presses('Retry', cut);
			expect((await ada.finds(/^The end\.$/)).id).toBe(running.id);
		});

		test('has the tokens that moderators allow, within those of the operator', async ({
			service,
			harness,
			ada,
			bjorn,
			openThread,
			chatRequests,
		}) => {
			await harness.restart({ chatMaxTokens: 500 });
			await bjorn.does('/limits settings', { answer_tokens: 9 }).sees({ text: /Only moderators/, private: true });
			await ada.does('/limits settings', { answer_tokens: 501 }).sees(/`answer_tokens` can be at most 500 here/);
			await ada.does('/limits show', { all: true }).sees(/Length of answers in chats: no limit of this server/);
			const bound = () => {
				const { max_tokens: one, max_completion_tokens: other } = JSON.parse(String(chatRequests().at(-1)?.body));
				return one ?? other;
			};
			await openThread();
			expect(bound()).toBe(500);
			bjorn.leaves();
			ada.leaves();
			await ada
				.does('/limits settings', { answer_tokens: 40 })
				.sees(/Length of answers in chats: at most 40 tokens \(before: no limit of this server\)/);
			await ada.does('/limits show').sees(/Length of answers in chats: at most 40 tokens/);
			await bjorn.enters(/foxes/);
			service.next(answersChat('Mice.'));
			await bjorn.says('What do they eat?').sees(/Mice/);
			expect(bound()).toBe(40);
			await harness.restart({ chatMaxTokens: 30 });
			service.next(answersChat('In the woods.'));
			await bjorn.says('Where do they live?').sees(/In the woods/);
			expect(bound()).toBe(30);
			await ada.does('/limits settings', { off: 'answer_tokens' }).sees(/no limit of this server \(before: /);
		});

		test('pings nobody', async ({ service, ada }) => {
			service.next(
				answersChat('Hi @everyone, @here, <@12345678>, <@&12345678>, <!channel>, <!subteam^S1|all>; foxes. The end.'),
			);
			await ada.does('/chat', { prompt: 'Tell me of foxes' });
			await ada.enters(/foxes/);
			const { text } = await ada.finds({ text: /The end/, buttons: AFTER });
			expect(text).not.toMatch(/@everyone|@here|<@\d|<@&\d|<!channel|<!subteam/);
		});

		test('is split into several messages when it is long; Retry replaces all of them', async ({ service, ada }) => {
			const words = Array.from({ length: 1300 }, (_, index) => `word${index}`).join(' ');
			service.next(answersChat(words));
			await ada.does('/chat', { prompt: 'Tell me of foxes' });
			await ada.enters(/foxes/);
			const last = await ada.finds({ text: /word1299$/, buttons: AFTER });
			const parts = (await ada.looks()).filter(({ text }) => /word\d/.test(text));
			expect(parts.length).toBeGreaterThan(1);
			expect(parts.map(({ text }) => text).join(' ')).toBe(words);
			service.next(answersChat('Enough.'));
			await ada.presses('Retry', last);
			expect((await ada.finds(/^Enough\.$/)).id).toBe(parts[0]?.id);
			expect((await ada.looks()).filter(({ text }) => /word\d/.test(text))).toEqual([]);
		});
	});
}
