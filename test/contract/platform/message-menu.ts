import { describe, expect } from 'vitest';
import { fieldNames, formText } from '../../../packages/fakes/src/form-inputs.ts';
import { pngFile } from '../../../packages/fakes/src/pictures.ts';
import { answersPictures, smallPng } from '../../../packages/fakes/src/service.ts';
import type { SeenMessage } from '../../../packages/fakes/src/test-user.ts';
import { withMark } from '../../../src/pictures/marks.ts';
import { signedPng } from '../../harness/signed-pictures.ts';
import type { ContractTest } from './contract-test.ts';
import { expectContained, expectInOrder, indexesIn } from './request-body.ts';

/** Tests the menu of messages with pictures. */
export function messageMenu(test: ContractTest): void {
	describe('the menu of a message', () => {
		test('edits the picture of any message', async ({ service, ada, bjorn }) => {
			const file = await pngFile('#7f8c8d');
			await bjorn.says('look at my drawing', [file]);
			const message = (await ada.looks()).find(({ text }) => text.includes('look at my drawing'));
			if (!message) throw new Error('The message is not there');
			const form = await ada.chooses('Edit image', message).opens('Edit image');
			await ada.fillsIn(form, { prompt: 'ink it' }).sees({ text: /ink it/, pictures: 1 });
			expectContained(service.requests[0], file.bytes);
		});

		test('says who made a picture, also when somebody posts it again', async ({
			service,
			ada,
			bjorn,
			shareMessage,
		}) => {
			const png = await smallPng('#7f8c8d');
			service.next(answersPictures(png));
			const result = await ada.does('/imagine', { prompt: 'a pond', model: 'beta' }).sees({ pictures: 1 });
			const facts = { text: /Asked for by Ada.*Words: a pond.*Model: beta.*Size: \d+ × \d+.*Made /s, private: true };
			await bjorn.chooses('About this picture', result).sees(facts);
			const again = await shareMessage('look at this', { name: 'again.png', bytes: png });
			await ada.chooses('About this picture', again).sees(facts);
			const drawing = await shareMessage('my own', await pngFile('#f1c40f'));
			await ada
				.chooses('About this picture', drawing)
				.sees({ text: /I know nothing about this picture/, private: true });

			service.next(answersPictures(await smallPng('#123456')));
			const secret = await ada
				.does('/imagine', { prompt: 'a secret', private: true })
				.sees({ pictures: 1, private: true });
			const leaked = await shareMessage('leaked', { name: 'leak.png', bytes: secret.pictures[0]?.bytes ?? png });
			await bjorn.chooses('About this picture', leaked).sees(/I know nothing about this picture/);
		});

		test('says what a picture says of its making', async ({ service, ada, shareMessage }) => {
			const png = await smallPng('#7f8c8d');
			const shared = (text: string, ...pictures: Uint8Array[]) =>
				shareMessage(text, ...pictures.map((bytes, index) => ({ name: `${index}.png`, bytes })));
			const [signed, marked] = [signedPng(png), withMark(png, 'algorithmicMedia')];
			const says: [SeenMessage, RegExp][] = [
				[await shared('one', signed), /I know nothing about this picture.*Signed: .*\(C2PA\)\. I did not verify them/s],
				[
					await shared('two', marked),
					/I know nothing.*Marked: .*machine made, changed or composed it \(algorithmicMedia\)/s,
				],
				[await shared('three', png), /I know nothing.*No mark: /s],
				[await shared('four', png, signed, png), /Picture 1, 3: No mark.*Picture 2: Signed/s],
			];
			for (const [message, words] of says) await ada.chooses('About this picture', message).sees(words);
			service.next(answersPictures(signed));
			const result = await ada.does('/imagine', { prompt: 'a pond' }).sees({ pictures: 1 });
			await ada.chooses('About this picture', result).sees(/Words: a pond.*Signed: /s);
		});

		test('composes the picture with one that is added to the edit, the message’s picture first', async ({
			service,
			ada,
			shareMessage,
		}) => {
			const [first, second] = [await pngFile('#7f8c8d'), await pngFile('#f1c40f')];
			const message = await shareMessage('look at my drawing', first);
			const form = await ada.chooses('Edit image', message).opens('Edit image');
			const sized = await ada
				.fillsIn(form, { prompt: 'ink it', size: '512x512' })
				.sees(/`size` is for compositions only/);
			const again = await ada.presses('Try again', sized).opens('Edit image');
			await ada.fillsIn(again, { image2: second }).sees({ text: /ink it/, pictures: 1 });
			expect(service.requests.map(({ path }) => path)).toEqual(['/v1/images/compose']);
			expectInOrder(service.requests[0], first.bytes, second.bytes);
		});

		test('composes the pictures of any message, after the references', async ({ service, ada, shareMessage }) => {
			const [sun, sea, boat] = [await smallPng('#d35400'), await pngFile('#2c3e50'), await pngFile('#ecf0f1')];
			service.next(answersPictures(sun));
			const result = await ada.does('/imagine', { prompt: 'a sun' }).sees({ pictures: 1 });
			await ada.presses('Use as reference', result).sees(/image 1/);
			const message = await shareMessage('the sea', sea);
			const form = await ada.chooses('Compose images', message).opens('Compose images');
			expect(fieldNames(form)).toEqual(['prompt', 'image3', 'size', 'private', 'n']);
			expect(formText(form)).toMatch(/Image 1: your reference\.\s+Image 2: from this message\./);
			await ada.fillsIn(form, { prompt: 'a boat at sunset', image3: boat }).sees({ text: /at sunset/, pictures: 1 });
			expectInOrder(service.requests[1], sun, sea.bytes, boat.bytes);
			// The tray is put away: one picture alone is none to compose.
			const next = await ada.chooses('Compose images', message).opens('Compose images');
			await ada.fillsIn(next, { prompt: 'with what?' }).sees({ text: /`image2` is missing/, private: true });
		});

		test('asks which pictures to compose when there are too many', async ({ service, ada, shareMessage }) => {
			const files = await Promise.all(['#111111', '#444444', '#888888', '#cccccc'].map((colour) => pngFile(colour)));
			const message = await shareMessage('four of them', ...files);
			const form = await ada.chooses('Compose images', message).opens('Compose images');
			const which = form.fields.find(({ name }) => /^which\b/.test(name));
			expect(which).toMatchObject({ kind: 'choices', choices: ['1', '2', '3', '4'], min: 1, max: 3 });
			const tooMany = { prompt: 'side by side', which: ['1', '2', '3'], image2: await pngFile() };
			const refused = await ada.fillsIn(form, tooMany).sees(/composition takes 2 to 3 pictures; you gave 4/);
			expect(service.requests).toEqual([]);
			const again = await ada.presses('Try again', refused).opens('Compose images');
			await ada.fillsIn(again, { which: ['4', '2'] }).sees({ text: /side by side/, pictures: 1 });
			const sent = indexesIn(service.requests[0], ...files.map(({ bytes }) => bytes));
			expect(sent.map((position) => position >= 0)).toEqual([false, true, false, true]);
			expect(sent[3]).toBeLessThan(sent[1] as number);
		});

		test('refuses pictures beyond three references, and messages without pictures', async ({
			service,
			ada,
			shareMessage,
		}) => {
			for (const colour of ['red', 'green', 'blue']) {
				service.next(answersPictures(await smallPng(colour)));
				const result = await ada.does('/imagine', { prompt: colour }).sees({ text: new RegExp(colour), pictures: 1 });
				await ada.presses('Use as reference', result).sees(/Saved for one hour as image/);
			}
			const message = await shareMessage('one more', await pngFile('#012345'));
			const full = { text: /already have 3 references/, buttons: ['Compose', 'Start over'] };
			await ada.chooses('Compose images', message).sees(full);
			const words = await shareMessage('only words');
			await ada.chooses('Compose images', words).sees({ text: /message has no picture/, private: true });
			await ada.chooses('Edit image', words).sees({ text: /message has no picture/, private: true });
		});
	});
}
