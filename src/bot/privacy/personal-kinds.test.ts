import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ERASURE_RULES, KINDS } from '../../store/kinds.ts';
import { PERSONAL_KINDS } from './personal-kinds.ts';

/** Kinds that are erased by the code of their own repository, which the tests of `/privacy` check. */
const ERASED_ELSEWHERE = [
	'waiting/',
	'waiting/answer:',
	'pictures/kept:',
	'pictures/original:',
	'pictures/input:',
	'pictures/brought:',
	'forms/',
	'uploads/',
	'files/file:',
	'files/objects',
];

/** Kinds that a platform declares, in its `personalKinds`. */
const OF_PLATFORMS = ['discord/locale:', 'discord/direct:', 'sandbox/message:'];

const declared = Object.entries(KINDS).flatMap(([space, { entries, indexes = [], files = [] }]) =>
	[...entries, ...files, ...(entries.length <= 1 ? indexes : [])].map((kind) => ({
		...kind,
		name: `${space}/${kind.prefix}`,
	})),
);
const ruleOf = (name: string) => {
	const [space = '', prefix = ''] = name.split(/\/(.*)/s);
	return ERASURE_RULES[space]?.[prefix];
};

test('every kind about a person or a thread says what an erasure does with it', () => {
	const personal = declared.filter(({ owner }) => owner === 'person' || owner === 'thread');
	expect(personal.map(({ name }) => name).filter((name) => ruleOf(name) === undefined)).toEqual([]);
});

test('every kind that is erased has an eraser', () => {
	const erasers = [
		...PERSONAL_KINDS.map(({ space, prefix }) => `${space}/${prefix}`),
		...ERASED_ELSEWHERE,
		...OF_PLATFORMS,
	];
	const erased = Object.entries(ERASURE_RULES).flatMap(([space, rules]) =>
		Object.entries(rules).flatMap(([prefix, rule]) => (rule === 'kept' ? [] : [`${space}/${prefix}`])),
	);
	expect(erased.filter((name) => !erasers.includes(name) && name !== 'erasures/task:')).toEqual([]);
});

test('docs/privacy.md has the table of kinds', () => {
	const doc = readFileSync(new URL('../../../docs/privacy.md', import.meta.url), 'utf8');
	const words = { deleted: 'deleted', unnamed: 'the name is removed', kept: 'stays' };
	const rows = Object.entries(KINDS).flatMap(([space, { entries, files = [] }]) =>
		[...entries, ...files]
			.filter(({ prefix, holds }) => prefix !== 'schema' && holds !== '')
			.map(({ prefix, holds, owner, lifetime }) => {
				const rule = ERASURE_RULES[space]?.[prefix];
				return `| \`${space}/${prefix}\` | ${holds} | ${owner} | ${lifetime} | ${rule ? words[rule] : '–'} |`;
			}),
	);
	const missing = rows.filter((row) => !doc.includes(row));
	expect(missing).toEqual([]);
	const listed = doc.split('\n').filter((line) => /^\| `[a-z]+\//.test(line));
	expect(listed.filter((row) => !rows.includes(row))).toEqual([]);
});
