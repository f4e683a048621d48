import { expect, it } from 'vitest';
import { revisedPrompt } from '../src/images/making.ts';
import { readPrompt } from '../src/language/read-prompt.ts';
import { subjects } from '../src/language/vocabulary/vocabulary.ts';
import { describe } from '../src/scene/describe.ts';
import { scene as schema } from '../src/scene/scene.ts';
import { brief } from './edits.ts';
import { PROMPTS } from './prompts.ts';

it.each(PROMPTS.map((each) => ({ each, title: each[0] })))('$title', ({ each }) => {
	const [prompt, subjects, expected, unknown = []] = each;
	const { scene, notUnderstood } = readPrompt(prompt, 0);
	const clothes = scene.subjects.flatMap(({ name, accent }) => (accent ? [`${name} in ${accent}`] : []));
	expect([...scene.subjects.map((subject) => brief(subject, scene)), ...clothes]).toEqual(subjects);
	expect(scene).toMatchObject({ weather: [], sky: [], texts: [], ...expected });
	for (const said of ['season', 'mood', 'style', 'tint'] as const) expect(scene[said]).toBe(expected[said]);
	expect(notUnderstood).toEqual(unknown);
	expect(schema.parse(scene)).toEqual(scene);
	expect(describe(scene).length).toBeLessThanOrEqual(300);
});

it.each([
	['a bowl of ramen with an egg', 'an egg in a room', 'bowl, ramen'],
	['a huge red dragon breathing fire over a village', 'a huge red dragon and a fire in a village', 'breathing'],
	['a perfume bottle on a marble table', 'a bottle in a room', 'perfume, marble, table'],
	['pancakes with maple syrup', 'an abstract composition', 'pancakes, syrup, maple'],
	['a cat astronaut', 'a cat and an astronaut on the moon', undefined],
	['a samurai with a map', 'a knight in brown in the mountains', 'samurai, map'],
	['an old fisherman with a white beard', 'a man in blue in a city', 'fisherman, beard'],
])('names only what is drawn: %s', (prompt, drawn, leftOut) => {
	const said = revisedPrompt(readPrompt(prompt, 0));
	expect(said).toMatch(new RegExp(`^Drawn: ${drawn}( (at|by|in) (day|dawn|golden light|night))?\\.`));
	expect(/Left out: (.*)\./.exec(said)?.[1]).toBe(leftOut);
});

it('never names what another drawing stands in for', () => {
	for (const words of Object.values(subjects)) {
		const standIns = (words.split('; ')[1] ?? '').split(', ').filter(Boolean);
		for (const word of standIns.map((entry) => entry.replace(/ #[0-9a-f]{6}$/, ''))) {
			const [drawn = '', leftOut = ''] = revisedPrompt(readPrompt(`a ${word}`, 0)).split(' Left out: ');
			expect(` ${drawn} `).not.toMatch(new RegExp(`\\W${word}\\W`));
			expect(leftOut).toBe(`${word}.`);
		}
	}
});
