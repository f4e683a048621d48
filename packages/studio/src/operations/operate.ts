import sharp from 'sharp';
import { compose, composeOver, type Size } from '../drawing/compose.ts';
import { operationOfMood, operationOfStyle } from '../scene/on-pixels.ts';
import type { DrawnScene } from '../scene/picture-scene.ts';
import type { Operation, Scene } from '../scene/scene.ts';
import { cutOut } from './cut-out.ts';
import { effects, painterly } from './effects.ts';
import { framed } from './frames.ts';
import { type Arranged, arrange, fitted } from './layouts.ts';
import { layered, type Picture, pipeline, readPicture, resized, settle, writePicture } from './picture.ts';
import { cropTo, rotate, scaled, zoom } from './shapes.ts';
import { written } from './text.ts';
import { adjustment, looks, type Tone, tint, toned } from './tones.ts';

/** Pictures, and what is made of them, as plain data. */
export type Edit = Manner & {
	/** PNG, JPEG, WebP or GIF (upright by EXIF, first frame), in the order of "image 1", "image 2"… */
	readonly pictures: readonly Uint8Array[];
	/** Done with each picture first, by its index. */
	readonly each?: readonly (readonly Operation[])[];
	/** How several become one, and the pixels of that; one picture alone has its own size. */
	readonly arranged?: Arranged;
	/** Done with the whole, in their order. */
	readonly operations: readonly Operation[];
};

type Manner = {
	/** 0 does exactly what was asked; others do it in other tones. */
	readonly variation: number;
	/** Letters are crisp instead of soft (the model `beta`). */
	readonly sharpText: boolean;
};

/**
 * Edits or arranges pictures, in the thread that it is called in; the studio calls it in its worker threads.
 * @returns a PNG, its longer side at most `LONGEST_SIDE`. Rejects when a picture can't be decoded.
 */
export async function edit({ pictures, each = [], arranged, operations, ...manner }: Edit): Promise<Uint8Array> {
	const own = await Array.fromAsync(pictures, async (bytes, index) =>
		apply(await readPicture(bytes), each[index] ?? [], { ...manner, variation: 0 }),
	);
	if (!arranged) return writePicture(await apply(own[0]!, operations, manner));
	const whole = await apply(await arrange(own, arranged), operations, manner);
	return writePicture(await fitted(whole, arranged));
}

/** Draws a scene and does its operations. @returns a PNG */
export async function draw({ scene, ...size }: DrawnScene): Promise<Uint8Array> {
	return writePicture(await apply(await painted(scene, size), scene.operations, { ...scene, variation: 0 }));
}

/** Tones of variations, by turns warmer with more contrast and cooler and softer: neighbours are well apart. */
const VARIED: readonly [Tone, ...Tone[]] = [
	{ brightness: 1.07, contrast: 1.2, gains: [1.045, 1, 0.955] },
	{ brightness: 0.88, shadows: '#585858', share: 0.22, gains: [0.955, 1, 1.045] },
	{ brightness: 0.98, contrast: 1.4, saturation: 1.15, gains: [1.045, 1, 0.955] },
	{ brightness: 1.1, contrast: 0.75, gains: [0.955, 1, 1.045] },
];

/** Does the operations in their order. */
async function apply(picture: Picture, operations: readonly Operation[], { variation, sharpText }: Manner) {
	// The tones vary first, so that frames, texts and black and white stay as asked.
	let result = variation > 0 ? await toned(picture, VARIED[(variation - 1) % VARIED.length]!) : picture;
	for (const operation of operations) result = await applyOne(result, operation, sharpText);
	return result;
}

/** How one operation is done; `amount` is its strength without a sign. */
type How = { readonly amount: number; readonly sharpText: boolean };
type Named<Name> = Extract<Operation, { do: Name }>;

const OPERATIONS: {
	[Name in Operation['do']]: (picture: Picture, operation: Named<Name>, how: How) => Promise<Picture>;
} = {
	adjust: (picture, { what, amount }) => toned(picture, adjustment(what, amount)),
	look: async (picture, { name }, { sharpText }) => {
		if (name === 'invert') return settle(pipeline(picture).negate({ alpha: false }));
		const { tone, effects: others = [] } = looks[name];
		let result = await toned(picture, tone);
		for (const effect of others) result = await applyOne(result, effect, sharpText);
		return result;
	},
	style: (picture, { name }) => painterly[name](picture),
	tint: (picture, { colour }, { amount }) => toned(picture, tint(colour, amount)),
	blur: (picture, { where }, { amount }) => effects[where === 'edges' ? 'blurEdges' : 'blur'](picture, amount),
	sharpen: (picture, _, { amount }) => effects.sharpen(picture, amount),
	vignette: (picture, _, { amount }) => effects.vignette(picture, amount),
	pixelate: (picture, _, { amount }) => effects.pixelate(picture, amount),
	grain: (picture, _, { amount }) => effects.grain(picture, amount),
	glow: (picture, _, { amount }) => effects.glow(picture, amount),
	crop: (picture, { ratio }) => cropTo(picture, ratio),
	zoom: (picture, { factor }) => zoom(picture, factor),
	rotate: (picture, { degrees }) => rotate(picture, degrees),
	flip: (picture, { axis }) => settle(axis === 'vertical' ? pipeline(picture).flip() : pipeline(picture).flop()),
	scale: (picture, { factor }) => scaled(picture, factor),
	resize: (picture, { width, height }) => resized(picture, width, height, 'cover'),
	frame: (picture, { style, colour }, { amount }) => framed(picture, style, colour, amount),
	cutOut,
	paste: async (picture, { subjects }) => {
		const drawn = await settle(sharp(Buffer.from(composeOver(subjects, picture))));
		return layered(picture, [{ picture: drawn }]);
	},
	text: (picture, operation, { sharpText }) => written(picture, operation, sharpText),
};

function applyOne(picture: Picture, operation: Operation, sharpText: boolean): Promise<Picture> {
	const { amount = 1 } = operation as { amount?: number };
	const apply = OPERATIONS[operation.do] as (picture: Picture, operation: Operation, how: How) => Promise<Picture>;
	return apply(picture, operation, { amount: Math.max(0.05, Math.abs(amount)), sharpText });
}

/** Styles without light that runs over edges, and without grain. */
const CLEAN: ReadonlySet<Scene['style']> = new Set(['pixel', 'flat', 'ink', 'poster', 'minimal']);

const VIVID = { do: 'adjust', what: 'saturation', amount: 0.6 } as const;

/** Paints a scene without its operations: its vectors, its light, and what its style or mood does with pixels. */
async function painted(scene: Scene, { width, height }: Size): Promise<Picture> {
	const { style, mood } = scene;
	const svg = Buffer.from(compose(scene, { width, height }));
	const raster = await settle(sharp(svg, { limitInputPixels: 2 ** 24 }).resize(width, height, { fit: 'fill' }));
	const isClean = CLEAN.has(style);
	const lit = isClean ? raster : await effects.glow(raster, style === 'neon' ? 0.75 : 0.3);
	// A neon scene has its lights already, which a tone over all of it would hide.
	const ofStyle = style === 'neon' ? VIVID : style && operationOfStyle(style);
	const operation = ofStyle ?? (mood && operationOfMood(mood));
	const styled = operation ? await applyOne(lit, operation, true) : lit;
	return settle(pipeline(isClean ? styled : await effects.grain(styled, 0.18)).removeAlpha());
}
