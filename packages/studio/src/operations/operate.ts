import sharp from 'sharp';
import { compose, composeOver } from '../drawing/compose.ts';
import { type Random, seeded } from '../drawing/tools/random.ts';
import type { Layout } from '../scene/layout.ts';
import { operationOfMood, operationOfStyle } from '../scene/on-pixels.ts';
import type { Operation, Scene } from '../scene/scene.ts';
import { cutOut } from './cut-out.ts';
import { effects, painterly } from './effects.ts';
import { framed } from './frames.ts';
import { arrange, fitted } from './layouts.ts';
import { layered, type Picture, pipeline, readPicture, resized, settle, writePicture } from './picture.ts';
import { cropTo, half, rotate, scaled, zoom } from './shapes.ts';
import { written } from './text.ts';
import { adjustment, looks, type Tone, tint, toned } from './tones.ts';

/**
 * Does operations with a picture (PNG, JPEG, WebP or GIF; upright by its EXIF, first frame) in the thread that it is called in;
 * the studio calls it in its worker threads.
 * @returns a PNG, its longer side at most `LONGEST_SIDE`. Rejects when the picture can't be decoded.
 */
export async function operate(
	picture: Uint8Array,
	operations: readonly Operation[],
	manner: Manner,
): Promise<Uint8Array> {
	return writePicture(await apply(await readPicture(picture), operations, manner));
}

export type LayoutRequest = {
	/** In the order of "image 1", "image 2"…; formats as for `operate`. */
	readonly pictures: readonly Uint8Array[];
	readonly layout: Layout;
	/** Done with each picture before it is arranged, by its index. */
	readonly each?: readonly (readonly Operation[])[];
	/** Done with the arranged picture. */
	readonly afterwards?: readonly Operation[];
	/** Pixels of the result, each at most `LONGEST_SIDE`. */
	readonly width: number;
	readonly height: number;
};

/** Arranges pictures. @returns a PNG of exactly the requested size. Rejects as `operate` does. */
export async function layOut(request: LayoutRequest, manner: Manner): Promise<Uint8Array> {
	const { layout, each = [], afterwards = [], width, height } = request;
	const { seed, variation, sharpText } = manner;
	const pictures: Picture[] = [];
	for (const [index, bytes] of request.pictures.entries()) {
		const own = { seed: `${seed} ${index}`, variation: 0, sharpText };
		pictures.push(await apply(await readPicture(bytes), each[index] ?? [], own));
	}
	const random = seeded(`${seed} ${variation} layout`);
	const arranged = await arrange(pictures, layout, { width, height, random, variation });
	return writePicture(await fitted(await apply(arranged, afterwards, manner), width, height));
}

export type Manner = {
	/** With the variation, decides everything that chance does. */
	readonly seed: string;
	/** 0 does exactly what was asked; others do it a little more or less, in other tones. */
	readonly variation: number;
	/** Letters are crisp instead of soft (the model `beta`). */
	readonly sharpText: boolean;
};

/** Does the operations in their order. */
async function apply(
	picture: Picture,
	operations: readonly Operation[],
	{ seed, variation, sharpText }: Manner,
): Promise<Picture> {
	const random = seeded(`${seed} ${variation}`);
	// The tones vary first, so that frames, texts and black and white stay as asked.
	let result = variation > 0 ? await toned(picture, variedTone(variation, random)) : picture;
	for (const operation of operations) {
		const isOdd = variation % 2 === 1;
		const strength = variation === 0 ? 1 : isOdd ? random.between(1.2, 1.45) : random.between(0.62, 0.8);
		result = await applyOne(result, operation, { strength, banded: isOdd, sharpText });
	}
	return result;
}

/** Odd variations are warmer with more contrast, even ones cooler and softer: neighbours are well apart. */
function variedTone(variation: number, random: Random): Tone {
	const warmth = (variation % 2 === 1 ? 0.045 : -0.045) * random.between(0.8, 1.2);
	const tones: readonly [Tone, ...Tone[]] = [
		{ brightness: 1.07, contrast: 1.12 },
		{ brightness: 0.94, shadows: '#585858', share: 0.22 },
		{ brightness: 0.88, contrast: 1.14, saturation: 1.15 },
		{ brightness: 1.08, contrast: 0.84 },
	];
	return { ...tones[(variation - 1) % tones.length], gains: [1 + warmth, 1, 1 - warmth] };
}

