import { expect, it } from 'vitest';
import { startStudio } from '../../test/studio.fixture.ts';

it('flags texts by their words, and accepts pictures', async () => {
	const { post } = await startStudio();
	const ask = async (input: unknown) => {
		const response = await post('/v1/moderations', { model: 'alpha-moderation', input });
		return (await response.json()) as { results: { flagged: boolean; categories: Record<string, boolean> }[] };
	};
	const { results } = await ask(['a red fox', 'Two murders in a row', 'categorical gorelike nudelbaum']);
	expect(results.map(({ flagged }) => flagged)).toEqual([false, true, false]);
	expect(results[1]?.categories).toMatchObject({ violence: true, sexual: false });
	const picture = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } };
	expect(await ask([{ type: 'text', text: 'naked' }, picture])).toMatchObject({
		model: 'alpha-moderation',
		results: [{ flagged: true, category_applied_input_types: { sexual: ['text', 'image'] } }],
	});
	expect(await ask([])).toMatchObject({ error: { param: 'input' } });
});
