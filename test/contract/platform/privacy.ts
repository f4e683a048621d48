import { describe, expect } from 'vitest';
import { pngFile } from '../../../packages/fakes/src/pictures.ts';
import type { ContractTest } from './contract-test.ts';

/** Tests that people can see, take and erase what is kept about them. */
export function privacy(test: ContractTest): void {
	describe('/privacy', () => {
		test('shows, exports and erases what is kept about a person, privately', async ({ ada, bjorn, usageToday }) => {
			await ada.does('/imagine', { prompt: 'a lighthouse' }).sees({ pictures: 1 });
			await bjorn.does('/edit', { prompt: 'brighter', image: await pngFile() }).sees({ pictures: 1 });
			// The result is no longer kept once its delivery is recorded; the input is.
			const shown = async () => (await bjorn.does('/privacy show').sees({ text: /What I keep/, private: true })).text;
			await expect
				.poll(shown, { timeout: 10_000 })
				.toMatch(/Requests, with their prompts: for 30 days.*Pictures kept as files \(1\)/s);
			const exported = await bjorn.does('/privacy export').sees({ text: /Everything I keep/, files: 1, private: true });
			expect(exported.files).toEqual(['easel-data.zip']);
			const question = await bjorn.does('/privacy erase').sees({ text: /It can’t be undone/, private: true });
			await bjorn.presses('Delete my data', question).sees({ text: /Your data is deleted/, private: true });

			// Others keep theirs, and counts stay.
			expect(await usageToday()).toBe(1);
			await bjorn.does('/usage').sees(/You today: 1 used/);
			await ada.finds({ text: /a lighthouse/, pictures: 1 });
		});
	});
}
