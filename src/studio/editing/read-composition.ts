import type { Operation, Place } from './operation.ts';
import { clausesOf, readInstruction, setQuotesAside } from './read-instruction.ts';
import { placeOf } from './vocabulary/hints.ts';
import { words } from './vocabulary/rule.ts';

/** A picture laid on another. `size`: its longer side as a share of the ground's, 1 covers it. */
export type Inset = { image: number; place: Place; size: number; shape: 'print' | 'circle' | 'cutout' };

/** The arrangement of pictures, by index from 0. */
export type Layout =
	| { layout: 'row' | 'column' | 'grid' | 'prints'; order: readonly number[] }
	| { layout: 'inset'; ground: number; insets: readonly Inset[] }
	| { layout: 'blend'; order: readonly number[]; mode: 'mix' | 'screen' | 'multiply' | 'overlay' }
	| { layout: 'fade'; order: readonly number[]; direction: 'across' | 'down' | 'diagonal' }
	| { layout: 'frame'; inside: number; around: number }
	/** One picture alone, the others having given it their colours. */
	| { layout: 'single'; image: number }
	/** Nothing was said: chance may choose. */
	| { layout: 'any' };

export type Composition = {
	layout: Layout;
	/** The colours of picture `of` are given to picture `on`, before all else. */
	palette?: { of: number; on: number };
	/** Edits of single pictures, by index, before they are put together. */
	own: readonly (readonly Operation[])[];
	/** Edits of the whole. */
	edits: readonly Operation[];
};

const signs = '①②③';
const sign = '[①②③]';

/** Reads how `count` pictures are to be put together. References to pictures that aren't there are passed over. */
export function readComposition(prompt: string, count: number): Composition {
	const { text, quotes } = setQuotesAside(prompt.normalize('NFKC').slice(0, 4000));
	let rest = withSigns(text.toLowerCase(), count);
	const take = (pattern: RegExp) => {
		const match = new RegExp(pattern.source, 'u').exec(rest);
		if (!match) return undefined;
		// What was understood here is no edit; the references stay, so that clauses keep speaking of their picture.
		const blank = match[0].replace(/[^①②③]+/gu, ' ');
		rest = `${rest.slice(0, match.index)} ${blank} ${rest.slice(match.index + match[0].length)}`;
		return { groups: match.groups ?? {}, before: match.input };
	};
	const all = orderIn(rest, count);
	const mentioned = all.filter((image) => rest.includes(signs[image] ?? ''));
	const scene = { take, text: rest, all, order: mentioned.length > 1 ? mentioned : all, count };
	const palette = paletteIn(scene);
	const layout = layoutIn(scene) ?? (palette && { layout: 'single', image: palette.on }) ?? { layout: 'any' };
	return { layout, ...(palette && { palette }), ...editsIn(rest, quotes, count) };
}

const ordinals: readonly (readonly [string, number])[] = [
	['first|1st|erste[sn]?|première|premier|primera', 1],
	['second|2nd|other|zweite[sn]?|deuxième|second|segunda', 2],
	['third|3rd|dritte[sn]?|troisième|tercera', 3],
];
const noun = '(?:image|picture|photo|pic|img|reference|figure|bild|foto|imagen|photographie)';
const digits: Readonly<Record<string, number>> = {
	one: 1,
	two: 2,
	three: 3,
	a: 1,
	b: 2,
	c: 3,
	eins: 1,
	zwei: 2,
	drei: 3,
};
const numbered = new RegExp(
	`(?<![\\p{L}\\p{N}])${noun}s?\\s*(?:no\\.?|number|nr\\.?|#)?\\s*(\\d{1,2}|one|two|three|a(?! \\p{L})|b|c|eins|zwei|drei)(?![\\p{L}\\p{N}])(?:['’]s)?`,
	'gu',
);

/** Writes ① for “image 1”, “the first picture”, “photo one”; references to pictures that aren't there go. */
function withSigns(text: string, count: number): string {
	const signOf = (number: number) => (number >= 1 && number <= count ? ` ${signs[number - 1]} ` : ' ');
	let result = text.replace(new RegExp(sign, 'gu'), ' ');
	result = result.replace(numbered, (_, digit: string) => signOf(digits[digit] ?? Number(digit)));
	for (const [spelling, number] of [...ordinals, ['last|letzte[sn]?|dernière', count] as const]) {
		const pattern = `(?:the |das |dem |la |le )?(?:${spelling}) (?:${noun}|one)(?:['’]s)?`;
		result = result.replace(words(pattern), signOf(number));
	}
	return result.replace(/\s+/gu, ' ');
}

