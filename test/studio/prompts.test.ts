import { expect, it } from 'vitest';
import { readPrompt } from '../../src/studio/language/read-prompt.ts';
import { describe } from '../../src/studio/scene/describe.ts';
import { scene as schema } from '../../src/studio/scene/scene.ts';
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
