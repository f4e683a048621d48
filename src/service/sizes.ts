import { NAMED_SIZES, partsOfSize, RESOLUTIONS, type Resolution } from '../domain/channel.ts';
import type { Size } from '../pictures/parts.ts';

/**
 * The sizes that a service takes: every one, a few (or ratios of width to height, such as `16:9`), or every one within bounds. With
 * `resolutions`, it takes these as well: beside a ratio, or as a longest side.
 */
export type SizeRule = { resolutions?: readonly Resolution[] } & (
	| { kind: 'any' }
	| { kind: 'list'; sizes: readonly string[] }
	| { kind: 'grid'; multiple: number; maxEdge: number; maxRatio: number; minPixels: number; maxPixels: number }
);

/**
 * Returns the size, or the ratio, that the service takes and that is nearest to the wanted one: first by its shape, then by its pixels.
 * What is neither a name nor `WIDTHxHEIGHT`, and a resolution that it does not take, is returned as it is, so that the service can refuse it
 * in its own words. Ratios have their resolution after them: `16:9 2K`.
 */
export function nearestSize(rule: SizeRule, wanted: string): string {
	const { shape, resolution } = partsOfSize(wanted);
	const exact = NAMED_SIZES[shape] ?? shape;
	const size = parseSize(exact);
	if (!size || (resolution && !rule.resolutions?.includes(resolution))) return resolution ? wanted : exact;
	if (rule.kind === 'grid') {
		const scale = resolution ? (Number.parseInt(resolution, 10) * 1024) / Math.max(size.width, size.height) : 1;
		return onGrid(rule, { width: size.width * scale, height: size.height * scale });
	}
	const nearest = rule.kind === 'any' ? exact : nearestOf(rule.sizes, size);
	return resolution ? `${nearest} ${resolution}` : nearest;
}

function nearestOf(choices: readonly string[], wanted: Size): string {
	const distances = choices.map((choice) => ({ choice, ...distance(parseSize(choice) ?? wanted, wanted) }));
	return distances.sort((one, other) => one.shape - other.shape || one.pixels - other.pixels)[0]!.choice;
}

function onGrid(rule: Extract<SizeRule, { kind: 'grid' }>, { width, height }: Size): string {
	const { multiple, maxEdge, maxRatio, minPixels, maxPixels } = rule;
	const ratio = Math.min(maxRatio, Math.max(1 / maxRatio, width / height));
	const most = Math.min(maxPixels, maxEdge ** 2 / Math.max(ratio, 1 / ratio));
	const pixels = Math.min(most, Math.max(minPixels, width * height));
	const fits = (one: Size) => {
		const [short, long] = [Math.min(one.width, one.height), Math.max(one.width, one.height)];
		return long <= maxEdge && long <= maxRatio * short && short * long >= minPixels && short * long <= maxPixels;
	};
	const around = (edge: number) => [Math.floor, Math.ceil].map((rounded) => rounded(edge / multiple) * multiple);
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

/** Every size, and those that every model of the images API takes. */
export const ANY_SIZE: SizeRule = { kind: 'any' };
export const COMMON_SIZES: SizeRule = { kind: 'list', sizes: ['1024x1024', '1536x1024', '1024x1536'] };

/** Returns what is known of the sizes of a model of OpenAI. https://developers.openai.com/api/reference/resources/images/methods/generate.md */
export function sizesOfModel(model: string): SizeRule {
	if (/gpt-image-(?!1)/.test(model)) return FREE_SIZES;
	if (/dall-e-3/.test(model)) return { kind: 'list', sizes: ['1024x1024', '1792x1024', '1024x1792'] };
	return /dall-e-2/.test(model) ? { kind: 'list', sizes: ['1024x1024', '512x512', '256x256'] } : COMMON_SIZES;
}

const FREE_SIZES: SizeRule = {
	...{ kind: 'grid', multiple: 16, maxEdge: 3840, maxRatio: 3 },
	...{ minPixels: 655_360, maxPixels: 8_294_400, resolutions: RESOLUTIONS },
};

/** Ratios of width to height, between blanks. */
export const ratios = (list: string, resolutions: readonly Resolution[] = []): SizeRule => ({
	kind: 'list',
	sizes: list.split(' '),
	resolutions,
});
