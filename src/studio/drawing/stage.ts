/** Puts the actors on the land: who stands where, and how large. */
import type { Frame, Land } from './frame.ts';
import { type Pose, show } from './pose.ts';
import type { Random } from './random.ts';
import type { Actor } from './scene.ts';
import type { Figure } from './subjects/figure.ts';
import { figures } from './subjects/figures.ts';
import { isTogether, unite } from './together.ts';

/** The camera of a variation. */
export interface Shot {
	readonly zoom: number;
	/** x of the first actor, as a share of the width. */
	readonly focus: number;
	/** The luminary hangs right behind the first actor. */
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

export function perform(frame: Frame, land: Land, shot: Shot): string {
	const poses = cast(frame, land, shot);
	return poses
		.sort((a, b) => b.depth - a.depth)
		.map((pose) => show(frame, land, pose))
		.join('');
}

/** Places every actor; those with a role stand where the other one is. */
function cast(frame: Frame, land: Land, shot: Shot): Pose[] {
	const random = frame.random.fork('cast');
	const groups = new Map<Actor, readonly Pose[]>();
	const { actors } = frame.scene;
	const free = actors.filter(({ role }) => !role || !isTogether(role.relation));
	const widths = free.map(({ figure, scale, count }) => {
		const { box, share } = figures[figure];
		return ((share * 1000 * scale * box[0]) / box[1] / frame.width) * Math.min(2.2, count ** 0.7);
	});
	const fit = Math.min(1, 0.95 / widths.reduce((sum, width) => sum + width * shot.zoom, 0));
	const spots = spread(
		widths.map((width) => width * shot.zoom * fit),
		shot.focus,
	);
	let turn = 0;
	// Mounts come before what is held and worn, which then goes up with the rider.
	const late = ({ role }: Actor) => role?.relation === 'holding' || role?.relation === 'wearing';
	for (const actor of [...actors.filter((each) => !late(each)), ...actors.filter(late)]) {
		const figure: Figure = figures[actor.figure];
		const leader = actor.role && isTogether(actor.role.relation) ? actors[actor.role.to] : undefined;
		const partners = leader && groups.get(leader);
		if (leader && partners) {
			const union = unite(frame, land, actor, figure, partners);
			groups.set(leader, union.partners).set(actor, union.newcomers);
			continue;
		}
		const spot = spots[turn] ?? 0.5;
		groups.set(actor, crowd(frame, land, actor, figure, spot, { ...shot, zoom: shot.zoom * fit }, random, turn > 0));
		turn++;
	}
	return [...groups.values()].flat();
}

/** The first at the focus, the others to its sides by turns, no nearer than their widths allow (shares of the picture's). */
function spread(widths: readonly number[], focus: number): number[] {
	const first = widths[0] ?? 0;
	let towards = focus < 0.5 ? 1 : -1;
	const edges = { '1': focus + first * 0.42, '-1': focus - first * 0.42 };
	return widths.map((width, index) => {
		if (index === 0) return focus;
		const side = towards > 0 ? '1' : '-1';
		const at = edges[side] + towards * Math.max(width * 0.5, index === 1 ? 0.16 : 0.08);
		edges[side] = at + towards * width * 0.42;
		towards = -towards;
		return Math.min(0.9, Math.max(0.1, at));
	});
}

function crowd(
	frame: Frame,
	land: Land,
	actor: Actor,
	figure: Figure,
	spot: number,
	shot: Shot,
	random: Random,
	second: boolean,
): Pose[] {
	const { width, height, horizon } = frame;
	const { place } = frame.scene;
	const swims = figure.habitat === 'water' || figure.habitat === 'deep';
	const afloat = !actor.aloft && swims && land.water !== undefined;
	const weightless = place === 'space' || (place === 'underwater' && swims) || figure.habitat === 'deep';
	const flying = !afloat && (actor.aloft || figure.habitat === 'sky' || weightless);
	const back = figure.backdrop || second;
	const zoom = (back ? 0.55 + shot.zoom * 0.4 : shot.zoom) * actor.scale;
	const shrink = 1 / (1 + (actor.count - 1) * 0.11);
	const tall = Math.min(
		figure.share * 1000 * zoom * shrink,
		height * 0.72,
		(width * 0.82 * figure.box[1]) / figure.box[0],
	);
	const wide = (tall * figure.box[0]) / figure.box[1];
	return Array.from({ length: actor.count }, (_, index): Pose => {
		const offset = index === 0 ? 0 : Math.ceil(index / 2) * (index % 2 ? 1 : -1);
		const x = Math.min(
			width - wide * 0.4,
			Math.max(wide * 0.4, spot * width + offset * Math.min(wide * 0.95, (width * 0.8) / actor.count)),
		);
		const depth = figure.backdrop
			? random.between(0.72, 0.95)
			: (second ? 0.45 : 0.2) + (index === 0 ? 0 : random.between(-0.12, 0.34));
		const size = tall * (index === 0 ? 1 : random.between(0.72, 0.98) * (1 - depth * 0.15));
		const air = frame.scene.place === 'underwater' || frame.scene.place === 'space' ? height * 0.62 : horizon * 0.78;
		const y = afloat
			? (land.water ?? 0) + size * (figure.draught ?? 0.12) + (0.5 - depth) * 40
			: flying
				? Math.max(size * 1.05, air * random.between(0.8, 1) + (index % 3) * size * 0.2 - (index % 2) * size * 0.35)
				: land.footing(x, depth);
		return {
			figure,
			colour: actor.colour ?? undefined,
			at: [x, y],
			height: size,
			flip: x > width * 0.5 !== (random.chance(0.12) && index > 0),
			depth: depth * 0.32,
			shadow: !flying && !afloat,
			afloat,
			tilt: flying ? random.between(-5, 5) : 0,
		};
	});
}
