import { expect, test } from 'vitest';
import { messageParts } from './page-messages.ts';

test('a message becomes its texts and values', () => {
	expect(messageParts('Chat with {name}')).toEqual(['Chat with ', { value: 'name' }]);
	expect(messageParts('{count, number} failed')).toEqual([{ value: 'count', number: true }, ' failed']);
});

test('plurals and selections keep their options, and # is the number', () => {
	expect(messageParts('{n, plural, =0 {none} other {# of {kind, select, a {A} other {B}}}}')).toEqual([
		{
			value: 'n',
			plural: {
				'=0': ['none'],
				other: [{ value: 'n', number: true }, ' of ', { value: 'kind', select: { a: ['A'], other: ['B'] } }],
			},
		},
	]);
});

test('a syntax that the page cannot format is refused', () => {
	expect(() => messageParts('{at, date}')).toThrow(TypeError);
});
