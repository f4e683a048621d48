/** Puts the actors on the land: who stands where, how large, in what light, with what shadow. */
import { adjust, type Hex, mix, toLch } from './colour.ts';
import type { Frame, Land } from './frame.ts';
import { lit } from './light.ts';
import type { Random } from './random.ts';
import type { Actor } from './scene.ts';
import { glow } from './sky.ts';
import type { Figure, Tone } from './subjects/figure.ts';
import { figures } from './subjects/figures.ts';
import { fill, group, line, oval, type Point, round } from './svg.ts';

/** One drawn figure: `at` is where the middle of its feet is. */
interface Pose {
	readonly figure: Figure;
	readonly colour: Hex | undefined;
	readonly at: Point;
	readonly height: number;
	readonly flip: boolean;
	/** 0 beside the viewer, 1 at the horizon. */
	readonly depth: number;
	readonly shadow: boolean;
	readonly tilt: number;
}

/** How the variation looks at the scene. */
export interface Shot {
	readonly zoom: number;
	/** Where the first actor stands, as a share of the width. */
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
	const poses: Pose[] = [];
	const leads: Pose[] = [];
	const free = frame.scene.actors.filter(({ role }) => !role || !attached(role.relation));
	const spots = spread(free.length, shot.focus);
	let turn = 0;
	for (const actor of frame.scene.actors) {
		const figure: Figure = figures[actor.figure];
		const partner = actor.role && attached(actor.role.relation) ? leads[actor.role.to] : undefined;
		const placed = partner
			? beside(frame, actor, figure, partner, poses)
			: crowd(frame, land, actor, figure, spots[turn++] ?? 0.5, shot, random, turn > 1);
		leads.push(placed[0]!);
		poses.push(...placed);
	}
	return poses;
}

const attached = (relation: string) =>
	relation === 'riding' || relation === 'holding' || relation === 'wearing' || relation === 'inside';

/** The first at the focus, the others where they balance it. */
function spread(count: number, focus: number): number[] {
	const side = focus < 0.5 ? 1 : -1;
	const offsets = [0, 0.34, -0.24, 0.5, 0.17, -0.12];
	return offsets.slice(0, count).map((offset) => Math.min(0.88, Math.max(0.12, focus + side * offset)));
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
	const flying =
		actor.aloft || figure.habitat === 'sky' || (figure.habitat === 'deep' && frame.scene.place === 'underwater');
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
		const y = flying
			? Math.max(
					size * 1.05,
					horizon * random.between(0.5, 0.78) + (index % 3) * size * 0.2 - (index % 2) * size * 0.35,
				)
			: land.footing(x, depth);
		return {
			figure,
			colour: actor.colour ?? undefined,
			at: [x, y],
			height: size,
			flip: x > width * 0.5 !== (random.chance(0.12) && index > 0),
			depth: depth * 0.32,
			shadow: !flying,
			tilt: flying ? random.between(-5, 5) : 0,
		};
	});
}

/** A rider on the seat, a thing in the hands, a hat on the head. The partner moves up or down if need be. */
function beside(frame: Frame, actor: Actor, figure: Figure, partner: Pose, poses: Pose[]): Pose[] {
	const relation = actor.role?.relation;
	const point = (pose: Pose, [px, py]: Point): Point => {
		const k = pose.height / pose.figure.box[1];
		return [
			pose.at[0] + (px - pose.figure.box[0] / 2) * k * (pose.flip ? -1 : 1),
			pose.at[1] - (pose.figure.box[1] - py) * k,
		];
	};
	if ((relation === 'riding' || relation === 'inside') && figure.seat) {
		const mount: Pose = {
			...partner,
			figure,
			colour: actor.colour,
			height: Math.min(
				partner.height * 1.25 * Math.max(1, figure.share / partner.figure.share) * actor.scale,
				frame.height * 0.7,
			),
			depth: partner.depth,
		};
		const seat = point(mount, figure.seat);
		const rider: Pose = {
			...partner,
			at: [seat[0], seat[1] + partner.height * 0.08],
			height: partner.height * 0.72,
			shadow: false,
			depth: partner.depth + (relation === 'inside' ? 0.001 : -0.001),
		};
		poses[poses.indexOf(partner)] = rider;
		return [mount];
	}
	const spot = relation === 'wearing' ? partner.figure.head : partner.figure.hands;
	if (!spot || figure.share > 0.45)
		return [
			{
				...partner,
				figure,
				colour: actor.colour,
				height: figure.share * 1000 * 0.9,
				at: [partner.at[0] + (partner.flip ? -1 : 1) * partner.height * 0.8, partner.at[1] - 12],
				depth: partner.depth + 0.05,
			},
		];
	const at = point(partner, spot);
	const size = partner.height * (relation === 'wearing' ? 0.3 : 0.36) * actor.scale;
	return [
		{
			...partner,
			figure,
			colour: actor.colour,
			height: size,
			at: [at[0], at[1] + (relation === 'wearing' ? size * 0.22 : size * 0.5)],
			depth: partner.depth - 0.002,
			shadow: false,
		},
	];
}

const skins: readonly [Hex, ...Hex[]] = ['#f3c9a5', '#e8b48c', '#d39a6e', '#a86f48', '#7d4f35'];
const hairs: readonly [Hex, ...Hex[]] = ['#3a2a28', '#5a3a28', '#8a5a34', '#b5562f', '#2b2733', '#d9a95a'];

