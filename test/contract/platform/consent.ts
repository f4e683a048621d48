import sharp from 'sharp';
import { describe, expect } from 'vitest';
import { pngFile } from '../../../packages/fakes/src/pictures.ts';
import { answersPictures } from '../../../packages/fakes/src/service.ts';
import type { PictureFile } from '../../../packages/fakes/src/test-user.ts';
import type { ContractTest } from './contract-test.ts';

/** A picture of a few shapes, as detailed as a photograph is for a hash of it. */
async function drawing(seed: number): Promise<PictureFile> {
	const shapes = Array.from({ length: 14 }, (_, index) => {
		const [x, y, size] = [7, 13, 29].map((step) => ((seed + 1) * (index + 3) * step) % 256);
		const colour = `hsl(${(seed * 71 + index * 47) % 360} 70% ${20 + ((seed * 31 + index * 53) % 60)}%)`;
		return `<circle cx="${x}" cy="${y}" r="${20 + (size ?? 0) / 4}" fill="${colour}"/>`;
	});
	const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="256" height="256"><rect width="256" height="256" fill="#888"/>${shapes.join('')}</svg>`;
	return { name: `${seed}.png`, bytes: await sharp(Buffer.from(svg)).png().toBuffer() };
}

/** The same picture smaller, and as a JPEG of low quality. */
const copyOf = async ({ bytes }: PictureFile): Promise<PictureFile> => ({
	name: 'copy.jpg',
	bytes: await sharp(bytes).resize(200, 190, { fit: 'fill' }).jpeg({ quality: 50 }).toBuffer(),
});

const REFUSED = { text: /belongs to somebody who does not allow others to edit or describe it/, private: true };

/** Tests that people decide who edits their pictures. */
export function consent(test: ContractTest): void {
	describe('a person who lets nobody edit their pictures', () => {
		test('is asked for none that they post, in whatever way somebody brings it', async ({ service, ada, bjorn }) => {
			const photo = await drawing(1);
			await bjorn.does('/privacy mine', { pictures: 'nobody-edits' }).sees(/nobody else can edit/);
			await bjorn.says('my holiday', [photo]);
			const message = await ada.finds(/my holiday/);
			await ada.chooses('Edit image', message).sees(REFUSED);
			await ada.chooses('Compose images', message).sees(REFUSED);
			await ada.replies(message, '@Easel make it night');
			// On Slack, a reply is in a thread.
			const [thread] = await ada.threads();
			if (thread) ada.goesTo(thread.id);
			await ada.finds({ text: REFUSED.text });
			ada.leaves();
			await ada.does('/edit', { prompt: 'make it day', image: photo }).sees({ text: REFUSED.text });
			await ada.does('/edit', { prompt: 'make it dawn', image: await copyOf(photo) }).sees({ text: REFUSED.text });
			expect(service.requests).toEqual([]);

			await ada.does('/edit', { prompt: 'another one', image: await drawing(2) }).sees({ pictures: 1 });
			await bjorn.does('/edit', { prompt: 'my own', image: photo }).sees({ pictures: 1 });
			await bjorn.does('/privacy mine', { pictures: 'everybody-edits' }).sees(/Others can edit your pictures again/);
			await ada.does('/edit', { prompt: 'now I may', image: photo }).sees({ text: /now I may/, pictures: 1 });
		});

		test('is asked for none of their results, also of those from before', async ({ service, harness, ada, bjorn }) => {
			const [made, later] = [await drawing(3), await drawing(4)];
			service.next(answersPictures(made.bytes));
			await bjorn.does('/imagine', { prompt: 'a pond' }).sees({ text: /a pond/, pictures: 1 });
			const shown = await ada.finds({ text: /a pond/, pictures: 1 });
			await bjorn.does('/privacy mine', { pictures: 'nobody-edits' }).sees(/Earlier pictures that I recognise so: 1/);
			await harness.restart();
			for (const label of ['Edit', 'Vary', 'Use as reference']) await ada.presses(label, shown).sees(REFUSED);
			await ada.does('/edit', { prompt: 'a copy', image: await copyOf(made) }).sees({ text: REFUSED.text });
			service.next(answersPictures(later.bytes));
			await bjorn.does('/imagine', { prompt: 'a hill' }).sees({ text: /a hill/, pictures: 1 });
			await ada
				.does('/compose', { prompt: 'both', image1: await pngFile(), image2: await copyOf(later) })
				.sees({ text: REFUSED.text });
			expect(service.requests).toHaveLength(2);
			await ada.presses('Again', shown).sees({ text: /a pond/, pictures: 1 });
		});

		test('has their choice after an erasure', async ({ service, ada, bjorn }) => {
			await bjorn.does('/privacy mine', { pictures: 'nobody-edits' }).sees(/nobody else can edit/);
			await bjorn
				.presses('Delete my data', await bjorn.does('/privacy erase').sees(/can’t be undone/))
				.sees(/is deleted/);
			await bjorn.does('/privacy show').sees(/nobody else may edit your pictures/);
			await bjorn.says('after it', [await drawing(5)]);
			await ada.chooses('Edit image', await ada.finds(/after it/)).sees(REFUSED);
			expect(service.requests).toEqual([]);
		});
	});

	test('moderators let people edit their own pictures only', async ({ service, ada, bjorn }) => {
		await ada.does('/limits settings', { editable: 'own' }).sees(/only their own/);
		const photo = await drawing(6);
		await bjorn.says('mine alone', [photo]);
		const only = { text: /only pictures that you have posted or made yourself/ };
		await ada.chooses('Edit image', await ada.finds(/mine alone/)).sees(only);
		await ada.does('/edit', { prompt: 'a copy', image: await copyOf(photo) }).sees(only);
		await bjorn.chooses('Edit image', await bjorn.finds(/mine alone/)).opens('Edit image');
		await ada.does('/edit', { prompt: 'her own', image: await drawing(7) }).sees({ text: /her own/, pictures: 1 });
		expect(service.requests).toHaveLength(1);
	});
}
