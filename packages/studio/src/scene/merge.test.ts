import { expect, it } from 'vitest';
import { brief, COMPOSITIONS, PARTS } from '../../test/tables.ts';
import { readComposition } from '../language/read-composition.ts';
import { applyChanges } from './change.ts';
import { mergeScenes } from './merge.ts';
import { scene as schema } from './scene.ts';

it.each(COMPOSITIONS)('%j: %s', (names, prompt, result) => {
	const scenes = names.map((name) => PARTS[name]);
	const { merge, layout, changes, notUnderstood } = readComposition(prompt, scenes.length);
	expect(notUnderstood).toEqual([]);
	if ('layout' in result) {
		expect(merge).toBeUndefined();
		expect(layout).toMatchObject(result.layout);
		return;
	}
	if (!merge) throw new Error(`Only arranged: ${JSON.stringify(layout)}`);
	const merged = mergeScenes(scenes, merge);
	expect(merged.missing).toEqual([]);
	const { scene } = applyChanges(merged.scene, changes);
	expect(
		scene.subjects.map((subject) => brief(subject, scene)),
		JSON.stringify(merge),
	).toEqual(result.subjects);
	expect(scene).toMatchObject(result.scene);
	expect(schema.parse(scene)).toEqual(scene);
});
