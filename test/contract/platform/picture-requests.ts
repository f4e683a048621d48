import sharp from 'sharp';
import { describe, expect } from 'vitest';
import { pngFile } from '../../../packages/fakes/src/pictures.ts';
import { answers, answersPictures, held, smallPng } from '../../../packages/fakes/src/service.ts';
import type { ContractTest } from './contract-test.ts';
import { expectContained, expectInOrder } from './request-body.ts';

/** Tests commands that make pictures, from the status to the result. */
export function pictureRequests(test: ContractTest): void {
	describe('a request for pictures', () => {
		test('shows a status at once, then the picture in the same message, with the bytes that the service sent', async ({
			service,
			ada,
		}) => {
			const png = await smallPng('#e74c3c', 24, 16);
			const { behaviour, release } = held(answersPictures(png));
			service.next(behaviour);
			const imagine = ada.does('/imagine', { prompt: 'a red fox in the snow' });
			const status = await imagine.sees(/Drawing .*a red fox in the snow/);
			expect(status.pictures).toEqual([]);

			release();
			const result = await imagine.sees({ pictures: 1 });
			expect(result.id).toBe(status.id);
			expect(result.pictures).toEqual([{ bytes: new Uint8Array(png), alt: 'a red fox in the snow' }]);
			expect(result.text).toMatch(/a red fox in the snow.*AI-generated for Ada.*24 × 16.*1 call today/s);
			expect(result.buttons).toEqual(['Again', 'Vary', 'Edit', 'Use as reference', 'Download original', 'Delete']);
			expect(service.requests.map(({ path }) => path)).toEqual(['/v1/images/generations']);
		});

		test('takes the flags that people know from other bots, and names the others', async ({ service, ada }) => {
			await ada
				.does('/imagine', { prompt: 'a red fox --ar 16:9 --stylize 250' })
				.sees({ text: /a red fox\*?\*?\n.*not used: .*--stylize 250/is, pictures: 1 });
			const { prompt, size } = JSON.parse(String(service.requests[0]?.body));
			expect(prompt).toBe('a red fox');
			const [width = 0, height = 0] = String(size).split('x').map(Number);
			expect(width / height).toBeGreaterThan(1.4);
			await ada.does('/imagine', { prompt: 'a tall tower', size: '2:3' }).sees({ text: /a tall tower/, pictures: 1 });
			const [narrow = 0, tall = 0] = String(JSON.parse(String(service.requests[1]?.body)).size)
				.split('x')
				.map(Number);
			expect(tall / narrow).toBeGreaterThan(1.4);
		});

		test('posts four variations, PNG, JPEG or GIF, in one message, unchanged and each with its alt text', async ({
			service,
			ada,
			usageToday,
		}) => {
			const files = await Promise.all(['#111111', '#222222', '#333333', '#444444'].map((colour) => smallPng(colour)));
			files[2] = await sharp(files[2]).gif().toBuffer();
			files[3] = await sharp(files[3]).jpeg().toBuffer();
			service.next(answersPictures(...files));
			const { pictures } = await ada.does('/imagine', { prompt: 'dots', n: 4 }).sees({ pictures: 4 });
			expect(pictures.map(({ alt }) => alt)).toEqual([
				'dots (1 of 4)',
				'dots (2 of 4)',
				'dots (3 of 4)',
				'dots (4 of 4)',
			]);
			expect(pictures.map(({ bytes }) => Buffer.from(bytes))).toEqual(files);
			expect(JSON.parse(String(service.requests[0]?.body))).toMatchObject({ prompt: 'dots', n: 4 });
			expect(await usageToday()).toBe(1);
		});

		test('sends the file of an edit, and the files of a composition in their order', async ({
			service,
			ada,
			composePath,
		}) => {
			const [red, green, blue] = await Promise.all([pngFile('#ff0000'), pngFile('#00ff00'), pngFile('#0000ff')]);
			await ada.does('/edit', { image: red, prompt: 'make it night' }).sees({ text: /make it night/, pictures: 1 });
			const pictures = { image1: red, image2: green, image3: blue };
			await ada.does('/compose', { ...pictures, prompt: 'side by side' }).sees({ text: /side by side/, pictures: 1 });

			const [edit, compose] = service.requests;
			expect(edit?.path).toBe('/v1/images/edits');
			expectContained(edit, red.bytes, Buffer.from('make it night'));
			expect(compose?.path).toBe(composePath);
			expectInOrder(compose, red.bytes, green.bytes, blue.bytes);
		});

		test('is visible only to the requester when it is private', async ({ ada, bjorn }) => {
			await ada.does('/imagine', { prompt: 'a secret', private: true }).sees({ pictures: 1, private: true });
			await ada.does('/imagine', { prompt: 'for all' }).sees({ pictures: 1, private: false });
			const seen = (await bjorn.looks()).map(({ text }) => text).join('\n');
			expect(seen).toContain('for all');
			expect(seen).not.toContain('a secret');
		});

		test('stays private when a private result is edited', async ({ ada, bjorn }) => {
			const first = await ada.does('/imagine', { prompt: 'for me alone', private: true }).sees({ pictures: 1 });
			const form = await ada.presses('Edit', first).opens('Edit image');
			await ada.fillsIn(form, { prompt: 'at night' }).sees({ text: /at night/, pictures: 1, private: true });
			expect((await bjorn.looks()).filter(({ text }) => /at night/.test(text))).toEqual([]);
		});

		test('is sent once when it is delivered twice', async ({ service, ada, usageToday }) => {
			const { behaviour, release } = held(answersPictures(await smallPng()));
			service.next(behaviour);
			const first = ada.does('/imagine', { prompt: 'once' }, 'twice-delivered');
			await service.arrived(1);
			await ada.does('/imagine', { prompt: 'once' }, 'twice-delivered');
			release();
			await first.sees({ pictures: 1 });
			await ada.does('/imagine', { prompt: 'once' }, 'twice-delivered');
			expect(await usageToday()).toBe(1);
			expect(service.requests).toHaveLength(1);
			expect((await ada.looks()).filter(({ text }) => text.includes('once'))).toHaveLength(1);
		});

		test('keeps its answer when a second delivery is refused', async ({ ada }) => {
			const first = ada.does('/imagine', { prompt: 'mine' }, 'refused-later');
			const result = await first.sees({ pictures: 1 });
			await ada.does('/imagine', { prompt: 'x'.repeat(2001) }, 'refused-later');
			await ada.does('/usage').sees(/You today: 1/);
			expect((await ada.looks()).filter(({ text }) => /mine|at most 2000/.test(text))).toEqual([result]);
		});

		test('is cancelled by the requester or a moderator, and says what it cost', async ({
			service,
			ada,
			bjorn,
			usageToday,
		}) => {
			await ada.does('/limits settings', { at_once: 1 }).sees(/at once/);
			service.next(held(answersPictures(await smallPng())).behaviour);
			const first = ada.does('/imagine', { prompt: 'slow' });
			const running = await first.sees({ text: /Drawing/, buttons: ['Cancel'] });
			await service.arrived(1);
			const second = ada.does('/imagine', { prompt: 'waits' });
			await bjorn.presses('Cancel', running).sees({ text: /Only the person who asked/, private: true });
			await ada.presses('Cancel', await second.sees({ text: /next in line/, buttons: ['Cancel'] }));
			await second.sees({ text: /Cancelled\. Nothing was counted/, buttons: ['Again'] });
			await ada.presses('Cancel', running);
			const cancelled = await first.sees(/Cancelled\. The call stays counted/);
			expect(cancelled.id).toBe(running.id);
			expect(await usageToday()).toBe(1);

			const { behaviour, release } = held(answersPictures(await smallPng()));
			service.next(behaviour);
			const other = bjorn.does('/imagine', { prompt: 'of a member' });
			await ada.presses('Cancel', await other.sees(/Drawing/));
			await other.sees(/A moderator cancelled this/);
			release();
			expect(service.requests.length).toBeLessThanOrEqual(2);
		});

		test('reports a restart in the same message; the call stays counted and is not sent again', async ({
			service,
			harness,
			ada,
			usageToday,
		}) => {
			service.next(held(answersPictures(await smallPng())).behaviour);
			const imagine = ada.does('/imagine', { prompt: 'unfinished' });
			const status = await imagine.sees(/Drawing/);
			await service.arrived(1);
			await harness.restart();
			const answer = await imagine.sees(/stopped|did not answer/);
			expect(answer.id).toBe(status.id);
			expect(answer.text).toMatch(/stays counted/);
			expect(service.requests).toHaveLength(1);
			expect(await usageToday()).toBe(1);
		});
	});

	test('/models lists the models of the service', async ({ service, ada }) => {
		service.next(answers(200, '{"data":[{"id":"alpha-image"},{"id":"beta"}]}', { 'content-type': 'application/json' }));
		await ada.does('/models').sees({ text: /alpha-image.*beta/s, private: true });
	});
}
