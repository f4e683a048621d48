import { colourName } from './colour-names.ts';
import { groups } from './describe.ts';
import type { Layout } from './layout.ts';
import type { Operation } from './operation.ts';
import { list, withArticle } from './wording.ts';

/** Returns what an operation did, in the past tense, without a full stop: "Rotated left", "Made much brighter". */
export function describeOperation(operation: Operation): string {
	switch (operation.do) {
		case 'adjust':
			return adjusted(operation.what, operation.amount);
		case 'look':
			return lookNames[operation.name] ?? `Toned like ${operation.name}`;
		case 'style':
			return styleNames[operation.name];
		case 'tint':
			return `Tinted ${colourName(operation.colour)}`;
		case 'blur':
			return operation.where === 'edges' ? 'Blurred the edges' : `Blurred${byAmount(operation.amount)}`;
		case 'crop':
			return cropped(operation.ratio);
		case 'half':
			return `Cropped to the ${operation.side} half`;
		case 'zoom':
			return operation.factor >= 1 ? 'Zoomed in' : 'Zoomed out';
		case 'rotate':
			return rotated(operation.degrees);
		case 'flip':
			return operation.axis === 'horizontal' ? 'Mirrored left to right' : 'Flipped upside down';
		case 'scale':
			return `Resized to ${Math.round(operation.factor * 100)} %`;
		case 'resize':
			return `Resized to ${operation.width} × ${operation.height}`;
		case 'frame':
			return framed(operation);
		case 'text': {
			const where = operation.place === 'centre' ? 'in the middle' : `at the ${operation.place}`;
			return `Added the text “${operation.text}” ${where}`;
		}
		case 'cutOut':
			return 'Removed the background, which is of one colour';
		case 'paste':
			return `Laid ${list(groups(operation))} over the picture`;
		default:
			return effectNames[operation.do];
	}
}

const lookNames: Readonly<Partial<Record<Extract<Operation, { do: 'look' }>['name'], string>>> = {
	greyscale: 'Made black and white',
	sepia: 'Toned sepia',
	vintage: 'Made vintage',
	noir: 'Made film noir',
	dramatic: 'Made dramatic',
	dreamy: 'Made dreamy',
	cinematic: 'Made cinematic',
	pastel: 'Made pastel',
	neon: 'Made neon',
	cold: 'Made cold',
	invert: 'Inverted the colours',
	golden: 'Toned like golden hour',
	fog: 'Toned like fog',
};
const styleNames = {
	sketch: 'Made a pencil sketch',
	watercolour: 'Painted like a watercolour',
	oil: 'Painted like an oil painting',
	poster: 'Printed like a poster',
};
const effectNames = {
	sharpen: 'Sharpened',
	vignette: 'Added a vignette',
	pixelate: 'Pixelated',
	grain: 'Added film grain',
	glow: 'Added a glow',
};
const comparatives = {
	brightness: ['brighter', 'darker'],
	saturation: ['more colourful', 'less colourful'],
	warmth: ['warmer', 'cooler'],
	contrast: ['more', 'less'],
} as const;

function adjusted(what: keyof typeof comparatives, amount: number) {
	const word = comparatives[what][amount >= 0 ? 0 : 1];
	const size = Math.abs(amount);
	const degree = size < 0.75 ? 'slightly ' : size > 1.3 ? 'much ' : '';
	return what === 'contrast' ? `Gave ${degree}${word} contrast` : `Made ${degree}${word}`;
}

function byAmount(amount: number) {
	const size = Math.abs(amount);
	return size < 0.75 ? ' slightly' : size > 1.3 ? ' strongly' : '';
}

function cropped(ratio: number) {
	const known = [
		[1, 'a square'],
		[16 / 9, '16:9'],
		[9 / 16, '9:16'],
		[4 / 3, '4:3'],
		[3 / 4, '3:4'],
		[3 / 2, '3:2'],
		[2 / 3, '2:3'],
		[21 / 9, '21:9'],
	] as const;
	const near = known.find(([value]) => Math.abs(value - ratio) < 0.01);
	return `Cropped to ${near?.[1] ?? `${Number(ratio.toFixed(2))}:1`}`;
}

function rotated(degrees: number) {
	const turn = ((degrees % 360) + 360) % 360;
	if (turn === 180) return 'Turned upside down';
	if (turn === 90 || turn === 270) return `Rotated ${turn === 90 ? 'right' : 'left'}`;
	return `Rotated by ${Math.abs(degrees)}° ${degrees < 0 ? 'to the left' : 'to the right'}`;
}

function framed({ style, colour, amount = 1 }: Extract<Operation, { do: 'frame' }>) {
	if (style === 'circle') return 'Cropped to a circle';
	if (style === 'rounded') return 'Rounded the corners';
	if (style === 'polaroid') return 'Framed as a polaroid';
	const breadth = amount < 0.75 ? 'thin ' : amount > 1.3 ? 'thick ' : '';
	return `Added ${withArticle(`${breadth}${colourName(colour)} ${style === 'ornate' ? 'picture frame' : 'frame'}`)}`;
}

/** Returns what a layout did with its pictures. */
export function describeLayout(layout: Layout): string {
	const names = (order: readonly number[]) => {
		const all = order.map((index) => `image ${index + 1}`);
		return all.length > 1 ? `${all.slice(0, -1).join(', ')} and ${all.at(-1)}` : (all[0] ?? 'the images');
	};
	switch (layout.layout) {
		case 'row':
			return `Placed ${names(layout.order)} side by side`;
		case 'column':
			return `Stacked ${names(layout.order)}, from top to bottom`;
		case 'grid':
			return `Arranged ${names(layout.order)} in a grid`;
		case 'prints':
			return `Made a collage of ${names(layout.order)}`;
		case 'inset':
			return `Laid ${names(layout.insets.map(({ image }) => image))} over ${names([layout.ground])}`;
		case 'blend':
			return `Blended ${names(layout.order)}`;
		case 'split':
			return `Split the picture between ${names(layout.order)}`;
		case 'fade':
			return `Faded ${names(layout.order)} into each other`;
		case 'frame':
			return `Framed ${names([layout.inside])} with ${names([layout.around])}`;
		case 'colours':
			return `Gave ${names([layout.on])} the colours of ${names([layout.of])}`;
		case 'single':
			return `Used ${names([layout.image])} alone`;
		case 'any':
			return 'Combined the images';
	}
}
