/** Places the subjects on the land. Each has its own chance and its own slot, so that none moves when another one is changed. */
import { isMark, type Place } from '../../scene/names.ts';
import type { Subject } from '../../scene/scene.ts';
import { figures, isAllSmall, isSmall } from '../subjects/figures.ts';
import type { Frame, Land } from '../tools/frame.ts';
import type { Random } from '../tools/random.ts';
import { group } from '../tools/svg.ts';
import { aspect, layers, lookOf, type Pose, show } from './pose.ts';
import { join } from './together.ts';

/** The camera of a variation. */
export interface Shot {
	readonly zoom: number;
	/** x of the first subject, as a share of the width. */
	readonly focus: number;
	/** The sun or moon is right behind the first subject. */
	readonly backlit: boolean;
}

export function shotOf(variation: number, random: Random): Shot {
	const left = random.chance(0.5);
	const third = left ? random.between(0.34, 0.42) : random.between(0.58, 0.66);
	const shots: Shot[] = [
		{ zoom: 1.06, focus: third, backlit: false },
		{ zoom: 1.2, focus: random.between(0.46, 0.54), backlit: true },
		{ zoom: 0.74, focus: 1 - third, backlit: random.chance(0.4) },
		{ zoom: 1.5, focus: left ? 0.43 : 0.57, backlit: false },
	];
	return shots[variation % shots.length]!;
}

/** Places of subjects that stand to no other one, by their ids. `away` is the distance from the first one, towards the emptier side. */
const slots = [
	{ away: 0, depth: 0.2, size: 1, wide: 0.58 },
	{ away: 0.38, depth: 0.42, size: 0.86, wide: 0.38 },
	{ away: -0.25, depth: 0.6, size: 0.66, wide: 0.26 },
	{ away: 0.19, depth: 0.8, size: 0.56, wide: 0.22 },
	{ away: 0.52, depth: 0.1, size: 0.7, wide: 0.24 },
	{ away: -0.1, depth: 0.9, size: 0.46, wide: 0.2 },
] as const;

const sides = { left: 0.22, centre: 0.5, right: 0.78 } as const;

export function perform(frame: Frame, land: Land, shot: Shot): string {
	const sorted = poses(frame, land, shot)
		.flatMap(layers)
		.sort((a, b) => b.depth - a.depth);
	const drawn = (isBehind: boolean) =>
		sorted
			.filter(({ behind = false }) => behind === isBehind)
			.map((pose) => show(frame, land, pose))
			.join('');
	const all = drawn(true) + (land.counter?.drawing ?? '') + drawn(false);
	return frame.scene.framing === 'sticker' ? outlined(frame, all) : all;
}

/** The white edge of a sticker, and its shadow. */
function outlined({ definitions }: Frame, drawing: string): string {
	const id = definitions.add(
		(id) =>
			`<filter id="${id}" x="-20%" y="-20%" width="140%" height="140%"><feMorphology in="SourceAlpha" operator="dilate" radius="14" result="edge"/><feFlood flood-color="#ffffff"/><feComposite in2="edge" operator="in" result="white"/><feGaussianBlur in="edge" stdDeviation="9" result="soft"/><feFlood flood-color="#1b1830" flood-opacity="0.4"/><feComposite in2="soft" operator="in"/><feMerge><feMergeNode/><feMergeNode in="white"/><feMergeNode in="SourceGraphic"/></feMerge></filter>`,
	);
	return group(drawing, `filter="url(#${id})"`);
}

/** How large things are that stand near: on a table, or alone before a plain background. */
const NEAR: Readonly<Partial<Record<Place, number>>> = { table: 1.6, kitchen: 1, stage: 1.4, backdrop: 1.7 };

function poses(frame: Frame, land: Land, shot: Shot): Pose[] {
	const { subjects } = frame.scene;
	const placed = new Map<number, readonly Pose[]>();
	const place = (subject: Subject, waiting: readonly number[]): readonly Pose[] => {
		const known = placed.get(subject.id);
		if (known) return known;
		const { relation } = subject;
		const target =
			relation && subjects.find(({ id }) => id === relation.to && id !== subject.id && !waiting.includes(id));
		const random = frame.random.fork(`subject ${subject.id}`);
		const group = target
			? join(frame, land, subject, place(target, [...waiting, subject.id]), random)
			: crowd(frame, land, subject, shot, random);
		placed.set(subject.id, group);
		return group;
	};
	return subjects.flatMap((subject) => place(subject, []));
}

function slotOf(frame: Frame, { id, side }: Subject, shot: Shot) {
	const slot = slots[(id - 1) % slots.length]!;
	const { framing, place } = frame.scene;
	const isCentred = place === 'backdrop' || (framing !== undefined && framing !== 'meme');
	const focus = isCentred && !side ? 0.5 : shot.focus;
	// Several subjects of a logo share its middle.
	const roots = isMark(framing) ? frame.scene.subjects.filter(({ relation }) => !relation) : [];
	const among = roots.findIndex((root) => root.id === id) - (roots.length - 1) / 2;
	const x = side ? sides[side] : roots.length > 1 ? 0.5 + among * 0.28 : focus + (focus < 0.5 ? slot.away : -slot.away);
	// A subject that was given a side is not hidden by others.
	const depth = side ? Math.min(slot.depth, 0.08) : slot.depth;
	return { ...slot, depth, x: Math.min(0.9, Math.max(0.1, x)) * frame.width, share: roots.length > 1 ? 0.52 : 1 };
}

