/** Draws one figure where it stands, in the light of the scene, with its shadow or its reflection. */

import type { Scene, Subject } from '../../scene/scene.ts';
import { type Figure, figures, painted, type Tone } from '../subjects/figures.ts';
import { type Hex, mix } from '../tools/colour.ts';
import type { Frame, Land } from '../tools/frame.ts';
import { glow } from '../tools/frame.ts';
import { tonesOf } from '../tools/light.ts';
import type { Random } from '../tools/random.ts';
import { box, fill, group, oval, type Point, round, stop } from '../tools/svg.ts';

/** One drawn figure: `at` is where the middle of its feet is. */
export interface Pose {
	readonly figure: Figure;
	readonly colour: Hex | undefined;
	readonly accent: Hex | undefined;
	readonly hair: Hex | undefined;
	readonly at: Point;
	readonly height: number;
	readonly flip: boolean;
	/** 0 beside the viewer, 1 at the horizon. */
	readonly depth: number;
	/** Stands on something. */
	readonly shadow: boolean;
	/** In the water up to the figure's draught, and mirrored in it. */
	readonly afloat: boolean;
	readonly tilt: number;
	/** Of this one figure: skin and hair. */
	readonly random: Random;
	/** Distance to the ground of what is held up. */
	readonly raised: number;
	/** Stands behind the table. */
	readonly behind?: boolean | undefined;
}

export const aspect = ({ figure: { box } }: Pick<Pose, 'figure'>) => box[0] / box[1];
export const widthOf = (pose: Pick<Pose, 'figure' | 'height'>) => pose.height * aspect(pose);

/** A point of a figure's box in the picture. */
export function spot({ at, height, figure, flip }: Pose, [x, y]: Point): Point {
	const k = height / figure.box[1];
	return [at[0] + (x - figure.box[0] / 2) * k * (flip ? -1 : 1), at[1] - (figure.box[1] - y) * k];
}

/** The drawing of a subject and its colours: clothes take the accent, which on others is the colour of their second part. */
export function lookOf({ id, figure: name, colour, accent, hair }: Subject, { subjects }: Scene) {
	const figure: Figure = figures[name];
	// A vase has flowers of its own unless others are in it.
	const isFilled = figure.contents && subjects.some(({ relation }) => relation?.kind === 'in' && relation.to === id);
	return {
		figure: isFilled && figure.hull ? { ...figure, parts: figure.parts.slice(-figure.hull[0]) } : figure,
		colour: figure.clothed ? (accent ?? colour) : colour,
		accent: figure.clothed ? undefined : accent,
		hair,
	};
}

const skins: readonly [Hex, ...Hex[]] = ['#f3c9a5', '#e8b48c', '#d39a6e', '#a86f48', '#7d4f35'];
const hairs: readonly [Hex, ...Hex[]] = ['#3a2a28', '#5a3a28', '#8a5a34', '#b5562f', '#2b2733', '#d9a95a'];

/** The tones of one figure in this light, at this depth. */
function palette(frame: Frame, { figure, colour, accent: second, hair, depth, random }: Pose): (tone: Tone) => Hex {
	const people = random.fork('people');
	const night = mix(frame.light.ambient, '#ffffff', 0.25);
	const own = {
		base: colour ?? figure.colour,
		accent: second ?? figure.accent,
		skin: people.pick(skins),
		hair: hair ?? people.pick(hairs),
	};
	return tonesOf({ ...frame.light, ambient: night }, own, depth);
}

/** Parts what holds riders inside into its back and its front. */
export function layers(pose: Pose): Pose[] {
	const { parts, hull, ...figure } = pose.figure;
	if (!hull) return [pose];
	const back: Figure = { ...figure, parts: parts.slice(0, -hull[0]) };
	const front: Figure = { ...figure, parts: parts.slice(-hull[0]), lights: [] };
	return [
		{ ...pose, figure: back, depth: pose.depth + 0.002 },
		{ ...pose, figure: front, depth: pose.depth - 0.002, shadow: false },
	];
}