type Scene = {
	/** Finds a pattern and takes its words out of what is read as edits later. */
	take(pattern: RegExp): { groups: Record<string, string | undefined>; before: string } | undefined;
	text: string;
	/** All pictures, those mentioned first, in the order of their mention. */
	all: readonly number[];
	/** Those that this is about: two or three that are mentioned, else all. */
	order: readonly number[];
	count: number;
};

function orderIn(text: string, count: number): number[] {
	const mentioned = [...text].filter((letter) => signs.includes(letter)).map((letter) => signs.indexOf(letter));
	return [...new Set([...mentioned, ...Array.from({ length: count }, (_, index) => index)])];
}

const indexOf = (letter: string | undefined) => (letter ? signs.indexOf(letter) : undefined);
const named = (name: string) => `(?<${name}>${sign})`;
const colours =
	'(?:colou?rs?|colou?r ?(?:palette|scheme|grading|grade)|palette|style|tones?|mood|look|lighting|light|atmosphere|vibe|farben|farbpalette|stil|couleurs|style|colores|estilo)';
const filler = '(?: (?:the|a|an|its|same|general|and|,|colou?rs?|style|mood|palette|look|lighting|die|den|les|los))*';

function paletteIn({ take, order }: Scene): { of: number; on: number } | undefined {
	const found =
		take(
			words(
				`(?:use|apply|take|give|transfer|put|copy|with|in|nimm|utilise|usa)?${filler} ${colours}(?: (?:of|from|in|like|von|aus|de|as))+ ${named('of')}(?: (?:on|to|for|onto|in|auf|für|sur|à|en)(?: the)? ${named('on')})?`,
			),
		) ??
		take(
			words(
				`${named('on')}[^${signs}.;]{0,40}? (?:look like|like|matching|match|in the style of|styled (?:like|as)|in the colou?rs of) ${named('of')}`,
			),
		) ??
		take(
			words(
				`(?:use|apply|take|copy)? ?${named('of')}${filler} ${colours}(?: (?:on|to|for|onto)(?: the)? ${named('on')})?`,
			),
		);
	const of = indexOf(found?.groups['of']);
	if (of === undefined) return undefined;
	const on = indexOf(found?.groups['on']) ?? order.find((image) => image !== of);
	return on === undefined || on === of ? undefined : { of, on };
}

const back = '(?:background|backdrop|hintergrund|arrière-plan|fond|fondo)';
const rows =
	'side[- ]by[- ]side|next to (?:each other|one another)|in a row|left and right|left to right|diptych|triptych|split[- ]screen|half and half|horizontally|before (?:and|&) after|beside(?: each other)?|nebeneinander|côte à côte|lado a lado|juxtapose[ds]?|(?:next to|beside|alongside|(?:to )?the (?:left|right) of|(?:left|right) of|neben)(?= [①②③])';
const columns =
	'(?:on top of|above|over|below) (?:each other|one another)|one (?:above|below|under) the other|stack(?:ed|ing)?(?: (?:them|vertically|up))*|top (?:and|&) bottom|top to bottom|vertically|in a column|übereinander|untereinander|empil\\p{L}+|apilad\\p{L}+';
const grids = 'grid|mood ?board|album|comic (?:strip|panels)|panels|raster|contact sheet';
const prints = 'collage|scrap ?book|pin ?board|polaroids?|scattered(?: photos| prints)?|prints on a table|photo wall';
const blends =
	'blend(?:ed|ing)?|merge[ds]?|mix(?:ed)?(?: together)?|double exposure|multiple exposure|superimposed?|overlay(?:ed)?|overlaid|fuse[ds]?|melt(?:ed)?|mash(?:ed)?(?: ?up)?|verschmelz\\p{L}*|misch\\p{L}*|überblend\\p{L}*|fusion\\p{L}*|mélang\\p{L}*|mezcl\\p{L}*';
const fades =
	'(?:fade[ds]?|fading|transition(?:s|ing)?|gradient|dissolve[ds]?|morph(?:s|ed|ing)?|turn(?:s|ing)?|becom(?:es|ing)|gradually)';