/** The tones of one figure in this light, at this depth. */
function palette(frame: Frame, figure: Figure, colour: Hex | undefined, depth: number): (tone: Tone) => Hex {
	const people = frame.random.fork(`people ${figure.colour}`);
	const base = colour ?? figure.colour;
	const { l } = toLch(base);
	const accent = figure.accent ?? adjust(base, { l: l > 0.5 ? -0.25 : 0.25, h: 40 });
	const local: Partial<Record<Tone, Hex>> = {
		base,
		shade: adjust(base, { l: -0.09 * (0.5 + l), c: 1.02, h: -6 }),
		deep: mix(adjust(base, { l: -0.22, h: -10 }), '#2b1d2e', 0.5),
		light: adjust(base, { l: (1 - l) * 0.28, h: 5 }),
		pale: mix(adjust(base, { l: (1 - l) * 0.6, c: 0.4 }), '#fff6ea', 0.72),
		accent,
		accentShade: adjust(accent, { l: -0.09, h: -6 }),
		ink: '#2a2030',
		white: '#fffaf2',
		skin: people.pick(skins),
		hair: people.pick(hairs),
	};
	const lamp = mix('#ffd98a', '#fff3d0', 0.3);
	const night = mix(frame.light.ambient, '#ffffff', 0.25);
	return (tone) => {
		if (tone === 'glow') return mix(adjust(lit(frame.light, lamp, depth), {}), lamp, Math.max(0.35, frame.light.lamps));
		return lit({ ...frame.light, ambient: night }, local[tone] ?? (tone as Hex), depth);
	};
}

function show(frame: Frame, land: Land, pose: Pose): string {
	const { figure, at, height, flip } = pose;
	const k = height / figure.box[1];
	const tone = palette(frame, figure, pose.colour, pose.depth);
	const drawn = figure.parts
		.map(([name, path, stroke]) => (stroke ? line(path, tone(name), stroke) : fill(path, tone(name))))
		.join('');
	const turn = pose.tilt ? `rotate(${round(pose.tilt)} ${round(at[0])} ${round(at[1] - height / 2)})` : '';
	const place = `${turn}translate(${round(at[0])} ${round(at[1])})scale(${(flip ? -k : k).toFixed(4)} ${k.toFixed(4)})translate(${-figure.box[0] / 2} ${-figure.box[1]})`;
	const body = group(group(drawn, `transform="${place}"`), `filter="url(#${modelling(frame, pose)})"`);
	const lamps = (figure.lights ?? []).map(([x, y, r]) =>
		glow(
			frame,
			[at[0] + (x - figure.box[0] / 2) * k * (flip ? -1 : 1), at[1] - (figure.box[1] - y) * k],
			r * k * 2.4,
			'#ffdf9a',
			0.75 * frame.light.lamps,
		),
	);
	return (pose.shadow ? castShadow(frame, land, pose) : '') + body + lamps.join('');
}

/** Volume from the light: the far side sinks into shade, the near edge catches a rim. */
function modelling(frame: Frame, { at, height, depth }: Pose): string {
	const { luminary, light, definitions } = frame;
	const [dx, dy] = [luminary.at[0] - at[0], luminary.at[1] - (at[1] - height / 2)];
	const length = Math.hypot(dx, dy) || 1;
	const [ux, uy] = [dx / length, dy / length];
	const soft = height * 0.045;
	const rim = Math.max(1.4, height * 0.009);
	const shade = mix(light.deep, light.sky[0], 0.2);
	const offset = (by: number, name: string) =>
		`<feOffset in="SourceAlpha" dx="${round(ux * by)}" dy="${round(uy * by)}" result="${name}"/>`;
	return definitions.add(
		(id) =>
			`<filter id="${id}" x="-12%" y="-12%" width="124%" height="124%" color-interpolation-filters="sRGB">${offset(soft * 1.3, 'a')}<feGaussianBlur in="a" stdDeviation="${round(soft)}" result="b"/><feComposite in="SourceAlpha" in2="b" operator="out" result="c"/><feFlood flood-color="${shade}" flood-opacity="${(0.62 - depth * 0.5).toFixed(2)}"/><feComposite in2="c" operator="in" result="d"/>${offset(-rim, 'e')}<feComposite in="SourceAlpha" in2="e" operator="out" result="f"/><feFlood flood-color="${mix(light.glow, '#ffffff', 0.3)}" flood-opacity="${light.time === 'day' ? 0.5 : 0.8}"/><feComposite in2="f" operator="in" result="g"/><feMerge><feMergeNode in="SourceGraphic"/><feMergeNode in="d"/><feMergeNode in="g"/></feMerge></filter>`,
	);
}

/** A soft pool under the feet that runs away from the light. */
function castShadow(frame: Frame, land: Land, { figure, at, height }: Pose): string {
	const wide = (height * figure.box[0]) / figure.box[1];
	const away =
		Math.sign(at[0] - frame.luminary.at[0]) * Math.min(1, Math.abs(at[0] - frame.luminary.at[0]) / (frame.width * 0.3));
	const paint = frame.definitions.radial([
		[0, land.shadow, 0.75],
		[0.6, land.shadow, 0.45],
		[1, land.shadow, 0],
	]);
	return fill(oval(at[0] + away * wide * 0.2, at[1] - wide * 0.01, wide * 0.56, Math.min(wide, height) * 0.075), paint);
}
