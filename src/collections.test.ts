import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { COLLECTIONS, SPACES } from './collections.ts';
import { ALL_SPACES, isBackedUp, isBackedUpFile, isBackedUpSpace } from './store/backup-file.ts';
import type { AnyCollection } from './store/store.ts';

const nameOf = ({ space, prefix }: AnyCollection) => `${space}/${prefix}`;

test('every space that the program uses has a collection, and is known to backups', () => {
	const sources = globSync('src/**/*.ts', { exclude: ['**/*.test.ts', '**/*.fixture.ts'] });
	const names = sources.flatMap((path) =>
		[...readFileSync(path, 'utf8').matchAll(/\.space\('([a-z-]+)'\)/g)].map(([, name]) => name),
	);
	expect(names.filter((name) => !SPACES.includes(name ?? ''))).toEqual([]);
	expect(SPACES.filter((name) => !ALL_SPACES.includes(name))).toEqual([]);
});

test('only entries about a process are left out of a backup of their space', () => {
	const backedUp = COLLECTIONS.filter(({ space }) => isBackedUpSpace(space));
	const leftOut = backedUp.filter(({ space, prefix }) => !isBackedUp(space, prefix));
	expect(leftOut).toEqual(backedUp.filter(({ declared }) => declared.owner === 'process'));
	const files = COLLECTIONS.filter(({ space, prefix, declared }) => {
		return declared.sort === 'file' && !isBackedUpFile(space, prefix);
	});
	expect(files).toEqual([]);
});

test('every collection about a person or a thread says what an erasure does with it', () => {
	const personal = COLLECTIONS.filter(({ declared: { owner } }) => owner === 'person' || owner === 'thread');
	expect(personal.filter(({ declared }) => declared.erasure === undefined).map(nameOf)).toEqual([]);
});

test('every collection that is erased is found by its people, or names the part that erases it', () => {
	const erased = COLLECTIONS.filter(({ declared: { erasure } }) => erasure === 'deleted' || erasure === 'unnamed');
	expect(erased.filter(({ declared: { peopleOf, erasedBy } }) => !peopleOf && !erasedBy).map(nameOf)).toEqual([]);
	expect(COLLECTIONS.filter(({ declared: { peopleOf, group } }) => !peopleOf !== !group).map(nameOf)).toEqual([]);
});

test('docs/privacy.md has the table of collections', () => {
	const doc = readFileSync(new URL('../docs/privacy.md', import.meta.url), 'utf8');
	const words = { deleted: 'deleted', unnamed: 'the name is removed', kept: 'stays' };
	const rows = COLLECTIONS.filter(({ prefix }) => prefix !== 'schema').map(
		({ space, prefix, lifetime, declared: { holds, owner, erasure } }) =>
			`| \`${space}/${prefix}\` | ${holds} | ${owner} | ${lifetime} | ${erasure ? words[erasure] : '–'} |`,
	);
	expect(
		doc
			.split('\n')
			.filter((line) => /^\| `[a-z]+\//.test(line))
			.sort(),
	).toEqual(rows.sort());
});
