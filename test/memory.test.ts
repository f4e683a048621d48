import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { userAt } from './fakes/sandbox.ts';
import { startProcess } from './harness/process.ts';

/** 50 megapixels of one colour, and so a small file. */
const blank = (channels: 3 | 4 = 3) => {
	const background = channels === 3 ? '#336699' : { r: 51, g: 102, b: 153, alpha: 0.5 };
	return sharp({ create: { width: 7000, height: 7100, channels, background } });
};

/** The process with the embedded studio: what its memory was at most, however small the files are that it decodes. */
describe.skipIf(process.platform !== 'linux')('the memory of the process', () => {
	let folder: string;
	let easel: ReturnType<typeof startProcess>;
	beforeAll(async () => {
		folder = await mkdtemp(join(tmpdir(), 'easel-'));
		easel = startProcess(folder);
	});
	afterAll(async () => {
		easel.child.kill('SIGKILL');
		await easel.ended;
		await rm(folder, { recursive: true, maxRetries: 5 });
	});

	test.each([
		['WebP', () => blank().webp({ lossless: true, effort: 0 }), /take too much memory .*Nothing was counted/],
		['interlaced PNG', () => blank(4).png({ progressive: true }), /take too much memory .*Nothing was counted/],
		['CMYK', () => blank().toColourspace('cmyk').jpeg(), /AI-generated/],
	])(
		'stays below 500 MB with several pictures of 50 megapixels in %s',
		async (_, make, answer) => {
			const address = await easel.address;
			const picture = { name: 'blank', bytes: await make().toBuffer() };
			const [ada, bjorn] = [userAt('ada', () => address), userAt('bjorn', () => address)];
			const answers = async () => {
				const seen = [...(await ada.look()), ...(await bjorn.look())];
				return new Set(seen.filter(({ text }) => answer.test(text)).map(({ id }) => id)).size;
			};
			const before = await answers();
			await Promise.all([
				ada.command('edit', { image: picture, prompt: 'make it warmer' }),
				ada.command('edit', { image: picture, prompt: 'make it colder' }),
				bjorn.command('compose', { image1: picture, image2: picture, prompt: 'side by side' }),
			]);
			await expect.poll(answers, { timeout: 50_000 }).toBe(before + 3);
			const status = await readFile(`/proc/${easel.child.pid}/status`, 'utf8');
			expect(Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1024).toBeLessThan(500);
		},
		60_000,
	);
});
