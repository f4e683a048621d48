import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { smallPng } from '../packages/fakes/src/service.ts';
import { ARTIFACTS, noBrowser, openBrowser } from './harness/browser.ts';
import { startProcess } from './harness/process.ts';

/** A fresh clone: the process, its page in a browser, and pictures from the embedded studio. */
describe.skipIf(noBrowser)('the sandbox of a fresh clone', () => {
	let folder: string;
	let easel: ReturnType<typeof startProcess>;
	let browser: Browser;
	let page: Page;

	beforeAll(async () => {
		folder = await mkdtemp(join(tmpdir(), 'easel-'));
		easel = startProcess(folder);
		browser = await openBrowser();
	});
	afterEach(() => page.close());
	afterAll(async () => {
		await browser?.close();
		easel.child.kill('SIGTERM');
		expect(await easel.ended).toBe(0);
		await rm(folder, { recursive: true });
	});

	/** Each test has a channel of its own. */
	async function visit(channel: string) {
		page = await browser.newPage({ viewport: { width: 1280, height: 860 }, colorScheme: 'light' });
		await page.goto(`${await easel.address}/?as=ada#${channel}`);
	}

	const pictures = () => page.locator('.message .picture.there img');

	async function type(text: string) {
		await page.locator('#words').fill(text);
		await page.locator('#words').press('Enter');
	}

	/** Returns the mean colour of a picture, as the browser decoded it. */
	const meanColour = (index: number) =>
		pictures()
			.nth(index)
			.evaluate((element) => {
				const image = element as HTMLImageElement;
				const context = new OffscreenCanvas(1, 1).getContext('2d');
				context?.drawImage(image, 0, 0, 1, 1);
				return {
					size: `${image.naturalWidth}x${image.naturalHeight}`,
					rgb: [...(context?.getImageData(0, 0, 1, 1).data ?? [])],
				};
			});

	test('runs /imagine, and shows the picture in the status message', async () => {
		await visit('atelier-general');
		await type('/imagine a red fox in the snow');
		await pictures().first().waitFor();
		const { size, rgb } = await meanColour(0);
		expect(size).toBe('1024x1024');
		// Snow is bright.
		expect(Math.min(...rgb.slice(0, 3))).toBeGreaterThan(120);
		expect(await pictures().first().getAttribute('alt')).toBe('a red fox in the snow');
		await page.screenshot({ path: `${ARTIFACTS}/easel-imagine.png`, animations: 'disabled' });
	});

	test('edits a picture with its Edit button', async () => {
		await visit('atelier-gallery');
		await type('/imagine a red fox in the snow');
		await pictures().first().waitFor();
		await page.getByRole('button', { name: 'Edit', exact: true }).last().click();
		const form = page.getByRole('form');
		await form.getByLabel('prompt').fill('make it night');
		await form.getByRole('button', { name: /send|edit/i }).click();
		await pictures().nth(1).waitFor();
		const [day, night] = [await meanColour(0), await meanColour(1)];
		expect(night.rgb[0]).toBeLessThan((day.rgb[0] ?? 0) - 40);
		await page.screenshot({ path: `${ARTIFACTS}/easel-edit.png`, animations: 'disabled' });
	});

	test('composes two dropped pictures', async () => {
		await visit('atelier-random');
		const contents = [await smallPng('#d62828', 300, 300), await smallPng('#1d3557', 300, 300)].map((png) =>
			png.toString('base64'),
		);
		const dataTransfer = await page.evaluateHandle((files) => {
			const transfer = new DataTransfer();
			for (const [index, content] of files.entries()) {
				const bytes = Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0));
				transfer.items.add(new File([bytes], `${index}.png`, { type: 'image/png' }));
			}
			return transfer;
		}, contents);
		await page.locator('#words').fill('/compose side by side');
		for (const event of ['dragenter', 'dragover', 'drop']) await page.dispatchEvent('body', event, { dataTransfer });
		await page.locator('#words').press('Enter');
		await pictures().first().waitFor();
		const halves = await pictures()
			.first()
			.evaluate((element) => {
				const image = element as HTMLImageElement;
				const canvas = new OffscreenCanvas(image.naturalWidth, image.naturalHeight);
				const context = canvas.getContext('2d');
				context?.drawImage(image, 0, 0);
				const at = (x: number) => [...(context?.getImageData(canvas.width * x, canvas.height / 2, 1, 1).data ?? [])];
				return [at(0.25), at(0.75)];
			});
		expect(halves[0]?.[0]).toBeGreaterThan(150);
		expect(halves[1]?.[2]).toBeGreaterThan((halves[1]?.[0] ?? 0) + 20);
	});
});
