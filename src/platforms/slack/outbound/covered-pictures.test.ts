import { Keyv } from 'keyv';
import { expect, test } from 'vitest';
import { translatorFor } from '../../../i18n/translator.ts';
import { CoveredPictures, isShowButton, showButton } from './covered-pictures.ts';

const images = [{ file: 'F1', alt: 'a fox' }];

test('pictures are found by their button until they are removed', async () => {
	const covered = new CoveredPictures(new Keyv(), 60_000);
	const id = await covered.add('T1', images);
	const button = showButton(id, translatorFor());
	expect(isShowButton(button.id)).toBe(true);
	expect(await covered.find(button.id)).toEqual(images);
	expect(await covered.remove(id)).toEqual(images);
	expect(await covered.find(button.id)).toBeUndefined();
	expect(await covered.remove(id)).toEqual([]);
});

test('other buttons show nothing', async () => {
	const covered = new CoveredPictures(new Keyv(), 60_000);
	const id = await covered.add('T1', images);
	for (const button of [`edit:1:${id}`, id, '']) {
		expect(isShowButton(button)).toBe(false);
		expect(await covered.find(button)).toBeUndefined();
	}
});

test('pictures expire with the other buttons of their result', async () => {
	const keyv = new Keyv();
	const id = await new CoveredPictures(keyv, 60_000).add('T1', images);
	expect((await keyv.getRaw(`covered:${id}`))?.expires).toBeLessThanOrEqual(Date.now() + 60_000);
});
