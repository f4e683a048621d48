import sharp from 'sharp';
import { compose } from '../drawing/compose.ts';
import { operationOfMood, operationOfStyle } from '../scene/on-pixels.ts';
import type { Scene } from '../scene/scene.ts';
import { apply } from './apply.ts';
import { effects } from './effects.ts';
import { pipeline, settle } from './picture.ts';

/** Styles without light that runs over edges, and without grain. */
const CLEAN: ReadonlySet<Scene['style']> = new Set(['pixel', 'flat', 'ink', 'poster', 'minimal']);

const VIVID = { do: 'adjust', what: 'saturation', amount: 0.6 } as const;

/** Draws a scene without its operations: its vectors, its light, and what its style or mood does with pixels. */
export async function paintScene(
	scene: Scene,
	{ width, height }: { width: number; height: number },
): Promise<Uint8Array> {
	const { style, mood } = scene;
	const svg = Buffer.from(compose(scene, { width, height }));
	const raster = await settle(sharp(svg, { limitInputPixels: 2 ** 24 }).resize(width, height, { fit: 'fill' }));
	const isClean = CLEAN.has(style);
	const lit = isClean ? raster : await effects.glow(raster, style === 'neon' ? 0.75 : 0.3);
	// A neon scene has its lights already, which a tone over all of it would hide.
	const ofStyle = style === 'neon' ? VIVID : style && operationOfStyle(style);
	const operation = ofStyle ?? (mood && operationOfMood(mood));
	const operations = operation ? [operation] : [];
	const styled = await apply(lit, operations, { seed: '', variation: 0, sharpText: true });
	const grained = isClean ? styled : await effects.grain(styled, 0.18);
	return pipeline(grained)
		.removeAlpha()
		.png({ compressionLevel: 3 })
		.withExif({ IFD0: { Software: 'Easel Studio' } })
		.toBuffer();
}
