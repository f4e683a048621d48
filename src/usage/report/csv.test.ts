import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Receipt } from '../../domain/job.ts';
import { receipt } from './receipts.fixture.ts';
import { csvOf } from './report.ts';
import { summarize } from './summary.ts';

const NEW_YORK = 'America/New_York';
const HEADER =
	'local_time,utc_time,member,member_id,command,channel_id,outcome,calls,pictures,cost_usd,job_id,input_tokens,output_tokens';

async function csv(receipts: Receipt[]): Promise<string> {
	const options = { month: '2026-11', timeZone: NEW_YORK, caps: {}, now: 0, price: 30 };
	const bytes = await csvOf(await summarize(receipts, options), 'discord');
	return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}

/** Parses RFC 4180 strictly. */
function parse(text: string, separator = ','): string[][] {
	const rows: string[][] = [[]];
	const cell = /("(?:[^"]|"")*"|[^"\r\n]*?)(\r\n|SEPARATOR)/y;
	const pattern = new RegExp(cell.source.replace('SEPARATOR', separator), 'y');
	let end = 0;
	for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
		const [, value = '', after] = match;
		rows.at(-1)?.push(value.startsWith('"') ? value.slice(1, -1).replaceAll('""', '"') : value);
		if (after === '\r\n') rows.push([]);
		end = pattern.lastIndex;
	}
	expect(end).toBe(text.length);
	return rows.slice(0, -1);
}

test('has one row for each call, oldest first, in local time and UTC', async () => {
	const text = await csv([
		receipt(`2026-11-01T01:30:00-05:00[${NEW_YORK}]`, { id: '2', outcome: 'failed', pictures: 0, command: 'edit' }),
		receipt(`2026-11-01T01:30:00-04:00[${NEW_YORK}]`, { id: '1', pictures: 4, usd: 35_000 }),
		receipt(`2026-12-01T00:00[${NEW_YORK}]`),
	]);
	const [member, channel] = ['Ada,discord:222222222222222222', 'discord:111111111111111111'];
	expect(text).toBe(
		[
			`\ufeff${HEADER}`,
			`2026-11-01 01:30:00,2026-11-01T05:30:00Z,${member},imagine,${channel},succeeded,1,4,0.035,discord:1,,`,
			`2026-11-01 01:30:00,2026-11-01T06:30:00Z,${member},edit,${channel},failed,0,0,0.00,discord:2,,`,
			'',
		].join('\r\n'),
	);
});

test('has the tokens of pictures and of chat turns, whose calls count against other caps', async () => {
	const rows = parse(
		await csv([
			receipt(`2026-11-01T10:00[${NEW_YORK}]`, { tokens: { input: 12, output: 100 } }),
			receipt(`2026-11-01T11:00[${NEW_YORK}]`, {
				...{ what: 'chat', command: 'chat', pictures: 0, tokens: { input: 30, output: 7 } },
			}),
		]),
	);
	expect(rows.map((row) => [row[4], ...row.slice(7, 10), ...row.slice(11)])).toEqual([
		['command', 'calls', 'pictures', 'cost_usd', 'input_tokens', 'output_tokens'],
		['imagine', '1', '1', '0.00', '12', '100'],
		['chat', '0', '0', '0.00', '30', '7'],
	]);
});

test('has a header in a month without calls', async () => {
	expect(await csv([])).toBe(`\ufeff${HEADER}\r\n`);
});

/** Characters that begin a formula in spreadsheets, after any blanks. */
const FORMULA = /^\s*[=+\-@\t\r＝＋－＠]/;

test.each([
	'=HYPERLINK("http://example.com","click")',
	'+1+1',
	'-2+3',
	'@SUM(A1)',
	'\t=1',
	'\r=1',
	' \u00a0=1',
	'\ufeff=1',
	'＝1',
	'a;=1',
	'a; "=1',
	'a\n=1',
	'a",=1',
])('does not let the name %j become a formula', async (name) => {
	const text = (await csv([receipt(`2026-11-05T12:00[${NEW_YORK}]`, { person: { id: '1', name } })])).slice(1);
	for (const cell of parse(text).flat()) expect(cell).not.toMatch(FORMULA);
	for (const cell of text.split(/[;\r\n]/)) expect(cell.replace(/^["\s]+/, '')).not.toMatch(FORMULA);
});

test('keeps rows and columns apart, without formulas, for random names', async () => {
	const nasty = fc.string({
		unit: fc.constantFrom(...'=+-@\t\r\n",;\' aé😀＝\u202e\u0000'),
		maxLength: 12,
	});
	await fc.assert(
		fc.asyncProperty(fc.array(fc.tuple(nasty, nasty), { maxLength: 8 }), async (people) => {
			const text = await csv(
				people.map(([name, id]) => receipt(`2026-11-05T12:00[${NEW_YORK}]`, { person: { id, name } })),
			);
			const rows = parse(text.slice(1));
			expect(rows).toHaveLength(people.length + 1);
			for (const row of rows) {
				expect(row).toHaveLength(HEADER.split(',').length);
				for (const cell of row) expect(cell).not.toMatch(FORMULA);
			}
		}),
	);
});

test('lets other work go on while it formats many rows', async () => {
	const receipts = Array.from({ length: 2000 }, (_, id) =>
		receipt(`2026-11-02T10:00[${NEW_YORK}]`, { id: String(id) }),
	);
	let turns = 0;
	const count = () => {
		turns += 1;
		immediate = setImmediate(count);
	};
	let immediate = setImmediate(count);
	expect((await csv(receipts)).split('\r\n')).toHaveLength(2002);
	clearImmediate(immediate);
	expect(turns).toBeGreaterThanOrEqual(10);
});
