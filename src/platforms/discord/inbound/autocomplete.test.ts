import { expect, test } from 'vitest';
import { commands } from '../../../../commands/index.ts';
import { describeCommands } from '../../../bot/declaration/options.ts';
import { PROFILES } from '../../../service/profiles.ts';
import { choicesOf, completions } from './command-options.ts';

const imagine = describeCommands(commands, PROFILES.easel.capabilities).find(({ name }) => name === 'imagine');

test('completions are the values that contain what was typed', () => {
	const [, size] = imagine?.fields ?? [];
	expect(completions(size, '1536')).toEqual(['1536x1024', '1024x1536']);
	expect(completions(undefined, '')).toEqual([]);
});

test('choices are at most 25, and those that Discord accepts', () => {
	expect(choicesOf(Array.from({ length: 30 }, (_, index) => `model-${index}`))).toHaveLength(25);
	expect(choicesOf(['', 'x'.repeat(101), 'beta'])).toEqual([{ name: 'beta', value: 'beta' }]);
});
