import { describe, expect } from 'vitest';
import { answersChat, chatOf, streamedAnswer } from '../../../packages/fakes/src/chat.ts';
import { answers } from '../../../packages/fakes/src/service.ts';
import { AFTER, chatTest } from './chat-test.ts';
import type { ContractTest } from './contract-test.ts';

/** Tests chat threads: opening them, their history and their turns. */
export function chatThreads(contractTest: ContractTest): void {
	const test = chatTest(contractTest);

	describe('a chat thread', () => {
		test('opens with a prompt, whose answer grows in one message', async ({ service, ada, chatRequests }) => {
			const answer = streamedAnswer();
			service.next(answer.behaviour);
			await ada.does('/chat', { prompt: 'Tell me of foxes', model: 'alpha3.6-35b' });
			await ada.enters(/Tell me of foxes/);
			await ada.finds(/forget.*draw/s);
			await answer.sends('Foxes are ');
			const first = await ada.finds({ text: /Foxes are/, buttons: ['Stop'] });
			await answer.sends('small and ');
			await ada.finds(/Foxes are small and/);
			await answer.sends('red.');
			await answer.ends();
			const whole = await ada.finds({ text: /^Foxes are small and red\.$/, buttons: AFTER });
			expect(whole.id).toBe(first.id);

			const { model, system, messages } = chatOf(chatRequests()[0]);
			expect(model).toBe('alpha3.6-35b');
			expect(system).toMatch(/Easel draws/s);
			expect(messages).toEqual([{ role: 'user', content: 'Ada: Tell me of foxes' }]);
		});

		test('is private on request, also one opened from a private thread', async ({ service, harness, ada, bjorn }) => {
			service.next(answersChat('Between us.'), answersChat('This too.'), answersChat('And this.'));
			await ada.does('/chat', { prompt: 'Tell me a secret', private: true });
			await ada.enters(/Tell me a secret/);
			await ada.finds({ text: /^Between us\.$/, buttons: AFTER });
			await ada.says('Go on').sees(/This too/);
			await ada.does('/chat', { prompt: 'Another secret', private: true });
			await ada.enters(/Another secret/);
			await ada.finds({ text: /And this/, buttons: AFTER });
			expect(await harness.user('ada').threads()).toHaveLength(2);
			expect(await harness.user('bjorn').threads()).toEqual([]);
			expect(await bjorn.looks()).toEqual([]);
			ada.leaves();
			expect((await ada.looks()).every((message) => message.private)).toBe(true);
		});

		test('continues with its history under the names of the authors, also after a restart', async ({
			service,
			harness,
			ada,
			bjorn,
			openThread,
			chatRequests,
		}) => {
			await openThread();
			service.next(answersChat('Mostly mice.'));
			await bjorn.says('What do they eat?').sees(/Mostly mice/);
			await harness.restart();
			service.next(answersChat('In dens.'));
			await ada.says('And where do they live?').sees(/In dens/);
			expect(chatOf(chatRequests().at(-1)).messages).toEqual([
				{ role: 'user', content: 'Ada: Tell me of foxes' },
				{ role: 'assistant', content: 'Foxes are small and red.' },
				{ role: 'user', content: 'Björn: What do they eat?' },
				{ role: 'assistant', content: 'Mostly mice.' },
				{ role: 'user', content: 'Ada: And where do they live?' },
			]);
		});

		test('answers one turn at a time: messages written meanwhile join the next turn', async ({
			service,
			ada,
			bjorn,
			openThread,
			chatRequests,
			lastPrompt,
		}) => {
			await openThread();
			const answer = streamedAnswer();
			service.next(answer.behaviour, answersChat('Both of you are right.'));
			await ada.says('Are they cats?');
			await answer.sends('They are ');
			await ada.finds({ text: /They are/, buttons: ['Stop'] });
			await ada.says('Or dogs?');
			await bjorn.says('Surely dogs.');
			expect(chatRequests()).toHaveLength(2);
			await answer.sends('canines.');
			await answer.ends();
			await ada.finds(/Both of you are right/);
			expect(chatRequests()).toHaveLength(3);
			expect(lastPrompt()).toBe('Ada: Or dogs?\n\nBjörn: Surely dogs.');
		});

		test('answers quick follow-ups in one turn', async ({ service, ada, openThread, chatRequests, lastPrompt }) => {
			await openThread();
			service.next(answersChat('Two things at once.'));
			await Promise.all([ada.says('One thing.'), ada.says('Another thing.')]);
			await ada.finds(/Two things at once/);
			expect(chatRequests()).toHaveLength(2);
			expect(lastPrompt()).toMatch(/One thing/);
			expect(lastPrompt()).toMatch(/Another thing/);
		});

		test('does not wait for other threads', async ({ service, ada, bjorn, openThread }) => {
			await openThread();
			const answer = streamedAnswer();
			service.next(answer.behaviour, answersChat('Hello in here.'));
			await ada.says('A long story, please');
			await service.arrived(2);
			bjorn.leaves();
			await bjorn.does('/chat', { prompt: 'Good morning' });
			await bjorn.enters(/Good morning/);
			await bjorn.finds(/Hello in here/);
			await answer.sends('Once upon a time.');
			await answer.ends();
			await ada.finds(/Once upon a time/);
		});

		test.for(['button', 'word'] as const)(
			'forgets its history by a %s',
			async (how, { service, ada, bjorn, openThread, conversation }) => {
				const answer = await openThread();
				await (how === 'word' ? bjorn.says('forget') : bjorn.presses('Forget', answer));
				await ada.finds({ text: /^Forgotten/, private: false });
				service.next(answersChat('Who knows.'));
				await ada.says('What were we talking of?').sees(/Who knows/);
				expect(conversation()).toBe('Ada: What were we talking of?');
			},
		);

		test('has caps of its own, which give back a turn that failed', async ({
			service,
			ada,
			bjorn,
			openThread,
			chatRequests,
		}) => {
			const cap = { scope: 'member', period: 'day', images: 2, what: 'chat' };
			await ada.does('/limits set', cap).sees(/every member: 2 chat turns a day/);
			await openThread();
			service.next(answers(429));
			const failed = await ada.says('Are you there?').sees(/busy/);
			service.next(answersChat('No more.'));
			await ada.presses('Retry', failed);
			await ada.finds(/No more/);
			await ada.says('One too many').sees(/You have used 2 of 2 chat turns today\. Resets/);
			expect(chatRequests()).toHaveLength(3);
			await ada.does('/usage').sees(/You, chat turns today: 2 of 2 used, 0 left/);
			await ada.does('/imagine', { prompt: 'a fox' }).sees({ pictures: 1 });
			service.next(answersChat('For you.'));
			await bjorn.says('And for me?').sees(/For you/);
		});
	});
}
