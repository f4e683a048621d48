import { expect, it } from 'vitest';
import { revisedPrompt } from '../src/images/making.ts';
import { subjects } from '../src/language/lexicon.ts';
import { readPrompt } from '../src/language/read-prompt.ts';
import { describe } from '../src/scene/captions/describe.ts';
import { scene as schema } from '../src/scene/scene.ts';
import { brief, PROMPTS, REAL_PROMPTS } from './tables.ts';

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
	['a bowl of paella with an egg', 'an egg beside a bowl on a table', 'paella'],
	['a huge red dragon breathing fire over a village', 'a huge red dragon with flames in a village', undefined],
	['a perfume bottle on a marble table', 'a perfume bottle on a table, in beige tones', undefined],
	['waffles with maple syrup', 'pancakes on a table', 'waffles'],
	['a bowl of ramen with egg and chopsticks', 'a bowl of ramen on a table', undefined],
	['a snowman with a carrot nose', 'a snowman in a snowfield', undefined],
	['a birthday cake with candles', 'a birthday cake on a table', undefined],
	['a bouquet of roses in a vase', 'five roses in a vase in a room', undefined],
	['eine Vase mit Rosen', 'three roses in a vase in a room', undefined],
	['a game of chess', 'a chess board on a table', undefined],
	['bread and a bowl of soup', 'some bread and a bowl of soup on a table', undefined],
	['a glass of lemonade with ice', 'a yellow lemonade on a table', undefined],
	['a car in front of a diner', 'a car in front of a shop in a street', 'diner'],
	['a girl flying a kite on the beach', 'a girl with a kite on a beach', undefined],
	['a castle and a flying dragon', 'a castle and a flying dragon in the mountains', undefined],
	['a cat astronaut', 'a cat wearing a space helmet on the moon', undefined],
	['two cat witches', 'two cats wearing two hats in a room', undefined],
	['my dog as a king', 'a dog wearing a crown in a room', undefined],
	['a fox dressed as a pirate', 'a fox wearing a hat in a forest', undefined],
	['a woman building a snowman', 'a woman beside a snowman in a snowfield', undefined],
	['a man painting a fence', 'a man in a meadow', 'fence'],
	['a couple on the beach', 'a man and a woman on a beach', undefined],
	['a couple of dogs', 'two dogs in a meadow', undefined],
	['a tennis player', 'a man in a meadow', 'tennis player'],
	['a fox with a castle in the background', 'a castle beside a fox in a forest', undefined],
	['帽子をかぶった猫', 'a cat wearing a hat in a room', undefined],
	['一只戴墨镜的狗', 'a dog wearing sunglasses before a plain background', undefined],
	['dos gatos en la playa', 'two cats on a beach', undefined],
	['a bunny in a teacup', 'a bunny in a teacup on a table', undefined],
	['a fisherman with a map', 'a man in blue in a meadow', 'fisherman, map'],
	['a portrait of an old man with a white beard', 'a portrait of an old man wearing a white beard', undefined],
	['a red-haired woman in a kitchen', 'a woman with red hair in a kitchen', undefined],
	['a girl with cat ears', 'a girl in a meadow', 'cat, ears'],
	['an underwater city', 'the bottom of the sea', undefined],
	['a sign saying "Über 日本 여우"', 'a meadow in golden light, the words “Über 日本”', '여우'],
	['an orange logo of an owl', 'a logo of an orange owl', undefined],
	['黄昏雪地里的红狐狸', 'a red fox in a snowfield at sunset, snow', undefined],
	['写着“Good morning”的高山海报', 'mountains( in golden light)?, as a poster, the words “Good morning”', undefined],
	['太空中的宇航员', 'an astronaut in space', undefined],
	['an abstract in teal and orange', 'an abstract composition, in orange and teal tones', undefined],
])('names only what is drawn: %s', (prompt, drawn, leftOut) => {
	const said = revisedPrompt(readPrompt(prompt, 0));
	expect(said).toMatch(new RegExp(`^Drawn: ${drawn}( (at|by|in) (day|dawn|golden light|night))?\\.`));
	expect(/Left out: (.*)\./.exec(said)?.[1]).toBe(leftOut);
});

it.each(REAL_PROMPTS)('draws something of %s', (prompt) => {
	const { scene, notUnderstood } = readPrompt(prompt, 0);
	expect(scene.subjects.length > 0 || scene.place !== 'meadow').toBe(true);
	expect(notUnderstood.length).toBeLessThan(4);
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
