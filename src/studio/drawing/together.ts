/** Actors that belong together: riders and mounts, holders and what they hold, heads and hats. */
import type { Frame, Land } from './frame.ts';
import type { Pose } from './pose.ts';
import type { Actor, Relation } from './scene.ts';
import type { Figure } from './subjects/figure.ts';
import type { Point } from './svg.ts';

export const isTogether = (relation: Relation): boolean =>
	relation === 'riding' || relation === 'holding' || relation === 'wearing' || relation === 'inside';

export interface Union {
	/** The earlier actors, moved to where they now sit. */
	readonly partners: readonly Pose[];
	readonly newcomers: readonly Pose[];
}

/** Puts `actor`, drawn as `figure`, to the partners that its role names. There is at least one. */
export function unite(frame: Frame, land: Land, actor: Actor, figure: Figure, partners: readonly Pose[]): Union {
	const relation = actor.role?.relation;
	if ((relation === 'riding' || relation === 'inside') && figure.seat) {
		if (actor.count < 2 || partners.length < 2) return mounted(frame, land, actor, figure, figure.seat, partners);
		return pairs(frame, land, actor, figure, figure.seat, partners);
	}
	const join = (partner: Pose) => {
		const own = { ...partner, figure, colour: actor.colour, shadow: false, afloat: false };
		if (relation === 'wearing' && partner.figure.head) return worn(partner, own, partner.figure.head, actor.scale);
		const small = figure.held !== undefined || figure.share <= 0.3;
		if (partner.figure.hands && small) return held(partner, own, partner.figure.hands, actor.scale);
		return standingBy(partner, own);
	};
	return { partners, newcomers: actor.count >= partners.length ? partners.map(join) : [join(partners[0]!)] };
}

/** A place of a figure's box in the picture. */
function spot({ at, height, figure, flip }: Pose, [x, y]: Point): Point {
	const k = height / figure.box[1];
	return [at[0] + (x - figure.box[0] / 2) * k * (flip ? -1 : 1), at[1] - (figure.box[1] - y) * k];
}

/** All of the group on one mount: astride it, or in front of its back if it is to be sat on. */
function mounted(
	frame: Frame,
	land: Land,
	actor: Actor,
	figure: Figure,
	seat: Point,
	partners: readonly Pose[],
): Union {
	const first = partners[0]!;
	const crowd = partners.length;
	const natural = Math.min(2.3, Math.max(0.45, figure.share / first.figure.share)) * crowd ** 0.5;
	const height = Math.min(
		first.height * 1.15 * natural * actor.scale,
		frame.height * 0.7,
		(frame.width * 0.86 * figure.box[1]) / figure.box[0],
	);
	const afloat = figure.habitat === 'water' && land.water !== undefined;
	const y = afloat ? (land.water ?? 0) + height * (figure.draught ?? 0.12) + 14 : first.at[1];
	const shadow = first.shadow && !afloat;
	const mount: Pose = { ...first, figure, colour: actor.colour, height, afloat, shadow, at: [first.at[0], y] };
	const [x, top] = spot(mount, seat);
	const size = (first.height * 0.92) / crowd ** 0.25;
	const wide = (size * first.figure.box[0]) / first.figure.box[1];
	const riders = partners.map((rider, index): Pose => {
		const at: Point = [x + (index - (crowd - 1) / 2) * wide * 0.86, top + size * (figure.perch ? 0.12 : 0.22)];
		const depth = first.depth + (figure.perch ? -0.001 : 0.001) * (index + 1);
		return { ...rider, at, height: size, depth, shadow: false, afloat: false };
	});
	return { partners: riders, newcomers: [mount] };
}

/** A mount for every rider, further apart than they stood. */
function pairs(frame: Frame, land: Land, actor: Actor, figure: Figure, seat: Point, partners: readonly Pose[]): Union {
	const middle = partners.reduce((sum, { at }) => sum + at[0], 0) / partners.length;
	const unions = partners.map((partner) => {
		const height = partner.height * 0.8;
		const x = middle + (partner.at[0] - middle) * 2;
		const at: Point = [Math.min(frame.width * 0.84, Math.max(frame.width * 0.16, x)), partner.at[1]];
		return mounted(frame, land, actor, figure, seat, [{ ...partner, height, at }]);
	});
	const [riders, mounts] = [unions.flatMap((union) => union.partners), unions.flatMap((union) => union.newcomers)];
	return { partners: riders, newcomers: mounts };
}

function worn(partner: Pose, own: Pose, head: Point, scale: number): Pose {
	const [x, y] = spot(partner, head);
	const height = partner.height * 0.3 * scale;
	return { ...own, height, at: [x, y + height * 0.22], depth: partner.depth - 0.002 };
}

/** Most things are held before the body; what is held by its foot is held up, beside and behind it. */
function held(partner: Pose, own: Pose, hands: Point, scale: number): Pose {
	const { box, held: hold } = own.figure;
	const { grip, size } = hold ?? { grip: [box[0] / 2, box[1] / 2] as Point, size: 0.36 };
	const [x, y] = spot(partner, hands);
	const height = partner.height * size * scale;
	const k = height / box[1];
	const side = partner.flip ? -1 : 1;
	const up = grip[1] > box[1] * 0.88;
	const aside = up ? side * partner.height * 0.17 : 0;
	const at: Point = [x + aside - (grip[0] - box[0] / 2) * k * side, y + (box[1] - grip[1]) * k];
	return { ...own, height, at, depth: partner.depth + (up ? 0.002 : -0.002) };
}

function standingBy(partner: Pose, own: Pose): Pose {
	const height = (partner.height * own.figure.share) / partner.figure.share;
	const reach = (height * own.figure.box[0]) / own.figure.box[1] / 2 + partner.height * 0.42;
	const at: Point = [partner.at[0] + (partner.flip ? -1 : 1) * reach, partner.at[1] - 12];
	return { ...own, height, at, shadow: partner.shadow, depth: partner.depth + 0.05 };
}
