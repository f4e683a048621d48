import type { Layout } from '../layout.ts';
import type { Operation } from '../operation.ts';
import captions from './captions.json' with { type: 'json' };
import { colourName } from './colour-names.ts';
import { groups } from './describe.ts';
import { list, withArticle } from './wording.ts';

const { looks, ratios }: Record<'looks' | 'ratios', Readonly<Record<string, string | undefined>>> = captions;

/** Returns what an operation did, in the past tense, without a full stop: "Rotated left", "Made much brighter". */
export function describeOperation(operation: Operation): string {
	switch (operation.do) {
		case 'adjust':
			return adjusted(operation.what, operation.amount);
		case 'look':
			return looks[operation.name] ?? `Toned like ${operation.name}`;
		case 'style':
			return captions.painted[operation.name];
		case 'tint':
			return `Tinted ${colourName(operation.colour)}`;
		case 'blur':
			return operation.where === 'edges'
				? 'Blurred the edges'
				: `Blurred${degree(operation.amount, [' slightly', ' strongly'])}`;
		case 'crop': {
			const ratio = Number(operation.ratio.toFixed(2));
			return `Cropped to ${ratios[ratio] ?? `${ratio}:1`}`;
		}
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
			return captions.effects[operation.do];
	}
}

/** Returns a word for a strength that differs from the usual one. */
const degree = (amount: number, [little, much]: readonly [string, string]) =>
	Math.abs(amount) < 0.75 ? little : Math.abs(amount) > 1.3 ? much : '';

function adjusted(what: keyof typeof captions.adjusted, amount: number) {
	const word = captions.adjusted[what][amount >= 0 ? 0 : 1] ?? '';
	const how = degree(amount, ['slightly ', 'much ']);
	return what === 'contrast' ? `Gave ${how}${word} contrast` : `Made ${how}${word}`;
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
	const name = `${degree(amount, ['thin ', 'thick '])}${colourName(colour)} ${style === 'ornate' ? 'picture frame' : 'frame'}`;
	return `Added ${withArticle(name)}`;
}

/** Returns what a layout did with its pictures. */
export function describeLayout(layout: Layout): string {
	const names = (order: readonly number[]) => list(order.map((index) => `image ${index + 1}`)) || 'the images';
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
