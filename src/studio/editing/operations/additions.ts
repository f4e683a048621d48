import { blurred, byte } from '../grade.ts';
import { clouds, fade, masked } from '../masks.ts';
import type { Place, Thing } from '../operation.ts';
import { drawing, layered, type Mask, type Picture, plain } from '../picture.ts';
import type { Random } from '../random.ts';
import { skyOf } from '../sky.ts';
import type { Painters } from './painter.ts';
import { air } from './props/air.ts';
import { life } from './props/life.ts';
import type { Prop } from './props/prop.ts';
import { sky } from './props/sky.ts';

const props: Readonly<Record<Exclude<Thing, 'clouds'>, Prop>> = { ...sky, ...air, ...life };

export const additions: Painters<'add'> = {
	add: (picture, { thing, place, amount }, { random }) => withThing(picture, thing, random, amount, place),
};

/** Puts a thing into a picture, behind what stands before the sky if it belongs there. */
export async function withThing(
	picture: Picture,
	thing: Thing,
	random: Random,
	amount = 1,
	place?: Place,
	where?: Mask,
): Promise<Picture> {
	if (thing === 'clouds') return withClouds(picture, random, amount, where);
	const prop = props[thing];
	const { width, height } = picture;
	const stage = { width, height, unit: Math.min(width, height) / 100, random, amount, place };
	const drawn = await drawing(width, height, prop.draw(stage));
	const soft = prop.soft ? await blurred(drawn, prop.soft * stage.unit) : drawn;
	const mask = prop.sky ? (where ?? (await skyOf(picture)).mask) : undefined;
	return layered(picture, [{ picture: mask ? masked(soft, mask) : soft, blend: prop.blend ?? 'over' }]);
}

async function withClouds(picture: Picture, random: Random, amount: number, where?: Mask): Promise<Picture> {
	const mask = where ?? (await skyOf(picture)).mask;
	const shape = await clouds(picture, random, 0.36);
	const light = await clouds(picture, random, 0.2);
	const strength = Math.min(1, 0.85 * amount) / 255;
	const data = new Uint8Array(picture.data.length);
	for (let at = 0; at < shape.length; at++) {
		const shade = 205 + light[at]! * 0.19;
		data[at * 4] = shade;
		data[at * 4 + 1] = shade + 1;
		data[at * 4 + 2] = shade + 2;
		data[at * 4 + 3] = byte((shape[at]! - 116) * 3) * mask[at]! * strength;
	}
	return layered(picture, [{ picture: { ...picture, data } }]);
}

/** Mist that lies thicker towards a height, both as shares. */
export async function withMist(picture: Picture, random: Random, amount: number, thickest: number): Promise<Picture> {
	const noise = await clouds(picture, random, 0.5);
	const depth = fade(picture, (_, y) => 1.15 - Math.abs(y - thickest) * 1.25);
	const share = Math.min(1.15, 0.72 * amount);
	const mask = new Uint8Array(noise.length);
	for (let at = 0; at < mask.length; at++) mask[at] = Math.min(245, (0.55 + noise[at]! * 0.00235) * depth[at]! * share);
	return layered(picture, [{ picture: masked(plain(picture.width, picture.height, [224, 230, 236]), mask) }]);
}
