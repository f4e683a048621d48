import sharp from 'sharp';
import type { Frame } from './frame.ts';
import { country } from './land/country.ts';
import { lightOf } from './light.ts';
import { seeded } from './random.ts';
import { readPrompt, type Time } from './scene.ts';
import { paintSky } from './sky.ts';
import { perform, shotOf } from './stage.ts';
import { definitions } from './svg.ts';

export interface DrawRequest {
	readonly prompt: string;
	readonly width: number;
	readonly height: number;
	/** 0 is the first picture of the prompt, others show the same scene differently. */
	readonly variation: number;
	/** Letters quoted text sharply instead of painting it. */
	readonly sharpText: boolean;
	readonly signal?: AbortSignal;
}

const times: readonly Time[] = ['golden', 'sunset', 'day', 'dawn', 'dusk', 'golden', 'day'];

export async function draw(request: DrawRequest): Promise<Uint8Array> {
	request.signal?.throwIfAborted();
	const scene = readPrompt(request.prompt);
	const random = seeded(`${scene.seed}/${request.variation}`);
	const unit = 1000 / Math.min(request.width, request.height);
	const [width, height] = [request.width * unit, request.height * unit];
	const light = lightOf(
		scene,
		scene.time ?? seeded(scene.seed).shuffled(times)[request.variation % times.length]!,
		random.fork('light'),
	);
	const shot = shotOf(request.variation, random.fork('shot'));
	const horizon = Math.max(height * random.between(0.54, 0.62), height - width * 0.75);
	const radius = light.luminary === 'sun' ? random.between(52, 80) : random.between(46, 66);
	const side = shot.focus < 0.5 ? random.between(0.62, 0.84) : random.between(0.16, 0.38);
	const big = shot.backlit ? 2.6 : scene.sky.includes('moon') || scene.sky.includes('sun') ? 1.5 : 1;
	const frame: Frame = {
		width,
		height,
		horizon,
		scene: { ...scene },
		light,
		random,
		definitions: definitions(),
		luminary: {
			at: [
				width * (shot.backlit ? shot.focus : side),
				horizon * (1 - random.between(...light.altitude) * (shot.backlit ? 0.6 : 1)),
			],
			radius: radius * big,
		},
	};
	const sky = paintSky(frame);
	const land = country(frame);
	const actors = perform(frame, land, shot);
	const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${request.width}" height="${request.height}" viewBox="0 0 ${width} ${height}">${frame.definitions}${sky}${land.back}${actors}${land.front}</svg>`;
	const bytes = await sharp(Buffer.from(svg)).removeAlpha().png({ compressionLevel: 2 }).toBuffer();
	request.signal?.throwIfAborted();
	return bytes;
}
