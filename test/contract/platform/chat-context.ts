import { describe, expect } from 'vitest';
import { answersChat } from '../../../packages/fakes/src/chat.ts';
import { pngFile } from '../../../packages/fakes/src/pictures.ts';
import { chatTest } from './chat-test.ts';
import type { ContractTest } from './contract-test.ts';
import { expectContained } from './request-body.ts';

/** Tests what a mention in the middle of a talk knows of it. */
export function chatContext(contractTest: ContractTest): void {
	const test = chatTest(contractTest);

	describe('a mention in a thread of people', () => {
		test('brings what they said, with their names', async ({ service, ada, bjorn, chatRequests, conversation }) => {
			await ada.says('Where do we meet?');
			await ada.startsThread(await ada.finds(/Where do we meet/));
			await ada.says('At the lake?');
			const [thread] = await bjorn.threads();
			bjorn.goesTo(thread?.id ?? '');
			await bjorn.says('At nine.');
			service.next(answersChat('At nine, at the lake.'));
			await ada.says('@Easel sum it up').sees(/At nine, at the lake/);
			expect(conversation()).toMatch(
				/^Said before:\n\n> Ada: Where do we meet\?\n\n> Ada: At the lake\?\n\n> Björn: At nine\.\n\nAda: sum it up$/,
			);
			service.next(answersChat('Yes.'));
			await bjorn.says('really?').sees(/^Yes\.$/);
			expect(chatRequests()).toHaveLength(2);
		});

		test('edits the newest picture there', async ({ service, ada, chatRequests }) => {
			await ada.says('A thread about pictures');
			await ada.startsThread(await ada.finds(/about pictures/));
			const newest = await pngFile('#8e44ad');
			await ada.says('one', [await pngFile('#16a085')]);
			await ada.says('another', [newest]);
			await ada.says('Which is better?');
			await ada.says('@Easel make it night').sees({ text: /make it night.*for Ada/s, pictures: 1 });
			expectContained(service.requests[0], newest.bytes);
			expect(chatRequests()).toEqual([]);
		});

		test('answers a laugh about it in words', async ({ service, ada, chatRequests }) => {
			await ada.says('A thread about a funny picture');
			await ada.startsThread(await ada.finds(/funny picture/));
			await ada.says('look', [await pngFile()]);
			service.always(answersChat('Glad that you like it.'));
			await ada.says('@Easel haha 😂').sees(/^Glad that you like it\.$/);
			expect(chatRequests()).toHaveLength(1);
			expect(service.requests.map(({ path }) => path)).not.toContain('/v1/images/edits');
		});
	});

	describe('a reply to the words of another person', () => {
		test('brings them', async ({ service, ada, shareMessage, conversation }) => {
			const message = await shareMessage('E = mc²');
			service.next(answersChat('It is about energy.'));
			await ada.replies(message, '@Easel explain this to a child');
			await ada.enters(/explain this|E = mc/);
			await ada.finds(/about energy/);
			expect(conversation()).toMatch(/> Björn: E = mc²\n\nAda: explain this to a child$/);
		});
	});
}