/** Reads the places of the pictures from the words, the most certain first. */
function layoutIn(scene: Scene): Layout | undefined {
	const { take, text, order, all } = scene;
	return (
		replacedBackground(scene) ??
		frameIn(scene) ??
		(take(
			words(`${fades}[^.;]{0,30}? ?(?:from )?${named('from')} ?(?:in)?(?:to|into|towards)? ?${named('to')}|${fades}`),
		)
			? { layout: 'fade', order, direction: directionIn(text) }
			: undefined) ??
		(take(words(rows)) && { layout: 'row', order: byPlace(scene, 'x') }) ??
		(take(words(columns)) && { layout: 'column', order: byPlace(scene, 'y') }) ??
		(take(words(grids)) && { layout: 'grid', order: all }) ??
		(take(words(prints)) && { layout: 'prints', order: all }) ??
		insetIn(scene) ??
		placed(scene) ??
		(take(words(blends)) && { layout: 'blend', order, mode: modeIn(text) })
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

/** “Replace the background of image 1 with image 2”, “use image 2 as the background of image 1”. */
function replacedBackground({ take, order }: Scene): Layout | undefined {
	const found =
		take(
			words(
				`(?:replace|change|swap|exchange|ersetze|remplace|cambia)(?: the)? ?(?:${back} (?:of|in|from|von|de) ${named('subject')}|${named('subject')} ${back}) (?:with|by|to|for|durch|mit|par|por)(?: the)?(?: ${back} (?:of|from))? ?${named('ground')}`,
			),
		) ??
		take(
			words(
				`${named('ground')} (?:as|for|is|becomes)(?: the| a| new)* ${back} (?:of|for|behind|to) ${named('subject')}`,
			),
		) ??
		take(words(`${named('subject')} in front of ${named('ground')}|${named('ground')} behind ${named('subject')}`)) ??
		take(
			words(
				`(?:subject|person|man|woman|girl|boy|cat|dog|fox|animal|character|car|object|people|product|figure|face)s? (?:of|from|in) ${named('subject')}[^${signs}]{0,60}(?:in|into|on|onto|to|over|inside|before)(?: the)?[^${signs}]{0,40}${named('ground')}`,
			),
		);
	const ground = indexOf(found?.groups['ground']);
	const subject = indexOf(found?.groups['subject']);
	if (ground === undefined || subject === undefined || ground === subject) return undefined;
	const others = order.filter((image) => image !== ground && image !== subject);
	const cutout = { image: subject, place: { x: 0.5, y: 1 }, size: 1, shape: 'cutout' as const };
	const corner = others.map((image) => ({ image, place: { x: 1, y: 0 }, size: 0.3, shape: 'print' as const }));
	return { layout: 'inset', ground, insets: [cutout, ...corner] };
}

function frameIn({ take, order }: Scene): Layout | undefined {
	const found =
		take(words(`frame ${named('inside')} (?:with|by|in|using) ${named('around')}`)) ??
		take(
			words(`${named('around')} (?:as|is|for)(?: the| a)* (?:frame|border)(?: (?:of|for|around) ${named('inside')})?`),
		) ??
		take(words(`${named('around')} around ${named('inside')}`));
	const around = indexOf(found?.groups['around']);
	const inside = indexOf(found?.groups['inside']) ?? order.find((image) => image !== around);
	return around === undefined || inside === undefined || inside === around
		? undefined
		: { layout: 'frame', inside, around };
}

/** The words from each picture's mention up to the next one's. */
function segments(text: string): { image: number; words: string }[] {
	return [...text.matchAll(new RegExp(`(${sign})([^${signs}]*)`, 'gu'))].map(([, letter = '', after = '']) => ({
		image: signs.indexOf(letter),
		words: after.split(/[.;]/u)[0] ?? '',
	}));
}

function placeIn(scene: Scene, image: number): Place | undefined {
	for (const segment of segments(scene.text)) {
		const place = segment.image === image ? placeOf(segment.words) : undefined;
		if (place) return place;
	}
	return undefined;
}

/** Pictures that are told where to be go there; the rest keep the order in which they are mentioned. */
function byPlace(scene: Scene, axis: 'x' | 'y'): number[] {
	const place = (image: number) => placeIn(scene, image)?.[axis] ?? 0.5;
	return [...scene.all].sort((one, other) => place(one) - place(other));
}

/** “Image 1 on the left, image 3 on the right”: no ground is named, so they stand beside or above one another. */
function placed(scene: Scene): Layout | undefined {
	const places = scene.all.map((image) => placeIn(scene, image)).filter((place) => place !== undefined);
	scene.take(words('(?:on|to|at|in)(?: the)? (?:left|right|top|bottom|middle|cent(?:er|re))(?: of)?'));
	if (places.some(({ x }) => x !== 0.5)) return { layout: 'row', order: byPlace(scene, 'x') };
	if (places.some(({ y }) => y !== 0.5)) return { layout: 'column', order: byPlace(scene, 'y') };
	return undefined;
}

const spots =
	'(?:corner|cent(?:er|re)|middle|top|bottom|left|right|side|part|edge|area|half|ecke|mitte|coin|centre|esquina)';

/** “Put image 2 into the corner of image 1”, “image 1 as background”, “picture in picture”. */
function insetIn(scene: Scene): Layout | undefined {
	const { take, text, order } = scene;
	const found =
		take(
			words(
				`${named('ground')} (?:is|as|for|becomes|be|should be|als|comme|como)(?: a| the| our| my)* (?:${back}|base|canvas|ground|scene)`,
			),
		) ??
		take(words(`(?:${back}|base|canvas|scene)(?: of| is| from| should be|:|=)* ${named('ground')}`)) ??
		take(
			words(
				`(?:in(?:to)?|on|onto|at|to|within|inside)?(?: the| a)?(?: (?:top|bottom|upper|lower|left|right|small|tiny|big))*[ -]?(?:left |right )?${spots} (?:of|in|on|von|de) ${named('ground')}`,
			),
		) ??
		take(
			words(
				`(?:on top of|in|into|onto|on|over|inside|upon|within|auf|dans|sur|en)(?: the| a)?(?: (?:scene|world|landscape|setting|environment|room|sky|screen|wall|frame))?(?: of| from| in)* ?${named('ground')}`,
			),
		) ??
		take(
			words(
				`(?<pip>picture[- ]in[- ]picture|pip|inset|thumbnail|in(?:to)? (?:the|a) (?:(?:top|bottom|upper|lower)[- ]?)?(?:left |right )?corner|bild im bild|watermark)`,
			),
		);
	if (!found) return undefined;
	const ground = indexOf(found.groups['ground']) ?? (/^[^①②③]*③|^[^①②③]*②/u.test(text) ? 0 : (order[0] ?? 0));
	const others = order.filter((image) => image !== ground);
	const insets = others.map((image, index): Inset => {
		const own = segments(text).find((segment) => segment.image === image)?.words ?? '';
		const around = others.length === 1 ? text : own;
		const shape = /circle|circular|round|kreis|cercle|círculo|oval/u.test(around)
			? 'circle'
			: cutWords.test(around)
				? 'cutout'
				: 'print';
		const place =
			placeIn(scene, image) ?? (others.length === 1 ? placeOf(text) : undefined) ?? fallback(index, others.length);
		return { image, place, size: sizeIn(around, place), shape };
	});
	take(words('in (?:a |the )?(?:circle|circular frame)|as a circle|circular|round(?:ed)?'));
	take(words('(?:small|tiny|little|large|big|huge)(?:er)?'));
	return { layout: 'inset', ground, insets };
}

const cutWords =
	/cut[- ]?out|without (?:its |the )?background|remove (?:its |the )?background|standing|sitting|walking|flying|swimming|as if|naturally|person|subject|freigestellt/u;

function fallback(index: number, count: number): Place {
	if (count === 1) return { x: 1, y: 1 };
	return index === 0 ? { x: 0, y: 1 } : { x: 1, y: 1 };
}

function sizeIn(text: string, place: Place): number {
	const percent = /(\d{1,3}) ?%/u.exec(text)?.[1];
	if (percent) return Math.min(1, Math.max(0.05, Number(percent) / 100));
	if (/tiny|very small|winzig/u.test(text)) return 0.16;
	if (/small|little|klein|petit|pequeñ|thumbnail/u.test(text)) return 0.24;
	if (/huge|very (?:large|big)|riesig/u.test(text)) return 0.72;
	if (/large|big|groß|grand|grande|half/u.test(text)) return 0.52;
	return place.x === 0.5 && place.y === 0.5 ? 0.5 : 0.36;
}

/** Reads the remaining clauses as edits: of one picture where a clause names that picture alone, otherwise of the whole. */
function editsIn(rest: string, quotes: readonly string[], count: number): Pick<Composition, 'own' | 'edits'> {
	const own: Operation[][] = Array.from({ length: count }, () => []);
	const edits: Operation[] = [];
	for (const clause of clausesOf(rest)) {
		// “① in black and white ②”: what stands between two pictures is said of the first, what stands last of the whole.
		const parts = clause.split(new RegExp(`(?=${sign})`, 'u'));
		const mentions = parts.filter((part) => signs.includes(part[0] ?? ' ')).length;
		for (const [index, part] of parts.entries()) {
			const image = signs.indexOf(part[0] ?? ' ');
			const single = mentions === 1 || (image >= 0 && index < parts.length - 1);
			const target = single ? own[mentions === 1 ? signs.indexOf(clause.match(sign)?.[0] ?? ' ') : image] : edits;
			target?.push(...operationsIn(part, quotes));
		}
	}
	return { own, edits };
}

function operationsIn(words: string, quotes: readonly string[]): Operation[] {
	const plain = words
		.replace(new RegExp(sign, 'gu'), ' ')
		.replace(/⟦(\d+)⟧/gu, (_, at: string) => `“${quotes[Number(at)] ?? ''}”`);
	return readInstruction(plain).filter((operation) => operation.do !== 'gentle');
}
