import { expect, test } from 'vitest';
import { RULES } from '../simulation/rules/rules.ts';
import { promises, written } from './proof.ts';

// The links are followed by links.test.ts.
test('the page of proofs is what its script writes', () => {
	expect(written()).toBe(promises());
});

test('every rule of the simulator belongs to a promise', () => {
	const named = [...promises().matchAll(/\| ([\d, ]+) \|$/gm)].flatMap(([, rules = '']) => rules.split(', '));
	expect(named.toSorted()).toEqual(Object.keys(RULES).toSorted());
});
