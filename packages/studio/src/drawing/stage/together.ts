/** Subjects that stand to another one: riders, passengers, hats, what is held, what is under, behind or beside it. */
import type { Relation } from '../../scene/names.ts';
import type { Subject } from '../../scene/scene.ts';
import { figures, isSmall } from '../subjects/figures.ts';
import type { Frame, Land } from '../tools/frame.ts';
import type { Random } from '../tools/random.ts';
import type { Point } from '../tools/svg.ts';
import { aspect, lookOf, type Pose, spot, widthOf } from './pose.ts';

/** What one figure's place follows from. */
interface Meeting {
	readonly frame: Frame;
	readonly land: Land;
	/** The pose to be placed, with its figure, colours and scale; all else as the target has it. */
	readonly own: Pose;
	readonly target: Pose;
	readonly subject: Subject;
	/** The figure's natural height beside the target. */
	readonly natural: number;
	/** −1 to 1: the place among those that meet the same target. */
	readonly among: number;
	/** The same as an index. */
	readonly place: number;
	/** How many meet the same target. */
	readonly shared: number;
}

/** Places a subject by the pose of the one that its relation names, whose pose does not change. */
export function join(frame: Frame, land: Land, subject: Subject, targets: readonly Pose[], random: Random): Pose[] {
	const look = lookOf(subject, frame.scene);
	const { figure } = look;
	const kind = subject.relation?.kind ?? 'beside';
	const isCarried = kind === 'worn by' || kind === 'held by';
	const before = frame.scene.subjects.filter(
		({ id, relation }) => id < subject.id && relation?.kind === kind && relation.to === subject.relation?.to,
	).length;
	const shared = Math.max(1, Math.ceil(subject.count / targets.length));
	return Array.from({ length: subject.count }, (_, index) => {
		const target = targets[index % targets.length]!;
		const place = Math.floor(index / targets.length);
		const among = shared > 1 ? (place / (shared - 1)) * 2 - 1 : 0;
		const natural =
			((target.height * figure.share) / target.figure.share) * subject.scale * smallness(subject, frame.scene, target);
		const own: Pose = {
			...target,
			...look,
			shadow: false,
			afloat: false,
			raised: 0,
			tilt: 0,
			behind: target.behind && (isCarried || !isSmall(subject.figure)),
			random: random.fork(`${index}`),
		};
		const pose = relations[kind]({ frame, land, own, target, subject, natural, among, place, shared });
		const { counter } = land;
		// What is held behind a table would not be seen: it stands on the table.
		if (kind === 'held by' && target.behind) {
			const x = target.at[0] + target.height * (0.16 + among * 0.2);
			return { ...pose, behind: false, shadow: true, at: [x, land.footing(0.5)] };
		}
		if (isCarried) return pose;
		// Each further subject stands beside those that meet the target in the same way.
		const shift = Math.ceil(before / 2) * (before % 2 ? 1 : -1) * widthOf(pose) * (kind === 'beside' ? 1.5 : 0.9);
		const x = pose.at[0] + shift;
		// Who stands beside a cup on a table stands behind the table.
		const isLarge = !isSmall(subject.figure) && figure.habitat !== 'sky';
		return counter && isLarge && !pose.behind && (kind === 'beside' || kind === 'behind')
			? { ...pose, behind: true, shadow: false, at: [x, counter.behind + pose.height * 0.42] }
			: { ...pose, at: [x, pose.at[1]] };
	});
}

/** Drawings fill the picture in which they are alone: beside people and animals, things are smaller than that. */
const smallness = (subject: Subject, { subjects }: Frame['scene'], { figure }: Pose) => {
	const isTargetSmall = subjects.some((other) => figures[other.figure] === figure && isSmall(other.figure));
	if (isSmall(subject.figure) === isTargetSmall) return 1;
	return isTargetSmall ? 2 : 0.5;
};

const sideOf = ({ flip }: Pose) => (flip ? -1 : 1);

