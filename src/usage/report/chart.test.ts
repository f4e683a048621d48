import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Receipt } from '../../domain/job.ts';
import { catalogueOf, type Language, translatorFor } from '../../i18n/translator.ts';
import { chartData, chartOf, chartText, drawSvg, type PlacedText, rectangle, text } from './chart.ts';
import { receipt } from './receipts.fixture.ts';
import { type Report, type ReportOptions, summarize } from './summary.ts';

const t = translatorFor();
const now = Date.UTC(2026, 10, 16);
const days = (count: number) => Array.from({ length: count }, (_, index) => Date.UTC(2026, 10, index + 1, 12));
const reportOf = (receipts: Receipt[], changes: Partial<ReportOptions> = {}) =>
	summarize(receipts, { month: '2026-11', timeZone: 'UTC', caps: {}, now, price: 30, ...changes });

/** For each day of the first half of the month: four calls of imagine, two of edit, and one that failed. */
const half = days(15).flatMap((at) => [
	...Array.from({ length: 4 }, () => receipt(at)),
	...Array.from({ length: 2 }, () => receipt(at, { command: 'edit' })),
	receipt(at, { outcome: 'failed', pictures: 0 }),
]);

describe("a chart's alt text", () => {
	test('contains the figures of the bars', async () => {
		expect(chartText(t, await reportOf(half, { caps: { day: 10, month: 150 } })).alt).toBe(
			'Bar chart: calls per day in November 2026 (UTC), stacked by command. 90 calls, 90 pictures, 15 failed; ' +
				'imagine 60, edit 30. Busiest day: 1 November with 6. Daily cap: 10. ' +
				'At this pace 150 calls by 30 November. Monthly cap: 150. Used up by 25 November.',
		);
	});

	test('contains costs and calls of unknown outcome', async () => {
		const { alt } = chartText(
			t,
			await reportOf([receipt(days(1)[0]!, { usd: 30_000, outcome: 'unknown' })], { caps: { overage: 30_000 } }),
		);
		expect(alt).toContain('1 call, 1 picture, 1 with an unknown outcome, 0.03 USD beyond the plan');
		expect(alt).toContain('At this pace 1 call and 0.03 USD by 30 November. Used up by 16 November.');
	});

	test('describes an empty month', async () => {
		expect(chartText(t, await reportOf([])).alt).toBe(
			'Bar chart: calls per day in November 2026 (UTC), stacked by command. No calls were counted.',
		);
	});

	test('fits into 1,000 characters', async () => {
		const commands = Array.from({ length: 40 }, (_, index) => `a-command-of-thirty-two-chars-${index}`);
		const report = await reportOf(commands.map((command) => receipt(now, { command })));
		expect(chartText(t, report).alt.length).toBeLessThan(1000);
	});
});

describe("a chart's bars", () => {
	const dataOf = (report: Report) => {
		const { bands, cap, facts } = chartData(t, report);
		return { series: bands.map(({ name, calls }) => ({ name, calls })), cap, facts };
	};

	test('show calls by command, the forecast and the cap', async () => {
		const none = Array(15).fill(0);
		const { series, cap } = dataOf(await reportOf(half, { caps: { day: 10 } }));
		expect(series).toEqual([
			{ name: 'imagine', calls: [...Array(15).fill(4), ...none] },
			{ name: 'edit', calls: [...Array(15).fill(2), ...none] },
			{ name: 'forecast', calls: [...none, ...Array(15).fill(6)] },
		]);
		expect(cap).toBe(10);
	});

	test('are not flattened by a high cap, which is a fact instead', async () => {
		const report = await reportOf(half, { caps: { day: 1000 } });
		const { cap, facts } = dataOf(report);
		expect(cap).toBeUndefined();
		expect(facts.flat()).toContain('Daily cap: 1,000');
	});

	test('combine all commands after the fifth when there are more than six', async () => {
		const receipts = 'abcdefgh'
			.split('')
			.flatMap((command, index) => days(9 - index).map((at) => receipt(at, { command })));
		const { series } = dataOf(await reportOf(receipts, { now: 0 }));
		expect(series.map(({ name }) => name)).toEqual(['a', 'b', 'c', 'd', 'e', 'other']);
		expect(series.at(-1)?.calls.slice(0, 5)).toEqual([3, 3, 2, 1, 0]);
	});
});

