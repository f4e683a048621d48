import sharp from 'sharp';
import { describe, expect } from 'vitest';
import { startOpenaiService } from '../../packages/fakes/src/openai/openai-service.ts';
import { noisyPng } from '../../packages/fakes/src/pictures.ts';
import { answersPictures, type FaultyService } from '../../packages/fakes/src/service.ts';
import type { SeenMessage } from '../../packages/fakes/src/test-user.ts';
import type { ContractTest, OpenHarness, ServiceApi } from './platform/contract-test.ts';
import { platformContract } from './platform.ts';

/** A strict service of OpenAI's API, some of whose models draw transparency. */
const OPENAI: ServiceApi = { start: () => startOpenaiService(), composePath: '/v1/images/edits' };

const fox = { prompt: 'a fox', background: 'transparent' };

/** A blue disc with a soft edge on a flat colour, and a hole of that colour. */
const disc = (colour: string) =>
	sharp(
		Buffer.from(
			`<svg width="128" height="128" xmlns="http://www.w3.org/2000/svg"><rect width="128" height="128" fill="${colour}"/>` +
				`<circle cx="64" cy="64" r="40" fill="#2040c0"/><circle cx="64" cy="64" r="12" fill="${colour}"/></svg>`,
		),
	)
		.removeAlpha()
		.png()
		.toBuffer();

/** Returns the alpha of the pixels at these places, of the first picture of a message. */
async function alphasAt({ pictures: [picture] }: SeenMessage, ...places: [x: number, y: number][]): Promise<number[]> {
	const { data, info } = await sharp(picture?.bytes).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
	return places.map(([x, y]) => data[(y * info.width + x) * 4 + 3] ?? -1);
}

const sent = ({ requests }: FaultyService) =>
	requests
		.filter(({ path }) => path.startsWith('/v1/images/'))
		.map(({ body }) => JSON.parse(String(body)) as Record<string, unknown>);

/**
 * Tests pictures with a transparent background, as people see them: `backgrounds('Discord', open)`.
 *
 * @param open starts Easel with a service of OpenAI's API
 */
export const backgrounds = (platform: string, open: OpenHarness): void =>
	platformContract(`${platform}, with OpenAI`, open, [transparency], OPENAI);

function transparency(test: ContractTest): void {
	describe('a transparent background', () => {
		test('is asked of a model that draws it', async ({ service, ada }) => {
			const native = /transparent, as the model drew it/;
			const model = 'gpt-image-1.5';
			const made = await ada.does('/imagine', { ...fox, model }).sees({ text: native, pictures: 1 });
			expect(sent(service)).toMatchObject([{ prompt: 'a fox', background: 'transparent', output_format: 'png' }]);
			expect(await alphasAt(made, [0, 0])).toEqual([0]);
			await ada.chooses('About this picture', made).sees(native);
			await ada.does('/imagine', { prompt: 'a wolf', model }).sees({ text: /a wolf/, pictures: 1 });
			expect(sent(service)[1]).not.toHaveProperty('background');
		});

		test('is cut out of a flat colour where the model refuses it', async ({ service, ada, usageToday }) => {
			service.always(answersPictures(await disc('#ff00ff')));
			const made = await ada.does('/imagine', fox).sees({ text: /Easel cut it out/, pictures: 1 });
			const instructed = { quality: 'low', prompt: expect.stringMatching(/^a fox\n\n.*flat background/) };
			expect(sent(service)).toMatchObject([{ prompt: 'a fox', background: 'transparent' }, instructed]);
			expect(made.text).not.toMatch(/magenta/);
			// Outside, within the disc, and the hole, which belongs to the subject.
			expect(await alphasAt(made, [2, 2], [64, 40], [64, 64])).toEqual([0, 255, 255]);
			await ada.chooses('About this picture', made).sees(/Easel cut it out/);
			// What the model refuses is known.
			await ada.presses('Again', made).sees({ text: /a fox.*Easel cut it out/s, pictures: 1 });
			expect(sent(service)).toHaveLength(3);
			expect(await usageToday()).toBe(2);
		});

		test('is none where the model drew another one, and the message says so', async ({ service, ada }) => {
			service.always(answersPictures(await noisyPng(64)));
			const made = await ada.does('/imagine', fox).sees({ text: /The background stayed/, pictures: 1 });
			expect(await alphasAt(made, [0, 0])).toEqual([255]);
			await ada.chooses('About this picture', made).sees(/The background stayed/);
		});
	});
}
