import { css, type Rgb } from '../../colours.ts';
import type { Place } from '../../operation.ts';
import type { Blend } from '../../picture.ts';
import type { Random } from '../../random.ts';

/** Inputs for drawing a thing. */
export type Stage = {
	width: number;
	height: number;
	/** A hundredth of the shorter side. */
	unit: number;
	random: Random;
	amount: number;
	place: Place | undefined;
};

export type Prop = {
	/** The inside of an SVG of the picture's size. */
	draw(stage: Stage): string;
	blend?: Blend;
	/** Standard deviation in units. */
	soft?: number;
	/** Only in the sky, where there is one. */
	sky?: true;
};

export function scatter(count: number, draw: (index: number) => string): string {
	return Array.from({ length: Math.max(1, Math.min(900, Math.round(count))) }, (_, index) => draw(index)).join('');
}

export function spot(id: string, colour: Rgb, stops: readonly (readonly [offset: number, opacity: number])[]): string {
	const inner = stops.map(
		([offset, opacity]) => `<stop offset="${offset}" stop-color="${css(colour)}" stop-opacity="${opacity}"/>`,
	);
	return `<defs><radialGradient id="${id}">${inner.join('')}</radialGradient></defs>`;
}

export const bright: readonly [Rgb, ...Rgb[]] = [
	[255, 82, 110],
	[255, 190, 50],
	[70, 200, 255],
	[150, 110, 255],
	[90, 220, 130],
	[255, 130, 220],
];

/** The larger of a count by area and by amount: many small pictures look emptier than one large. */
export const crowd = ({ width, height, amount }: Stage, count: number) =>
	count * amount * Math.min(2, Math.max(0.4, Math.max(width, height) / Math.min(width, height)));

export const at = ({ width, height, place }: Stage, otherwise: Place, margin: number) => {
	const { x, y } = place ?? otherwise;
	return { x: width * (margin + x * (1 - margin * 2)), y: height * (margin + y * (1 - margin * 2)) };
};
