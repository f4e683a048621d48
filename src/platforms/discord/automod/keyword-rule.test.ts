import type { APIAutoModerationRule } from 'discord.js';
import { describe, expect, test } from 'vitest';
import { BoundedPatterns } from './bounded-patterns.ts';
import { keywordRuleOf } from './keyword-rule.ts';

/** Why patterns were ignored. */
const defects: string[] = [];
const patterns = new BoundedPatterns((why) => void defects.push(why));

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

function isBroken(trigger: object, text: string) {
	const trigger_metadata = trigger as APIAutoModerationRule['trigger_metadata'];
	return keywordRuleOf(rule({ trigger_metadata }), patterns)?.isBrokenBy(text);
}

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
	])('%s match “%s”, not “%s”', (keyword, text, other) => {
		expect(isBroken({ keyword_filter: ['unlikely', keyword] }, text)).toBe(true);
		expect(isBroken({ keyword_filter: ['unlikely', keyword] }, other)).toBe(false);
	});

	test('are permitted where an allowed word covers them', () => {
		const trigger = { keyword_filter: ['cat*', 'cat nap'], allow_list: ['catapult', 'cat'] };
		expect(isBroken(trigger, 'a catapult')).toBe(false);
		expect(isBroken(trigger, 'a catapult for a caterpillar')).toBe(true);
		expect(isBroken(trigger, 'a cat nap')).toBe(true);
	});

	test('without letters match nothing', () => {
		expect(isBroken({ keyword_filter: ['*', '**', ' '] }, 'anything')).toBe(false);
	});
});

describe('patterns', () => {
	test('have the syntax of Rust and ignore case', () => {
		expect(isBroken({ regex_patterns: ['(?i)f[o0]+x', String.raw`(?P<digits>\d{3})-\k<digits>`] }, 'a F00X')).toBe(
			true,
		);
		expect(isBroken({ regex_patterns: ['b[o0]x'] }, 'a F00X')).toBe(false);
		expect(isBroken({ regex_patterns: ['f[o0]+x'], allow_list: ['fox'] }, 'a fox')).toBe(false);
	});

	test('are ignored, and reported once, when JavaScript reads them differently', () => {
		defects.length = 0;
		const odd = ['[a-z&&[^aeiou]]+', '[[:alpha:]]', '(?x) a b', String.raw`\z`, '(unclosed'];
		for (const text of ['anything', 'a b c']) expect(isBroken({ regex_patterns: [...odd, 'fox'] }, text)).toBe(false);
		expect(isBroken({ regex_patterns: [...odd, 'fox'] }, 'a fox')).toBe(true);
		expect(defects).toEqual(odd.map(() => 'not readable'));
	});

	test('are stopped when they take too long, and ignored after three times', () => {
		defects.length = 0;
		const trigger = { regex_patterns: ['(a+)+$', 'fox', '(x+x+)+y'] };
		const text = `${'a'.repeat(500)}! ${'x'.repeat(500)} a fox`;
		for (let round = 0; round < 4; round++) expect(isBroken(trigger, text)).toBe(true);
		expect(defects).toEqual(['too slow', 'too slow']);
	});

	test('match a bounded number of times', () => {
		expect(isBroken({ regex_patterns: ['', 'fox'] }, `${'x'.repeat(1900)} a fox`)).toBe(true);
	});
});

test('ignores rules that are disabled, have another trigger, or block nothing', () => {
	const trigger_metadata = { keyword_filter: ['fox'] } as APIAutoModerationRule['trigger_metadata'];
	const applies = (more: Partial<APIAutoModerationRule>) =>
		keywordRuleOf(rule({ trigger_metadata, ...more }), patterns) !== undefined;
	expect(applies({})).toBe(true);
	expect(applies({ enabled: false })).toBe(false);
	expect(applies({ event_type: 2, trigger_type: 6 })).toBe(false);
	expect(applies({ trigger_type: 4 })).toBe(false);
	expect(applies({ actions: [{ type: 2, metadata: { channel_id: '4' } }] as never })).toBe(false);
});
