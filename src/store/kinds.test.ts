import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { KINDS } from './kinds.ts';

test('every space that the program uses is in the table of kinds', () => {
	const sources = globSync('src/**/*.ts', { exclude: ['**/*.test.ts', '**/*.fixture.ts'] });
	const names = sources.flatMap((path) =>
		[...readFileSync(path, 'utf8').matchAll(/\.space\('([a-z-]+)'\)/g)].map(([, name]) => name),
	);
	expect([...new Set(names)].sort()).toEqual(Object.keys(KINDS).sort());
});
