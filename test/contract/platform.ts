import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Form } from '../../src/domain/command.ts';
import { answersChat, chatOf, toldAnswer } from '../fakes/chat.ts';
import { type PictureFile, personAt, type TestUser } from '../fakes/person.ts';
import { animatedGif, hugePng, pixelBomb, pngFile, textFile, truncatedJpeg } from '../fakes/pictures.ts';
import {
	answers,
	answersPictures,
	diesAfterReading,
	diesWithinAnswer,
	type FaultyService,
	held,
	type RecordedRequest,
	smallPng,
	startFaultyService,
} from '../fakes/service.ts';

/** A platform with the whole of Easel behind it, as the people on it meet it. */
export type PlatformHarness = {
	/**
	 * Ada is a moderator, Björn is not.
	 * @param locale BCP 47, what they have set their client to; English where it is not said. To be given before they do anything
	 */
	user(person: 'ada' | 'bjorn', locale?: string): TestUser;
	/** Ends Easel as a signal does, with no patience for what runs, and starts it on the same records. */
	restart(): Promise<void>;
	close(): Promise<void>;
};

/** What every platform does, told as people see it. `open` starts Easel there, in front of the service at `serviceUrl`. */
export function platformContract(name: string, open: (serviceUrl: string) => Promise<PlatformHarness>) {
	describe(`on ${name}`, () => {
		let service: FaultyService;
		let harness: PlatformHarness;
		let ada: ReturnType<typeof personAt>;
		let bjorn: ReturnType<typeof personAt>;

		beforeEach(async () => {
			service = await startFaultyService();
			harness = await open(service.url);
			ada = personAt(harness.user('ada'));
			bjorn = personAt(harness.user('bjorn'));
		});
		afterEach(async () => {
			await harness.close();
			await service.close();
		});

		const usageToday = async () =>
			Number((await ada.does('/usage').sees(/You today/)).text.match(/You today: (\d+)/)?.[1]);

		/** A message of Björn's, as Ada sees it. */
		async function shared(text: string, ...files: PictureFile[]) {
			await bjorn.says(text, files);
			return ada.finds(new RegExp(text));
		}

		describe('a request for pictures', () => {
			test('shows a status at once, then the picture in the same message, as the bytes that the service sent', async () => {
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
				expect(result.buttons).toEqual(['Again', 'Edit', 'Use as reference', 'Delete']);
				expect(service.requests.map(({ path }) => path)).toEqual(['/v1/images/generations']);
			});

			test('four variations come in one message, each with its alt text', async () => {
				service.next(
					answersPictures(...(await Promise.all(['#111111', '#222222', '#333333', '#444444'].map((c) => smallPng(c))))),
				);
				const { pictures } = await ada.does('/imagine', { prompt: 'dots', n: 4 }).sees({ pictures: 4 });
				expect(pictures.map(({ alt }) => alt)).toEqual([
					'dots (1 of 4)',
					'dots (2 of 4)',
					'dots (3 of 4)',
					'dots (4 of 4)',
				]);
				expect(JSON.parse(String(service.requests[0]?.body))).toMatchObject({ prompt: 'dots', n: 4 });
				expect(await usageToday()).toBe(1);
			});

			test('an edit sends the file, a composition two or three in their order', async () => {
				const [red, green, blue] = await Promise.all([pngFile('#ff0000'), pngFile('#00ff00'), pngFile('#0000ff')]);
				await ada.does('/edit', { image: red, prompt: 'make it night' }).sees({ text: /make it night/, pictures: 1 });
				const pictures = { image1: red, image2: green, image3: blue };
				await ada.does('/compose', { ...pictures, prompt: 'side by side' }).sees({ text: /side by side/, pictures: 1 });

				const [edit, compose] = service.requests;
				expect(edit?.path).toBe('/v1/images/edits');
				expect(positions(edit, red.bytes, Buffer.from('make it night'))).not.toContain(-1);
				expect(compose?.path).toBe('/v1/images/compose');
				const order = positions(compose, red.bytes, green.bytes, blue.bytes);
				expect(order).not.toContain(-1);
				expect(order).toEqual(order.toSorted((a, b) => a - b));
			});

			test('a private one is seen by nobody else', async () => {
				await ada.does('/imagine', { prompt: 'a secret', private: true }).sees({ pictures: 1, private: true });
				await ada.does('/imagine', { prompt: 'for all' }).sees({ pictures: 1, private: false });
				const seen = (await bjorn.looks()).map(({ text }) => text).join('\n');
				expect(seen).toContain('for all');
				expect(seen).not.toContain('a secret');
			});

			test('what comes of a private one is private as well, unless it is said otherwise', async () => {
				const first = await ada.does('/imagine', { prompt: 'for me alone', private: true }).sees({ pictures: 1 });
				const form = await ada.presses('Edit', first).opens('Edit image');
				await ada.fillsIn(form, { prompt: 'at night' }).sees({ text: /at night/, pictures: 1, private: true });
				expect((await bjorn.looks()).filter(({ text }) => /at night/.test(text))).toEqual([]);
			});

			test('delivered twice it is made once', async () => {
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

			test('delivered twice and refused the second time, its answer stays as it was', async () => {
				const first = ada.does('/imagine', { prompt: 'mine' }, 'refused-later');
				const result = await first.sees({ pictures: 1 });
				await ada.does('/imagine', { prompt: 'x'.repeat(2001) }, 'refused-later');
				await ada.does('/usage').sees(/You today: 1/);
				expect((await ada.looks()).filter(({ text }) => /mine|at most 2000/.test(text))).toEqual([result]);
			});
		});

		describe('what goes wrong ends in one sentence', () => {
			test.each([
				[
					'the key is refused',
					401,
					'{"error":{"message":"bad key"}}',
					/does not accept this bot's key.*Nothing was counted/,
					0,
				],
				['the plan is used up', 402, '{"error":"no balance"}', /plan .* used up.*Nothing was counted/, 0],
				[
					'the prompt is refused',
					400,
					'{"error":{"message":"Against the rules","code":"content_policy_violation"}}',
					/content rules.*Nothing was counted/,
					0,
				],
				['too many ask', 429, '{"message":"slow down"}', /busy.*Nothing was counted/, 0],
				['the service fails', 500, '<html>oops</html>', /failed \(status 500\).*Nothing was counted/, 0],
				['a gateway gives up', 502, '<html>oops</html>', /failed \(status 502\).*stays counted/, 1],
				['the answer is no picture', 200, '{"data":[{"b64_json":"bm8gcGljdHVyZQ=="}]}', /no picture.*stays counted/, 1],
			])('when %s', async (_, status, body, sentence, counted) => {
				service.next(answers(status, body, { 'content-type': 'application/json' }));
				const answer = await ada.does('/imagine', { prompt: 'a fox' }).sees(sentence);
				expect(answer.pictures).toEqual([]);
				expect(service.requests).toHaveLength(1);
				expect(await usageToday()).toBe(counted);
			});

			test('when the connection dies after the request was taken: it is counted, not sent again, and can be asked anew', async () => {
				service.next(diesAfterReading);
				const answer = await ada.does('/imagine', { prompt: 'a fox' }).sees(/nobody knows.*stays counted/);
				expect(service.requests).toHaveLength(1);
				await ada.presses('Again', answer).sees({ text: /a fox/, pictures: 1 });
				expect(service.requests).toHaveLength(2);
				expect(await usageToday()).toBe(2);
			});

			test('when an error answer is cut off', async () => {
				service.next(diesWithinAnswer('{"error":{"message":"no bal', 402));
				await ada.does('/imagine', { prompt: 'a fox' }).sees(/no whole answer.*stays counted/);
				expect(await usageToday()).toBe(1);
			});

			test('when the service is gone: nothing is counted', async () => {
				await service.close();
				await ada.does('/imagine', { prompt: 'a fox' }).sees(/can't be reached.*Nothing was counted/);
				expect(await usageToday()).toBe(0);
			});
		});

		describe('bad input gets a sentence, costs nothing, and the next request works', () => {
			test.each([
				['nothing at all', async () => ({}), /`prompt` is missing/],
				['only spaces', async () => ({ prompt: '   ' }), /`prompt` is (empty|missing)/],
				['2001 characters', async () => ({ prompt: 'x'.repeat(2001) }), /2001 characters; at most 2000/],
				['five variations', async () => ({ prompt: 'a fox', n: 5 }), /`n` is at most 4/],
				['a size that is none', async () => ({ prompt: 'a fox', size: 'huge' }), /`size` is width x height/],
			])('/imagine with %s', async (_, options, sentence) => {
				await ada.does('/imagine', await options()).sees({ text: sentence, private: true });
				expect(service.requests).toEqual([]);
				await ada.does('/imagine', { prompt: 'a fox' }).sees({ pictures: 1 });
				expect(await usageToday()).toBe(1);
			});

			test.each([
				['no picture', undefined, /`image` is missing/],
				['a text named .png', async () => textFile, /not a picture/],
				['half a JPEG', truncatedJpeg, /damaged|ends too early/],
				['60,000 × 60,000 pixels', pixelBomb, /60000 × 60000|60,000 × 60,000/],
				['more than 10 MB', hugePng, /1\d\.\d MB.*10 MB/],
			])('/edit with %s', async (_, file, sentence) => {
				await ada.does('/edit', { prompt: 'brighter', ...(file && { image: await file() }) }).sees(sentence);
				expect(service.requests).toEqual([]);
				await ada.does('/edit', { prompt: 'brighter', image: await pngFile() }).sees({ pictures: 1 });
				expect(await usageToday()).toBe(1);
			});

			test('of an animation the first frame is taken', async () => {
				await ada.does('/edit', { prompt: 'brighter', image: await animatedGif() }).sees({ pictures: 1 });
				expect(positions(service.requests[0], PNG_SIGNATURE)).not.toContain(-1);
			});
		});

		describe('the buttons under a result', () => {
			test('Again asks for the same once more, with the same picture', async () => {
				const image = await pngFile('#8e44ad');
				const first = await ada.does('/edit', { image, prompt: 'older' }).sees({ pictures: 1 });
				const second = await bjorn.presses('Again', first).sees({ text: /older.*for Björn/s, pictures: 1 });
				expect(second.id).not.toBe(first.id);
				expect(positions(service.requests[1], image.bytes, Buffer.from('older'))).not.toContain(-1);
				expect(await usageToday()).toBe(1);
			});

			test('Edit opens a form, whose instruction is done to this picture', async () => {
				const png = await smallPng('#16a085');
				service.next(answersPictures(png));
				const result = await ada.does('/imagine', { prompt: 'a pond' }).sees({ pictures: 1 });
				const form = await ada.presses('Edit', result).opens('Edit image');
				expect(inputsOf(form)).toEqual(expect.arrayContaining(['prompt', 'image2', 'image3', 'size', 'private', 'n']));
				await ada.fillsIn(form, { prompt: 'add a frog' }).sees({ text: /add a frog/, pictures: 1 });
				expect(service.requests[1]?.path).toBe('/v1/images/edits');
				expect(positions(service.requests[1], png)).not.toContain(-1);
			});

			test('Edit on several pictures asks which', async () => {
				const pngs = await Promise.all([smallPng('#111111'), smallPng('#eeeeee')]);
				service.next(answersPictures(...pngs));
				const result = await ada.does('/imagine', { prompt: 'dots', n: 2 }).sees({ pictures: 2 });
				const form = await ada.presses('Edit', result).opens('Edit image');
				expect(form.fields[0]).toMatchObject({ name: 'which', kind: 'choice', choices: ['1', '2'] });
				await ada.fillsIn(form, { which: '2', prompt: 'larger' }).sees({ text: /larger/, pictures: 1 });
				expect(positions(service.requests[1], pngs[1] as Buffer)).not.toContain(-1);
			});

			test('Use as reference gathers pictures for a composition', async () => {
				const pngs = await Promise.all([smallPng('#d35400'), smallPng('#2c3e50')]);
				service.next(answersPictures(pngs[0] as Buffer), answersPictures(pngs[1] as Buffer));
				const first = await ada.does('/imagine', { prompt: 'a sun' }).sees({ pictures: 1 });
				const second = await ada.does('/imagine', { prompt: 'a sea' }).sees({ pictures: 1 });
				await ada.presses('Use as reference', first).sees({ text: /image 1 of your next composition/, private: true });
				const tray = await ada.presses('Use as reference', second).sees(/image 2 of your next composition/);
				const form = await ada.presses('Compose', tray).opens('Compose images');
				expect(inputsOf(form)).toEqual(['prompt', 'image3', 'size', 'private', 'n']);
				await ada.fillsIn(form, { prompt: 'the sun over the sea' }).sees({ text: /sun over the sea/, pictures: 1 });
				const order = positions(service.requests[2], ...pngs);
				expect(order).not.toContain(-1);
				expect(order[0]).toBeLessThan(order[1] as number);
			});

			test('one reference and a file compose as well; what is wrong in the form costs no reference', async () => {
				const result = await ada.does('/imagine', { prompt: 'a sun' }).sees({ pictures: 1 });
				const tray = await ada.presses('Use as reference', result).sees(/image 1/);
				const form = await ada.presses('Compose', tray).opens('Compose images');
				const refused = await ada.fillsIn(form, { prompt: 'with what?' }).sees(/`image2` is missing/);
				const again = await ada.presses('Try again', refused).opens('Compose images');
				expect(again.values).toMatchObject({ prompt: 'with what?' });
				await ada.fillsIn(again, { image2: await pngFile() }).sees({ text: /with what/, pictures: 1 });
			});

			test('a form that could not be taken keeps its words and its pictures', async () => {
				const [png, file] = [await smallPng('#16a085'), await pngFile('#c0392b')];
				service.next(answersPictures(png));
				const result = await ada.does('/imagine', { prompt: 'a pond' }).sees({ pictures: 1 });
				const form = await ada.presses('Edit', result).opens('Edit image');
				const wrong = { prompt: 'put them together', size: 'huge', image2: file };
				const refused = await ada.fillsIn(form, wrong).sees({ text: /`size` is width x height/, private: true });
				const again = await ada.presses('Try again', refused).opens('Edit image');
				expect(again.values).toMatchObject({ prompt: 'put them together', size: 'huge' });
				const stillWrong = await ada.fillsIn(again, { size: '9x9' }).sees(/`size` is width x height/);
				const third = await ada.presses('Try again', stillWrong).opens('Edit image');
				await ada.fillsIn(third, { size: '512x512' }).sees({ text: /put them together/, pictures: 1 });
				expect(service.requests[1]?.path).toBe('/v1/images/compose');
				const order = positions(service.requests[1], png, file.bytes);
				expect(order).not.toContain(-1);
				expect(order).toEqual(order.toSorted((a, b) => a - b));
			});

			test('Delete is for who asked and for moderators', async () => {
				const result = await bjorn.does('/imagine', { prompt: 'a mistake' }).sees({ pictures: 1 });
				const other = await ada.does('/imagine', { prompt: 'a keeper' }).sees({ pictures: 1 });
				await bjorn.presses('Delete', other).sees({ text: /Only who asked/, private: true });
				await bjorn.presses('Delete', result);
				await ada.does('/usage').sees(/You today/);
				const left = (await ada.looks()).map(({ text }) => text).join('\n');
				expect(left).toContain('a keeper');
				expect(left).not.toContain('a mistake');
			});

			test('any message with a picture can be edited from its menu', async () => {
				const file = await pngFile('#7f8c8d');
				await bjorn.says('look at my drawing', [file]);
				const message = (await ada.looks()).find(({ text }) => text.includes('look at my drawing'));
				if (!message) throw new Error('The message is not there');
				const form = await ada.chooses('Edit image', message).opens('Edit image');
				await ada.fillsIn(form, { prompt: 'ink it' }).sees({ text: /ink it/, pictures: 1 });
				expect(positions(service.requests[0], file.bytes)).not.toContain(-1);
			});

			test('an edit to which a picture is added is a composition, the message’s picture first', async () => {
				const [first, second] = [await pngFile('#7f8c8d'), await pngFile('#f1c40f')];
				const message = await shared('look at my drawing', first);
				const form = await ada.chooses('Edit image', message).opens('Edit image');
				const sized = await ada.fillsIn(form, { prompt: 'ink it', size: '512x512' }).sees(/`size` is for several/);
				const again = await ada.presses('Try again', sized).opens('Edit image');
				await ada.fillsIn(again, { image2: second }).sees({ text: /ink it/, pictures: 1 });
				expect(service.requests.map(({ path }) => path)).toEqual(['/v1/images/compose']);
				const order = positions(service.requests[0], first.bytes, second.bytes);
				expect(order).not.toContain(-1);
				expect(order).toEqual(order.toSorted((a, b) => a - b));
			});

			test('any message’s pictures can be composed from its menu, after what is on the tray', async () => {
				const [sun, sea, boat] = [await smallPng('#d35400'), await pngFile('#2c3e50'), await pngFile('#ecf0f1')];
				service.next(answersPictures(sun));
				const result = await ada.does('/imagine', { prompt: 'a sun' }).sees({ pictures: 1 });
				await ada.presses('Use as reference', result).sees(/image 1/);
				const message = await shared('the sea', sea);
				const form = await ada.chooses('Compose images', message).opens('Compose images');
				expect(inputsOf(form)).toEqual(['prompt', 'image3', 'size', 'private', 'n']);
				expect(wordsOf(form)).toMatch(/Image 1: your reference\.\s+Image 2: from this message\./);
				await ada.fillsIn(form, { prompt: 'a boat at sunset', image3: boat }).sees({ text: /at sunset/, pictures: 1 });
				const order = positions(service.requests[1], sun, sea.bytes, boat.bytes);
				expect(order).not.toContain(-1);
				expect(order).toEqual(order.toSorted((a, b) => a - b));
				// The tray is put away: one picture alone is none to compose.
				const next = await ada.chooses('Compose images', message).opens('Compose images');
				await ada.fillsIn(next, { prompt: 'with what?' }).sees({ text: /`image2` is missing/, private: true });
			});

			test('of more pictures than fit, some are chosen', async () => {
				const files = await Promise.all(['#111111', '#444444', '#888888', '#cccccc'].map((colour) => pngFile(colour)));
				const message = await shared('four of them', ...files);
				const form = await ada.chooses('Compose images', message).opens('Compose images');
				const which = form.fields.find(({ name }) => /^which\b/.test(name));
				expect(which).toMatchObject({ kind: 'choices', choices: ['1', '2', '3', '4'], min: 1, max: 3 });
				const tooMany = { prompt: 'side by side', which: ['1', '2', '3'], image2: await pngFile() };
				const refused = await ada.fillsIn(form, tooMany).sees(/makes 4 pictures; a composition takes two or three/);
				expect(service.requests).toEqual([]);
				const again = await ada.presses('Try again', refused).opens('Compose images');
				await ada.fillsIn(again, { which: ['4', '2'] }).sees({ text: /side by side/, pictures: 1 });
				const sent = positions(service.requests[0], ...files.map(({ bytes }) => bytes));
				expect(sent.map((position) => position >= 0)).toEqual([false, true, false, true]);
				expect(sent[3]).toBeLessThan(sent[1] as number);
			});

			test('a full tray leaves no room for a message’s pictures; a message without any has none', async () => {
				for (const colour of ['red', 'green', 'blue']) {
					service.next(answersPictures(await smallPng(colour)));
					const result = await ada.does('/imagine', { prompt: colour }).sees({ text: new RegExp(colour), pictures: 1 });
					await ada.presses('Use as reference', result).sees(/Kept as image/);
				}
				const message = await shared('one more', await pngFile('#012345'));
				const full = { text: /chosen 3 references already/, buttons: ['Compose', 'Start over'] };
				await ada.chooses('Compose images', message).sees(full);
				const words = await shared('only words');
				await ada.chooses('Compose images', words).sees({ text: /no picture in this message/, private: true });
				await ada.chooses('Edit image', words).sees({ text: /no picture in this message/, private: true });
			});

			test('they work after a restart', async () => {
				const image = await pngFile();
				const result = await ada.does('/edit', { image, prompt: 'older' }).sees({ pictures: 1 });
				await harness.restart();
				await ada.presses('Again', result).sees({ text: /older/, pictures: 1 });
				expect(positions(service.requests[1], image.bytes)).not.toContain(-1);
			});
		});

		describe('a restart in the middle', () => {
			test('says so in the same message, and what was sent stays counted and is not sent again', async () => {
				service.next(held(answersPictures(await smallPng())).behaviour);
				const imagine = ada.does('/imagine', { prompt: 'unfinished' });
				const status = await imagine.sees(/Drawing/);
				await service.arrived(1);
				await harness.restart();
				const answer = await imagine.sees(/stopped|nobody knows/);
				expect(answer.id).toBe(status.id);
				expect(answer.text).toMatch(/stays counted/);
				expect(service.requests).toHaveLength(1);
				expect(await usageToday()).toBe(1);
			});
		});

		describe('caps', () => {
			const server = (images: number) => ({ scope: 'server', period: 'day', images });

			test('refuse with their name, what is used and when they start anew; nothing is sent', async () => {
				await ada.does('/limits set', server(1)).sees({ text: /Set: this server: 1 call a day/, private: true });
				const first = await bjorn.does('/imagine', { prompt: 'the only one' }).sees({ pictures: 1 });
				expect(first.text).toMatch(/0 of 1 left today/);
				await ada
					.does('/imagine', { prompt: 'one too many' })
					.sees({ text: /This server has used 1 of 1 call today\. A new day starts/, private: true });
				expect(service.requests).toHaveLength(1);
			});

			test('are given back what failed', async () => {
				await ada.does('/limits set', server(1)).sees(/Set/);
				service.next(answers(429));
				await ada.does('/imagine', { prompt: 'the first try' }).sees(/busy/);
				await ada.does('/imagine', { prompt: 'now it works' }).sees({ pictures: 1 });
			});

			test('hold when everybody asks at once', async () => {
				await ada.does('/limits set', server(3)).sees(/Set/);
				await Promise.all(
					Array.from({ length: 12 }, (_, index) =>
						(index % 2 ? ada : bjorn).does('/imagine', { prompt: `number ${index}` }),
					),
				);
				const answers = async () => {
					const all = [...(await ada.looks()), ...(await bjorn.looks()).filter((message) => message.private)];
					return {
						pictures: all.filter(({ pictures }) => pictures.length > 0).length,
						refusals: all.filter(({ text }) => text.includes('has used 3 of 3')).length,
					};
				};
				await expect.poll(answers, { timeout: 10_000 }).toEqual({ pictures: 3, refusals: 9 });
				expect(service.requests).toHaveLength(3);
			});

			test('are for moderators to set, and are shown, changed and taken away', async () => {
				await bjorn.does('/limits set', server(100)).sees({ text: /Only moderators/, private: true });
				await ada
					.does('/limits set', { scope: 'member', period: 'month', images: 20 })
					.sees(/every member: 20 calls a month/);
				await ada.does('/limits set', { ...server(5), period: 'month' }).sees(/Set/);
				await ada.does('/limits set', { ...server(9), period: 'month' }).sees(/Set/);
				const shown = await ada.does('/limits show').sees({ text: /Caps/, private: true });
				expect(shown.text).toMatch(/every member: 20 calls a month.*this server: 9 calls a month.*limits set/s);
				expect(shown.text).not.toContain('5 calls');
				await ada.does('/limits clear', { scope: 'server', period: 'month' }).sees(/Taken away: this server: 9/);
				await ada.does('/limits clear', { scope: 'server', period: 'month' }).sees(/no such cap/);
			});

			test.each([
				[
					'a scope that is none',
					{ scope: 'planet', period: 'day', images: 1 },
					/`scope` is one of server, channel, role, member/,
				],
				['less than nothing', server(-1), /`images` is at least 0/],
				['a role without its name', { scope: 'role', period: 'day', images: 1 }, /`role` is missing/],
				['nothing', {}, /is missing/],
			])('/limits set with %s changes nothing', async (_, options, sentence) => {
				await ada.does('/limits set', options).sees({ text: sentence, private: true });
				await ada.does('/limits show').sees(/No caps are set/);
			});

			test('/limits overage, settings and block do as they say', async () => {
				await ada.does('/limits overage', { usd: '2.50' }).sees(/at most 2\.50 USD a month/);
				await ada.does('/limits overage', { usd: 'lots' }).sees(/`usd` is an amount/);
				await ada.does('/limits settings', { time_zone: 'Mars/Olympus' }).sees(/not a time zone/);
				await ada.does('/limits settings', { time_zone: 'Europe/Berlin', at_once: 1 }).sees(/Europe\/Berlin/);
			});

			test('/limits report tells who used what, with a chart and a CSV file', async () => {
				await bjorn.does('/imagine', { prompt: 'a pond' }).sees({ pictures: 1 });
				await bjorn.does('/imagine', { prompt: 'a frog' }).sees({ pictures: 1 });
				const report = await ada.does('/limits report').sees({ text: /Björn/, private: true });
				expect(report.pictures).toHaveLength(1);
				expect(report.files).toEqual([expect.stringMatching(/^usage-\d{4}-\d\d\.csv$/)]);
				expect(report.pictures[0]?.alt).toMatch(/2/);
				await ada.does('/limits report', { month: 'last' }).sees(/`month` is a month such as/);
			});
		});

		describe('a chat thread', () => {
			/** Opens a thread in which the model has said this, with both people in it. */
			async function thread(options: Record<string, string | boolean> = { prompt: 'Tell me of foxes' }) {
				service.next(answersChat('Foxes are small and red.'));
				await ada.does('/chat', options);
				for (const person of [ada, bjorn]) await person.enters(/foxes/);
				return ada.finds({ text: /small and red/, buttons: AFTER });
			}
			const AFTER = ['Retry', 'Draw this', 'Forget'];
			const chats = () => service.requests.filter(({ path }) => path === '/v1/chat/completions');
			const lastSaid = () => chatOf(chats().at(-1)).said.at(-1)?.content;
			const allSaid = () =>
				chatOf(chats().at(-1))
					.said.map(({ content }) => content)
					.join('\n');

			test('opens on a prompt, whose answer grows in one message', async () => {
				const answer = toldAnswer();
				service.next(answer.behaviour);
				await ada.does('/chat', { prompt: 'Tell me of foxes', model: 'alpha3.6-35b' });
				await ada.enters(/Tell me of foxes/);
				await ada.finds(/forget.*draw/s);
				await answer.says('Foxes are ');
				const first = await ada.finds({ text: /Foxes are/, buttons: ['Stop'] });
				await answer.says('small and ');
				await ada.finds(/Foxes are small and/);
				await answer.says('red.');
				await answer.ends();
				const whole = await ada.finds({ text: /^Foxes are small and red\.$/, buttons: AFTER });
				expect(whole.id).toBe(first.id);

				const { model, system, said } = chatOf(chats()[0]);
				expect(model).toBe('alpha3.6-35b');
				expect(system).toMatch(/Easel.*can neither draw/s);
				expect(said).toEqual([{ role: 'user', content: 'Ada: Tell me of foxes' }]);
			});

			test('is private on request: nobody else sees it, also one that is opened from within', async () => {
				service.next(answersChat('Between us.'), answersChat('This too.'), answersChat('And this.'));
				await ada.does('/chat', { prompt: 'Tell me a secret', private: true });
				await ada.enters(/Tell me a secret/);
				await ada.finds({ text: /^Between us\.$/, buttons: AFTER });
				await ada.says('Go on').sees(/This too/);
				await ada.does('/chat', { prompt: 'Another secret', private: true });
				await ada.enters(/Another secret/);
				await ada.finds({ text: /And this/, buttons: AFTER });
				expect(await harness.user('ada').threads()).toHaveLength(2);
				expect(await harness.user('bjorn').threads()).toEqual([]);
				expect(await bjorn.looks()).toEqual([]);
				ada.leaves();
				expect((await ada.looks()).every((message) => message.private)).toBe(true);
			});

			test('goes on with its history, each word under the name of who said it, also after a restart', async () => {
				await thread();
				service.next(answersChat('Mostly mice.'));
				await bjorn.says('What do they eat?').sees(/Mostly mice/);
				await harness.restart();
				service.next(answersChat('In dens.'));
				await ada.says('And where do they live?').sees(/In dens/);
				expect(chatOf(chats().at(-1)).said).toEqual([
					{ role: 'user', content: 'Ada: Tell me of foxes' },
					{ role: 'assistant', content: 'Foxes are small and red.' },
					{ role: 'user', content: 'Björn: What do they eat?' },
					{ role: 'assistant', content: 'Mostly mice.' },
					{ role: 'user', content: 'Ada: And where do they live?' },
				]);
			});

			test('answers one turn at a time: what is written meanwhile joins the next', async () => {
				await thread();
				const answer = toldAnswer();
				service.next(answer.behaviour, answersChat('Both of you are right.'));
				await ada.says('Are they cats?');
				await answer.says('They are ');
				await ada.finds({ text: /They are/, buttons: ['Stop'] });
				await ada.says('Or dogs?');
				await bjorn.says('Surely dogs.');
				expect(chats()).toHaveLength(2);
				await answer.says('canines.');
				await answer.ends();
				await ada.finds(/Both of you are right/);
				expect(chats()).toHaveLength(3);
				expect(lastSaid()).toBe('Ada: Or dogs?\n\nBjörn: Surely dogs.');
			});

			test('takes quick follow-ups as one turn', async () => {
				await thread();
				service.next(answersChat('Two things at once.'));
				await Promise.all([ada.says('One thing.'), ada.says('Another thing.')]);
				await ada.finds(/Two things at once/);
				expect(chats()).toHaveLength(2);
				expect(lastSaid()).toMatch(/One thing/);
				expect(lastSaid()).toMatch(/Another thing/);
			});

			test('waits for no other thread', async () => {
				await thread();
				const held = toldAnswer();
				service.next(held.behaviour, answersChat('Hello in here.'));
				await ada.says('A long story, please');
				await service.arrived(2);
				bjorn.leaves();
				await bjorn.does('/chat', { prompt: 'Good morning' });
				await bjorn.enters(/Good morning/);
				await bjorn.finds(/Hello in here/);
				await held.says('Once upon a time.');
				await held.ends();
				await ada.finds(/Once upon a time/);
			});

			test('is stopped by whom it answers: the service is let go, what came is kept, and Retry replaces it', async () => {
				await thread();
				const answer = toldAnswer();
				service.next(answer.behaviour);
				await ada.says('A long story, please');
				await answer.says('Once upon a time');
				const running = await ada.finds({ text: /Once upon/, buttons: ['Stop'] });
				await bjorn.presses('Stop', running).sees({ text: /Only whom this answers/, private: true });
				await ada.presses('Stop', running);
				await answer.left;
				const stopped = await ada.finds({ text: /Once upon a time\n\n\*Stopped\.\*/, buttons: AFTER });
				expect(stopped.id).toBe(running.id);

				service.next(answersChat('A short one.'));
				await ada.presses('Retry', stopped);
				const anew = await ada.finds({ text: /^A short one\.$/, buttons: AFTER });
				expect(anew.id).toBe(running.id);
				expect(lastSaid()).toBe('Ada: A long story, please');
				expect(allSaid()).not.toContain('Once upon');
			});

			test('says in a sentence why there is no answer, and can be asked anew', async () => {
				service.next(answers(503, '', { 'retry-after': '7' }));
				await ada.does('/chat', { prompt: 'Tell me of foxes' });
				await ada.enters(/foxes/);
				const failed = await ada.finds({ text: /busy\. Try again in 7 s\. Nothing was counted/, buttons: ['Retry'] });
				service.next(answersChat('Here they are.'));
				await ada.presses('Retry', failed);
				const answer = await ada.finds(/Here they are/);
				expect(answer.id).toBe(failed.id);
				expect(answer.text).not.toMatch(/busy/);
			});

			test('keeps the text of a stream that breaks off, and says so', async () => {
				const answer = toldAnswer();
				service.next(answer.behaviour);
				await ada.does('/chat', { prompt: 'Tell me of foxes' });
				await ada.enters(/foxes/);
				await answer.says('Foxes are');
				await ada.finds(/Foxes are/);
				await answer.breaks();
				await ada.finds({ text: /Foxes are\n\n\*The answer breaks off here\.\*/, buttons: AFTER });
			});

			test('marks what a restart has cut off, with Retry', async () => {
				await thread();
				const answer = toldAnswer();
				service.next(answer.behaviour);
				await ada.says('A long story, please');
				await answer.says('Once upon a time');
				const running = await ada.finds(/Once upon/);
				await harness.restart();
				const cut = await ada.finds({ text: /Once upon a time\n\n\*Interrupted/, buttons: AFTER });
				expect(cut.id).toBe(running.id);
				service.next(answersChat('The end.'));
				await ada.presses('Retry', cut);
				expect((await ada.finds(/^The end\.$/)).id).toBe(running.id);
			});

			test.each(['button', 'word'])('forgets what was said, by a %s', async (how) => {
				const answer = await thread();
				await (how === 'word' ? bjorn.says('forget') : bjorn.presses('Forget', answer));
				await ada.finds({ text: /^Forgotten/, private: false });
				service.next(answersChat('Who knows.'));
				await ada.says('What were we talking of?').sees(/Who knows/);
				expect(allSaid()).toBe('Ada: What were we talking of?');
			});

			test('leaves alone what is said to somebody else', async () => {
				await thread();
				await ada.says('@Björn did you know that?');
				service.next(answersChat('Good.'));
				await bjorn.says('I did.').sees(/Good/);
				const his = (await ada.looks()).find(({ text }) => text === 'I did.');
				if (!his) throw new Error('The message is not there');
				await ada.replies(his, 'So you say.');
				service.next(answersChat('I am here.'));
				await ada.says('@Easel and you?').sees(/I am here/);
				expect(chats()).toHaveLength(3);
				expect(allSaid()).not.toMatch(/did you know|So you say/);
				expect(allSaid()).toMatch(/I did/);
			});

			test('can be set to answer mentions only, and back', async () => {
				await thread({ prompt: 'Tell me of foxes', mentions_only: true });
				const opening = await ada.finds({ text: /Whoever mentions me/, buttons: ['Answer everything'] });
				await bjorn.says('They are lovely.');
				service.next(answersChat('They are.'));
				await ada.says('@Easel are they?').sees(/^They are\.$/);
				expect(chats()).toHaveLength(2);
				expect(lastSaid()).toMatch(/^Björn: They are lovely\.\n\nAda: .*are they\?$/);
				await ada.presses('Answer everything', opening).sees(/I answer whatever is written/);
				service.next(answersChat('Indeed.'));
				await bjorn.says('And clever.').sees(/Indeed/);
			});

			test('sends a message as it was changed, and none that was deleted', async () => {
				await thread();
				service.next(answersChat('I see.'));
				const first = await ada.says('My number is 12345.').sees(/I see/);
				const own = (await ada.looks()).find(({ text }) => text.includes('12345'));
				if (!own) throw new Error('The message is not there');
				await ada.rewrites(own, 'My number is a secret.');
				service.next(answersChat('All right.'));
				await ada.says('And forget me not.').sees(/All right/);
				expect(allSaid()).toMatch(/number is a secret/);
				expect(allSaid()).not.toMatch(/12345/);
				await ada.erases(own);
				service.next(answersChat('Well.'));
				await ada.says('What is my number?').sees(/Well/);
				expect(allSaid()).not.toMatch(/secret/);
				expect(first.text).toBe('I see.');
			});

			test('reads nothing elsewhere, but where it was called in by its name', async () => {
				await ada.says('A quiet word among us');
				const message = await ada.finds(/quiet word/);
				await ada.startsThread(message);
				await ada.says('Nobody else is here.');
				service.next(answersChat('Now I am.'));
				await ada.says('@Easel come in!').sees(/Now I am/);
				expect(chats()).toHaveLength(1);
				expect(allSaid()).toBe('Ada: come in!');
				service.next(answersChat('Yes.'));
				await ada.says('Still here?').sees(/^Yes\.$/);
			});

			test('lets nothing that the model writes ping anybody', async () => {
				service.next(
					answersChat('Hi @everyone, @here, <@12345678>, <@&12345678>, <!channel>, <!subteam^S1|all>; foxes. The end.'),
				);
				await ada.does('/chat', { prompt: 'Tell me of foxes' });
				await ada.enters(/foxes/);
				const { text } = await ada.finds({ text: /The end/, buttons: AFTER });
				expect(text).not.toMatch(/@everyone|@here|<@\d|<@&\d|<!channel|<!subteam/);
			});

			test('long answers come in several messages; Retry replaces all of them', async () => {
				const words = Array.from({ length: 1500 }, (_, index) => `word${index}`).join(' ');
				service.next(answersChat(words));
				await ada.does('/chat', { prompt: 'Tell me of foxes' });
				await ada.enters(/foxes/);
				const last = await ada.finds({ text: /word1499$/, buttons: AFTER });
				const parts = (await ada.looks()).filter(({ text }) => /word\d/.test(text));
				expect(parts.length).toBeGreaterThan(1);
				expect(parts.map(({ text }) => text).join(' ')).toBe(words);
				service.next(answersChat('Enough.'));
				await ada.presses('Retry', last);
				expect((await ada.finds(/^Enough\.$/)).id).toBe(parts[0]?.id);
				expect((await ada.looks()).filter(({ text }) => /word\d/.test(text))).toEqual([]);
			});

			test('makes real pictures of "draw …", of a picture with an instruction, and of an answer', async () => {
				const answer = await thread();
				const png = await smallPng('#c0392b');
				service.always(answersPictures(png));
				await ada.says('draw a red fox in the snow').sees({ text: /a red fox in the snow/, pictures: 1 });
				await ada.says('make it night', [await pngFile()]).sees({ text: /AI-generated.*/, pictures: 1 });
				await bjorn.presses('Draw this', answer).sees({ text: /Foxes are small and red.*for Björn/s, pictures: 1 });
				await ada.says('', [await pngFile()]).sees(/What is to be done with the picture/);
				expect(service.requests.slice(1).map(({ path }) => path)).toEqual([
					'/v1/images/generations',
					'/v1/images/edits',
					'/v1/images/generations',
				]);
				expect(JSON.parse(String(service.requests[1]?.body))).toMatchObject({ prompt: 'a red fox in the snow' });
				expect(await usageToday()).toBe(2);
				service.next(answersChat('Nice.'));
				await ada.says('How is it?').sees(/Nice/);
				expect(lastSaid()).toMatch(/draw a red fox/);
			});

			test('has caps of its own, which are given back what the service did not answer', async () => {
				const cap = { scope: 'member', period: 'day', images: 2, what: 'chat' };
				await ada.does('/limits set', cap).sees(/every member: 2 chat turns a day/);
				await thread();
				service.next(answers(429));
				const failed = await ada.says('Are you there?').sees(/busy/);
				service.next(answersChat('No more.'));
				await ada.presses('Retry', failed);
				await ada.finds(/No more/);
				await ada.says('One too many').sees(/You have used 2 of 2 chat turns today\. A new day starts/);
				expect(chats()).toHaveLength(3);
				await ada.does('/usage').sees(/You, chat turns today: 2 of 2, 0 left/);
				await ada.does('/imagine', { prompt: 'a fox' }).sees({ pictures: 1 });
				service.next(answersChat('For you.'));
				await bjorn.says('And for me?').sees(/For you/);
			});
		});

		describe("a server's own rules", () => {
			test('let pictures and chats be asked for only in some channels', async () => {
				const { here, elsewhere } = ada.names;
				await bjorn.does('/limits allow', { channel: elsewhere }).sees({ text: /Only moderators/, private: true });
				await ada.does('/limits allow').sees({ text: /Name a channel or a role/, private: true });
				await ada.does('/limits allow', { channel: elsewhere }).sees({ text: /asked in: #gallery$/m, private: true });
				const refusal = { text: /only in #gallery; moderators have set that/, private: true };
				await ada.does('/imagine', { prompt: 'a fox' }).sees(refusal);
				await bjorn.does('/chat', { prompt: 'Tell me of foxes' }).sees(refusal);
				expect(service.requests).toEqual([]);
				bjorn.goesTo(elsewhere);
				await bjorn.does('/imagine', { prompt: 'a fox' }).sees({ pictures: 1 });
				// Whoever sets the rules is never locked out of setting them.
				await ada.does('/limits allow', { channel: here }).sees(/asked in: #gallery, #general$/m);
				await ada.does('/limits disallow', { channel: elsewhere }).sees(/asked in: #general$/m);
				await ada.does('/limits disallow', { channel: elsewhere }).sees(/not on the list/);
				await ada.does('/limits disallow', { channel: here }).sees(/asked: everywhere/);
				const shown = await ada.does('/limits show').sees(/Latest changes/);
				expect(shown.text).toMatch(/asked: everywhere.*limits disallow.*limits allow/s);
				expect(await usageToday()).toBe(0);
			});

			test('let only some roles ask', async () => {
				const { common, foreign } = ada.names;
				await ada.does('/limits allow', { role: foreign }).sees(/May ask: members with @Apprentices/i);
				const refusal = { text: /Only members with @Apprentices may ask/i, private: true };
				await bjorn.does('/imagine', { prompt: 'a fox' }).sees(refusal);
				await ada.does('/chat', { prompt: 'Tell me of foxes' }).sees(refusal);
				await ada.does('/limits allow', { role: common }).sees(/members with @Apprentices, @Painters/i);
				await bjorn.does('/imagine', { prompt: 'a fox' }).sees({ pictures: 1 });
				await ada.does('/limits settings').sees(/members with @Apprentices, @Painters/i);
			});

			test('ban words, which are not repeated, from pictures', async () => {
				const first = await bjorn.does('/imagine', { prompt: 'a fox in the snow' }).sees({ pictures: 1 });
				await bjorn.does('/limits ban', { words: 'snow' }).sees({ text: /Only moderators/, private: true });
				const banned = await ada.does('/limits ban', { words: 'Fox, ice cream, ice  cream' }).sees(/Banned words: 2/);
				expect(banned.files).toEqual(['banned-words.txt']);
				const refusal = { text: /a word in it that moderators have banned here\. Nothing was counted/, private: true };
				const seen = await bjorn.does('/imagine', { prompt: 'a FÓX' }).sees(refusal);
				expect(seen.text).not.toMatch(/f.x/i);
				await bjorn.does('/edit', { prompt: 'add ice-cream', image: await pngFile() }).sees(refusal);
				await bjorn.presses('Again', first).sees(refusal);
				expect(service.requests).toHaveLength(1);
				await bjorn.does('/imagine', { prompt: 'foxgloves' }).sees({ pictures: 1 });

				await ada.does('/limits unban', { words: 'ice cream' }).sees(/Banned words: 1/);
				await ada.does('/limits unban', { words: 'ice cream' }).sees(/None of that is banned/);
				await bjorn.does('/imagine', { prompt: 'ice cream' }).sees({ pictures: 1 });
				await ada.does('/limits ban', { words: ', ,' }).sees(/Name words or phrases/);
				await ada.does('/limits ban', { words: 'x'.repeat(61) }).sees(/at most 60 characters; nothing was changed/);
				expect((await ada.does('/limits show').sees(/Banned words: 1/)).files).toEqual(['banned-words.txt']);
			});

			test('ban words from chats: what has them in it does not go to the model', async () => {
				await ada.does('/limits ban', { words: 'snow' }).sees(/Banned words: 1/);
				await bjorn.does('/chat', { prompt: 'Tell me of snow' }).sees({ text: /have banned here/, private: true });
				service.next(answersChat('Foxes are small and red.'));
				await ada.does('/chat', { prompt: 'Tell me of foxes' });
				for (const person of [ada, bjorn]) await person.enters(/foxes/);
				await bjorn.finds(/small and red/);
				await bjorn.says('Do they like snow?').sees(/a word in it that moderators have banned/);
				await bjorn.says('draw a fox in the snow').sees(/a word in it that moderators have banned/);
				service.next(answersChat('Mice.'));
				await bjorn.says('What do they eat?').sees(/Mice/);
				const own = (await bjorn.looks()).find(({ text }) => text.includes('What do they eat'));
				if (!own) throw new Error('The message is not there');
				await bjorn.rewrites(own, 'Do they eat snow?');
				service.next(answersChat('In dens.'));
				await ada.says('Where do they live?').sees(/In dens/);
				const said = service.requests.flatMap((request) => chatOf(request).said.map(({ content }) => content));
				expect(said.join('\n')).not.toMatch(/snow/);
				expect(service.requests).toHaveLength(3);
			});

			test('cover the results of a channel', async () => {
				await bjorn.does('/limits spoiler', { on: true }).sees({ text: /Only moderators/, private: true });
				await ada.does('/limits spoiler', { on: true }).sees({ text: /Covered results in: #general/, private: true });
				const covered = await bjorn.does('/imagine', { prompt: 'a fox' }).sees({ pictures: 1 });
				expect(covered.pictures).toMatchObject([{ alt: 'a fox', spoiler: true }]);
				await ada.does('/limits spoiler', { on: false, channel: ada.names.here }).sees(/Covered results: nowhere/);
				await bjorn.presses('Again', covered).sees({ pictures: 1, covered: false });
			});

			describe('a log of pictures', () => {
				beforeEach(async () => {
					await ada.does('/limits settings', { log: ada.names.elsewhere }).sees(/Log of pictures: #gallery/);
				});

				/** Ada is where the log is. */
				async function entry(expected: { text: RegExp; pictures?: number; covered?: boolean }) {
					ada.goesTo(ada.names.elsewhere);
					return ada.finds({ ...expected, private: false });
				}

				test('shows who made which picture, where, and what can be done about it', async () => {
					const png = await smallPng('#e67e22');
					service.next(answersPictures(png, png));
					await bjorn.does('/imagine', { prompt: 'a *red* fox', n: 2 }).sees({ pictures: 2 });
					const drawn = await entry({ text: /\/imagine.*@Björn: a \\\*red\\\* fox\nIn #general/s, pictures: 2 });
					expect(drawn.buttons).toEqual(['Remove', 'Block', 'Hide']);
					expect(drawn.pictures[0]?.bytes).toEqual(new Uint8Array(png));

					await bjorn
						.does('/edit', { prompt: 'brighter', image: await pngFile(), private: true })
						.sees({ pictures: 1 });
					await entry({ text: /\/edit.*brighter.*Only they see the result/s, pictures: 1 });
					const long = 'x'.repeat(2000);
					await bjorn.does('/imagine', { prompt: long }).sees({ pictures: 1 });
					await entry({ text: /xxxx/, pictures: 1 });
				});

				test('shows what is drawn in chats, and nothing of what failed', async () => {
					service.next(answersChat('Foxes are small and red.'), answers(429), answersPictures(await smallPng()));
					await bjorn.does('/chat', { prompt: 'Tell me of foxes' });
					await bjorn.enters(/foxes/);
					await bjorn.finds(/small and red/);
					await bjorn.says('draw a failure').sees(/busy/);
					await bjorn.says('draw a red fox').sees({ pictures: 1 });
					await entry({ text: /\/imagine.*a red fox/s, pictures: 1 });
					expect((await ada.looks()).map(({ text }) => text).join('\n')).not.toMatch(/a failure/);
				});

				test('Remove takes the result away, and says who did it', async () => {
					const result = await bjorn.does('/imagine', { prompt: 'a mistake' }).sees({ pictures: 1 });
					const logged = await entry({ text: /a mistake/ });
					bjorn.goesTo(bjorn.names.elsewhere);
					await bjorn
						.presses('Remove', await bjorn.finds(/a mistake/))
						.sees({ text: /Only moderators/, private: true });
					await ada.presses('Remove', logged);
					const after = await entry({ text: /a mistake.*Removed by @Ada/s, pictures: 1 });
					expect(after.id).toBe(logged.id);
					expect(after.buttons).toEqual(['Block']);
					bjorn.leaves();
					expect((await bjorn.looks()).map(({ id }) => id)).not.toContain(result.id);
				});

				test('Block keeps who asked from asking, as /limits block does', async () => {
					await bjorn.does('/imagine', { prompt: 'a rude thing' }).sees({ pictures: 1 });
					await ada.presses('Block', await entry({ text: /a rude thing/ }));
					const after = await entry({ text: /@Björn was blocked by @Ada/ });
					expect(after.buttons).toEqual(['Remove', 'Hide']);
					await bjorn.does('/imagine', { prompt: 'another' }).sees({ text: /has blocked you/, private: true });
					await ada.does('/limits show').sees(/Blocked: @Björn.*@Ada: limits block/s);
				});

				test('Hide covers the result, also after a restart', async () => {
					const png = await smallPng('#2980b9');
					service.next(answersPictures(png));
					const result = await bjorn.does('/imagine', { prompt: 'a fright' }).sees({ pictures: 1, covered: false });
					const logged = await entry({ text: /a fright/ });
					await harness.restart();
					await ada.presses('Hide', logged);
					expect((await entry({ text: /Covered by @Ada/ })).buttons).toEqual(['Remove', 'Block']);
					const covered = await bjorn.finds({ text: /a fright/, pictures: 1, covered: true });
					expect(covered).toEqual({
						...result,
						pictures: [{ bytes: new Uint8Array(png), alt: 'a fright', spoiler: true }],
					});
				});

				test('can be turned off', async () => {
					await ada.does('/limits settings', { off: 'log' }).sees(/Log of pictures: nowhere/);
					await bjorn.does('/imagine', { prompt: 'unseen' }).sees({ pictures: 1 });
					await bjorn.does('/imagine', { prompt: 'also unseen' }).sees({ pictures: 1 });
					ada.goesTo(ada.names.elsewhere);
					expect((await ada.looks()).map(({ text }) => text).join('\n')).not.toMatch(/unseen/);
				});
			});
		});

		test('everybody is answered in their own language, beside each other', async () => {
			const german = personAt(harness.user('bjorn', 'de'));
			await german.does('/limits show').sees({ text: /Nur die Moderation darf .*benutzen/, private: true });
			await german.does('/imagine', { prompt: 'ein Fuchs', size: 'riesig' }).sees(/`size` ist Breite x Höhe/);
			const { behaviour, release } = held(answersPictures(await smallPng('#e74c3c', 24, 16)));
			service.next(behaviour);
			const imagine = german.does('/imagine', { prompt: 'ein Fuchs' });
			await imagine.sees(/Zeichne .*ein Fuchs/);
			release();
			const result = await imagine.sees({ pictures: 1 });
			expect(result.text).toMatch(/KI-generiert für Björn.*24 × 16.*1 Aufruf heute/s);
			expect(result.buttons).toEqual(['Nochmal', 'Bearbeiten', 'Als Vorlage', 'Löschen']);
			await german.does('/usage').sees({ text: /Du heute: 1; neu/, private: true });
			const form = await german.presses('Bearbeiten', result).opens('Bild bearbeiten');
			expect(form.fields[0]?.name).toBe('prompt');

			const again = await ada.presses('Nochmal', result).sees({ text: /AI-generated for Ada/, pictures: 1 });
			expect(again.buttons).toEqual(['Again', 'Edit', 'Use as reference', 'Delete']);
			await ada.does('/usage').sees(/You today: 1; anew/);
		});

		test('what a restart has cut off is said in the language of whoever asked', async () => {
			const german = personAt(harness.user('bjorn', 'de'));
			service.next(held(answersPictures(await smallPng())).behaviour);
			const imagine = german.does('/imagine', { prompt: 'unfertig' });
			await imagine.sees(/Zeichne/);
			await service.arrived(1);
			await harness.restart();
			const answer = await imagine.sees(/Easel wurde angehalten/);
			expect(answer.text).toMatch(/Der Aufruf bleibt gezählt/);
			expect(answer.buttons).toEqual(['Nochmal']);
		});

		test('so is a chat that a restart has cut off', async () => {
			const german = personAt(harness.user('bjorn', 'de'));
			const answer = toldAnswer();
			service.next(answer.behaviour);
			await german.does('/chat', { prompt: 'Von Füchsen' });
			await german.enters(/Von Füchsen/);
			await german.finds(/Auf alles, was ihr hier schreibt, antworte ich/);
			await answer.says('Es war einmal');
			await german.finds({ text: /Es war einmal/, buttons: ['Stopp'] });
			await harness.restart();
			const after = ['Neu schreiben', 'Das zeichnen', 'Vergessen'];
			await german.finds({ text: /Es war einmal\n\n\*Unterbrochen/, buttons: after });
		});

		test('/models lists what the service offers', async () => {
			service.next(
				answers(200, '{"data":[{"id":"alpha-image"},{"id":"beta"}]}', { 'content-type': 'application/json' }),
			);
			await ada.does('/models').sees({ text: /alpha-image.*beta.*: Sharper text/s, private: true });
		});

		describe('a mention of the bot in a channel', () => {
			test('opens a thread, and is answered there', async () => {
				service.next(answersChat('Small and red.'));
				await ada.says('@Easel what are foxes like?');
				await ada.enters(/what are foxes like/);
				await ada.finds(/Small and red/);
				await ada.finds({ text: /Whatever you write here, I answer/, private: false });
				await bjorn.enters(/what are foxes like/);
				service.next(answersChat('Mostly mice.'));
				await bjorn.says('What do they eat?').sees(/Mostly mice/);
				expect(chatOf(service.requests[1]).said.map(({ content }) => content)).toEqual([
					'Ada: what are foxes like?',
					'Small and red.',
					'Björn: What do they eat?',
				]);
			});

			test('draws in its thread what it asks for', async () => {
				await ada.says('@Easel draw a red fox');
				await ada.enters(/draw a red fox/);
				await ada.finds({ text: /a red fox/, pictures: 1 });
				expect(service.requests.map(({ path }) => path)).toEqual(['/v1/images/generations']);
			});

			test('without a word says what it can do', async () => {
				const help = await ada.says('@Easel').sees(/what I can do/);
				for (const command of ['/imagine', '/edit', '/compose', '/usage', '/models'])
					expect(help.text).toContain(command);
				expect(await ada.threads()).toEqual([]);
				expect(service.requests).toEqual([]);
			});
		});
	});
}

const PNG_SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

/** The inputs of a form, also of a platform on which all its pictures share one. */
const inputsOf = ({ fields }: Form) => fields.flatMap(({ name }) => name.replace('[]', '').split('+'));

/** What a form says of itself, wherever the platform has room for it. */
const wordsOf = ({ note, fields }: Form) => [note, ...fields.map(({ description }) => description)].join('\n');

/** Where in a request's body these bytes are; -1 where they are not. */
const positions = (request: RecordedRequest | undefined, ...parts: Uint8Array[]) =>
	parts.map((part) => request?.body.indexOf(part) ?? -1);
