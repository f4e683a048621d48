/** Quoted words as a sign in the picture: a wooden board, a banner in the sky, or a neon sign in the city. */
import { type Hex, lch, mix, toLch } from './tools/colour.ts';
import type { Frame, Land } from './tools/frame.ts';
import { glow } from './tools/frame.ts';
import { fitLetters } from './tools/lettering.ts';
import { lit } from './tools/light.ts';
import type { Random } from './tools/random.ts';
import { box, fill, group, line, oval, path, polygon, round, stop } from './tools/svg.ts';

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
	const { texts } = scene;
	const urban = scene.place === 'street' || scene.place === 'city' || scene.place === 'space';
	const neon = scene.style === 'neon' || (urban && light.lamps > 0.5);
	const standing =
		!neon &&
		texts.length === 1 &&
		scene.subjects.length === 0 &&
		!['clouds', 'underwater', 'room', 'space', 'abstract'].includes(scene.place);
	const busy = scene.subjects.length > 0;
	let y = Math.min(height * 0.07, 90) * (busy ? 0.6 : 1);
	const boards = texts.map((text, index) => {
		const wide = Math.min(width * 0.78, Math.max(height * 0.9, 640)) * (index === 0 ? 1 : 0.84);
		const ideal = wide * (text.length > 60 ? 0.56 : text.length > 28 ? 0.42 : 0.3);
		const tall = Math.min(height * (busy ? 0.2 : texts.length > 1 ? 0.24 : 0.32), ideal);
		const low = busy && index > 0 && index === texts.length - 1;
		const board: Board = {
			x: (width - wide) / 2,
			y: low ? height - tall * 1.3 : y,
			width: wide,
			height: tall,
			random: random.fork(`board ${index}`),
		};
		y += tall * 1.2 + 20;
		if (scene.framing === 'meme' || scene.framing === 'logo' || scene.framing === 'icon' || scene.framing === 'sticker')
			return lettering(
				frame,
				{
					...board,
					y:
						scene.framing !== 'meme'
							? height * 0.78 + index * tall
							: index === 0
								? height - tall * 1.05
								: height * 0.03,
					width: width * 0.86,
					x: width * 0.07,
				},
				text,
			);
		if (neon) return neonSign(frame, board, text);
		if (!standing) return banner(frame, board, text);
		const upright = Math.min(land.footing(width / 2, 0.6) - tall * 1.75, height * 0.62 - tall);
		return woodenSign(frame, { ...board, y: upright }, text, land);
	});
	return boards.join('');
}

/** Sharp letters are type; others look painted by hand, with a wobble and thin paint. */
function letters(frame: Frame, board: Board, text: string, colour: Hex, margin: number): string {
	const fitted = fitLetters(text, {
		width: board.width * (1 - margin),
		height: board.height * (1 - margin * 1.5),
		largest: board.height * 0.62,
	});
	const ink = fitted.height - fitted.baseline + fitted.capital;
	const top = board.y + (board.height - ink) / 2 - (fitted.baseline - fitted.capital) + fitted.size * 0.1;
	const place = `transform="translate(${round(board.x + (board.width - fitted.width) / 2)} ${round(top)})"`;
	if (frame.scene.sharpText) return group(fill(fitted.path, colour), place);
	const wobble = frame.definitions.add(
		(id) =>
			`<filter id="${id}" x="-5%" y="-10%" width="110%" height="120%"><feTurbulence type="fractalNoise" baseFrequency="0.035" numOctaves="2" seed="${board.random.whole(1, 99)}" result="n"/><feDisplacementMap in="SourceGraphic" in2="n" scale="${round(Math.max(9, fitted.size * 0.11))}" xChannelSelector="R" yChannelSelector="G"/><feGaussianBlur stdDeviation="${round(Math.max(1, fitted.size * 0.014))}"/></filter>`,
	);
	return group(group(fill(fitted.path, colour, 0.86), place), `filter="url(#${wobble})"`);
}

