import { describe, expect } from 'vitest';
import {
	animatedGif,
	hugePng,
	pixelBomb,
	pngFile,
	textFile,
	truncatedJpeg,
} from '../../../packages/fakes/src/pictures.ts';
import {
	answers,
	answersPictures,
	diesAfterReading,
	diesWithinAnswer,
	smallPng,
} from '../../../packages/fakes/src/service.ts';
import type { ContractTest } from './contract-test.ts';
import { expectContained, PNG_SIGNATURE } from './request-body.ts';

/** Tests failed calls and invalid input. */
export function failures(test: ContractTest): void {
	describe('a failure is reported in one sentence', () => {
		test.for([
			[
				'the key is refused',
				401,
				'{"error":{"message":"bad key"}}',
				/rejected this bot's key\. .*Nothing was counted/,
				0,
			],
			[
				'the key may not do it',
				403,
				'{"error":{"message":"Your organization must be verified."}}',
				/rejected this bot's key: Your organization must be verified\. The operator/,
				0,
			],
			['the plan is used up', 402, '{"error":"no funds"}', /plan .* used up .*: no funds\. .*Nothing was counted/, 0],
			[
				'the prompt is refused',
				400,
				'{"error":{"message":"Against the rules","code":"content_policy_violation"}}',
				/content rules.*Nothing was counted/,
				0,
			],
			['the rate limit is exceeded', 429, '{"message":"slow down"}', /busy: slow down\. .*Nothing was counted/, 0],
			['the service fails', 500, '<html>oops</html>', /failed \(status 500\).*Nothing was counted/, 0],
			['a gateway fails', 502, '<html>oops</html>', /failed \(status 502\).*stays counted/, 1],
			[
				'the answer is not a picture',
				200,
				'{"data":[{"b64_json":"bm8gcGljdHVyZQ=="}]}',
				/an invalid picture.*stays counted/,
				1,
			],
		] as const)('when %s', async ([_, status, body, sentence, counted], { service, ada, usageToday }) => {
			service.next(answers(status, body, { 'content-type': 'application/json' }));
			const answer = await ada.does('/imagine', { prompt: 'a fox' }).sees(sentence);
			expect(answer.pictures).toEqual([]);
			expect(service.requests).toHaveLength(1);
			expect(await usageToday()).toBe(counted);
		});

		test('when the service repeats a prompt with markup: it is shown as it is', async ({ service, ada }) => {
			const message = `Your prompt "[Sign in](https://evil.example/a)", <https://evil.example|https://bank.com>, \u2066@everyone\u00ad" was refused`;
			service.next(answers(400, JSON.stringify({ error: { code: 'content_policy_violation', message } })));
			const { text } = await ada.does('/imagine', { prompt: 'a fox' }).sees(/content rules/);
			const shown = String.raw`"\[Sign in\](https://evil.example/a)", \<https://evil.example\|https://bank.com\>, @everyone"`;
			expect(text.replace('\u200b', '')).toContain(shown);
		});

		test('when the answer has more pictures than were asked for: the rest is left out', async ({ service, ada }) => {
			const png = await smallPng();
			service.next(answersPictures(...Array.from({ length: 500 }, () => png)));
			await ada.does('/imagine', { prompt: 'a fox', n: 2 }).sees({ text: /a fox/, pictures: 2 });
		});

		test('when a prompt has nothing visible: it costs nothing', async ({ service, ada, usageToday }) => {
			for (const prompt of ['\u2800', '\u3164\u200d', '\u00ad\u{e0041} \u202e'])
				await ada.does('/imagine', { prompt }).sees(/`prompt` is (?:empty|missing)/);
			expect(service.requests).toEqual([]);
			expect(await usageToday()).toBe(0);
		});

		test('when the connection breaks after the request was sent: it stays counted, is not sent again, and can be repeated', async ({
			service,
			ada,
			usageToday,
		}) => {
			service.next(diesAfterReading);
			const answer = await ada.does('/imagine', { prompt: 'a fox' }).sees(/did not answer.*stays counted/);
			expect(service.requests).toHaveLength(1);
			await ada.presses('Again', answer).sees({ text: /a fox/, pictures: 1 });
			expect(service.requests).toHaveLength(2);
			expect(await usageToday()).toBe(2);
		});

		test('when an error answer is cut off', async ({ service, ada, usageToday }) => {
			service.next(diesWithinAnswer('{"error":{"message":"no bal', 402));
			await ada.does('/imagine', { prompt: 'a fox' }).sees(/answer was cut off.*stays counted/);
			expect(await usageToday()).toBe(1);
		});

		test('when too many calls have failed: calls are paused, also in a chat', async ({
			service,
			ada,
			bjorn,
			harness,
			usageToday,
		}) => {
			await harness.restart({ pauseRule: { failures: 1, pauseMs: 300_000 } });
			service.next(answers(500), diesAfterReading);
			await ada.does('/imagine', { prompt: 'a fox' }).sees(/failed \(status 500\)/);
			await bjorn.does('/imagine', { prompt: 'an owl' }).sees(/did not answer/);
			const paused = /Too many calls to the image service have failed.*in 5 minutes.*Nothing was counted/;
			await ada.does('/imagine', { prompt: 'a hare' }).sees(paused);
			await bjorn.does('/chat', { prompt: 'Tell me of foxes' }).sees(/Too many calls/);
			expect(service.requests).toHaveLength(2);
			expect(await usageToday()).toBe(0);
		});

		test('when the service cannot be reached: nothing is counted', async ({ service, ada, usageToday }) => {
			await service.close();
			await ada.does('/imagine', { prompt: 'a fox' }).sees(/can't be reached.*Nothing was counted/);
			expect(await usageToday()).toBe(0);
		});
	});

	describe('invalid input is refused without a call', () => {
		test.for([
			['no prompt', async () => ({}), /`prompt` is missing/],
			['a prompt of spaces', async () => ({ prompt: '   ' }), /`prompt` is (empty|missing)/],
			[
				'a prompt of 2,001 characters',
				async () => ({ prompt: 'x'.repeat(2001) }),
				/2,001 characters; the maximum is 2,000/,
			],
			['five variations', async () => ({ prompt: 'a fox', n: 5 }), /`n` must be at most 4/],
			['an invalid size', async () => ({ prompt: 'a fox', size: 'huge' }), /`size` must be width x height/],
		] as const)(
			'/imagine with %s; Try again opens a form with what was typed',
			async ([_, options, sentence], { service, ada, usageToday }) => {
				const given = await options();
				const refused = await ada.does('/imagine', given).sees({ text: sentence, private: true });
				expect(service.requests).toEqual([]);
				if (Object.keys(given).length > 0) {
					const form = await ada.presses('Try again', refused).opens('/imagine');
					const { n: _number, ...texts } = given as { n?: number };
					expect(form.values).toMatchObject(texts);
					await ada.fillsIn(form, { prompt: 'a fox', size: '', n: 1 }).sees({ text: /a fox/, pictures: 1 });
				} else await ada.does('/imagine', { prompt: 'a fox' }).sees({ pictures: 1 });
				expect(await usageToday()).toBe(1);
			},
		);

		test.for([
			['no picture', undefined, /`image` is missing/],
			['a text file named .png', async () => textFile, /not a picture/],
			['a truncated JPEG', truncatedJpeg, /damaged|incomplete/],
			['60,000 × 60,000 pixels', pixelBomb, /60000 × 60000|60,000 × 60,000/],
			['more than 10 MB', hugePng, /1\d\.\d MB.*10 MB/],
		] as const)('/edit with %s', async ([_, file, sentence], { service, ada, bjorn, usageToday }) => {
			const options = { prompt: 'brighter', ...(file && { image: await file() }) };
			const refused = await ada.does('/edit', options).sees({ text: sentence, private: true });
			expect(service.requests).toEqual([]);
			// The status is removed once the sentence is posted.
			await expect.poll(async () => (await bjorn.looks()).filter(({ text }) => /brighter/.test(text))).toEqual([]);
			const form = await ada.presses('Try again', refused).opens('/edit');
			expect(form.values).toMatchObject({ prompt: 'brighter' });
			await ada.fillsIn(form, { image: await pngFile() }).sees({ text: /brighter/, pictures: 1 });
			expect(await usageToday()).toBe(1);
		});

		test('/edit with five variations of a text file; Try again opens a form without the file', async ({ ada }) => {
			const options = { prompt: 'brighter', image: textFile, n: 5 };
			const refused = await ada.does('/edit', options).sees({ text: /`n` must be at most 4/, private: true });
			const form = await ada.presses('Try again', refused).opens('/edit');
			expect(form.values).toMatchObject({ prompt: 'brighter' });
			await ada.fillsIn(form, { image: await pngFile(), n: 1 }).sees({ text: /brighter/, pictures: 1 });
		});

		test('except for an animation, whose first frame is sent', async ({ service, ada }) => {
			await ada.does('/edit', { prompt: 'brighter', image: await animatedGif() }).sees({ pictures: 1 });
			expectContained(service.requests[0], PNG_SIGNATURE);
		});
	});
}
