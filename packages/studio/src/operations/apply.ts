import sharp from 'sharp';
import { composeOver } from '../drawing/compose.ts';
import { type Random, seeded } from '../drawing/tools/random.ts';
import type { Operation } from '../scene/operation.ts';
import type { Subject } from '../scene/subject.ts';
import { cutOut } from './cut-out.ts';
import { effects, painterly } from './effects.ts';
import { framed } from './frames.ts';
import { layered, type Picture, pipeline, resized, settle } from './picture.ts';
import { cropTo, half, rotate, scaled, zoom } from './shapes.ts';
import { written } from './text.ts';
import { adjustment, looks, type Tone, tint, toned } from './tones.ts';

export type Manner = {
	/** With the variation, decides everything that chance does. */
	readonly seed: string;
	/** 0 does exactly what was asked; others do it a little more or less, in other tones. */
	readonly variation: number;
	/** Letters are crisp instead of soft (the model `beta`). */
	readonly sharpText: boolean;
};

/** Does the operations in their order. */
export async function apply(
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
		result = await applyOne(result, operation, strength, { banded: isOdd, sharpText });
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

type Details = { readonly banded: boolean; readonly sharpText: boolean };

function applyOne(
	picture: Picture,
	operation: Operation,
	strength: number,
	details: Details,
): Picture | Promise<Picture> {
	const amount = ('amount' in operation ? (operation.amount ?? 1) : 1) * strength;
	const positive = Math.max(0.05, Math.abs(amount));
	switch (operation.do) {
		case 'adjust':
			return toned(picture, adjustment(operation.what, amount));
		case 'look':
			return looked(picture, operation.name, strength, details);
		case 'style':
			return painterly[operation.name](picture);
		case 'tint':
			return toned(picture, tint(operation.colour, positive));
		case 'blur':
			return operation.where === 'edges' ? effects.blurEdges(picture, positive) : effects.blur(picture, positive);
		case 'sharpen':
		case 'vignette':
		case 'pixelate':
		case 'grain':
		case 'glow':
			return effects[operation.do](picture, positive);
		case 'crop':
			return cropTo(picture, operation.ratio);
		case 'half':
			return half(picture, operation.side);
		case 'zoom':
			return zoom(picture, operation.factor);
		case 'rotate':
			return rotate(picture, operation.degrees);
		case 'flip':
			return settle(operation.axis === 'vertical' ? pipeline(picture).flip() : pipeline(picture).flop());
		case 'scale':
			return scaled(picture, operation.factor);
		case 'resize':
			return resized(picture, operation.width, operation.height, 'cover');
		case 'frame':
			return framed(picture, operation.style, operation.colour, positive);
		case 'cutOut':
			return cutOut(picture);
		case 'paste':
			return pasted(picture, operation.subjects);
		case 'text':
			return written(picture, operation, { ...details, size: strength });
	}
}

async function pasted(picture: Picture, subjects: readonly Subject[]): Promise<Picture> {
	const drawn = await settle(sharp(Buffer.from(composeOver(subjects, picture))));
	return layered(picture, [{ picture: drawn }]);
}

type LookName = Extract<Operation, { do: 'look' }>['name'];

async function looked(picture: Picture, name: LookName, strength: number, details: Details) {
	if (name === 'invert') return settle(pipeline(picture).negate({ alpha: false }));
	const { tone, effects: others = [] } = looks[name];
	// A look has no amount, as there is no half of black and white: its contrast varies.
	let result = await toned(picture, { ...tone, contrast: (tone.contrast ?? 1) * strength ** 0.6 });
	for (const effect of others) result = await applyOne(result, effect, 1, details);
	return result;
}
