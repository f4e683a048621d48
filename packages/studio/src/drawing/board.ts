/** Quoted words as a sign in the picture: a wooden board, a banner in the sky, or a neon sign in the city. */
import { isMark } from '../scene/names.ts';
import { prop } from './props/props.ts';
import { type Hex, lch, mix, toLch } from './tools/colour.ts';
import { type Frame, glow, type Land } from './tools/frame.ts';
import { fitLetters } from './tools/lettering.ts';
import { lit, unlit } from './tools/light.ts';
import type { Random } from './tools/random.ts';
import { fill, group, line, oval, round } from './tools/svg.ts';

/** Where words are written. */
interface Board {
	readonly x: number;
	readonly y: number;
	readonly width: number;
	readonly height: number;
	readonly random: Random;
}

/** Up to three texts, one below the other. */
export function paintBoards(frame: Frame, land: Land): string {
	const { scene, width, height, light, random } = frame;
	const { texts, framing, place } = scene;
	const isBusy = scene.subjects.length > 0;
	const isUrban = place === 'street' || place === 'city' || place === 'space';
	const isNeon = scene.style === 'neon' || (isUrban && light.lamps > 0.5);
	const isStanding = !isNeon && texts.length === 1 && !isBusy && !HANGING.has(place);
	let y = Math.min(height * 0.07, 90) * (isBusy ? 0.6 : 1);
	const boards = texts.map((text, index) => {
		const wide = Math.min(width * 0.78, Math.max(height * 0.9, 640)) * (index === 0 ? 1 : 0.84);
		const ideal = wide * (text.length > 60 ? 0.56 : text.length > 28 ? 0.42 : 0.3);
		const tall = Math.min(height * (isBusy ? 0.2 : texts.length > 1 ? 0.24 : 0.32), ideal);
		const isLow = isBusy && index > 0 && index === texts.length - 1;
		const own = { x: (width - wide) / 2, width: wide, height: tall, random: random.fork(`board ${index}`) };
		const board: Board = { ...own, y: isLow ? height - tall * 1.3 : y };
		y += tall * 1.2 + 20;
		const broad = { ...board, x: width * 0.07, width: width * 0.86 };
		if (framing === 'meme') return meme({ ...broad, y: index === 0 ? height - tall * 1.05 : height * 0.03 }, text);
		if (isMark(framing)) {
			const ink = scene.tint && toLch(scene.tint).l < 0.5 ? '#fffaf2' : '#23222a';
			return letters(frame, { ...broad, y: height * 0.78 + index * tall }, text, ink, 0.06);
		}
		if (isNeon) return neonSign(frame, board, text);
		if (!isStanding) return banner(frame, board, text);
		const upright = Math.min(land.footing(0.6) - tall * 1.75, height * 0.62 - tall);
		return woodenSign(frame, { ...board, y: upright }, text, land);
	});
	return boards.join('');
}

/** Places without ground for a sign. */
const HANGING: ReadonlySet<Frame['scene']['place']> = new Set(['clouds', 'underwater', 'room', 'space', 'abstract']);

/** Sharp letters are type; others look painted by hand, with a wobble and thin paint. */
function letters(frame: Frame, board: Board, text: string, colour: Hex, margin: number): string {
	const [width, height] = [board.width * (1 - margin), board.height * (1 - margin * 1.5)];
	const fitted = fitLetters(text, { width, height, largest: board.height * 0.62 });
	const ink = fitted.height - fitted.baseline + fitted.capital;
	const top = (board.height - ink) / 2 - (fitted.baseline - fitted.capital) + fitted.size * 0.1;
	if (frame.scene.sharpText) return inside(board, fitted, top, fill(fitted.path, colour));
	const wobble = frame.definitions.add(
		(id) =>
			`<filter id="${id}" x="-5%" y="-10%" width="110%" height="120%"><feTurbulence type="fractalNoise" baseFrequency="0.035" numOctaves="2" seed="${board.random.whole(1, 99)}" result="n"/><feDisplacementMap in="SourceGraphic" in2="n" scale="${round(Math.max(9, fitted.size * 0.11))}" xChannelSelector="R" yChannelSelector="G"/><feGaussianBlur stdDeviation="${round(Math.max(1, fitted.size * 0.014))}"/></filter>`,
	);
	return group(inside(board, fitted, top, fill(fitted.path, colour, 0.86)), `filter="url(#${wobble})"`);
}

/** Large letters with a dark edge. */
function meme(board: Board, text: string): string {
	const { width, height } = board;
	const fitted = fitLetters(text.toUpperCase(), { width, height, largest: height * 0.8 });
	const edge = line(fitted.path, '#141216', Math.max(6, fitted.size * 0.14));
	return inside(board, fitted, 0, edge + fill(fitted.path, '#ffffff'));
}

/** Puts letters into the middle of a board. */
const inside = ({ x, y, width }: Board, fitted: { width: number }, top: number, drawn: string) =>
	group(drawn, `transform="translate(${round(x + (width - fitted.width) / 2)} ${round(y + top)})"`);

function woodenSign(frame: Frame, board: Board, text: string, land: Land): string {
	const middle = board.x + board.width / 2;
	const foot = land.footing(0.35);
	// Its board begins at 6 % of its height, and takes a little more than half of it.
	const height = Math.max(board.height / 0.52, foot - board.y);
	const sign = prop(frame, 'woodenSign', { at: [middle, foot], height, width: board.width });
	const ink = mix(lit(frame.light, '#fff4dc'), '#fff4dc', 0.5);
	const own = { ...board, y: foot - height * 0.94, height: height * 0.52 };
	return (
		fill(oval(middle, foot, board.width * 0.5, 16), land.shadow, 0.5) + sign + letters(frame, own, text, ink, 0.12)
	);
}

function banner(frame: Frame, board: Board, text: string): string {
	const { x, y, width, height } = board;
	const colour = mix(lit(frame.light, '#fbf3e0'), '#fff6e4', 0.3);
	const tall = height * 1.16;
	const at = [x + width / 2, y + tall] as const;
	const cloth = prop(frame, 'banner', { at, height: tall, width: width / 0.86, colour, light: unlit(frame.light) });
	return cloth + letters(frame, board, text, mix(frame.light.deep, '#2a2030', 0.5), 0.14);
}

function neonSign(frame: Frame, board: Board, text: string): string {
	const colour = lch(0.78, 0.22, board.random.pick([340, 200, 300, 30]));
	const accent = lch(0.8, 0.16, board.random.pick([190, 60, 280]));
	const { x, y, width, height } = board;
	const own = { height, width, accent, light: unlit(frame.light) };
	return (
		prop(frame, 'neonSign', { at: [x + width / 2, y + height], ...own }) +
		glow(frame, [x + width / 2, y + height / 2], width * 0.5, colour, 0.4) +
		letters(frame, board, text, mix(colour, '#ffffff', 0.6), 0.16)
	);
}
