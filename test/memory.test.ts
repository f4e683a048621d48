import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startProcess } from './harness/process.ts';
import { userAt } from './harness/sandbox.ts';

/** 50 megapixels of one colour, and so a small file. */
const blank = (channels: 3 | 4 = 3) => {
	const background = channels === 3 ? '#336699' : { r: 51, g: 102, b: 153, alpha: 0.5 };
	return sharp({ create: { width: 7000, height: 7100, channels, background } });
};

/** Five megapixels in which no two are alike, and so a large file. */
const noisy = () => {
	const raw = { width: 2500, height: 2000, channels: 1 as const };
	return sharp(randomBytes(raw.width * raw.height), { raw }).webp({ quality: 90, effort: 0 });
};

/** A small picture that is followed by as many bytes as a file may have. */
const padded = () => {
	const padding = (picture: Buffer) => Buffer.concat([picture, Buffer.alloc(10 * 2 ** 20 - picture.length)]);
	return { toBuffer: () => sharp({ create: SMALL }).png().toBuffer().then(padding) };
};
/** 50 megapixels in CMYK, enlarged from a few: converting each of them takes 20 seconds. */
const inCmyk = () => {
	const small = () => sharp({ create: SMALL }).toColourspace('cmyk').jpeg().toBuffer();
	const enlarged = (picture: Buffer) =>
		sharp(picture).pipelineColourspace('cmyk').resize(7000, 7100, { kernel: 'nearest', fit: 'fill' });
	return { toBuffer: () => small().then((picture) => enlarged(picture).toColourspace('cmyk').jpeg().toBuffer()) };
};
const SMALL = { width: 64, height: 64, channels: 3, background: '#336699' } as const;

const REFUSED = /take too much memory .*Nothing was counted/;

/** The process with the embedded studio: what its memory was at most, however small the files are that it decodes. */
describe.skipIf(process.platform !== 'linux')('the memory of the process', () => {
	let folder: string;
	let easel: ReturnType<typeof startProcess>;
	beforeEach(async () => {
		folder = await mkdtemp(join(tmpdir(), 'easel-'));
		easel = startProcess(folder);
	});
	afterEach(async () => {
		easel.child.kill('SIGKILL');
		await easel.ended;
		await rm(folder, { recursive: true, maxRetries: 5 });
	});

	test.each([
		['50 megapixels in WebP', 4, () => blank().webp({ lossless: true, effort: 0 }), REFUSED],
		['50 megapixels in interlaced PNG', 4, () => blank(4).png({ progressive: true }), REFUSED],
		['50 megapixels in CMYK', 1, inCmyk, /by rules/],
		['noise in large files', 2, noisy, /by rules/],
		['few pixels in the largest files', 4, padded, /by rules/],
	])(
		'stays below 500 MB with several pictures of %s',
		async (_, count, make, answer) => {
			const address = await easel.address;
			const picture = { name: 'picture', bytes: await make().toBuffer() };
			const members = ['ada', 'bjorn', 'chiyo', 'dele'].slice(0, count).map((name) => userAt(name, () => address));
			const answers = async () => {
				const seen = (await Promise.all(members.map((member) => member.look()))).flat();
				return new Set(seen.filter(({ text }) => answer.test(text)).map(({ id }) => id)).size;
			};
			const before = await answers();
			const requests = members.flatMap((member) => [
				member.command('edit', { image: picture, prompt: 'make it warmer' }),
				member.command('compose', { image1: picture, image2: picture, prompt: 'side by side' }),
			]);
			await Promise.all(requests);
			await expect.poll(answers, { timeout: 170_000, interval: 500 }).toBe(before + requests.length);
			const status = await readFile(`/proc/${easel.child.pid}/status`, 'utf8');
			expect(Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1024).toBeLessThan(500);
		},
		180_000,
	);
});
