import type { Inset, Layout, Spot } from '../../scene/layout.ts';
import { chooser, reader, type Slots, words } from '../instruction/patterns.ts';
import phrases from './phrases.json' with { type: 'json' };
import { indexOf, mentionedIn, orderIn, SIGNS } from './signs.ts';

const ARRANGED = words(phrases.arranged);

const { direction, mode, size, x, y } = phrases.choices;
const [directionOf, modeOf, sizeOf] = [chooser(direction), chooser(mode), chooser(size)];
const spotsOf = { x: chooser(x), y: chooser(y) };

/** Tells whether the words arrange finished pictures, also where their scenes could be merged. */
export const isArranged = (text: string) => text.search(ARRANGED) >= 0;

/** A text, all its pictures in the order of their mention, and those that are arranged. */
type Given = [text: string, all: readonly number[], order: readonly number[]];

const READERS = {
	frame({ around: sign, inside: other }, ...[, , order]) {
		const around = indexOf(sign);
		const inside = indexOf(other) ?? order.find((image) => image !== around);
		const isWhole = around !== undefined && inside !== undefined && inside !== around;
		return isWhole ? { layout: 'frame', inside, around } : undefined;
	},
	fade: (_, text, __, order) => ({ layout: 'fade', order, direction: directionOf(text) ?? 'across' }),
	split: (_, text, __, order) => ({ layout: 'split', order, direction: directionOf(text) ?? 'across' }),
	row: (_, text, all) => ({ layout: 'row', order: byPlace(text, all, 'x') }),
	column: (_, text, all) => ({ layout: 'column', order: byPlace(text, all, 'y') }),
	grid: (_, __, order) => ({ layout: 'grid', order }),
	prints: (_, __, order) => ({ layout: 'prints', order }),
	/** "Put image 2 into the corner of image 1", "image 1 as background", "picture in picture". */
	inset({ ground: sign }, text, _, order) {
		const ground = indexOf(sign) ?? order[0] ?? 0;
		const others = order.filter((image) => image !== ground);
		const insets = others.map((image, index): Inset => {
			const named = spotIn(text, image) ?? (others.length === 1 ? spotOf(text) : undefined);
			const spot = named ?? { x: others.length > 1 && index === 0 ? 0 : 1, y: 1 };
			const shape = /circle|circular|(?<!\p{L})round|oval/u.test(text) ? 'circle' : 'print';
			return { image, spot, size: sizeIn(text, spot), shape };
		});
		return { layout: 'inset', ground, insets };
	},
	/** "Image 1 on the left, image 3 on the right": no ground is named, so they are beside or above each other. */
	placed(_, text, all) {
		const spots = all.map((image) => spotIn(text, image)).filter((spot) => spot !== undefined);
		if (spots.some(({ x }) => x !== 0.5)) return { layout: 'row', order: byPlace(text, all, 'x') };
		return spots.some(({ y }) => y !== 0.5) ? { layout: 'column', order: byPlace(text, all, 'y') } : undefined;
	},
	blend: (_, text, __, order) => ({ layout: 'blend', order, mode: modeOf(text) ?? 'mix' }),
} satisfies Record<string, (slots: Slots, ...given: Given) => Layout | undefined>;

const readLayout = reader<Given, Layout>(
	Object.entries(phrases.layouts).map(([pattern, name]) => [
		words(pattern, 'u'),
		READERS[name as keyof typeof READERS],
	]),
);

/** Returns the arrangement that the words name, if any, with the most certain words first. */
export function layoutIn(text: string, count: number): Layout | undefined {
	const all = orderIn(text, count);
	const mentioned = mentionedIn(text);
	return readLayout(text, text, all, mentioned.length > 1 ? mentioned : all);
}

/** Returns the place that words name; a bare "corner" is the bottom right one. */
function spotOf(text: string): Spot | undefined {
	const plain = text.replace(/on top of/gu, ' ');
	const [x, y] = [spotsOf.x(plain), spotsOf.y(plain)];
	const isCorner = /\bcorner\b/u.test(plain);
	if (!x && !y && !isCorner && !/\b(?:cent(?:er|re)|middle)\b/u.test(plain)) return undefined;
	const usual = isCorner ? 1 : 0.5;
	return { x: Number(x ?? usual), y: Number(y ?? usual) };
}

/** Returns where a picture is to be: the words from its mention up to the next one's. */
function spotIn(text: string, image: number): Spot | undefined {
	const mentions = text.split(/(?=[①②③])/u).filter((words) => words.startsWith(SIGNS[image] ?? ''));
	return mentions.map((words) => spotOf(words.split(/[.;]/u)[0] ?? '')).find(Boolean);
}

function byPlace(text: string, all: readonly number[], axis: 'x' | 'y'): number[] {
	const spot = (image: number) => spotIn(text, image)?.[axis] ?? 0.5;
	return all.toSorted((one, other) => spot(one) - spot(other));
}

function sizeIn(text: string, spot: Spot): number {
	const percent = /(\d{1,3}) ?%/u.exec(text)?.[1];
	if (percent) return Math.min(1, Math.max(0.05, Number(percent) / 100));
	const named = sizeOf(text);
	if (named) return Number(named);
	return spot.x === 0.5 && spot.y === 0.5 ? 0.5 : 0.36;
}
