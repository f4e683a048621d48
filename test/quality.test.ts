import { expect, test } from 'vitest';
import { startOpenaiService } from '../packages/fakes/src/openai/openai-service.ts';
import { pngFile } from '../packages/fakes/src/pictures.ts';
import { startWithService } from './harness/with-service.ts';

/** Starts Easel with a strict service of OpenAI's API, and a person. */
async function start(env: Record<string, string> = {}) {
	const service = await startOpenaiService();
	const { ada } = startWithService(service, { SERVICE_PROFILE: 'openai', IMAGE_MODEL: 'gpt-image-2', ...env });
	const qualities = () =>
		service.requests
			.filter(({ path }) => path.startsWith('/v1/images/'))
			.map(({ body }) =>
				String(body)
					.match(/"quality":"(\w+)"|name="quality"\s+(\w+)/)
					?.slice(1)
					.join(''),
			);
	return { service, ada: await ada(), qualities };
}

test('a picture has the cheapest quality, unless a person chooses another one', async () => {
	const { service, ada, qualities } = await start();
	await ada.does('/imagine', { prompt: 'a fox' }).sees({ text: /a fox/, pictures: 1 });
	const fine = await ada.does('/imagine', { prompt: 'a wolf', quality: 'high' }).sees({ text: /a wolf/, pictures: 1 });
	await ada.presses('Again', fine).sees({ text: /a wolf/, pictures: 1 });
	const image = await pngFile('#ff0000');
	await ada.does('/edit', { image, prompt: 'at night', quality: 'medium' }).sees({ text: /at night/, pictures: 1 });
	expect(qualities()).toEqual(['low', 'high', 'high', 'medium']);
	await ada.chooses('About this picture', fine).sees(/Quality: high/);
	await ada.does('/imagine', { prompt: 'a cat', quality: 'best' }).sees(/quality.*low, medium, high/s);
	expect([service.refusals, service.accepted()]).toEqual([[], 4]);
});

test('an operator sets the quality that holds without a choice', async () => {
	const { ada, qualities } = await start({ SERVICE_IMAGE_FIELDS: '{"quality": "medium"}' });
	await ada.does('/imagine', { prompt: 'a fox' }).sees({ text: /a fox/, pictures: 1 });
	await ada.does('/imagine', { prompt: 'a fox --quality high' }).sees({ text: /a fox/, pictures: 1 });
	expect(qualities()).toEqual(['medium', 'high']);
});

test('2K and 4K are the sizes of a model that takes free ones, and no other model is asked for them', async () => {
	const { service, ada } = await start();
	for (const size of ['2K', '4k wide', '9:16 4K'])
		await ada.does('/imagine', { prompt: 'a fox', size }).sees({ text: /a fox/, pictures: 1 });
	await ada.does('/imagine', { prompt: 'a wolf --ar 16:9 2K' }).sees({ text: /a wolf/, pictures: 1 });
	const sizes = service.requests.map(({ body }) => String(body).match(/"size":"(\w+)"/)?.[1]).filter(Boolean);
	expect(sizes).toEqual(['2048x2048', '3808x2176', '2160x3840', '2048x1152']);
	await ada
		.does('/imagine', { prompt: 'a cat', size: '4K', model: 'gpt-image-1.5' })
		.sees(/4K is not available with gpt-image-1\.5\. Available: square/);
	await ada.does('/imagine', { prompt: 'a cat', size: '8K' }).sees(/size.* must be width x height/);
	expect([service.refusals, service.accepted()]).toEqual([[], 4]);
});

test('a quality is neither offered nor sent where no model takes one', async () => {
	const { ada, qualities } = await start({ IMAGE_MODEL: 'dall-e-3' });
	await ada.does('/imagine', { prompt: 'a fox' }).sees(/does not have this model/);
	await ada.does('/imagine', { prompt: 'a wolf', quality: 'high' }).sees(/does not have this model/);
	expect(qualities()).toEqual([undefined, undefined]);
});
