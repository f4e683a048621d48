import { expect, test } from 'vitest';
import harmlessPrompts from './harmless-prompts.json' with { type: 'json' };
import table from './intimate-edits.json' with { type: 'json' };
import { isIntimateEdit } from './intimate-edits.ts';

test('instructions that undress people are refused', () => {
	expect(table.refused.filter((text) => !isIntimateEdit(text))).toEqual([]);
});

test('art, medicine, goods and ordinary changes of clothes are not', () => {
	expect(table.allowed.filter(isIntimateEdit)).toEqual([]);
});

test('no harmless prompt is refused, in any language', () => {
	const texts = Object.values(harmlessPrompts).map(({ subjects }) => subjects);
	const prompts = texts.flatMap((text) => text.split(/[,;、，]/u));
	expect(prompts.length).toBeGreaterThan(400);
	expect(prompts.filter(isIntimateEdit)).toEqual([]);
});
