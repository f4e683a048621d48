import { describe, expect, test } from 'vitest';
import { noisyPng } from '../../packages/fakes/src/pictures.ts';
import type { ChannelLimits } from '../domain/channel.ts';
import { translatorFor, UploadTooLargeError } from '../i18n/translator.ts';
import { postFitted } from './posting.ts';

const t = translatorFor('en');
const limits: ChannelLimits = { text: 2000, pictures: 1, pictureBytes: 1e7, edits: { count: 5, perMs: 5000 } };

/** Posts three pictures to a platform that takes messages up to `maxBytes`. Returns the sizes that it has taken and refused. */
async function post(maxBytes: number, known?: UploadTooLargeError['limits']) {
	const png = await noisyPng(200, 0);
	const taken: string[] = [];
	const refused: string[] = [];
	const posting = postFitted(
		t,
		{
			text: 'Dots',
			pictures: [png.subarray(0, 10), png, png].map((bytes, n) => ({ name: `${n}.png`, bytes, alt: '' })),
		},
		{ limits, place: {} },
		{ messages: [], pictures: 0, smaller: [] },
		async (reply, suffix) => {
			const bytes = reply.pictures?.[0]?.bytes.length ?? 0;
			(bytes > maxBytes ? refused : taken).push(suffix);
			const handle = { place: { platform: 'test', server: 'club', channel: 'general' }, key: suffix };
			if (bytes <= maxBytes) return { handle, edit: async () => {}, delete: async () => {} };
			throw new UploadTooLargeError('discord.errors.uploadSize', { where: 'here' }, { limits: known });
		},
	);
	const error = await posting.catch((error: unknown) => error);
	return { taken, refused, error };
}

describe('a reply that the platform refuses because of its size', () => {
	test('is posted from there on with pictures of half the size', async () => {
		expect(await post(70_000)).toEqual({ taken: ['', '.b', '.c'], refused: ['.b'], error: undefined });
	});

	test('is posted from there on within the limit that the platform names', async () => {
		const result = await post(50_000, { pictureBytes: 50_000 });
		expect(result).toEqual({ taken: ['', '.b', '.c'], refused: ['.b'], error: undefined });
	});

	test('is made smaller once only', async () => {
		const { taken, refused, error } = await post(1000);
		expect({ taken, refused }).toEqual({ taken: [''], refused: ['.b', '.b'] });
		expect(error).toBeInstanceOf(UploadTooLargeError);
	});
});