function woodenSign(frame: Frame, board: Board, text: string, land: Land): string {
	const wood = lit(frame.light, '#a8744a');
	const foot = land.footing(frame.width / 2, 0.35);
	const posts =
		box(board.x + board.width * 0.14, board.y - 20, 30, foot - board.y + 20, 5) +
		box(board.x + board.width * 0.86 - 30, board.y - 20, 30, foot - board.y + 20, 5);
	const planks = 3;
	const boards = Array.from({ length: planks }, (_, index) =>
		fill(
			box(
				board.x - (index % 2) * 8,
				board.y + (index * board.height) / planks,
				board.width + (index % 2) * 14,
				board.height / planks - 4,
				6,
			),
			mix(wood, index % 2 ? '#ffffff' : frame.light.deep, index % 2 ? 0.07 : 0.06),
		),
	);
	const grain = Array.from(
		{ length: 14 },
		(_, index) =>
			`M${round(board.x + board.random.between(0, board.width * 0.8))} ${round(board.y + ((index + 0.5) * board.height) / 14)}h${round(board.random.between(30, 160))}`,
	).join('');
	return (
		fill(oval(frame.width / 2, foot, board.width * 0.5, 16), land.shadow, 0.5) +
		fill(posts, mix(wood, frame.light.deep, 0.45)) +
		fill(box(board.x + 6, board.y + 10, board.width, board.height, 8), frame.light.deep, 0.35) +
		boards.join('') +
		line(grain, mix(wood, frame.light.deep, 0.4), 2, 0.4) +
		letters(frame, board, text, mix(lit(frame.light, '#fff4dc'), '#fff4dc', 0.5), 0.12)
	);
}

/** Plain letters: below a logo, and with a dark edge over the picture of a meme. */
function lettering(frame: Frame, board: Board, text: string): string {
	const { framing, tint } = frame.scene;
	if (framing !== 'meme') return letters(frame, board, text, tint && toLch(tint).l < 0.5 ? '#fffaf2' : '#23222a', 0.06);
	const words = text.toUpperCase();
	const fitted = fitLetters(words, { width: board.width, height: board.height, largest: board.height * 0.8 });
	const place = `transform="translate(${round((frame.width - fitted.width) / 2)} ${round(board.y)})"`;
	const edge = line(fitted.path, '#141216', Math.max(6, fitted.size * 0.14));
	return group(edge + fill(fitted.path, '#ffffff'), place);
}

function banner(frame: Frame, board: Board, text: string): string {
	const cloth = mix(lit(frame.light, '#fbf3e0'), '#fff6e4', 0.3);
	const { x, y, width: w, height: h } = board;
	const fold = mix(cloth, frame.light.deep, 0.34);
	const tail = (side: -1 | 1) => {
		const edge = side < 0 ? x : x + w;
		return polygon([
			[edge - side * 40, y + h * 0.26],
			[edge + side * 70, y + h * 0.26],
			[edge + side * 40, y + h * 0.72],
			[edge + side * 70, y + h * 1.16],
			[edge - side * 40, y + h * 1.16],
		]);
	};
	return (
		fill(tail(-1) + tail(1), fold) +
		fill(
			path`M${x} ${y + h}L${x + 40} ${y + h}L${x + 40} ${y + h * 1.16}Z` +
				path`M${x + w} ${y + h}L${x + w - 40} ${y + h}L${x + w - 40} ${y + h * 1.16}Z`,
			mix(fold, frame.light.deep, 0.5),
		) +
		fill(
			box(x, y, w, h, 4),
			frame.definitions.linear([stop(0, cloth), stop(1, mix(cloth, frame.light.sky[2], 0.25))]),
		) +
		line(box(x + 12, y + 12, w - 24, h - 24, 3), mix(fold, cloth, 0.4), 3) +
		letters(frame, board, text, mix(frame.light.deep, '#2a2030', 0.5), 0.14)
	);
}

function neonSign(frame: Frame, board: Board, text: string): string {
	const colour = lch(0.78, 0.22, board.random.pick([340, 200, 300, 30]));
	const edge = lch(0.8, 0.16, board.random.pick([190, 60, 280]));
	const { x, y, width: w, height: h } = board;
	return (
		fill(box(x + w * 0.2, 0, 10, y + 10) + box(x + w * 0.8, 0, 10, y + 10), '#1b1830') +
		fill(box(x, y, w, h, 24), '#171330', 0.9) +
		glow(frame, [x + w / 2, y + h / 2], w * 0.5, colour, 0.4) +
		line(box(x + 14, y + 14, w - 28, h - 28, 16), edge, 12, 0.25) +
		line(box(x + 14, y + 14, w - 28, h - 28, 16), mix(edge, '#ffffff', 0.35), 5) +
		letters(frame, board, text, mix(colour, '#ffffff', 0.6), 0.16)
	);
}
