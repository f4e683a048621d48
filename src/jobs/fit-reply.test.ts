import fc from 'fast-check';
import { expect, test } from 'vitest';
import { noisyPng } from '../../packages/fakes/src/pictures.ts';
import type { ChannelLimits, Picture, Reply } from '../domain/channel.ts';
import { translatorFor } from '../i18n/translator.ts';
import { fitReply } from './posting.ts';

const t = translatorFor('en');
const limits: ChannelLimits = { text: 2000, pictures: 10, pictureBytes: 1e7, edits: { count: 5, perMs: 5000 } };
const picture = (bytes: Uint8Array, index: number): Picture => ({ name: `${index}.png`, bytes, alt: `${index}` });
const ofSize = (length: number, index: number) => picture(new Uint8Array(length), index);
const buttons = [
	{ id: 'again:1:job', label: 'Again' },
	{ id: 'edit:1:job', label: 'Edit' },
	{ id: 'delete:1:job', label: 'Delete' },
];

test('a reply that fits is one message with the same bytes', async () => {
	const reply: Reply = { text: 'Dots', pictures: [ofSize(10, 0), ofSize(20, 1)], buttons };
	expect(await fitReply(t, reply, limits, {})).toEqual([{ suffix: '', reply, first: 0, count: 2, smaller: [] }]);
});

test('a picture over the limit is scaled, and the message says from which size to which, and why', async () => {
	const reply: Reply = { text: 'Dots', pictures: [picture(await noisyPng(400, 0), 0)] };
	const [part] = await fitReply(t, reply, { ...limits, pictureBytes: 2 ** 17 }, {});
	expect(part?.reply.text).toMatch(
		/^Dots\nScaled from 400 × 400 to \d+ × \d+, because this server allows at most 0\.1 MB\.$/,
	);
	expect(part?.reply.pictures?.[0]?.bytes.length).toBeLessThanOrEqual(2 ** 17);
	const [direct] = await fitReply(t, reply, { ...limits, pictureBytes: 2 ** 17 }, { direct: true });
	expect(direct?.reply.text).toMatch(/because direct messages allow at most 0\.1 MB/);
});

test('the message names the picture that was packed', async () => {
	const png = await noisyPng(200, 0);
	const reply: Reply = { text: 'Dots', pictures: [ofSize(10, 0), picture(png, 1)] };
	const [part] = await fitReply(t, reply, { ...limits, pictureBytes: png.length - 1 }, {});
	expect(part?.reply.text).toBe('Dots\nPicture 2: compressed without loss, to fit the upload limit.');
});

test('a reply that is too large is several messages: the first has all buttons, the others those that apply to pictures', async () => {
	const pictures = [60, 30, 30, 70].map(ofSize);
	const parts = await fitReply(t, { text: 'Dots', pictures, buttons }, { ...limits, messageBytes: 100 }, {});
	expect(parts.map(({ suffix, reply }) => [suffix, reply.pictures?.map(({ name }) => name)])).toEqual([
		['', ['0.png', '1.png']],
		['.c', ['2.png', '3.png']],
	]);
	expect(parts.map(({ reply }) => reply.buttons?.map(({ id }) => id))).toEqual([
		['again:1:job', 'edit:1:job', 'delete:1:job'],
		['edit:1:job#2', 'delete:1:job'],
	]);
	expect(parts[1]?.reply.text).toBe('More pictures of the same request (3–4):');
	const rest = await fitReply(t, { text: 'Dots', pictures, buttons }, { ...limits, messageBytes: 100 }, {}, 3);
	expect(rest.map(({ suffix, first, count }) => ({ suffix, first, count }))).toEqual([
		{ suffix: '.d', first: 3, count: 1 },
	]);
});

test('pictures keep their order, and no message exceeds the limits', async () => {
	const sizes = fc.array(fc.integer({ min: 0, max: 100 }), { maxLength: 8 });
	await fc.assert(
		fc.asyncProperty(sizes, fc.integer({ min: 1, max: 4 }), async (lengths, maxCount) => {
			const pictures = lengths.map(ofSize);
			const tight = { ...limits, pictures: maxCount, messageBytes: 100 };
			const parts = await fitReply(t, { text: 'Dots', pictures }, tight, {});
			expect(parts.flatMap(({ reply }) => reply.pictures ?? [])).toEqual(pictures);
			expect(new Set(parts.map(({ suffix }) => suffix)).size).toBe(parts.length);
			for (const { reply } of parts) {
				expect(reply.pictures?.length).toBeLessThanOrEqual(maxCount);
				expect(reply.pictures?.reduce((sum, { bytes }) => sum + bytes.length, 0)).toBeLessThanOrEqual(100);
			}
		}),
	);
});

test('a reply without pictures is one message', async () => {
	expect(await fitReply(t, { text: 'No.' }, limits, {})).toEqual([
		{ suffix: '', reply: { text: 'No.', buttons: [] }, first: 0, count: 0, smaller: [] },
	]);
});
