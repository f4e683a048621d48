/** A scene as one SVG document. */
import { isWorn } from '../scene/find-subjects.ts';
import { emptyScene, type Scene, type Subject } from '../scene/scene.ts';
import { paintBoards } from './board.ts';
import { landOf } from './places/places.ts';
import { prop } from './props/props.ts';
import { perform, type Shot, shotOf } from './stage/stage.ts';
import { mix } from './tools/colour.ts';
import type { Frame, Land } from './tools/frame.ts';
import { lightOf, unlit } from './tools/light.ts';
import { type Random, seeded } from './tools/random.ts';
import { box, definitions, fill, group, line, oval, round, stop } from './tools/svg.ts';

/** Pixels. */
export type Size = { readonly width: number; readonly height: number };

export function compose(scene: Scene, size: Size): string {
	const random = seeded(`${scene.seed}/${scene.variation}`);
	const shot = shotOf(scene.variation, random.fork('shot'));
	const frame = frameOf(scene, shot, size, random);
	const land = landOf(frame);
	const parts = [land.back, perform(frame, land, shot), land.front ?? '', land.over ?? ''];
	const picture = [
		group(parts.join(''), `transform="${zoomed(frame, shot)}"`),
		scene.framing && scene.framing !== 'portrait' ? '' : vignette(frame),
		paintBoards(frame, land),
		border(frame),
	];
	return documentOf(frame, size, picture.join(''));
}

/** Draws subjects alone, to be laid over a picture: glasses and hats at about the height of a face, the rest in front. */
export function composeOver(subjects: readonly Subject[], size: Size): string {
	const shown = subjects.map((one) => (isWorn(one) && !one.relation ? { ...one, scale: one.scale * 0.5 } : one));
	const scene = { ...emptyScene(subjects.map(({ name }) => name).join(' ')), subjects: shown };
	const frame = frameOf(scene, CENTRED, size, seeded(scene.seed));
	const isOnFace = subjects[0] !== undefined && isWorn(subjects[0]);
	const y = frame.height * (isOnFace ? 0.46 : 0.94);
	const land: Land = {
		back: '',
		footing: () => y,
		shadow: '#1b1830',
		// What is worn casts no shadow on the ground.
		...(isOnFace && { stand: () => '' }),
	};
	const drawn = perform(frame, land, { ...CENTRED, focus: isOnFace ? 0.5 : 0.66 });
	return documentOf(frame, size, drawn);
}

const documentOf = ({ width, height, definitions }: Frame, size: Size, content: string) =>
	`<svg xmlns="http://www.w3.org/2000/svg" width="${size.width}" height="${size.height}" viewBox="0 0 ${width} ${height}" preserveAspectRatio="none">${definitions}${content}</svg>`;

const CENTRED: Shot = { zoom: 1, focus: 0.5, backlit: false };

function frameOf(scene: Scene, shot: Shot, size: Size, random: Random): Frame {
	const unit = 1000 / Math.min(size.width, size.height);
	const [width, height] = [size.width * unit, size.height * unit];
	const light = lightOf(scene, random.fork('light'));
	const horizon = Math.max(height * random.between(0.52, 0.6), height - width * 0.75);
	const named = scene.sky.includes('moon') || scene.sky.includes('sun');
	const radius = random.between(50, 72) * (shot.backlit ? 2.3 : named ? 1.5 : 1);
	const across = shot.backlit ? shot.focus : shot.focus < 0.5 ? random.between(0.62, 0.84) : random.between(0.16, 0.38);
	const above = random.between(...light.altitude) * (shot.backlit ? 0.6 : 1);
	return {
		width,
		height,
		horizon,
		scene,
		light,
		random,
		definitions: definitions(),
		luminary: { at: [width * across, horizon * (1 - above)], radius },
	};
}

/** Nearer: the picture grows around a point by the first subject. What is further away is drawn smaller (stage.ts). */
function zoomed({ scene, width, height }: Frame, { focus }: Shot): string {
	const zoom = Math.max(1, scene.zoom);
	const shift = (around: number, side: number) =>
		round(Math.min(0, Math.max(side * (1 - zoom), side / 2 - around * zoom)));
	return `translate(${shift(width * focus, width)} ${shift(height * 0.58, height)})scale(${zoom})`;
}

/** Darker corners keep the eye inside. */
function vignette({ scene, light, definitions, width, height }: Frame): string {
	const shade = mix(light.deep, '#000000', 0.2);
	const strength = scene.mood === 'dramatic' || scene.mood === 'eerie' || scene.style === 'noir' ? 0.55 : 0.3;
	const paint = definitions.radial([stop(0.55, shade, 0), stop(1, shade, strength)]);
	return fill(oval(width / 2, height * 0.46, width * 0.78, height * 0.78), paint);
}

/** Paper left bare: ragged about a watercolour, straight about a poster. */
function border(frame: Frame): string {
	const { width, height, light, scene } = frame;
	if (scene.style === 'poster' || scene.style === 'vintage') return line(box(0, 0, width, height), '#fbf6ea', 68);
	if (scene.style !== 'watercolour') return '';
	return prop(frame, 'paper', { at: [width / 2, height * 0.985], height: height * 0.97, width, light: unlit(light) });
}
