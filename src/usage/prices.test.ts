import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { PricedCall, PriceRow } from '../domain/job.ts';
import { paidOf, quoteOf, readPrices } from './prices.ts';

const plain: PricedCall = { model: 'gpt-image-1', n: 1, inputs: 0 };

/** A table as an operator may write it: sizes and qualities first, and a row for everything else. */
const TABLE = rowsOf({
	rows: [
		{ model: 'gpt-image-1', quality: 'low', size: '1024x1024', usd_per_picture: 0.011 },
		{ model: 'gpt-image-1', quality: 'low', size: '1536x1024', usd_per_picture: 0.016 },
		{ model: 'gpt-image-1', quality: 'high', usd_per_picture: 0.25 },
		{ model: 'flux-*', n: 4, usd_per_call: 0.09 },
		{ model: 'flux-*', usd_per_picture: 0.025, usd_per_input_picture: 0.001 },
		{ usd_per_call: 0.03 },
	],
});

function rowsOf(json: unknown): readonly PriceRow[] {
	const { table, faults } = readPrices(json);
	if (!table) throw new Error(faults.join('\n'));
	return table.rows;
}

describe('a call costs', () => {
	test.each<[string, Partial<PricedCall>, number]>([
		['by the first row that applies', { quality: 'low', size: '1536x1024' }, 16_000],
		['for each picture', { quality: 'low', size: '1024x1024', n: 3 }, 33_000],
		['by the number of pictures, where a row has one', { model: 'flux-dev', n: 4 }, 90_000],
		['for pictures that are sent along', { model: 'flux-dev', n: 2, inputs: 3 }, 53_000],
		['by the row without a model, whatever it is', { model: 'dall-e-2', n: 4 }, 30_000],
		['the most where the quality is left to the service', { size: '1024x1024' }, 250_000],
		['the most where the size is left to the service', { quality: 'low' }, 30_000],
	])('%s', (_, call, most) => {
		expect(quoteOf(TABLE, { ...plain, ...call })?.most).toBe(most);
	});

	test('nothing that is known where no row applies', () => {
		expect(quoteOf(TABLE.slice(0, 3), { ...plain, model: 'other' })).toBeUndefined();
		expect(quoteOf(TABLE.slice(0, 3), { ...plain, quality: 'low', size: '64x64' })).toBeUndefined();
	});

	test('no less than any quality and size that the service may choose', () => {
		const word = (...words: string[]) => fc.option(fc.constantFrom(...words), { nil: undefined });
		const row = fc.record({
			...{ model: word('a', 'b', 'a*', '*'), quality: word('low', 'high'), size: word('1x1', '2x2') },
			...{ n: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }), usd_per_picture: fc.nat(1_000_000) },
		});
		const call = fc.record({ model: fc.constantFrom('a', 'ab', 'b'), n: fc.integer({ min: 1, max: 3 }) });
		const chosen = fc.record({
			quality: fc.constantFrom('low', 'high', 'max'),
			size: fc.constantFrom('1x1', '2x2', '3x3'),
		});
		fc.assert(
			fc.property(fc.array(row, { maxLength: 12 }), call, chosen, (rows, asked, made) => {
				const exact = quoteOf(rows, { ...asked, inputs: 0, ...made });
				const open = quoteOf(rows, { ...asked, inputs: 0 });
				if (!exact || !open) return;
				expect(open.most).toBeGreaterThanOrEqual(exact.most);
				// By what the service says of the picture, the call is settled as if it had been asked for so.
				expect(paidOf(open, made)).toBe(exact.most);
			}),
		);
	});
});

describe('a call is paid', () => {
	const [row] = rowsOf({
		rows: [{ usd_per_picture: 0.02, usd_per_million_tokens: { input: 10, input_text: 5, output: 40 } }],
	});
	const quote = quoteOf([row as PriceRow], plain)!;

	test('as the service says', () => {
		expect(paidOf(quote, { cost: 1234, tokens: { input: 1, output: 1 } })).toBe(1234);
	});

	test('by its tokens, those of text apart', () => {
		expect(paidOf(quote, { tokens: { input: 100, output: 200 } })).toBe(1000 + 8000);
		expect(paidOf(quote, { tokens: { input: 100, output: 200 }, textTokens: 60 })).toBe(400 + 300 + 8000);
	});

	test('by its row where the service says nothing', () => {
		expect(paidOf(quoteOf(TABLE, { ...plain, quality: 'low', size: '1024x1024' })!, {})).toBe(11_000);
	});

	test('in whole millionths, never below the exact amount, and less than one above it', () => {
		const price = fc.nat(200_000_000);
		fc.assert(
			fc.property(fc.nat(1_000_000), fc.nat(1_000_000), fc.nat(2_000_000), price, price, price, (...numbers) => {
				const [input, output, textTokens, ofInput, ofText, ofOutput] = numbers;
				const prices = { input: ofInput, input_text: ofText, output: ofOutput };
				const priced = { most: 0, call: plain, rows: [{ usd_per_picture: 1, usd_per_million_tokens: prices }] };
				const paid = paidOf(priced, { tokens: { input, output }, textTokens });
				const text = BigInt(Math.min(input, textTokens));
				const exact =
					text * BigInt(ofText) + (BigInt(input) - text) * BigInt(ofInput) + BigInt(output) * BigInt(ofOutput);
				expect(BigInt(paid) * 1_000_000n - exact).toBeGreaterThanOrEqual(0n);
				expect(BigInt(paid) * 1_000_000n - exact).toBeLessThan(1_000_000n);
			}),
		);
	});

	test('no more than was reserved for the prompt and the previews', () => {
		fc.assert(
			fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), fc.nat(3), (prompt, previews) => {
				const promptBytes = Buffer.byteLength(prompt);
				const { most } = quoteOf([row as PriceRow], { ...plain, promptBytes, previews })!;
				const output = 20_000 / 40;
				const tokens = { input: promptBytes, output: output + 100 * previews };
				expect(
					paidOf({ most, call: plain, rows: [row as PriceRow] }, { tokens, textTokens: promptBytes }),
				).toBeLessThan(most);
			}),
		);
	});
});

