import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { KINDS, type Kind, SPACES } from './kinds.ts';

const nameOf = ({ space, prefix }: Kind) => `${space}/${prefix}`;

test('every space that the program uses is in the table of kinds', () => {
	const sources = globSync('src/**/*.ts', { exclude: ['**/*.test.ts', '**/*.fixture.ts'] });
	const names = sources.flatMap((path) =>
		[...readFileSync(path, 'utf8').matchAll(/\.space\('([a-z-]+)'\)/g)].map(([, name]) => name),
	);
	expect([...new Set(names)].sort()).toEqual([...SPACES].sort());
});

test('every kind about a person or a thread says what an erasure does with it', () => {
	const personal = KINDS.filter(({ owner, sort }) => sort !== 'index' && (owner === 'person' || owner === 'thread'));
	expect(personal.filter(({ erasure }) => erasure === undefined).map(nameOf)).toEqual([]);
});

test('every kind that is erased is found by its people, or names the part that erases it', () => {
	const erased = KINDS.filter(({ erasure }) => erasure === 'deleted' || erasure === 'unnamed');
	expect(erased.filter(({ peopleOf, erasedBy }) => !peopleOf && !erasedBy).map(nameOf)).toEqual([]);
	expect(KINDS.filter(({ peopleOf, group }) => (peopleOf === undefined) !== (group === undefined))).toEqual([]);
});

test('docs/privacy.md has the table of kinds', () => {
	const doc = readFileSync(new URL('../../docs/privacy.md', import.meta.url), 'utf8');
	const words = { deleted: 'deleted', unnamed: 'the name is removed', kept: 'stays' };
	const rows = KINDS.filter(({ sort, prefix }) => sort !== 'index' && prefix !== 'schema').map(
		({ space, prefix, holds, owner, lifetime, erasure }) =>
			`| \`${space}/${prefix}\` | ${holds} | ${owner} | ${lifetime} | ${erasure ? words[erasure] : '–'} |`,
	);
	expect(
		doc
			.split('\n')
			.filter((line) => /^\| `[a-z]+\//.test(line))
			.sort(),
	).toEqual(rows.sort());
});
