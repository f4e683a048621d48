import { describe, expect, onTestFinished, test } from 'vitest';
import { Actor } from '../../packages/fakes/src/actor.ts';
import { answersChat } from '../../packages/fakes/src/chat.ts';
import { type OtherService, SERVICES, startOtherService } from '../../packages/fakes/src/other-services.ts';
import { pngFile } from '../../packages/fakes/src/pictures.ts';
import { answers, type FaultyService, isForEmbeddings } from '../../packages/fakes/src/service.ts';
import { PROFILES } from '../../src/service/profiles.ts';
import type { PlatformHarness } from '../harness/platform.ts';

/** How each service refuses the content of a request, without having drawn anything. */
const REFUSALS: Partial<Record<OtherService, [status: number, body: object, said: RegExp]>> = {
	gemini: [200, { promptFeedback: { blockReason: 'SAFETY', blockReasonMessage: 'Not this.' } }, /: Not this\./],
	openrouter: [
		403,
		{ error: { code: 403, message: 'Flagged.', metadata: { reasons: ['violence'], provider_name: 'a' } } },
		/: Flagged\./,
	],
};

const RULES = /content rules/;

/** A model that has one resolution only, and what a request for 2K has of it. */
const RESOLUTIONS: Partial<Record<OtherService, [other: string | undefined, sent: string]>> = {
	gemini: ['gemini-2.5-flash-image', '"imageConfig":{"aspectRatio":"16:9","imageSize":"2K"}'],
	xai: [undefined, '"aspect_ratio":"16:9","resolution":"2k"'],
	openrouter: [undefined, '"aspect_ratio":"16:9","resolution":"2K"'],
};

/**
 * Tests what people see where the image service has another API, against strict fakes of them: `otherServices('Discord', open)`.
 *
 * @param names all by default
 */
export function otherServices(
	platform: string,
	open: (serviceUrl: string, profile: OtherService) => Promise<PlatformHarness>,
	names = Object.keys(SERVICES) as OtherService[],
): void {
	describe.each(names)(`on ${platform}, with the service %s`, (name) => {
		const { edit, compose } = PROFILES[name].capabilities;
		const start = async () => {
			const service = await startOtherService(name);
			const harness = await open(service.url, name);
			onTestFinished(async () => {
				await harness.close();
				await service.close();
			});
			const ada = new Actor(harness.user('ada'));
			const today = async () => (await ada.does('/usage').sees(/You today/)).text.match(/You today: (\d+)/)?.[1];
			return { service, ada, today };
		};

		test('a person draws, and edits and composes where it can, for one paid request each', async () => {
			const { service, ada, today } = await start();
			const [red, green, blue] = await Promise.all(['#ff0000', '#00ff00', '#0000ff'].map((one) => pngFile(one)));
			await ada.does('/imagine', { prompt: 'a fox', size: 'wide' }).sees({ text: /a fox/, pictures: 1 });
			expect(paid(service)).toBe(1);
			if (edit) await ada.does('/edit', { image: red!, prompt: 'at night' }).sees({ text: /at night/, pictures: 1 });
			expect(paid(service)).toBe(edit ? 2 : 1);
			const images = { image1: red!, image2: green!, image3: blue! };
			if (compose) await ada.does('/compose', { ...images, prompt: 'blend' }).sees({ text: /blend/, pictures: 1 });
			const count = [true, edit, compose].filter(Boolean).length;
			expect([paid(service), await today()]).toEqual([count, String(count)]);
		});

		test('a person asks for 2K where it has that, and is told the sizes for nothing where not', async () => {
			const { service, ada, today } = await start();
			const { resolutions = [] } = PROFILES[name].sizesOf('some-image-model');
			const [other, sent] = RESOLUTIONS[name] ?? [];
			expect(resolutions.length > 0).toBe(sent !== undefined);
			if (sent) {
				const made = await ada.does('/imagine', { prompt: 'a lake', size: '16:9 2K' }).sees({ pictures: 1 });
				expect(service.requests.some(({ body }) => String(body).includes(sent))).toBe(true);
				await ada.chooses('About this picture', made).sees(/Size: \d+ × \d+ .*16:9 2K/);
			}
			if (other || !resolutions.includes('4K')) {
				const refused = { prompt: 'a pond', size: '4k', ...(other && { model: other }) };
				await ada.does('/imagine', refused).sees({
					text: /^`?size`? 4K is not available with .*\. Available: square, .*, or width x height\./,
					private: true,
				});
			}
			const count = sent ? 1 : 0;
			expect([paid(service), await today()]).toEqual([count, String(count)]);
		});

		const [status, body, said = RULES] = REFUSALS[name] ?? [];
		// The fakes of the others have neither refusals nor chats.
		if (!body) return;
		test('a person is told that it refuses the content, at no cost', async () => {
			const { service, ada, today } = await start();
			service.next(answers(status!, JSON.stringify(body)));
			const { text } = await ada.does('/imagine', { prompt: 'a battle' }).sees(RULES);
			expect(text).toMatch(said);
			expect(text).toMatch(/Nothing was counted\./);
			expect([paid(service), await today()]).toEqual([1, '0']);
		});

		test('a person chats, and gets the picture that the model draws', async () => {
			const { service, ada } = await start();
			service.next(answersChat('Foxes are red.'));
			await ada.does('/chat', { prompt: 'Tell me of foxes' });
			await ada.enters(/foxes/);
			await ada.finds(/Foxes are red/);
			const { bytes } = await pngFile('#00ff00');
			const url = `data:image/png;base64,${Buffer.from(bytes).toString('base64')}`;
			const delta = { content: 'Like this.', images: [{ type: 'image_url', image_url: { url } }] };
			const frame = `data: ${JSON.stringify({ choices: [{ delta }] })}\n\ndata: [DONE]\n\n`;
			service.next(answers(200, frame, { 'content-type': 'text/event-stream' }));
			const { pictures } = await ada.says('What do they look like?').sees({ pictures: 1 });
			await ada.finds(/Like this/);
			expect(Buffer.from(pictures[0]!.bytes)).toEqual(bytes);
			expect(paid(service)).toBe(2);
		});
	});
}

/** Returns how many requests for pictures or chats were sent. */
const paid = ({ requests }: FaultyService) =>
	requests.filter(({ method, path }) => method === 'POST' && !isForEmbeddings(path)).length;
