import type { APIAutoModerationRule } from 'discord.js';
import { describe, expect, test } from 'vitest';
import { keywordRulesOf, PatternCompiler } from './automod.ts';

const rule = (more: Partial<APIAutoModerationRule>): APIAutoModerationRule => ({
	id: '1',
	guild_id: '2',
	name: 'Words',
	creator_id: '3',
	event_type: 1,
	trigger_type: 1,
	trigger_metadata: {} as APIAutoModerationRule['trigger_metadata'],
	actions: [{ type: 1, metadata: {} as never }],
	enabled: true,
	exempt_roles: [],
	exempt_channels: [],
	...more,
});

function compiled(trigger: object) {
	const trigger_metadata = trigger as APIAutoModerationRule['trigger_metadata'];
	/** Why patterns were ignored. */
	const defects: string[] = [];
	const compiler = new PatternCompiler((why) => void defects.push(why));
	return { defects, rule: keywordRulesOf(rule({ trigger_metadata }), compiler)[0]! };
}

const isBroken = (trigger: object, text: string) => compiled(trigger).rule.isBrokenBy(text);

describe('keywords', () => {
	test.each([
		['cat', 'a Cat.', 'cats'],
		['the mat', 'on THE MAT', 'the matrix'],
		['cat*', 'Catapult', 'wildcat'],
		['the mat*', 'the matrix', 'breathe mat'],
		['*cat', 'copyCat', 'catch'],
		['*the mat', 'breathe mat', 'the matrix'],
		['*cat*', 'eduCation', 'dog'],
		['c++', 'in C++!', 'c'],
		['кот', 'чёрный КОТ', 'котик'],
	])('%s match “%s”, not “%s”', async (keyword, text, other) => {
		expect(await isBroken({ keyword_filter: ['unlikely', keyword] }, text)).toBe(true);
		expect(await isBroken({ keyword_filter: ['unlikely', keyword] }, other)).toBe(false);
	});

	test('are permitted where an allowed word covers them', async () => {
		const trigger = { keyword_filter: ['cat*', 'cat nap'], allow_list: ['catapult', 'cat'] };
		expect(await isBroken(trigger, 'a catapult')).toBe(false);
		expect(await isBroken(trigger, 'a catapult for a caterpillar')).toBe(true);
		expect(await isBroken(trigger, 'a cat nap')).toBe(true);
	});

	test('without letters match nothing', async () => {
		expect(await isBroken({ keyword_filter: ['*', '**', ' '] }, 'anything')).toBe(false);
	});
});

describe('patterns', () => {
	test('have the syntax of Rust and ignore case', async () => {
		const regex_patterns = [
			'(?i)f[o0]+x',
			String.raw`(?P<digits>\d{3})-(?<more>\d{3})`,
			'[[:digit:]]{2}%',
			String.raw`end\z`,
		];
		for (const text of ['a F00X', '123-456', 'at 10%', 'the End'])
			expect(await isBroken({ regex_patterns }, text), text).toBe(true);
		for (const text of ['a fx', '123-45', 'at 1%', 'the end.'])
			expect(await isBroken({ regex_patterns }, text), text).toBe(false);
	});

	test('are permitted where an allowed word covers them', async () => {
		const trigger = { regex_patterns: ['f[o0]+x'], allow_list: ['fox'] };
		expect(await isBroken(trigger, '🦊 a fox, a fox')).toBe(false);
		expect(await isBroken(trigger, '🦊 a fox, a foox')).toBe(true);
	});

	test('are ignored, and reported, when the engine does not know them or reads them differently', async () => {
		const odd = ['[a-z&&[^aeiou]]+', '[[a-z]--[aeiou]]', '(?x) a b', '(?<!a)b', String.raw`(a)\1`, '(unclosed'];
		const { rule, defects } = compiled({ regex_patterns: [...odd, 'fox'] });
		expect(defects).toEqual(odd.map(() => 'not readable'));
		for (const text of ['anything', 'a b c']) expect(await rule.isBrokenBy(text)).toBe(false);
		expect(await rule.isBrokenBy('a fox')).toBe(true);
	});

	test.each([
		String.raw`\pL{1000}`.repeat(28),
		'.{1000}'.repeat(37),
		`(?:${'a'.repeat(200)}){500}`,
		'(?:(?:x{10}){10}){10}',
		'(?:a?){400}a{400}',
		'fox|'.repeat(100),
	])('are ignored when they are too large (%#)', (pattern) => {
		expect(compiled({ regex_patterns: [pattern] }).defects).toHaveLength(1);
	});

	test('of a server share a bound', async () => {
		const { rule, defects } = compiled({ regex_patterns: Array.from({ length: 60 }, (_, i) => `[ab]{350}x${i}`) });
		expect(new Set(defects)).toEqual(new Set(['too large']));
		expect(defects.length).toBeGreaterThan(10);
		expect(await rule.isBrokenBy(`${'ab'.repeat(175)}x0`)).toBe(true);
	});

	test('are linear, also those that backtracking would try in exponentially many ways', async () => {
		const trigger = { regex_patterns: ['(a+)+$', 'fox', '(x+x+)+y', '(a|aa)*b'], allow_list: ['a fox'] };
		expect(await isBroken(trigger, `${'a'.repeat(990)}! ${'x'.repeat(990)} fox`)).toBe(true);
	});

	test('leave time for other work', async () => {
		const { rule } = compiled({ regex_patterns: ['[ab]*a[ab]{300}c', '[ab]*b[ab]{300}c'] });
		let ended = false;
		const broken = rule.isBrokenBy('ab'.repeat(1000)).finally(() => {
			ended = true;
		});
		const other = new Promise((resolve) => setImmediate(() => resolve(ended)));
		expect(await other).toBe(false);
		expect(await broken).toBe(false);
	});

	test('are ignored for a while when they take too long', async () => {
		const { rule, defects } = compiled({
			regex_patterns: Array.from({ length: 25 }, (_, i) => `[ab]*a[ab]{${350 + i}}c`),
		});
		// The engine remembers what it has met, so each text is another one.
		let state = 1;
		const bit = () => {
			state = (state * 48_271) % 2_147_483_647;
			return state > 1_073_741_823;
		};
		for (let round = 0; round < 200 && defects.length === 0; round++)
			await rule.isBrokenBy(Array.from({ length: 2000 }, () => (bit() ? 'a' : 'b')).join(''));
		expect(defects).toContain('too slow');
	});

	test('match a bounded number of times', async () => {
		expect(await isBroken({ regex_patterns: ['', 'fox'] }, `${'x'.repeat(1900)} a fox`)).toBe(true);
		const trigger = { regex_patterns: ['(?:.?){200}!|a'], allow_list: ['*a*'] };
		expect(await isBroken(trigger, 'a'.repeat(2000))).toBe(false);
	});
});

test('ignores rules that are disabled, have another trigger, or block nothing', () => {
	const trigger_metadata = { keyword_filter: ['fox'] } as APIAutoModerationRule['trigger_metadata'];
	const applies = (more: Partial<APIAutoModerationRule>) =>
		keywordRulesOf(rule({ trigger_metadata, ...more }), new PatternCompiler(() => {})).length > 0;
	expect(applies({})).toBe(true);
	expect(applies({ enabled: false })).toBe(false);
	expect(applies({ event_type: 2, trigger_type: 6 })).toBe(false);
	expect(applies({ trigger_type: 4 })).toBe(false);
	expect(applies({ actions: [{ type: 2, metadata: { channel_id: '4' } }] as never })).toBe(false);
});
