import { describe, expect } from 'vitest';
import { answersPictures, smallPng } from '../../../packages/fakes/src/service.ts';
import type { ContractTest } from './contract-test.ts';

/** Tests the list of a person's own results. */
export function history(test: ContractTest): void {
	describe('/history', () => {
		test('lists my results page by page, and shows each with its buttons', async ({ service, ada, bjorn, harness }) => {
			await ada.does('/history').sees({ text: /You have no pictures here yet/, private: true });
			const png = await smallPng('#16a085');
			service.next(answersPictures(png));
			const prompts = Array.from({ length: 5 }, (_, index) => `pond ${index}`);
			for (const prompt of prompts)
				await ada.does('/imagine', { prompt }).sees({ text: new RegExp(prompt), pictures: 1 });
			await bjorn.does('/imagine', { prompt: 'a lake' }).sees({ text: /a lake/, pictures: 1 });

			const list = await ada
				.does('/history')
				.sees({ text: /1\. \*\*pond 4.*5\. \*\*pond 0/s, private: true, buttons: ['1', '2', '3', '4', '5'] });
			expect(list.text).not.toMatch(/lake/);
			const shown = await ada.presses('5', list).sees({ text: /From your list/, pictures: 1, private: true });
			expect(Buffer.from(shown.pictures[0]?.bytes ?? []).equals(png)).toBe(true);
			expect(shown.buttons).toEqual(expect.arrayContaining(['Again', 'Vary', 'Edit', 'Use as reference', 'Delete']));
			await ada.presses('Vary', shown).sees({ text: /pond 0.*variation of/s, pictures: 1 });

			await harness.restart();
			const six = await ada.does('/history').sees({ text: /1\. \*\*pond 0.*5\. \*\*pond 1/s });
			expect(six.buttons).toEqual(['1', '2', '3', '4', '5', 'Older']);
			await ada.presses('Older', six);
			await ada.finds({ text: /1\. \*\*pond 0/, buttons: ['1', 'Newest'] });
		});
	});
}
