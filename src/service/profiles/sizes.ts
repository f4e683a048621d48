import { NAMED_SIZES } from '../../domain/picture-sizes.ts';

/** Width and height in pixels. */
type Size = { width: number; height: number };

/** The sizes that a service takes: every one, a few, every one within bounds, or ratios of width to height (`16:9`) alone. */
export type SizeRule =
	| { kind: 'any' }
	| { kind: 'list'; sizes: readonly string[] }
	| { kind: 'grid'; multiple: number; maxEdge: number; maxRatio: number; minPixels: number; maxPixels: number }
	| { kind: 'ratio'; ratios: readonly string[] };

/**
 * Returns the size, or the ratio, that the service takes and that is nearest to the wanted one: first by its shape, then by its pixels.
 * What is neither a name nor `WIDTHxHEIGHT` is returned as it is, so that the service can refuse it in its own words.
 */
export function nearestSize(rule: SizeRule, wanted: string): string {
	const exact = NAMED_SIZES[wanted] ?? wanted;
	const size = parseSize(exact);
	if (!size) return exact;
	switch (rule.kind) {
		case 'any':
			return exact;
		case 'list':
			return nearestOf(rule.sizes, size);
		case 'ratio':
			return nearestOf(rule.ratios, size);
		case 'grid':
			return onGrid(rule, size);
	}
}

function nearestOf(choices: readonly string[], wanted: Size): string {
	const distances = choices.map((choice) => ({ choice, by: distance(parseSize(choice) ?? wanted, wanted) }));
	return distances.toSorted((one, other) => one.by.shape - other.by.shape || one.by.pixels - other.by.pixels)[0]!
		.choice;
}

function onGrid(rule: Extract<SizeRule, { kind: 'grid' }>, { width, height }: Size): string {
	const { multiple, maxEdge, maxRatio, minPixels, maxPixels } = rule;
	const ratio = Math.min(maxRatio, Math.max(1 / maxRatio, width / height));
	const pixels = Math.min(
		maxPixels,
		Math.max(minPixels, width * height),
		(maxEdge * maxEdge) / Math.max(ratio, 1 / ratio),
	);
	const fits = (one: Size) =>
		Math.max(one.width, one.height) <= maxEdge &&
		Math.max(one.width / one.height, one.height / one.width) <= maxRatio &&
		one.width * one.height >= minPixels &&
		one.width * one.height <= maxPixels;
	const around = (edge: number) =>
		[Math.floor(edge / multiple), Math.ceil(edge / multiple)].map((steps) => steps * multiple);
	const exact = { width: Math.sqrt(pixels * ratio), height: Math.sqrt(pixels / ratio) };
	const candidates = around(exact.width)
		.flatMap((width) => around(exact.height).map((height) => ({ width, height })))
		.filter(fits)
		.map((one) => `${one.width}x${one.height}`);
	return nearestOf(candidates, exact);
}

/** Ratios count as sizes: `16:9` has the shape of 16 × 9 pixels. */
function parseSize(text: string): Size | undefined {
	const [, width, height] = /^([1-9]\d{0,4})[x:]([1-9]\d{0,4})$/.exec(text) ?? [];
	return width && height ? { width: Number(width), height: Number(height) } : undefined;
}

const distance = (one: Size, other: Size) => ({
	// Rounded, so that ratios such as 1792:1024 and 7:4 count as equal.
	shape: Math.round(1e6 * Math.abs(Math.log((one.width * other.height) / (one.height * other.width)))),
	pixels: Math.abs(Math.log((one.width * one.height) / (other.width * other.height))),
});
