import type { Inset, Layout, Spot } from '../../scene/layout.ts';
import { words } from '../instruction/patterns.ts';
import phrases from './phrases.json' with { type: 'json' };
import { indexOf, mentionedIn, orderIn, partsOf, SIGN, SIGNS } from './signs.ts';

const ARRANGED = words(phrases.arranged);

/** Tells whether the words arrange finished pictures, also where their scenes could be merged. */
export const isArranged = (text: string) => text.search(ARRANGED) >= 0;

const NAMED = ['fades', 'splits', 'rows', 'columns', 'grids', 'prints', 'blends'].map(
	(name) => [name, words(`{${name}}`)] as const,
);

/** Returns the arrangement that the words name, with the most certain words first. */
export function layoutIn(text: string, count: number): Layout {
	const all = orderIn(text, count);
	const mentioned = mentionedIn(text);
	const order = mentioned.length > 1 ? mentioned : all;
	const inFrame = frameIn(text, order);
	if (inFrame) return inFrame;
	const named: Readonly<Record<string, Layout>> = {
		fades: { layout: 'fade', order, direction: directionIn(text) },
		splits: { layout: 'split', order, direction: directionIn(text) },
		rows: { layout: 'row', order: byPlace(text, all, 'x') },
		columns: { layout: 'column', order: byPlace(text, all, 'y') },
		grids: { layout: 'grid', order: all },
		prints: { layout: 'prints', order: all },
	};
	const name = NAMED.find(([, pattern]) => text.search(pattern) >= 0)?.[0];
	const layout = name && named[name];
	if (layout) return layout;
	return (
		insetIn(text, order) ??
		placed(text, all) ??
		(name ? { layout: 'blend', order, mode: modeIn(text) } : { layout: 'any' })
	);
}

function directionIn(text: string): 'across' | 'down' | 'diagonal' {
	if (/diagonal/u.test(text)) return 'diagonal';
	return /top|bottom|vertical|down|up\b/u.test(text) ? 'down' : 'across';
}

function modeIn(text: string): 'mix' | 'screen' | 'multiply' | 'overlay' {
	if (/exposure|screen/u.test(text)) return 'screen';
	if (/multipl/u.test(text)) return 'multiply';
	return /overlay|overlaid|texture/u.test(text) ? 'overlay' : 'mix';
}

function frameIn(text: string, order: readonly number[]): Layout | undefined {
	const parts = partsOf('frame', text);
	const around = indexOf(parts?.['around']);
	const inside = indexOf(parts?.['inside']) ?? order.find((image) => image !== around);
	return around === undefined || inside === undefined || inside === around
		? undefined
		: { layout: 'frame', inside, around };
}

/** Returns the place that words name; a bare "corner" is the bottom right one. */
function spotOf(text: string): Spot | undefined {
	const plain = text.replace(/on top of/gu, ' ');
	const x = /\bleft\b/u.test(plain) ? 0 : /\bright\b/u.test(plain) ? 1 : undefined;
	const y = /\b(?:top|upper|above)\b/u.test(plain) ? 0 : /\b(?:bottom|lower|below)\b/u.test(plain) ? 1 : undefined;
	if (/\bcorner\b/u.test(plain)) return { x: x ?? 1, y: y ?? 1 };
	if (x === undefined && y === undefined)
		return /\b(?:cent(?:er|re)|middle)\b/u.test(plain) ? { x: 0.5, y: 0.5 } : undefined;
	return { x: x ?? 0.5, y: y ?? 0.5 };
}

/** Returns where a picture is to be: the words from its mention up to the next one's. */
function spotIn(text: string, image: number): Spot | undefined {
	const mentions = [...text.matchAll(SIGN)];
	const own = mentions.map(({ index }, at) => text.slice(index, mentions[at + 1]?.index).split(/[.;]/u)[0] ?? '');
	const spots = own.filter((words) => words.startsWith(SIGNS[image] ?? '')).map(spotOf);
	return spots.find(Boolean);
}

function byPlace(text: string, all: readonly number[], axis: 'x' | 'y'): number[] {
	const spot = (image: number) => spotIn(text, image)?.[axis] ?? 0.5;
	return all.toSorted((one, other) => spot(one) - spot(other));
}

/** "Image 1 on the left, image 3 on the right": no ground is named, so they are beside or above each other. */
function placed(text: string, all: readonly number[]): Layout | undefined {
	const spots = all.map((image) => spotIn(text, image)).filter((spot) => spot !== undefined);
	if (spots.some(({ x }) => x !== 0.5)) return { layout: 'row', order: byPlace(text, all, 'x') };
	return spots.some(({ y }) => y !== 0.5) ? { layout: 'column', order: byPlace(text, all, 'y') } : undefined;
}

/** "Put image 2 into the corner of image 1", "image 1 as background", "picture in picture". */
function insetIn(text: string, order: readonly number[]): Layout | undefined {
	const parts = partsOf('inset', text);
	if (!parts) return undefined;
	const ground = indexOf(parts['ground']) ?? order[0] ?? 0;
	const others = order.filter((image) => image !== ground);
	const insets = others.map((image, index): Inset => {
		const named = spotIn(text, image) ?? (others.length === 1 ? spotOf(text) : undefined);
		const spot = named ?? { x: others.length > 1 && index === 0 ? 0 : 1, y: 1 };
		const shape = /circle|circular|(?<!\p{L})round|oval/u.test(text) ? 'circle' : 'print';
		return { image, spot, size: sizeIn(text, spot), shape };
	});
	return { layout: 'inset', ground, insets };
}

function sizeIn(text: string, spot: Spot): number {
	const percent = /(\d{1,3}) ?%/u.exec(text)?.[1];
	if (percent) return Math.min(1, Math.max(0.05, Number(percent) / 100));
	if (/tiny|very small/u.test(text)) return 0.16;
	if (/small|little|thumbnail/u.test(text)) return 0.24;
	if (/huge|very (?:large|big)/u.test(text)) return 0.72;
	if (/large|big|half/u.test(text)) return 0.52;
	return spot.x === 0.5 && spot.y === 0.5 ? 0.5 : 0.36;
}
