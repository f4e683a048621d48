import sharp from 'sharp';
import { describe, expect } from 'vitest';
import { fieldNames } from '../../../packages/fakes/src/form-inputs.ts';
import { hugePng, pngFile } from '../../../packages/fakes/src/pictures.ts';
import { answersPictures, held, smallPng } from '../../../packages/fakes/src/service.ts';
import { signedPng } from '../../harness/signed-pictures.ts';
import type { ContractTest } from './contract-test.ts';
import { expectContained, expectInOrder } from './request-body.ts';

/** Tests the buttons of a result and the forms that they open. */
export function resultButtons(test: ContractTest): void {
	describe('the buttons of a result', () => {
		test('Again repeats the request with the same picture', async ({ service, ada, bjorn, usageToday }) => {
			const image = await pngFile('#8e44ad');
			const first = await ada.does('/edit', { image, prompt: 'older' }).sees({ pictures: 1 });
			const second = await bjorn
				.presses('Again', first)
				.sees({ text: /older.*for Björn · again from .*an earlier result/s, pictures: 1 });
			expect(second.id).not.toBe(first.id);
			expectContained(service.requests[1], image.bytes, Buffer.from('older'));
			expect(await usageToday()).toBe(1);
		});

		test('Again and Vary are one request each when they are pressed twice at once', async ({ service, ada, bjorn }) => {
			const first = await ada.does('/imagine', { prompt: 'a pond' }).sees({ pictures: 1 });
			for (const [index, label] of ['Again', 'Vary'].entries()) {
				const answer = held(answersPictures(await smallPng('#16a085')));
				service.next(answer.behaviour);
				await bjorn.presses(label, first);
				await bjorn.presses(label, first);
				await service.arrived(2 + 2 * index);
				await ada.presses(label, first).sees({ text: /for Ada/, pictures: 1 });
				answer.release();
				await bjorn.finds({ text: /for Björn/, pictures: 1 });
				expect(service.requests).toHaveLength(3 + 2 * index);
			}
		});

		test('Edit opens a form that edits this picture', async ({ service, ada }) => {
			const png = await smallPng('#16a085');
			service.next(answersPictures(png));
			const result = await ada.does('/imagine', { prompt: 'a pond' }).sees({ pictures: 1 });
			const form = await ada.presses('Edit', result).opens('Edit image');
			expect(fieldNames(form)).toEqual(expect.arrayContaining(['prompt', 'image2', 'image3', 'size', 'private', 'n']));
			await ada.fillsIn(form, { prompt: 'add a frog' }).sees({ text: /add a frog/, pictures: 1 });
			expect(service.requests[1]?.path).toBe('/v1/images/edits');
			expectContained(service.requests[1], png);
		});

		test('Edit and Download original ask which of several numbered pictures is meant', async ({ service, ada }) => {
			const pngs = await Promise.all([smallPng('#111111'), smallPng('#eeeeee')]);
			service.next(answersPictures(...pngs));
			const result = await ada.does('/imagine', { prompt: 'dots', n: 2 }).sees({ pictures: 2 });
			expect(result.text).toContain('1–2 in reading order');
			const choice = await ada.presses('Download original', result).opens('Download original');
			expect(choice.fields).toMatchObject([{ name: 'which', choices: ['1', '2'] }]);
			const download = /\[Download picture 2 as it was posted\]\(\S+\)/;
			await ada.fillsIn(choice, { which: '2' }).sees({ text: download, private: true });
			const form = await ada.presses('Edit', result).opens('Edit image');
			expect(form.fields[0]).toMatchObject({ name: 'which', kind: 'choice', choices: ['1', '2'] });
			await ada.fillsIn(form, { which: '2', prompt: 'larger' }).sees({ text: /larger/, pictures: 1 });
			expectContained(service.requests[1], pngs[1] as Buffer);
		});

		test('Download original posts what was too large to be posted', async ({ service, ada }) => {
			const { bytes } = await hugePng();
			const signed = signedPng(bytes);
			service.next(answersPictures(signed));
			const result = await ada
				.does('/imagine', { prompt: 'noise', private: true })
				.sees({ pictures: 1, private: true });
			const isWhole = signed.equals(result.pictures[0]?.bytes ?? Buffer.alloc(0));
			const download = ada.presses('Download original', result);
			if (isWhole) await download.sees(/as it was posted/);
			else {
				expect(Buffer.from(result.pictures[0]?.bytes ?? []).includes('trainedAlgorithmicMedia')).toBe(true);
				await download.sees({ text: /Part 1 of 2 of the original/, private: true });
				await ada.finds(/Part 2 of 2 of the original/);
			}
		});

		test('Download original offers a sticker of the picture', async ({ service, ada, bjorn, usageToday }) => {
			const disc = '<svg width="400" height="400"><circle cx="300" cy="300" r="40" fill="#2040c0"/></svg>';
			const pngs = [await smallPng('#111111'), await sharp(Buffer.from(disc)).png().toBuffer()];
			service.next(answersPictures(...pngs));
			const result = await ada.does('/imagine', { prompt: 'dots', n: 2 }).sees({ pictures: 2 });
			for (const [which, said] of [
				['1', /320 × 320 pixels.*no transparent background/],
				['2', /320 × 320 pixels, \d+ kB\.$/],
			] as const) {
				const form = await bjorn.presses('Download original', result).opens('Download original');
				const original = await bjorn.fillsIn(form, { which }).sees({ text: /as it was posted/, private: true });
				const sticker = await bjorn
					.presses('Make a sticker', original)
					.sees({ text: said, pictures: 1, private: true });
				const { width, height, hasAlpha } = await sharp(sticker.pictures[0]?.bytes).metadata();
				expect([width, height, hasAlpha]).toEqual([320, 320, true]);
				expect(sticker.pictures[0]?.alt).toBe('dots');
			}
			const own = await ada.does('/imagine', { prompt: 'mine', private: true }).sees({ pictures: 1, private: true });
			const original = await ada.presses('Download original', own).sees(/as it was posted/);
			await ada.presses('Make a sticker', original).sees({ text: /320 × 320/, pictures: 1, private: true });
			expect(await usageToday()).toBe(2);
		});

		test('Vary edits the chosen picture by its own words', async ({ service, ada, bjorn }) => {
			const pngs = await Promise.all([smallPng('#111111'), smallPng('#eeeeee')]);
			service.next(answersPictures(...pngs));
			const result = await ada
				.does('/imagine', { prompt: 'dots', n: 2 })
				.sees({ text: /1–2 in reading order/, pictures: 2 });
			expect(result.pictures.map(({ alt }) => alt)).toEqual(['dots (1 of 2)', 'dots (2 of 2)']);
			const form = await bjorn.presses('Vary', result).opens('Vary');
			const varied = /dots.*for Björn · variation of .*an earlier result/s;
			const variation = await bjorn.fillsIn(form, { which: '2' }).sees({ text: varied, pictures: 1 });
			expect(service.requests[1]?.path).toBe('/v1/images/edits');
			expectContained(service.requests[1], pngs[1] as Buffer, Buffer.from('Make a variation of this picture: dots'));
			await ada.presses('Vary', variation).sees({ text: /dots.*for Ada · variation/s, pictures: 1 });
		});

		test('Use as reference collects pictures for a composition', async ({ service, ada }) => {
			const pngs = await Promise.all([smallPng('#d35400'), smallPng('#2c3e50')]);
			service.next(answersPictures(pngs[0] as Buffer), answersPictures(pngs[1] as Buffer));
			const first = await ada.does('/imagine', { prompt: 'a sun' }).sees({ pictures: 1 });
			const second = await ada.does('/imagine', { prompt: 'a sea' }).sees({ pictures: 1 });
			await ada.presses('Use as reference', first).sees({ text: /image 1 of your next composition/, private: true });
			const tray = await ada.presses('Use as reference', second).sees(/image 2 of your next composition/);
			const form = await ada.presses('Compose', tray).opens('Compose images');
			expect(fieldNames(form)).toEqual(['prompt', 'image3', 'size', 'private', 'n']);
			await ada.fillsIn(form, { prompt: 'the sun over the sea' }).sees({ text: /sun over the sea/, pictures: 1 });
			expectInOrder(service.requests[2], ...pngs);
		});

		test('Compose takes a reference and a file; a form that was refused keeps the reference', async ({ ada }) => {
			const result = await ada.does('/imagine', { prompt: 'a sun' }).sees({ pictures: 1 });
			const tray = await ada.presses('Use as reference', result).sees(/image 1/);
			const form = await ada.presses('Compose', tray).opens('Compose images');
			const refused = await ada.fillsIn(form, { prompt: 'with what?' }).sees(/`image2` is missing/);
			const again = await ada.presses('Try again', refused).opens('Compose images');
			expect(again.values).toMatchObject({ prompt: 'with what?' });
			await ada.fillsIn(again, { image2: await pngFile() }).sees({ text: /with what/, pictures: 1 });
		});

		test('Try again reopens a form that was refused, with its values and pictures', async ({
			service,
			ada,
			composePath,
		}) => {
			const [png, file] = [await smallPng('#16a085'), await pngFile('#c0392b')];
			service.next(answersPictures(png));
			const result = await ada.does('/imagine', { prompt: 'a pond' }).sees({ pictures: 1 });
			const form = await ada.presses('Edit', result).opens('Edit image');
			const wrong = { prompt: 'put them together', size: 'huge', image2: file };
			const refused = await ada.fillsIn(form, wrong).sees({ text: /`size` must be width x height/, private: true });
			const again = await ada.presses('Try again', refused).opens('Edit image');
			expect(again.values).toMatchObject({ prompt: 'put them together', size: 'huge' });
			const stillWrong = await ada.fillsIn(again, { size: 'tiny' }).sees(/`size` must be width x height/);
			const third = await ada.presses('Try again', stillWrong).opens('Edit image');
			await ada.fillsIn(third, { size: '512x512' }).sees({ text: /put them together/, pictures: 1 });
			expect(service.requests[1]?.path).toBe(composePath);
			expectInOrder(service.requests[1], png, file.bytes);
		});

		test('Delete asks first, and works for the requester and for moderators', async ({ ada, bjorn }) => {
			const result = await bjorn.does('/imagine', { prompt: 'a mistake' }).sees({ pictures: 1 });
			const other = await ada.does('/imagine', { prompt: 'a keeper' }).sees({ pictures: 1 });
			await bjorn.presses('Delete', other).sees({ text: /Only the person who asked/, private: true });
			const question = {
				text: /Delete \*\*a mistake\*\*.*can't be undone/,
				private: true,
				buttons: ['Delete for good'],
			};
			const asked = await bjorn.presses('Delete', result).sees(question);
			await ada.finds({ text: /a mistake/, pictures: 1 });
			await bjorn.presses('Delete for good', asked).sees({ text: /^Deleted\.$/, private: true });
			await ada.does('/usage').sees(/You today/);
			const left = (await ada.looks()).map(({ text }) => text).join('\n');
			expect(left).toContain('a keeper');
			expect(left).not.toContain('a mistake');
		});

		test('work after a restart', async ({ service, harness, ada }) => {
			const image = await pngFile();
			const result = await ada.does('/edit', { image, prompt: 'older' }).sees({ pictures: 1 });
			await harness.restart();
			await ada.presses('Again', result).sees({ text: /older/, pictures: 1 });
			expectContained(service.requests[1], image.bytes);
		});
	});
}
