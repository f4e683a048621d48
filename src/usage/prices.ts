import { z } from 'zod';
import { partsOfSize, RESOLUTIONS } from '../domain/channel.ts';
import type { PricedCall, PriceRow, Quote, ServiceUsage } from '../domain/job.ts';

/** Millionths of a dollar. All money is counted in them, as whole numbers. */
export const MICROS_PER_USD = 1_000_000;

/** More than any cap. Sums of it are whole numbers by far. */
const MAX_USD = 1_000_000;

/** An amount in USD with up to six decimals, as micro-USD. */
export const usdAmount = z
	.number('is not a number')
	.min(0, 'is below 0')
	.max(MAX_USD, `is above ${MAX_USD}`)
	.transform((usd, context) => {
		const amount = Math.round(usd * MICROS_PER_USD);
		if (Math.abs(usd * MICROS_PER_USD - amount) < 1e-4) return amount;
		context.addIssue('has more than six decimals');
		return z.NEVER;
	});

const word = z.string('is not a text').trim().min(1, 'is empty').max(200, 'is too long');

const Row: z.ZodType<PriceRow> = z
	.strictObject({
		model: word.regex(/^\*?[^*]*\*?$/, 'has a * that is neither at its beginning nor at its end').optional(),
		quality: word.optional(),
		size: word.optional(),
		n: z.int('is not a whole number').min(1, 'is below 1').max(10, 'is above 10').optional(),
		usd_per_picture: usdAmount.optional(),
		usd_per_call: usdAmount.optional(),
		usd_per_input_picture: usdAmount.optional(),
		usd_per_million_tokens: z
			.strictObject({ input: usdAmount, input_text: usdAmount.optional(), output: usdAmount })
			.optional(),
	})
	.refine((row) => (row.usd_per_picture === undefined) !== (row.usd_per_call === undefined), {
		error: 'needs either usd_per_picture or usd_per_call',
	});

/** Returns the rows of a table in their order. Rows within a row have what it has, too. */
const flatRows = (rows: unknown): unknown =>
	Array.isArray(rows)
		? rows.flatMap((row) => {
				const { rows: within, ...shared } = Object(row) as Record<string, unknown>;
				return Array.isArray(within) ? within.map((each) => ({ ...shared, ...Object(each) })) : [row];
			})
		: rows;

const Table = z.strictObject({
	date: z.string().optional(),
	sources: z.array(z.string()).optional(),
	rows: z.preprocess(flatRows, z.array(Row).min(1, 'has no rows').max(1000, 'has more than 1000 rows')),
});

/** A table of prices, with the date and the pages that it is from. */
export type PriceTable = z.output<typeof Table>;

/** Reads a table of prices. `faults` are predicates, such as `row 2 (quality) is empty`. */
export function readPrices(json: unknown): { table: PriceTable; faults?: never } | { table?: never; faults: string[] } {
	const { data, error } = Table.safeParse(json);
	if (data) return { table: data };
	const faults = error.issues.map(({ path: [first, index, ...rest], message, code, ...issue }) => {
		const where =
			first === 'rows' && index !== undefined ? `row ${Number(index) + 1}` : [first, index].join(' ').trim();
		const unknown =
			code === 'unrecognized_keys' && 'keys' in issue ? `has ${issue.keys}, which it does not know` : message;
		return `${where || 'the file'}${rest.length > 0 ? ` (${rest.join('.')})` : ''} ${unknown}`;
	});
	return { faults };
}

/** Returns what a call may cost; undefined where no row applies to it. */
export function quoteOf(table: readonly PriceRow[], call: PricedCall): Quote | undefined {
	const rows = rowsFor(table, call);
	return rows.length === 0 ? undefined : { most: Math.max(...rows.map((row) => priceOf(row, call))), call, rows };
}

/**
 * Returns what a call has cost, in micro-USD: as the service says, by its tokens where the table has their prices, or by the quality and the
 * size of what was made. It may be more than was reserved.
 */