const relations: Readonly<Record<Relation, (meeting: Meeting) => Pose>> = {
	on: (meeting) => seated(meeting, 0.55),
	in: (meeting) => (meeting.target.figure.backdrop ? relations['in front of'](meeting) : seated(meeting, 0.44)),
	'held by': held,
	'worn by': worn,
	under,
	above: ({ own, target, natural, among, frame }) => {
		const height = Math.min(natural, target.height * 1.2, frame.height * 0.4);
		const y = target.at[1] - target.height - height * 0.24;
		const aside =
			y < height * 1.04 ? towards(frame, target) * (widthOf(target) + widthOf({ ...own, height })) * 0.4 : 0;
		const x = target.at[0] + aside + among * widthOf({ ...own, height });
		return { ...own, height, at: [x, Math.max(height * 1.04, y)], depth: target.depth + 0.003 };
	},
	behind: ({ own, target, natural, among, land, frame }) => {
		const height = Math.min(natural * 0.92, frame.height * 0.7);
		const aside = towards(frame, target) * (widthOf(target) * 0.34 + widthOf({ ...own, height }) * 0.22);
		const x = target.at[0] + aside + among * widthOf({ ...own, height }) * 0.8;
		const back = footed(land, target, 0.3);
		return { ...own, height, at: [x, back.y], depth: back.depth, shadow: back.shadow, flip: target.flip };
	},
	'in front of': ({ own, target, natural, among, land, frame }) => {
		const height = Math.min(natural, target.figure.backdrop ? target.height * 0.7 : target.height * 0.8);
		const wide = widthOf({ ...own, height });
		const x = target.at[0] + sideOf(target) * widthOf(target) * 0.12 + among * wide * 0.9;
		const front = footed(land, target, -0.5);
		const y = Math.min(front.y, frame.height - 8);
		return { ...own, height, at: [x, y], depth: front.depth, shadow: front.shadow };
	},
	beside: ({ own, target, natural, place, land, frame }) => {
		const height = Math.min(natural, frame.height * 0.7, (frame.width * 0.42) / aspect(own));
		const wide = widthOf({ ...own, height });
		// Another subject that stands for itself is on the side with more room.
		const isShared = frame.scene.subjects.filter(({ relation }) => !relation).length > 1;
		const side = towards(frame, target) * (isShared ? -1 : 1) * (place % 2 ? -1 : 1);
		const reach = (widthOf(target) + wide) * 0.5 + Math.min(30, wide * 0.1);
		const x = target.at[0] + side * (reach + Math.floor(place / 2) * wide * 0.9);
		// What stands beside a balloon stands below it.
		const isAbove = target.figure.habitat === 'sky' && own.figure.habitat === undefined;
		const near = isAbove ? { y: land.footing(0.3), depth: 0.1, shadow: true } : footed(land, target, -0.05);
		const at: Point = [Math.min(frame.width - wide * 0.45, Math.max(wide * 0.45, x)), near.y];
		return { ...own, height, at, depth: near.depth, shadow: near.shadow, flip: side > 0 };
	},
};

/** The side of the target with more room. */
const towards = (frame: Frame, { at }: Pose) => (at[0] < frame.width / 2 ? 1 : -1);

/** The ground nearer (negative) or further than where the target stands; in the air and on water its own height. */
function footed(land: Land, target: Pose, further: number) {
	const depth = Math.min(1, Math.max(-0.6, target.depth / 0.32 + further));
	const y = target.behind
		? land.footing(0.4)
		: target.shadow
			? land.footing(depth)
			: target.at[1] - further * target.height * 0.2;
	return { y, depth: target.depth + further * 0.32, shadow: target.shadow };
}

