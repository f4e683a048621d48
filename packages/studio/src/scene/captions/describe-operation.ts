import type { Layout } from '../layout.ts';
import type { Operation } from '../operation.ts';
import captions from './captions.json' with { type: 'json' };
import { colourName } from './colour-names.ts';
import { groups } from './describe.ts';
import { filled, list, withArticle } from './wording.ts';

const templates: Readonly<Record<'operations' | 'layouts' | 'ratios', Readonly<Record<string, string>>>> = captions;

/** Returns a word for a strength that differs from the usual one. */
const degree = (amount: number, [little, much]: readonly [string, string]) =>
	Math.abs(amount) < 0.75 ? little : Math.abs(amount) > 1.3 ? much : '';

/** Returns what an operation did, in the past tense, without a full stop: "Rotated left", "Made much brighter". */
export function describeOperation(operation: Operation): string {
	const { kind, ...words } = wordsOf(operation);
	const template = templates.operations[`${operation.do} ${kind}`] ?? templates.operations[operation.do] ?? '';
	return filled(template, { ...operation, ...words });
}

/** Returns what parts the operation from others of its name, and words for its numbers. */
function wordsOf(operation: Operation): { kind?: string | number; [word: string]: unknown } {
	switch (operation.do) {
		case 'adjust': {
			const { what, amount } = operation;
			const how = degree(amount, ['slightly ', 'much ']);
			return { kind: what, how, word: captions.adjusted[what][amount >= 0 ? 0 : 1] };
		}
		case 'look':
		case 'style':
			return { kind: operation.name };
		case 'tint':
			return { colourName: colourName(operation.colour) };
		case 'blur':
			return { kind: operation.where, strength: degree(operation.amount, [' slightly', ' strongly']) };
		case 'crop': {
			const ratio = Number(operation.ratio.toFixed(2));
			return { shape: templates.ratios[ratio] ?? `${ratio}:1` };
		}
		case 'zoom':
			return { kind: operation.factor >= 1 ? 'in' : 'out' };
		case 'rotate': {
			const { degrees } = operation;
			return { kind: (degrees + 360) % 360, turn: Math.abs(degrees), way: degrees < 0 ? 'left' : 'right' };
		}
		case 'flip':
			return { kind: operation.axis };
		case 'scale':
			return { percent: Math.round(operation.factor * 100) };
		case 'frame': {
			const { style, colour, amount = 1 } = operation;
			const name = `${colourName(colour)} ${style === 'ornate' ? 'picture frame' : 'frame'}`;
			return { kind: style, frame: withArticle(degree(amount, ['thin ', 'thick ']) + name) };
		}
		case 'text':
			return { kind: operation.place };
		case 'paste':
			return { things: list(groups(operation)) };
		default:
			return {};
	}
}

/** Returns what a layout did with its pictures. */
export function describeLayout(layout: Layout): string {
	const named = Object.entries(layout).map(([name, value]) => {
		const images = [value].flat().map((one) => (typeof one === 'object' ? one.image : one));
		return [name, list(images.map((image) => `image ${Number(image) + 1}`)) || 'the images'] as const;
	});
	return filled(templates.layouts[layout.layout] ?? '', Object.fromEntries(named));
}
