import { describe, expect } from 'vitest';
import { pngFile } from '../../../packages/fakes/src/pictures.ts';
import { answers } from '../../../packages/fakes/src/service.ts';
import type { ContractTest } from './contract-test.ts';
import { expectContained } from './request-body.ts';

/** Tests the buttons by which a person goes on from a refusal. */
export function refusals(test: ContractTest): void {
	describe('a refusal is for the person alone, and opens the form again', () => {
		test('with other words, when the service refuses a picture by its rules', async ({ service, ada, bjorn }) => {
			service.next(answers(400, '{"error":{"message":"Against the rules","code":"content_policy_violation"}}'));
			const refused = await ada
				.does('/imagine', { prompt: 'a gory fox', size: 'wide' })
				.sees({ text: /a gory fox.*content rules.*Nothing was counted/s, private: true, buttons: ['Change prompt'] });
			const form = await ada.presses('Change prompt', refused).opens('/imagine');
			expect(form.values).toMatchObject({ prompt: 'a gory fox', size: 'wide' });
			await ada.fillsIn(form, { prompt: 'a friendly fox' }).sees({ text: /a friendly fox/, pictures: 1 });
			expect((await bjorn.looks()).filter(({ text }) => /gory/.test(text))).toEqual([]);
		});

		test('with the pictures, when a moderator has banned a word', async ({ service, ada, bjorn }) => {
			await ada.does('/limits ban', { words: 'dragon' }).sees(/Banned words: 1/);
			const image = await pngFile('#8e44ad');
			const refused = await bjorn
				.does('/edit', { image, prompt: 'add a dragon' })
				.sees({ text: /banned here/, private: true, buttons: ['Change prompt'] });
			const form = await bjorn.presses('Change prompt', refused).opens('/edit');
			await bjorn.fillsIn(form, { prompt: 'add a fox' }).sees({ text: /add a fox/, pictures: 1 });
			expectContained(service.requests[0], image.bytes);
		});

		test('as it was, when a cap is reached', async ({ service, ada }) => {
			await ada.does('/limits set', { scope: 'server', period: 'day', images: 0 }).sees(/Set/);
			const refused = await ada
				.does('/imagine', { prompt: 'a fox' })
				.sees({ text: /has used 0 of 0 calls/, private: true, buttons: ['Try again'] });
			await ada.does('/limits clear', { scope: 'server', period: 'day' }).sees(/Removed|None|cap/i);
			const form = await ada.presses('Try again', refused).opens('/imagine');
			expect(form.values).toMatchObject({ prompt: 'a fox' });
			await ada.fillsIn(form, {}).sees({ text: /a fox/, pictures: 1 });
			expect(service.requests).toHaveLength(1);
		});
	});
}
