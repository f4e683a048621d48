import { describe, expect } from 'vitest';
import { answersPictures, smallPng } from '../../../packages/fakes/src/service.ts';
import type { ContractTest } from './contract-test.ts';

/** Tests that earlier results are found by words. */
export function find(test: ContractTest): void {
	describe('/find', () => {
		test('finds pictures of mine and public ones of this channel, and shows each with its buttons', async ({
			service,
			ada,
			bjorn,
			harness,
		}) => {
			await ada.does('/find', { words: 'a fox' }).sees({ text: /No picture here fits \*\*a fox\*\*/, private: true });
			const png = await smallPng('#8e44ad');
			service.next(answersPictures(png));
			await bjorn.does('/imagine', { prompt: 'a fox in the snow' }).sees({ text: /a fox in the snow/, pictures: 1 });
			await bjorn.does('/imagine', { prompt: 'my fox', private: true }).sees({ text: /my fox/, pictures: 1 });
			await ada.does('/imagine', { prompt: 'a lighthouse' }).sees({ text: /a lighthouse/, pictures: 1 });
			await ada.does('/imagine', { prompt: 'a fox at night' }).sees({ text: /a fox at night/, pictures: 1 });
			await expect.poll(() => service.embedded).toEqual(expect.arrayContaining(['a lighthouse', 'a fox at night']));

			await harness.restart();
			const list = await ada.does('/find', { words: 'fox at night' }).sees({
				text: /Pictures for \*\*fox at night\*\*:\n1\. \*\*a fox at night.*\n2\. \*\*a fox in the snow/,
				private: true,
				buttons: ['1', '2'],
			});
			expect(list.text).not.toMatch(/my fox|lighthouse/);
			const shown = await ada.presses('2', list).sees({ pictures: 1, private: true });
			expect(Buffer.from(shown.pictures[0]?.bytes ?? []).equals(png)).toBe(true);
			await ada
				.does('/find', { words: 'fox', mine: true })
				.sees({ text: /1\. \*\*a fox at night/, private: true, buttons: ['1'] });

			await ada.does('/limits spoiler', { on: true }).sees({ text: /hidden pictures: #general/ });
			await ada.does('/find', { words: 'foxes' }).sees({ text: /No picture here fits/, private: true });
		});
	});
}