export function paidOf({ most, call, rows }: Quote, usage: ServiceUsage): number {
	if (usage.cost !== undefined) return usage.cost;
	const made = { ...call, quality: call.quality ?? usage.quality, size: call.size ?? usage.size };
	const prices = rowsFor(rows, made).map((row) => priceOfTokens(row, usage) ?? priceOf(row, made));
	return prices.length === 0 ? most : Math.max(...prices);
}

/**
 * Returns the rows that may apply to a call, from the top: the first one that certainly applies ends them. A row whose quality or size the
 * service chooses may apply.
 */
function rowsFor(table: readonly PriceRow[], call: PricedCall): PriceRow[] {
	const rows: PriceRow[] = [];
	for (const row of table) {
		const fits = [
			fitOf(row.model, call.model, isModel),
			fitOf(row.quality, call.quality),
			fitOfSize(row.size, call.size),
			fitOf(row.n, call.n),
		];
		if (fits.includes('no')) continue;
		rows.push(row);
		if (!fits.includes('maybe')) break;
	}
	return rows;
}

function fitOf<Value>(
	wanted: Value | undefined,
	given: Value | undefined,
	isSame = (one: Value, other: Value) => one === other,
): 'yes' | 'no' | 'maybe' {
	if (wanted === undefined) return 'yes';
	if (given === undefined) return 'maybe';
	return isSame(wanted, given) ? 'yes' : 'no';
}

/** A resolution is as certain without a size: services make none of the larger ones unasked. */
function fitOfSize(wanted: string | undefined, given: string | undefined): 'yes' | 'no' | 'maybe' {
	if (!RESOLUTIONS.some((name) => name === wanted)) return fitOf(wanted, given);
	return given !== undefined && resolutionOf(given) === wanted ? 'yes' : 'no';
}

/** The most pixels of a picture of 2K. https://ai.google.dev/gemini-api/docs/image-generation */
const MOST_PIXELS = 4_300_000;

/** Returns the resolution of a size, as far as it has a price of its own: the one in its name, or 4K by its pixels. */
function resolutionOf(size: string): string | undefined {
	const [width = 0, height = 0] = size.split('x').map(Number);
	return width * height > MOST_PIXELS ? '4K' : partsOfSize(size).resolution;
}

/** A `*` at the beginning or the end of a name stands for anything. */
function isModel(pattern: string, model: string): boolean {
	const name = pattern.replaceAll('*', '');
	if (pattern.startsWith('*')) return pattern.endsWith('*') ? model.includes(name) : model.endsWith(name);
	return pattern.endsWith('*') ? model.startsWith(name) : model === name;
}

/** Text has at most one token for each byte. Services add some words of their own. */
const OWN_TOKENS = 100;
/** https://developers.openai.com/api/docs/guides/image-generation#partial-images-cost */
const PREVIEW_TOKENS = 100;

/** Returns the most that a call costs by a row. Prompt and previews are priced by their tokens. */
function priceOf(row: PriceRow, { n, inputs, promptBytes = 0, previews = 0 }: PricedCall): number {
	const { usd_per_picture: picture = 0, usd_per_call: call = 0, usd_per_input_picture: input = 0 } = row;
	const text = promptBytes + OWN_TOKENS;
	const tokens = { input: text, output: previews * PREVIEW_TOKENS };
	return call + picture * n + input * inputs + (priceOfTokens(row, { tokens, textTokens: text }) ?? 0);
}

/** Rounded up to a whole millionth. Undefined where the row has no prices of tokens, or the service does not count them. */
function priceOfTokens({ usd_per_million_tokens: prices }: PriceRow, { tokens, textTokens = 0 }: ServiceUsage) {
	if (!prices || !tokens) return undefined;
	const text = Math.min(tokens.input, textTokens);
	const { input, input_text: inputText = input, output } = prices;
	return Math.ceil((text * inputText + (tokens.input - text) * input + tokens.output * output) / 1_000_000);
}