/** On a back, a seat or a top; in a boat, a basket or a cup, whose front then covers the lower part. */
function seated({ own, target, natural, among, shared, subject }: Meeting, widest: number): Pose {
	const { figure } = target;
	const inside = figure.hull !== undefined;
	const seat = figure.seat ?? [figure.box[0] / 2, figure.box[1] * (figure.share > 0.5 ? 0.16 : 0.06)];
	const share = Math.min(1, 1.5 / shared);
	const broad = (figure.hull?.[1] ?? widest) * share * widthOf(target) * Math.max(1, subject.scale);
	const height = Math.min(
		natural,
		target.height * (inside ? 0.62 : 1.1) * Math.max(1, subject.scale),
		broad / aspect(own),
	);
	const [x, top] = spot(target, seat);
	const wide = widthOf({ ...own, height });
	const sunk = figure.seat ? (figure.perch ? 0.12 : 0.22) : inside || subject.relation?.kind === 'in' ? 0.4 : 0.03;
	const spread = Math.min(wide * 0.42 * (shared - 1), widthOf(target) * 0.36);
	const at: Point = [x + among * spread, Math.max(height * 1.03, top + height * sunk)];
	const over = figure.perch || !figure.seat ? -0.002 : 0.001;
	const behind = subject.relation?.kind === 'in' && !figure.perch ? 0.002 : over;
	// Flowers in a vase spread.
	const tilt = target.tilt + (figure.contents ? among * 14 : 0);
	return { ...own, height, at, depth: target.depth + (inside ? 0.001 : behind), tilt };
}

function worn({ own, target, subject }: Meeting): Pose {
	const [x, y] = spot(target, target.figure.head ?? [target.figure.box[0] / 2, target.figure.box[1] * 0.12]);
	const [size, below, larger = 1.5, lower = 1.2] = own.figure.worn ?? [0.3, 0];
	// Animals that sit have larger heads than people.
	const isLarge = !target.figure.clothed && aspect(target) <= 0.95;
	const wide = isLarge ? larger : 1;
	const height = target.height * size * wide * subject.scale;
	const down = height * 0.22 + target.height * below * (isLarge ? lower : 1);
	return { ...own, height, at: [x, y + down], depth: target.depth - 0.003, tilt: target.tilt };
}

/** Most things are held before the body; what is held by its foot is held up, beside and behind it. */
function held(meeting: Meeting): Pose {
	const { own, target, subject, among, shared } = meeting;
	const { box, held: hold, share } = own.figure;
	if (!target.figure.hands || !(hold || share <= 0.3)) return relations.beside(meeting);
	const [gripX, gripY, size] = hold ?? [box[0] / 2, box[1] / 2, 0.36];
	const [x, y] = spot(target, target.figure.hands);
	const height = (target.height * size * subject.scale) / Math.sqrt(Math.max(1, shared - 1));
	const k = height / box[1];
	const side = sideOf(target);
	const up = gripY > box[1] * 0.88;
	const aside = (up ? side * target.height * 0.17 : 0) + among * widthOf({ ...own, height }) * 0.45;
	const at: Point = [x + aside - (gripX - box[0] / 2) * k * side, y + (box[1] - gripY) * k];
	return { ...own, height, at, depth: target.depth + (up ? 0.002 : -0.004) };
}

/** At the foot of what it is under, and small enough for it; a person holds an umbrella. */
function under({ own, target, natural, among, frame, land }: Meeting): Pose {
	const { hands, clothed } = own.figure;
	const { held: hold } = target.figure;
	if (target.raised && clothed && hold && hands) {
		const holder = { ...own, height: target.height / hold[2], at: target.at, flip: target.flip };
		const [grip, hand] = [spot(target, [hold[0], hold[1]]), spot(holder, hands)];
		const x = target.at[0] + grip[0] - hand[0] - sideOf(target) * holder.height * 0.17;
		return { ...holder, at: [x, target.at[1] + target.raised], depth: target.depth - 0.004, shadow: true };
	}
	const height = Math.min(natural, target.height * (target.shadow ? 0.48 : 0.9));
	const wide = widthOf({ ...own, height });
	const x = target.at[0] + among * Math.max(wide, widthOf(target) * 0.4) * 0.5 + sideOf(target) * wide * 0.16;
	const ground = footed(land, target, target.shadow ? -0.08 : 0);
	if (target.afloat) return { ...own, height, at: [x, Math.min(frame.height - 20, target.at[1] + height * 1.1)] };
	const y = target.shadow ? ground.y : Math.min(frame.height - 20, land.footing(0.3));
	return { ...own, height, at: [x, y], depth: target.depth - 0.004, shadow: true };
}
