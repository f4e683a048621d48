import { describe, expect, test } from 'vitest';
import { inlineTokens, openAfter } from './split-points.ts';

const tokens = (line: string, ticks?: string) => inlineTokens(line, ticks).map(({ kind, text }) => `${kind} ${text}`);

test('a line is split into words, and markup that stays whole', () => {
	expect(tokens('See **this** `a b` or [the docs](https://e.com/a_(b)).')).toEqual([
		...[
			'word See',
			'space  ',
			'marks **',
			'word this',
			'marks **',
			'space  ',
			'code `a b`',
			'space  ',
			'word or',
			'space  ',
		],
		...['link [the docs](https://e.com/a_(b))', 'word .'],
	]);
	expect(tokens('<@12> https://e.com/a_b \\* @here')).toEqual([
		...['whole <@12>', 'space  ', 'whole https://e.com/a_b', 'space  ', 'whole \\*', 'space  ', 'whole @here'],
	]);
});

test('a line may begin within a code span', () => {
	expect(tokens('code` and text', '`')).toEqual(['code code`', 'space  ', 'word and', 'space  ', 'word text']);
	expect(tokens('no end', '``')).toEqual(['code no end']);
});

test('the tokens of a line are the line', () => {
	for (const line of ['a `b', '**a* b_', '[x](y', '雪。の', '\\', '@', '<a b>'])
		expect(
			inlineTokens(line)
				.map(({ text }) => text)
				.join(''),
		).toBe(line);
});

describe('emphasis', () => {
	test.each([
		['opens before a word', [], '**', ' ', 'a', ['**']],
		['does not open before space', [], '**', 'a', ' ', []],
		['does not open within a word', [], '_', 'a', 'b', []],
		['closes after a word', ['**'], '**', 'a', ' ', []],
		['closes what was opened within it', ['**', '_'], '**', 'a', ' ', []],
		['of three marks closes both', ['**', '*'], '***', 'a', ' ', []],
		['of one tilde is none', [], '~', ' ', 'a', []],
	])('%s', (_, open, run, before, after, expected) => {
		expect(openAfter(open, run, before, after)).toEqual(expected);
	});
});
