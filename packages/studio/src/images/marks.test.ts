import sharp from 'sharp';
import { expect, it } from 'vitest';
import { flatPicture, picturesOf, plainArtist, startStudio } from '../../test/studio.fixture.ts';
import { marked, type Source } from './marks.ts';

const photo = await flatPicture(40, 40, 'jpeg');
/** Asks the studio for a picture, and returns what another reader finds in its metadata. */
async function made(path: string, body: { prompt: string; image?: Uint8Array; images?: Uint8Array[] }) {
	const { post } = await startStudio(plainArtist());
	const { image, images, ...words } = body;
	const [picture] = await picturesOf(
		await post(`/v1/images/${path}`, {
			...words,
			...(image && { image: image.toBase64() }),
			...(images && { images: images.map((one) => one.toBase64()) }),
		}),
	);
	const xmp = (await sharp(picture).metadata()).xmpAsString ?? '';
	expect(xmp).toContain('xmp:CreatorTool="Easel studio"');
	const source = /Iptc4xmpExt:DigitalSourceType="http:\/\/cv\.iptc\.org\/newscodes\/digitalsourcetype\/(\w+)"/.exec(
		xmp,
	);
	return { picture: picture as Uint8Array, source: source?.[1] };
}

const png = await flatPicture(40, 40);
const withSource = (source: Source) => marked(png, source);
const term = 'http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia';
/** As libvips writes it: compressed in a PNG. */
const withXmp = (format: 'png' | 'jpeg' | 'webp') =>
	sharp(png).withXmp(`<x:xmpmeta xmlns:x="adobe:ns:meta/">${term}</x:xmpmeta>`).toFormat(format).toBuffer();
/** Credentials end a term with whatever follows in them. */
const credentials = Buffer.concat([
	Buffer.from('\xff\xeb\0\x60JP', 'latin1'),
	Buffer.from(`${term}e`.padEnd(92, '\0')),
]);
const signed = Buffer.concat([photo.subarray(0, 20), credentials, photo.subarray(20)]);

it('says of its own pictures that an algorithm made them, also of edits and compositions', async () => {
	const fox = await made('generations', { prompt: 'a fox' });
	const night = await made('edits', { prompt: 'make it night', image: fox.picture });
	const both = await made('compose', { prompt: 'put them together', images: [fox.picture, night.picture] });
	const arranged = await made('compose', { prompt: 'side by side', images: [fox.picture, night.picture] });
	for (const { source } of [fox, night, both, arranged]) expect(source).toBe('algorithmicMedia');
});

it.each([
	['a photograph', photo, 'algorithmicallyEnhanced'],
	['a generated picture', withSource('trainedAlgorithmicMedia'), 'compositeSynthetic'],
	['a signed generated picture', signed, 'compositeSynthetic'],
	['a PNG whose metadata says so', await withXmp('png'), 'compositeSynthetic'],
	['a JPEG whose metadata says so', await withXmp('jpeg'), 'compositeSynthetic'],
	['a WebP whose metadata says so', await withXmp('webp'), 'compositeSynthetic'],
	['a picture that a model has edited', withSource('compositeWithTrainedAlgorithmicMedia'), 'compositeSynthetic'],
	['an altered picture', withSource('algorithmicallyEnhanced'), 'algorithmicallyEnhanced'],
])('says of an edit of %s what is so', async (_, image, source) => {
	expect((await made('edits', { prompt: 'make it night', image })).source).toBe(source);
});

it.each([
	['photographs', [photo, photo], 'composite'],
	['a photograph and a generated picture', [photo, withSource('trainedAlgorithmicMedia')], 'compositeSynthetic'],
])('says of a composition of %s what is so', async (_, images, source) => {
	expect((await made('compose', { prompt: 'side by side', images })).source).toBe(source);
});
