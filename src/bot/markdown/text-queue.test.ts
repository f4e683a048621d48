import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TextQueue } from './split-text.ts';

test('holds the text that was pushed and not dropped', () => {
	const command = fc.oneof(
		fc.record({ push: fc.oneof(fc.string({ maxLength: 30 }), fc.constant('x'.repeat(5000))) }),
		fc.record({ drop: fc.integer({ min: 0, max: 6000 }) }),
	);
	fc.assert(
		fc.property(fc.array(command, { maxLength: 60 }), fc.integer({ min: 0, max: 200 }), (commands, size) => {
			const queue = new TextQueue();
			let expected = '';
			for (const one of commands) {
				if ('push' in one) {
					queue.push(one.push);
					expected += one.push;
				} else {
					const count = Math.min(one.drop, expected.length);
					queue.drop(count);
					expected = expected.slice(count);
				}
				expect(queue.length).toBe(expected.length);
				expect(queue.head(size)).toBe(expected.slice(0, size));
			}
			expect(queue.head(queue.length)).toBe(expected);
		}),
	);
});