describe('a table', () => {
	test('has exact amounts', () => {
		fc.assert(
			fc.property(fc.nat(10_000_000), (micros) => {
				const text = `{"rows":[{"usd_per_call":${(micros / 1_000_000).toFixed(6)}}]}`;
				expect(rowsOf(JSON.parse(text))[0]?.usd_per_call).toBe(micros);
			}),
		);
	});

	test('has rows within rows, which take what the outer one has', () => {
		const within = [
			{ quality: 'low', usd_per_picture: 0.01 },
			{ usd_per_picture: 0.2, usd_per_input_picture: 0 },
		];
		expect(rowsOf({ rows: [{ model: 'a', usd_per_input_picture: 0.02, rows: within }, { usd_per_call: 1 }] })).toEqual([
			{ model: 'a', quality: 'low', usd_per_picture: 10_000, usd_per_input_picture: 20_000 },
			{ model: 'a', usd_per_picture: 200_000, usd_per_input_picture: 0 },
			{ usd_per_call: 1_000_000 },
		]);
		expect(readPrices({ rows: [{ model: 'a', rows: [{ usd_per_call: 1 }, { n: 2 }] }] }).faults).toEqual([
			'row 2 needs either usd_per_picture or usd_per_call',
		]);
	});

	test('with faults names each of them with its row', () => {
		const faulty = {
			rows: [
				{ usd_per_call: 1, usd_per_picture: 1 },
				{ model: 'a*b', usd_per_call: -1 },
				{ qualitty: 'low', usd_per_call: 0.0000001 },
				{ n: 0, usd_per_picture: '1' },
			],
		};
		expect(readPrices(faulty).faults?.sort()).toEqual([
			'row 1 needs either usd_per_picture or usd_per_call',
			'row 2 (model) has a * that is neither at its beginning nor at its end',
			'row 2 (usd_per_call) is below 0',
			'row 3 (usd_per_call) has more than six decimals',
			'row 3 has qualitty, which it does not know',
			'row 4 (n) is below 1',
			'row 4 (usd_per_picture) is not a number',
		]);
		expect(readPrices([]).faults).toHaveLength(1);
		expect(readPrices({ rows: [] }).faults).toEqual(['rows has no rows']);
	});

	test('comes with Easel, and has a price for each call of its models', () => {
		const text = readFileSync(new URL('image-costs.json', import.meta.url), 'utf8');
		const rows = rowsOf(JSON.parse(text));
		const models = ['gpt-image-2', 'gpt-image-2.5-flare', 'openai/gpt-image-1.5', 'gpt-image-1-mini', 'gpt-image-1'];
		const geminis = ['google/gemini-2.5-flash-image', 'gemini-3-pro-image', 'gemini-3.1-flash-image-preview'];
		for (const model of [...models, ...geminis, 'alpha-image', 'beta'])
			for (const quality of [undefined, 'low', 'max'])
				expect(quoteOf(rows, { ...plain, model, quality, size: '1792x1024' }), model).toBeDefined();
		expect(quoteOf(rows, { ...plain, model: 'gpt-image-1-mini', quality: 'low', size: '1024x1024' })?.most).toBe(5200);
	});

	test('comes with the prices of larger pictures, which are not reserved unasked', () => {
		const rows = rowsOf(JSON.parse(readFileSync(new URL('image-costs.json', import.meta.url), 'utf8')));
		const usd = (model: string, size: string | undefined, quality?: string) =>
			Math.round((quoteOf(rows, { ...plain, model, quality, size })?.most ?? 0) / 10_000) / 100;
		const gemini = [undefined, '16:9', '16:9 2K', '1:1 4K', '4K'].map((size) => usd('gemini-3-pro-image', size));
		expect(gemini).toEqual([0.15, 0.15, 0.15, 0.26, 0.26]);
		const flash = [undefined, '3:2 2K', '5504x3072'].map((size) => usd('gemini-3.1-flash-image', size));
		expect(flash).toEqual([0.08, 0.11, 0.16]);
		const gpt = [undefined, '2048x2048', '2880x2880', '3840x2160'].map((size) => usd('gpt-image-2', size, 'high'));
		expect(gpt).toEqual([0.44, 0.44, 0.72, 0.72]);
	});
});