/** One subject, as many times as it counts, in rows. */
function crowd(frame: Frame, land: Land, subject: Subject, shot: Shot, random: Random): Pose[] {
	const { width, height, horizon, scene } = frame;
	const { count } = subject;
	const look = lookOf(subject, scene);
	const { figure } = look;
	const slot = slotOf(frame, subject, shot);
	const swims = figure.habitat === 'water' || figure.habitat === 'deep';
	const afloat = !subject.aloft && swims && land.water !== undefined && scene.place !== 'underwater';
	const weightless = scene.place === 'space' || (scene.place === 'underwater' && swims) || figure.habitat === 'deep';
	const flying = !afloat && (subject.aloft || figure.habitat === 'sky' || weightless);
	const air = weightless ? height * 0.62 : horizon * 0.8;
	const rows = count > 7 ? 2 : 1;
	const columns = Math.ceil(count / rows);
	/** The width of a row in figures. */
	const spread = 1 + (columns - 1) * 0.94;
	const { framing } = scene;
	const isAlone = isAllSmall(scene.subjects);
	// The largest of several small things is as large as one that is alone.
	const most = Math.max(...scene.subjects.map(({ figure }) => figures[figure].share));
	const small = (isAlone ? Math.max(1, 0.26 / most) : 0.5) * (NEAR[scene.place] ?? 1);
	const counter = isSmall(subject.figure) || figure.habitat === 'sky' ? undefined : land.counter;
	const size = isSmall(subject.figure) ? small : counter ? 1.4 : 1;
	const mark = isMark(scene.framing);
	const isSingle = slot.away === 0 && count === 1;
	const isShown = (mark && count === 1) || (framing === 'product' && isSingle);
	const ratio = aspect(look);
	const isBust = framing === 'portrait' && isSingle && figure.head !== undefined && ratio < 1;
	const camera =
		framing && framing !== 'meme'
			? 1
			: (figure.backdrop || slot.away !== 0 ? 0.55 + shot.zoom * 0.4 : shot.zoom) * Math.min(1, scene.zoom);
	const broadest = slot.away === 0 || subject.side ? 0.86 : 0.5;
	const widest = Math.min(broadest, slot.wide * Math.max(1, size) * camera * columns ** 0.6) * Math.min(width, 1500);
	const fitting = Math.min(
		size * figure.share * 1000 * camera * slot.size * subject.scale * (1 / (1 + (columns - 1) * 0.16)),
		height * 0.72,
		flying ? air / rows : height,
		Math.max(widest, subject.scale > 1 ? width * 0.8 : 0) / ratio / spread,
	);
	const room = (scene.texts.length > 0 ? 0.44 : mark ? 0.58 : 0.5) * Math.min(width, height);
	const whole = slot.share * Math.min(room, (room * 1.15) / ratio);
	const tall = isBust ? height * (figure.clothed ? 1.2 : 1.05) : isShown ? whole : fitting;
	const wide = tall * ratio;
	const edge = NEAR[scene.place] ? 1.1 : 0.94;
	const half = (wide * spread) / 2;
	const middle = Math.min(width - half * edge, Math.max(half * edge, slot.x));
	const centre = (mark ? (scene.texts.length > 0 ? 0.42 : 0.5) : 0.52) * height;
	const base = Math.max(air * random.between(0.8, 1), tall * rows * 1.06);
	const held = scene.subjects.some(({ figure: other, relation }) => {
		return relation?.kind === 'under' && relation.to === subject.id && figures[other].clothed;
	});
	const raised = held && figure.held ? (tall / figure.held[2]) * 0.28 : 0;
	const ground = figure.backdrop ? random.between(0.72, 0.95) : slot.depth;
	return Array.from({ length: count }, (_, index): Pose => {
		const own = random.fork(`${index}`);
		const row = Math.floor(index / columns);
		const inRow = Math.min(columns, count - row * columns);
		const column = (index % columns) - (inRow - 1) / 2;
		const jitter = count === 1 ? 0 : own.between(-1, 1);
		const x = middle + (column + jitter * 0.08 + (row % 2) * 0.42) * wide * 0.94;
		const depth = Math.min(1, ground + row * 0.3 + (count > 1 ? own.between(0, 0.1) : 0));
		const behind = row * tall * 0.42;
		const size = tall * (count === 1 ? 1 : own.between(0.86, 1)) * 0.86 ** row;
		const y = isBust
			? height * 0.15 + size * 0.89
			: isShown
				? centre + size / 2
				: counter
					? counter.behind + size * (figure.clothed ? 0.42 : 0.34) - behind * 0.4
					: afloat
						? (land.water ?? 0) + size * (figure.draught ?? 0.12) + (0.5 - depth) * 40 - behind
						: flying
							? Math.max(size * 1.05, base - row * tall * 1.06 + jitter * size * (rows > 1 ? 0.2 : 0.5))
							: land.footing(depth) - raised - behind;
		return {
			...look,
			at: [x, y],
			height: size,
			flip: middle > width * 0.5 !== (index > 0 && own.chance(0.12)),
			depth: depth * 0.32,
			behind: counter !== undefined,
			shadow: !flying && !afloat && !raised && !counter && !mark,
			raised,
			random: own,
			afloat,
			tilt: flying ? own.between(-5, 5) : 0,
		};
	});
}
