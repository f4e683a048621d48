import sharp from 'sharp';
import { expect, test } from 'vitest';
import { startOpenaiService } from '../packages/fakes/src/openai/openai-service.ts';
import { noisyPng } from '../packages/fakes/src/pictures.ts';
import { answersPictures } from '../packages/fakes/src/service.ts';
import type { SeenMessage } from '../packages/fakes/src/test-user.ts';
import { startWithService } from './harness/with-service.ts';

/** Starts Easel with a strict service of OpenAI's API, and a person. */
async function start(model: string, profile = 'openai') {
	const service = await startOpenaiService();
	const { ada } = startWithService(service, { SERVICE_PROFILE: profile, IMAGE_MODEL: model });
	const sent = () =>
		service.requests
			.filter(({ path }) => path.startsWith('/v1/images/'))
			.map(({ body }) => JSON.parse(String(body)) as Record<string, unknown>);
	return { service, ada: await ada(), sent };
}

/** A blue disc with a soft edge on a flat colour. */
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

/** Returns the alpha of the pixel at a place, of the first picture of a message. */
async function alphaAt(message: SeenMessage, x: number, y: number): Promise<number> {
	const [picture] = message.pictures;
	const { data, info } = await sharp(picture?.bytes).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
	return data[(y * info.width + x) * 4 + 3] ?? -1;
}

const fox = { prompt: 'a fox', background: 'transparent' };

test('a model that draws transparency is asked for it', async () => {
	const { service, ada, sent } = await start('gpt-image-1.5');
	const made = await ada.does('/imagine', fox).sees({ text: /transparent, as the model drew it/, pictures: 1 });
	expect(sent()).toMatchObject([{ prompt: 'a fox', background: 'transparent', output_format: 'png' }]);
	expect(await alphaAt(made, 0, 0)).toBe(0);
	await ada.chooses('About this picture', made).sees(/transparent, as the model drew it/);
	await ada.does('/imagine', { prompt: 'a wolf' }).sees({ text: /a wolf/, pictures: 1 });
	expect(sent()[1]).not.toHaveProperty('background');
	expect(service.refusals).toEqual([]);
});

test('where the model refuses it, a flat colour is asked for and cut out', async () => {
	const { service, ada, sent } = await start('gpt-image-2');
	service.always(answersPictures(await disc('#ff00ff')));
	const made = await ada.does('/imagine', fox).sees({ text: /Easel cut it out/, pictures: 1 });
	expect(service.refusals).toMatchObject([{ message: 'Transparent background is not supported for this model.' }]);
	expect(sent()[1]).toMatchObject({ quality: 'low', prompt: expect.stringMatching(/^a fox\n\n.*flat background/) });
	expect(made.text).not.toMatch(/magenta/);
	// Outside, within the disc, and a hole of the same colour, which belongs to the subject.
	const alphas = [await alphaAt(made, 2, 2), await alphaAt(made, 64, 40), await alphaAt(made, 64, 64)];
	expect(alphas).toEqual([0, 255, 255]);
	await ada.chooses('About this picture', made).sees(/Easel cut it out/);
	// What the model refuses is known.
	await ada.presses('Again', made).sees({ text: /a fox.*Easel cut it out/s, pictures: 1 });
	expect(service.refusals).toHaveLength(1);
});

test('a background that is not flat stays, and the message says so', async () => {
	const { service, ada } = await start('gpt-image-2');
	const busy = await noisyPng(64);
	service.always(answersPictures(busy));
	const made = await ada.does('/imagine', fox).sees({ text: /The background stayed/, pictures: 1 });
	expect(await alphaAt(made, 0, 0)).toBe(255);
	await ada.chooses('About this picture', made).sees(/The background stayed/);
});

test('a service that would draw the words of an instruction gets none', async () => {
	const { ada, sent } = await start('gpt-image-2', 'easel');
	await ada.does('/imagine', fox).sees({ text: /The background stayed/, pictures: 1 });
	expect(sent()).toMatchObject([{ prompt: 'a fox' }]);
	expect(sent()[0]).not.toHaveProperty('background');
});