export function show(frame: Frame, land: Land, pose: Pose): string {
	const { figure, at, height, flip } = pose;
	const k = height / figure.box[1];
	const drawn = painted(figure.parts, palette(frame, pose));
	const turn = pose.tilt ? `rotate(${round(pose.tilt)} ${round(at[0])} ${round(at[1] - height / 2)})` : '';
	const place = `${turn}translate(${round(at[0])} ${round(at[1])})scale(${(flip ? -k : k).toFixed(4)} ${k.toFixed(4)})translate(${-figure.box[0] / 2} ${-figure.box[1]})`;
	const plain = group(drawn, `transform="${place}"`);
	const body = group(plain, `filter="url(#${modelling(frame, pose)})"`);
	const lamps = (figure.lights ?? []).map(([x, y, r]) =>
		glow(frame, spot(pose, [x, y]), r * k * 2.4, '#ffdf9a', 0.75 * frame.light.lamps),
	);
	if (pose.afloat) return floating(frame, pose, body, plain) + lamps.join('');
	const stand = () => land.stand?.(at[0], at[1] - 4, widthOf(pose) * 0.62) ?? castShadow(frame, land, pose);
	const base = pose.shadow ? stand() : '';
	return base + body + lamps.join('');
}

/** Volume from the light: the far side sinks into shade, the near edge catches a rim. */
function modelling(frame: Frame, { at, height, depth }: Pose): string {
	const { luminary, light, definitions } = frame;
	const [dx, dy] = [luminary.at[0] - at[0], luminary.at[1] - (at[1] - height / 2)];
	const length = Math.hypot(dx, dy) || 1;
	const [ux, uy] = [dx / length, dy / length];
	const soft = height * 0.045;
	const shade = flood(mix(light.deep, light.sky[0], 0.2), 0.62 - depth * 0.5);
	const rim = flood(mix(light.glow, '#ffffff', 0.3), light.time === 'day' ? 0.5 : 0.8);
	const offset = (by: number) =>
		`<feOffset in="SourceAlpha" dx="${round(ux * by)}" dy="${round(uy * by)}" result="o"/>`;
	/** Paints a colour on `on` where the silhouette `off` does not reach: each primitive takes the one before it. */
	const paint = (colour: string, off: string, on: string) =>
		`${colour}<feComposite in2="${off}" operator="out"/><feComposite in2="${on}" operator="atop" result="shaded"/>`;
	return definitions.add(
		(id) =>
			`<filter id="${id}" x="-12%" y="-12%" width="124%" height="124%" color-interpolation-filters="sRGB">${offset(soft * 1.3)}<feGaussianBlur stdDeviation="${round(soft)}" result="b"/>${paint(shade, 'b', 'SourceGraphic')}${offset(-Math.max(1.4, height * 0.009))}${paint(rim, 'o', 'shaded')}</filter>`,
	);
}

const flood = (colour: Hex, opacity: number) =>
	`<feFlood flood-color="${colour}" flood-opacity="${opacity.toFixed(2)}"/>`;

/** A soft pool under the feet that runs away from the light. */
function castShadow(frame: Frame, land: Land, pose: Pose): string {
	const { at, height } = pose;
	const wide = widthOf(pose);
	const away = Math.max(-1, Math.min(1, (at[0] - frame.luminary.at[0]) / (frame.width * 0.3)));
	const paint = frame.definitions.radial([
		stop(0, land.shadow, 0.75),
		stop(0.6, land.shadow, 0.45),
		stop(1, land.shadow, 0),
	]);
	return fill(oval(at[0] + away * wide * 0.2, at[1] - wide * 0.01, wide * 0.56, Math.min(wide, height) * 0.075), paint);
}

/** Cuts off what is under water, mirrors the rest and rings it with ripples. */
function floating(frame: Frame, pose: Pose, body: string, plain: string): string {
	const { figure, at, height } = pose;
	const level = at[1] - height * (figure.draught ?? 0.12);
	const wide = widthOf(pose);
	const clip = (y: number, tall: number) =>
		frame.definitions.add(
			(id) => `<clipPath id="${id}"><path d="${box(-50, y, frame.width + 100, tall)}"/></clipPath>`,
		);
	const above = clip(-height, level + height);
	const mirror = group(plain, `transform="translate(0 ${round(level * 1.55)})scale(1 -0.55)" opacity="0.28"`);
	const ripples = [0.56, 0.42, 0.3].map((reach, index) =>
		oval(at[0] + wide * (index - 1) * 0.05, level + 3 + index * height * 0.035, wide * reach, 2 + height * 0.008),
	);
	const below = clip(level, frame.height);
	return (
		group(mirror, `clip-path="url(#${below})"`) +
		group(body, `clip-path="url(#${above})"`) +
		fill(ripples.join(''), mix(frame.light.glow, frame.light.sky[2], 0.4), 0.5)
	);
}
