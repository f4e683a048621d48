import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Receipt } from '../../domain/job.ts';
import { dollars } from '../../domain/text.ts';
import { translatorFor } from '../../i18n/translator.ts';
import { receipt } from './receipts.fixture.ts';
import { tableOf as table } from './report.ts';
import { count, type Report, summarize } from './summary.ts';

const t = translatorFor();
const tableOf = (report: Report, maxCharacters = 2000) => table(t, report, maxCharacters);
const NOON = Date.UTC(2026, 10, 5, 12);
const reportOf = (receipts: Receipt[]) =>
	summarize(receipts, { month: '2026-11', timeZone: 'UTC', caps: {}, now: NOON, price: 30 });
const by = (name: string, changes: Partial<Receipt> = {}) =>
	receipt(NOON, { person: { id: `id of ${name}`, name }, ...changes });

test('aligns figures in columns, with names after them', async () => {
	const report = await reportOf([
		...Array.from({ length: 1200 }, () => by('Ada', { pictures: 2 })),
		by('Борис', { usd: 30_000 }),
		by('Борис', { outcome: 'failed', pictures: 0 }),
		by('愛', { outcome: 'unknown', pictures: 0, usd: 35_000 }),
	]);
	expect(tableOf(report)).toBe(
		[
			'```',
			'Calls  Pictures  Failed  Unknown    USD  Member',
			'1,200     2,400       0        0  0.000  Ada',
			'    1         0       0        1  0.035  愛',
			'    1         1       1        0  0.030  Борис',
			'1,202     2,401       1        1  0.065  total',
			'```',
		].join('\n'),
	);
});

test('has the tokens of pictures and chat turns, when the service counts them', async () => {
	const report = await reportOf([
		by('Ada', { tokens: { input: 12, output: 1000 } }),
		by('Ada', { what: 'chat', pictures: 0, tokens: { input: 30, output: 7 } }),
		by('Борис', { what: 'chat', pictures: 0, tokens: { input: 3, output: 4 } }),
	]);
	expect(tableOf(report)).toBe(
		[
			'```',
			'Calls  Pictures  Failed  Tokens   USD  Member',
			'    1         1       0   1,049  0.00  Ada',
			'    0         0       0       7  0.00  Борис',
			'    1         1       0   1,056  0.00  total',
			'```',
		].join('\n'),
	);
});

test('is one sentence for a month without calls', async () => {
	expect(tableOf(await reportOf([]))).toBe('No usage in November 2026.');
});

test('sums up rows that do not fit', async () => {
	const report = await reportOf(Array.from({ length: 100 }, (_, index) => by(`Member ${index}`, { usd: 30_000 })));
	const lines = tableOf(report, 400).split('\n');
	expect(lines.slice(-3)).toEqual([
		'   94        94       0  2.82  and 94 more',
		'  100       100       0  3.00  total',
		'```',
	]);
});

test.each([
	['**@everyone** <@123> <#1>', '**@\u200beveryone** <\u200b@\u200b123> <\u200b#\u200b…'],
	['```\nfree text', 'ˋˋˋ free text'],
	['\u202eevil\u202c\u0000', 'evil'],
	['👩‍👩‍👧‍👦'.repeat(4), `${'👩‍👩‍👧‍👦'.repeat(2)}…`],
	['\u200b', 'id of \u200b'],
])('sanitizes the name %j', async (name, shown) => {
	const line = tableOf(await reportOf([by(name)])).split('\n')[2];
	expect(line).toBe(`    1         1       0  0.00  ${shown}`);
});

test('fits, closes its block and adds up for random members', async () => {
	const person = fc.record({ id: fc.uuid(), name: fc.string({ unit: 'binary', maxLength: 60 }) });
	await fc.assert(
		fc.asyncProperty(
			fc.array(fc.record({ person, usd: fc.nat(100_000_000), pictures: fc.nat(9) }), { minLength: 1, maxLength: 150 }),
			fc.integer({ min: 250, max: 12_000 }),
			async (calls, maxCharacters) => {
				const report = await reportOf(calls.map((changes) => receipt(NOON, changes)));
				const text = tableOf(report, maxCharacters);
				expect(text.length).toBeLessThanOrEqual(maxCharacters);
				expect(text.match(/```/g)).toHaveLength(2);
				const numbers = text
					.split('\n')
					.slice(2, -1)
					.map((line) => Number(line.trim().split(/ +/)[0]));
				expect(numbers.slice(0, -1).reduce((sum, number) => sum + number)).toBe(numbers.at(-1));
			},
		),
		{ numRuns: 40 },
	);
});

test('formats amounts with cents, and parts of a cent where there are any', () => {
	const amounts = [0, 30_000, 35_000, 1, 1_000_000, 1_234_560_000, 9_007_199_254_740_000];
	expect(amounts.map((micros) => dollars(t, micros))).toEqual([
		'0.00',
		'0.03',
		'0.035',
		'0.000001',
		'1.00',
		'1234.56',
		'9007199254.74',
	]);
	expect(count(t, 12_345)).toBe('12,345');
	expect(dollars(translatorFor('de'), 2_500_000)).toBe('2,50');
});