describe("a chart's picture", () => {
	let report: Report;
	beforeAll(async () => {
		report = await reportOf(half, { caps: { day: 10, month: 150 } });
	});

	test('is a PNG with a light background', async () => {
		const { png, alt } = await chartOf(report);
		expect(alt).toContain('90 calls');
		const { data, info } = await sharp(png).removeAlpha().raw().toBuffer({ resolveWithObject: true });
		expect(info).toMatchObject({ width: 1200, height: 750 });
		expect(data[0]).toBe(255);
	});

	test.each(['empty', 'half'])('contains no text that needs a font: %s month', async (month) => {
		const shown = month === 'empty' ? await reportOf([], { caps: { day: 3 } }) : report;
		const svg = drawSvg(t, shown);
		expect(svg).not.toMatch(/<text|<tspan|font-family/);
		expect(svg.match(/<path/g)?.length).toBeGreaterThan(10);
	});

	test('is the same, byte by byte, on a machine without fonts, and does not keep the process alive', async () => {
		const script = `
			const { summarize } = await import(${JSON.stringify(new URL('./summary.ts', import.meta.url).href)});
			const { chartOf } = await import(${JSON.stringify(new URL('./chart.ts', import.meta.url).href)});
			const { default: sharp } = await import(${JSON.stringify(import.meta.resolve('sharp'))});
			const report = await summarize([${JSON.stringify(half[0])}], { month: '2026-11', timeZone: 'UTC', caps: { day: 3 }, now: ${now}, price: 30 });
			const write = (letters) => sharp(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="99" height="50"><text y="40" font-size="20">' + letters + '</text></svg>')).png().toBuffer();
			const lettersDiffer = !(await write('ill')).equals(await write('cap'));
			const { png } = await chartOf(report);
			console.log(JSON.stringify({ lettersDiffer, png: Buffer.from(png).toString('base64') }));`;
		// Without fonts all letters are the same box, which proves that this process has none.
		const draw = async (env: NodeJS.ProcessEnv): Promise<unknown> => {
			const child = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], { env });
			return JSON.parse(child.stdout);
		};
		const directory = await mkdtemp(join(tmpdir(), 'fonts-'));
		const file = join(directory, 'none.conf');
		await writeFile(file, `<fontconfig><dir>${join(directory, 'none')}</dir></fontconfig>`);
		try {
			const [usual, bare] = await Promise.all([draw(process.env), draw({ ...process.env, FONTCONFIG_FILE: file })]);
			const { png } = usual as { png: string };
			expect(png.length).toBeGreaterThan(10_000);
			expect(bare).toEqual({ lettersDiffer: false, png });
		} finally {
			await rm(directory, { recursive: true });
		}
	});
});

const svgOf = (shape: string) =>
	`<svg xmlns="http://www.w3.org/2000/svg" width="200" height="100"><rect width="200" height="100" fill="#fff"/>${shape}</svg>`;
const FONT = { size: 40 };

/** Returns the bounds of the dark pixels of a drawn text. */
async function boundsOf(words: string, place: PlacedText) {
	const { data, info } = await sharp(Buffer.from(svgOf(text(words, { ...FONT, ...place }))))
		.greyscale()
		.raw()
		.toBuffer({ resolveWithObject: true });
	const dark = [...data.keys()].filter((pixel) => (data[pixel] ?? 255) < 128);
	const xs = dark.map((pixel) => pixel % info.width);
	const ys = dark.map((pixel) => Math.floor(pixel / info.width));
	return { left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) };
}

test('starts, centres or ends text at its anchor', async () => {
	const [start, middle, end] = await Promise.all(
		(['start', 'middle', 'end'] as const).map((anchor) => boundsOf('HH', { anchor, x: 100, y: 50 })),
	);
	expect(start!.left).toBeGreaterThanOrEqual(100);
	expect(end!.right).toBeLessThanOrEqual(100);
	expect(Math.abs((middle!.left + middle!.right) / 2 - 100)).toBeLessThan(1.5);
});

test('has the letters of every language except Japanese and Chinese', () => {
	const letter = (character: string) => text(character, { ...FONT, x: 0, y: 40 });
	const none = letter('\uffff');
	const letters = ['de', 'fr', 'es', 'pt-BR', 'ru'].flatMap((language) =>
		[...new Set(Object.values(catalogueOf(language as Language)).join(''))].filter(
			(character) => !/\s/.test(character),
		),
	);
	expect(letters.filter((character) => letter(character) === none)).toEqual([]);
});

test('centres capitals on their place, also when they are turned', async () => {
	const { top, bottom } = await boundsOf('H', { x: 20, y: 60 });
	expect(Math.abs((top + bottom + 1) / 2 - 60)).toBeLessThan(1);
	const turned = await boundsOf('H', { x: 80, y: 60, anchor: 'middle', isTurned: true });
	expect(Math.abs((turned.left + turned.right + 1) / 2 - 80)).toBeLessThan(1);
	expect(turned.right - turned.left).toBe(bottom - top);
});

test('leaves out a letter that no font has', () => {
	expect(text('ω', { ...FONT, x: 0, y: 40 })).toContain('d=""');
});

test('draws a rectangle that is thinner than its border', () => {
	const border = { colour: '#000', width: 2 };
	expect(rectangle({ x: 10, y: 10, width: 20, height: 0.5 }, '#f00', border)).toBe(
		'<rect x="11" y="11" width="18" height="0" rx="0" fill="#f00" stroke="#000" stroke-width="2"/>',
	);
});