/** How one operation is done: `amount` with the strength of the variation, and `positive` without its sign. */
type How = { amount: number; positive: number; strength: number; banded: boolean; sharpText: boolean };
type Named<Name> = Extract<Operation, { do: Name }>;

const OPERATIONS: {
	[Name in Operation['do']]: (picture: Picture, operation: Named<Name>, how: How) => Promise<Picture>;
} = {
	adjust: (picture, { what }, { amount }) => toned(picture, adjustment(what, amount)),
	look: async (picture, { name }, how) => {
		if (name === 'invert') return settle(pipeline(picture).negate({ alpha: false }));
		const { tone, effects: others = [] } = looks[name];
		// A look has no amount, as there is no half of black and white: its contrast varies.
		const contrast = (tone.contrast ?? 1) * how.strength ** 0.6;
		let result = await toned(picture, { ...tone, contrast });
		for (const effect of others) result = await applyOne(result, effect, { ...how, strength: 1 });
		return result;
	},
	style: (picture, { name }) => painterly[name](picture),
	tint: (picture, { colour }, { positive }) => toned(picture, tint(colour, positive)),
	blur: (picture, { where }, { positive }) => effects[where === 'edges' ? 'blurEdges' : 'blur'](picture, positive),
	sharpen: (picture, _, { positive }) => effects.sharpen(picture, positive),
	vignette: (picture, _, { positive }) => effects.vignette(picture, positive),
	pixelate: (picture, _, { positive }) => effects.pixelate(picture, positive),
	grain: (picture, _, { positive }) => effects.grain(picture, positive),
	glow: (picture, _, { positive }) => effects.glow(picture, positive),
	crop: (picture, { ratio }) => cropTo(picture, ratio),
	half: (picture, { side }) => half(picture, side),
	zoom: (picture, { factor }) => zoom(picture, factor),
	rotate: (picture, { degrees }) => rotate(picture, degrees),
	flip: (picture, { axis }) => settle(axis === 'vertical' ? pipeline(picture).flip() : pipeline(picture).flop()),
	scale: (picture, { factor }) => scaled(picture, factor),
	resize: (picture, { width, height }) => resized(picture, width, height, 'cover'),
	frame: (picture, { style, colour }, { positive }) => framed(picture, style, colour, positive),
	cutOut,
	paste: async (picture, { subjects }) => {
		const drawn = await settle(sharp(Buffer.from(composeOver(subjects, picture))));
		return layered(picture, [{ picture: drawn }]);
	},
	text: (picture, operation, how) => written(picture, operation, { ...how, size: how.strength }),
};

function applyOne(picture: Picture, operation: Operation, how: Omit<How, 'amount' | 'positive'>): Promise<Picture> {
	const amount = ('amount' in operation ? (operation.amount ?? 1) : 1) * how.strength;
	const apply = OPERATIONS[operation.do] as (picture: Picture, operation: Operation, how: How) => Promise<Picture>;
	return apply(picture, operation, { ...how, amount, positive: Math.max(0.05, Math.abs(amount)) });
}

/** Styles without light that runs over edges, and without grain. */
const CLEAN: ReadonlySet<Scene['style']> = new Set(['pixel', 'flat', 'ink', 'poster', 'minimal']);

const VIVID = { do: 'adjust', what: 'saturation', amount: 0.6 } as const;

/** Draws a scene without its operations: its vectors, its light, and what its style or mood does with pixels. */
export async function paintScene(
	scene: Scene,
	{ width, height }: { width: number; height: number },
): Promise<Uint8Array> {
	const { style, mood } = scene;
	const svg = Buffer.from(compose(scene, { width, height }));
	const raster = await settle(sharp(svg, { limitInputPixels: 2 ** 24 }).resize(width, height, { fit: 'fill' }));
	const isClean = CLEAN.has(style);
	const lit = isClean ? raster : await effects.glow(raster, style === 'neon' ? 0.75 : 0.3);
	// A neon scene has its lights already, which a tone over all of it would hide.
	const ofStyle = style === 'neon' ? VIVID : style && operationOfStyle(style);
	const operation = ofStyle ?? (mood && operationOfMood(mood));
	const operations = operation ? [operation] : [];
	const styled = await apply(lit, operations, { seed: '', variation: 0, sharpText: true });
	const grained = isClean ? styled : await effects.grain(styled, 0.18);
	return pipeline(grained)
		.removeAlpha()
		.png({ compressionLevel: 3 })
		.withExif({ IFD0: { Software: 'Easel Studio' } })
		.toBuffer();
}
