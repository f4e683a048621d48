import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { sceneOf } from '../../test/scene.fixture.ts';
import { flatPicture } from '../../test/studio.fixture.ts';
import { pngChunk, withChunk } from '../png.ts';
import { readScene, writeScene } from './picture-scene.ts';

const png = await flatPicture(30, 20);
const drawn = { scene: sceneOf({ seed: 'ein schöner 🦊', subjects: [{ name: 'fox' }] }), width: 30, height: 20 };
const picture = await writeScene(png, drawn);
/** The chunk with the scene, after the header of 33 bytes. */
const scene = picture.subarray(33, 33 + picture.length - png.length);

it('reads back the scene of a picture, also when it was compressed again', async () => {
	expect(await readScene(picture)).toEqual(drawn);
	expect(picture.length - png.length).toBeLessThan(500);
	const again = await sharp(png).png({ compressionLevel: 9, palette: false }).toBuffer();
	expect(await readScene(withChunk(again, scene))).toEqual(drawn);
	expect(await sharp(picture).metadata()).toMatchObject({ width: 30, height: 20 });
});

it('ignores a scene that was copied to other pixels', async () => {
	for (const other of [await flatPicture(20, 30), await sharp(png).negate().png().toBuffer()]) {
		expect(await readScene(withChunk(other, scene))).toBeUndefined();
	}
});

it('ignores pictures without a scene, and damaged, foreign and hostile ones', async () => {
	expect(await readScene(png)).toBeUndefined();
	expect(await readScene(await flatPicture(30, 20, 'jpeg'))).toBeUndefined();
	expect(await readScene(picture.subarray(0, -20))).toBeUndefined();
	const before = process.memoryUsage.rss();
	for (const text of ['{}', 'no JSON', JSON.stringify({ ...drawn, version: 2 }), Buffer.alloc(50_000_000)]) {
		const other = pngChunk('zTXt', Buffer.concat([Buffer.from('easel-scene\0\0'), deflateSync(text)]));
		expect(await readScene(withChunk(png, other))).toBeUndefined();
	}
	expect(process.memoryUsage.rss() - before).toBeLessThan(300e6);
});
