import type { APIAutoModerationRule } from 'discord.js';
import { describe, expect, test } from 'vitest';
import { wordRuleOf } from './automod-rule.ts';
import { createBoundedPatterns } from './bounded-patterns.ts';

const useless: string[] = [];
const patterns = createBoundedPatterns((why) => void useless.push(why));

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

function breaks(trigger: object, text: string) {
	const trigger_metadata = trigger as APIAutoModerationRule['trigger_metadata'];
	return wordRuleOf(rule({ trigger_metadata }), patterns)?.isBrokenBy(text);
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
	])('%s is in “%s”, not in “%s”', (keyword, text, other) => {
		expect(breaks({ keyword_filter: ['unlikely', keyword] }, text)).toBe(true);
		expect(breaks({ keyword_filter: ['unlikely', keyword] }, other)).toBe(false);
	});

	test('are let pass where an allowed word covers them, and nowhere else', () => {
		const trigger = { keyword_filter: ['cat*', 'cat nap'], allow_list: ['catapult', 'cat'] };
		expect(breaks(trigger, 'a catapult')).toBe(false);
		expect(breaks(trigger, 'a catapult for a caterpillar')).toBe(true);
		expect(breaks(trigger, 'a cat nap')).toBe(true);
	});

	test('of no letters match nothing', () => {
		expect(breaks({ keyword_filter: ['*', '**', ' '] }, 'anything')).toBe(false);
	});
});

describe('patterns', () => {
	test('are Rust, without regard to case', () => {
		expect(breaks({ regex_patterns: ['(?i)f[o0]+x', String.raw`(?P<digits>\d{3})-\k<digits>`] }, 'a F00X')).toBe(true);
		expect(breaks({ regex_patterns: ['b[o0]x'] }, 'a F00X')).toBe(false);
		expect(breaks({ regex_patterns: ['f[o0]+x'], allow_list: ['fox'] }, 'a fox')).toBe(false);
	});

	test('that mean nothing or something else here are left out, and said to be once', () => {
		useless.length = 0;
		const odd = ['[a-z&&[^aeiou]]+', '[[:alpha:]]', '(?x) a b', String.raw`\z`, '(unclosed'];
		for (const text of ['anything', 'a b c']) expect(breaks({ regex_patterns: [...odd, 'fox'] }, text)).toBe(false);
		expect(breaks({ regex_patterns: [...odd, 'fox'] }, 'a fox')).toBe(true);
		expect(useless).toEqual(odd.map(() => 'not readable'));
	});

	test('that would take for ever are stopped, and before long left out', () => {
		useless.length = 0;
		const trigger = { regex_patterns: ['(a+)+$', 'fox', '(x+x+)+y'] };
		const text = `${'a'.repeat(500)}! ${'x'.repeat(500)} a fox`;
		for (let time = 0; time < 4; time++) expect(breaks(trigger, text)).toBe(true);
		expect(useless).toEqual(['too slow', 'too slow']);
	});

	test('have an end to what they may match', () => {
		expect(breaks({ regex_patterns: ['', 'fox'] }, `${'x'.repeat(1900)} a fox`)).toBe(true);
	});
});

test('rules that are off, of other kinds, or block nothing do not apply', () => {
	const trigger_metadata = { keyword_filter: ['fox'] } as APIAutoModerationRule['trigger_metadata'];
	const applies = (more: Partial<APIAutoModerationRule>) =>
		wordRuleOf(rule({ trigger_metadata, ...more }), patterns) !== undefined;
	expect(applies({})).toBe(true);
	expect(applies({ enabled: false })).toBe(false);
	expect(applies({ event_type: 2, trigger_type: 6 })).toBe(false);
	expect(applies({ trigger_type: 4 })).toBe(false);
	expect(applies({ actions: [{ type: 2, metadata: { channel_id: '4' } }] as never })).toBe(false);
});
