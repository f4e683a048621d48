import type { Inset, Layout, Spot } from '../../scene/layout.ts';
import phrases from '../instruction/phrases.json' with { type: 'json' };
import { words } from '../instruction/words.ts';
import { indexOf, named, orderIn, SIGN, SIGNS } from './signs.ts';

const { back, rows, columns, grids, prints, splits, blends, fades, spots } = phrases.layouts;

/** Words that only an arrangement of finished pictures has, also where their scenes could be merged. */
const ARRANGED = words(
	`${rows}|${columns}|${grids}|${prints}|${splits}|${fades}|double exposure|overlay|frame ${SIGN}|${SIGN} (?:as|is) (?:a |the )?frame|picture[- ]in[- ]picture|inset|thumbnail|corner|in a circle`,
);
export const isArranged = (text: string) => text.search(ARRANGED) >= 0;

/** Returns the arrangement that the words name, with the most certain words first. */
export function layoutIn(text: string, count: number): Layout {
	const all = orderIn(text, count);
	const mentioned = all.filter((image) => text.includes(SIGNS[image] ?? ''));
	const order = mentioned.length > 1 ? mentioned : all;
	const has = (pattern: string) => text.search(words(pattern)) >= 0;
	const inFrame = frameIn(text, order);
	if (inFrame) return inFrame;
	if (has(fades)) return { layout: 'fade', order, direction: directionIn(text) };
	if (has(splits)) return { layout: 'split', order, direction: directionIn(text) };
	if (has(rows)) return { layout: 'row', order: byPlace(text, all, 'x') };
	if (has(columns)) return { layout: 'column', order: byPlace(text, all, 'y') };
	if (has(grids)) return { layout: 'grid', order: all };
	if (has(prints)) return { layout: 'prints', order: all };
	return (
		insetIn(text, order) ??
		placed(text, all) ??
		(has(blends) ? { layout: 'blend', order, mode: modeIn(text) } : { layout: 'any' })
	);
}

function directionIn(text: string): 'across' | 'down' | 'diagonal' {
	if (/diagonal/u.test(text)) return 'diagonal';
	return /top|bottom|vertical|down|up\b|oben|unten|haut|bas/u.test(text) ? 'down' : 'across';
}

function modeIn(text: string): 'mix' | 'screen' | 'multiply' | 'overlay' {
	if (/exposure|screen/u.test(text)) return 'screen';
	if (/multipl/u.test(text)) return 'multiply';
	return /overlay|overlaid|texture/u.test(text) ? 'overlay' : 'mix';
}

function frameIn(text: string, order: readonly number[]): Layout | undefined {
	const groups = [
		`frame ${named('inside')} (?:with|by|in|using) ${named('around')}`,
		`${named('around')} (?:as|is|for)(?: the| a)* (?:frame|border)(?: (?:of|for|around) ${named('inside')})?`,
		`${named('around')} around ${named('inside')}`,
	]
		.map((pattern) => new RegExp(words(pattern).source, 'u').exec(text)?.groups)
		.find(Boolean);
	const around = indexOf(groups?.['around']);
	const inside = indexOf(groups?.['inside']) ?? order.find((image) => image !== around);
	return around === undefined || inside === undefined || inside === around
		? undefined
		: { layout: 'frame', inside, around };
}

/** Returns the place that words name; a bare "corner" is the bottom right one. */
function spotOf(text: string): Spot | undefined {
	const plain = text.replace(/on top of/gu, ' ');
	const has = (pattern: string) => plain.search(words(pattern)) >= 0;
	const x = has('left|links|gauche|izquierda') ? 0 : has('right|rechts|droite|derecha') ? 1 : undefined;
	const y = has('top|upper|above|oben|haut|arriba') ? 0 : has('bottom|lower|below|unten|bas|abajo') ? 1 : undefined;
	if (has('corner|ecke|coin|esquina')) return { x: x ?? 1, y: y ?? 1 };
	if (x === undefined && y === undefined)
		return has('cent(?:er|re)|middle|mitte|milieu|centro') ? { x: 0.5, y: 0.5 } : undefined;
	return { x: x ?? 0.5, y: y ?? 0.5 };
}

/** Returns where a picture is to be: the words from its mention up to the next one's. */
function spotIn(text: string, image: number): Spot | undefined {
	const mentions = text.matchAll(new RegExp(`(${SIGN})([^${SIGNS}]*)`, 'gu'));
	const own = [...mentions].filter(([, sign = '']) => SIGNS.indexOf(sign) === image);
	return own.map(([, , after = '']) => spotOf(after.split(/[.;]/u)[0] ?? '')).find(Boolean);
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
	// Bounded: at most 4,000 characters.
	const groups = [
		`(?:${SIGN} ${back}|${back} (?:of|in|from|von|de) ${SIGN}) (?:with|by|to|durch|mit|par|por) ${named('ground')}`,
		`${named('ground')} (?:is|as|for|becomes|be|should be|als|comme|como)(?: a| the| our| my)* (?:${back}|base|canvas|ground|scene)`,
		`(?:${back}|base|canvas|scene)(?: of| is| from| should be|:|=)* ${named('ground')}`,
		`(?:in(?:to)?|on|onto|at|to|within|inside)?(?: the| a)?(?: (?:top|bottom|upper|lower|left|right|small|tiny|big))*[ -]?(?:left |right )?${spots} (?:of|in|on|von|de) ${named('ground')}`,
		`(?:on top of|in|into|onto|on|over|inside|upon|within|in front of|auf|dans|sur|en)(?: [^${SIGNS},.;]{0,40}?)?(?: (?:of|from|in|von|de))? ?${named('ground')}`,
		'(?:picture[- ]in[- ]picture|pip|inset|thumbnail|in(?:to)? (?:the|a) (?:(?:top|bottom|upper|lower)[- ]?)?(?:left |right )?corner|bild im bild)',
	]
		.map((pattern) => new RegExp(words(pattern).source, 'u').exec(text))
		.find(Boolean);
	if (!groups) return undefined;
	const ground = indexOf(groups.groups?.['ground']) ?? order[0] ?? 0;
	const others = order.filter((image) => image !== ground);
	const insets = others.map((image, index): Inset => {
		const spot = spotIn(text, image) ??
			(others.length === 1 ? spotOf(text) : undefined) ?? { x: others.length > 1 && index === 0 ? 0 : 1, y: 1 };
		return {
			image,
			spot,
			size: sizeIn(text, spot),
			shape: /circle|circular|(?<!\p{L})round|kreis|cercle|círculo|oval/u.test(text) ? 'circle' : 'print',
		};
	});
	return { layout: 'inset', ground, insets };
}

function sizeIn(text: string, spot: Spot): number {
	const percent = /(\d{1,3}) ?%/u.exec(text)?.[1];
	if (percent) return Math.min(1, Math.max(0.05, Number(percent) / 100));
	if (/tiny|very small|winzig/u.test(text)) return 0.16;
	if (/small|little|klein|petit|pequeñ|thumbnail/u.test(text)) return 0.24;
	if (/huge|very (?:large|big)|riesig/u.test(text)) return 0.72;
	if (/large|big|groß|grand|grande|half/u.test(text)) return 0.52;
	return spot.x === 0.5 && spot.y === 0.5 ? 0.5 : 0.36;
}
