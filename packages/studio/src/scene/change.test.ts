import { expect, it } from 'vitest';
import { brief, EDITS, PICTURES } from '../../test/tables.ts';
import { readInstruction } from '../language/read-instruction.ts';
import { applyChanges } from './change.ts';
import { scene as schema } from './scene.ts';

it.each(EDITS)('%s: %s', (picture, instruction, subjects, expected, words) => {
	const before = PICTURES[picture];
	const { changes, notUnderstood } = readInstruction(instruction);
	const { scene, said, missing } = applyChanges(before, changes);
	expect(
		scene.subjects.map((subject) => brief(subject, scene)),
		JSON.stringify(changes),
	).toEqual(subjects);
	expect(scene).toMatchObject(expected);
	expect(said.join('. ')).toContain(words);
	expect({ notUnderstood, missing }).toEqual({ notUnderstood: [], missing: [] });
	expect(schema.parse(scene)).toEqual(scene);
});
