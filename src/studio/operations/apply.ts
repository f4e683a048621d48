import { type Random, seeded } from '../drawing/random.ts';
import type { Operation } from '../scene/operation.ts';
import { effects, painterly } from './effects.ts';
import { framed } from './frames.ts';
import { type Picture, pipeline, resized, settle } from './picture.ts';
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

/** Does the operations in their order; the signal is checked between them. */
export async function apply(
	picture: Picture,
	operations: readonly Operation[],
	{ seed, variation, sharpText }: Manner,
	signal?: AbortSignal,
): Promise<Picture> {
	const random = seeded(`${seed} ${variation}`);
	// The tones vary first, so that frames, texts and black and white stay as asked.
	let result = variation > 0 ? await toned(picture, variedTone(variation, random)) : picture;
	for (const operation of operations) {
		signal?.throwIfAborted();
		const strength = variation > 0 ? random.between(0.72, 1.35) : 1;
		result = await applyOne(result, operation, strength, { banded: variation % 2 === 1, sharpText });
	}
	return result;
}

/** Warmer and brighter, cooler with more contrast, softer, deeper: neighbouring variations are well apart. */
function variedTone(variation: number, random: Random): Tone {
	const by = random.between(0.8, 1.2);
	const warmth = (variation % 2 === 1 ? 0.045 : -0.045) * by;
	const tones: readonly [Tone, ...Tone[]] = [
		{ brightness: 1.03, shadows: '#4a4a4a', share: 0.16 },
		{ brightness: 0.98, contrast: 1.16, saturation: 1.08 },
		{ brightness: 1.04, contrast: 0.84 },
		{ brightness: 0.86, contrast: 1.08, saturation: 1.15 },
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
	const amount = 'amount' in operation ? operation.amount * strength : strength;
	const positive = Math.max(0.05, Math.abs(amount));
	switch (operation.do) {
		case 'adjust':
			return toned(picture, adjustment(operation.what, amount));
		case 'look':
			return looked(picture, operation.name, details);
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
			return framed(picture, operation.style, operation.colour, strength);
		case 'text':
			return written(picture, operation, { ...details, size: strength });
	}
}

async function looked(picture: Picture, name: Extract<Operation, { do: 'look' }>['name'], details: Details) {
	if (name === 'invert') return settle(pipeline(picture).negate({ alpha: false }));
	const { tone, effects: others = [] } = looks[name];
	let result = await toned(picture, tone);
	for (const effect of others) result = await applyOne(result, effect, 1, details);
	return result;
}
