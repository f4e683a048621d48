import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { noBrowser, openBrowser } from '../harness/browser.ts';

const ROOT = join(import.meta.dirname, '../..');
const ORIGIN = 'http://easel.example';

describe('the site of the documentation', () => {
	let folder: string;

	beforeAll(async () => {
		folder = await mkdtemp(join(tmpdir(), 'easel-site-'));
		await promisify(execFile)(process.execPath, ['docs/.vitepress/build.ts', folder], { cwd: ROOT });
	});
	afterAll(() => rm(folder, { recursive: true }));

	test('has every page of docs, for people and as Markdown', () => {
		for (const name of readdirSync(join(ROOT, 'docs')).filter((file) => file.endsWith('.md') && file !== 'README.md')) {
			expect(readdirSync(folder)).toContain(name.replace('.md', '.html'));
			expect(readFileSync(join(folder, name), 'utf8')).toBe(readFileSync(join(ROOT, 'docs', name), 'utf8'));
		}
	});

	test('has the translations of its first page', () => {
		for (const language of ['zh-CN', 'ja', 'de']) expect(readdirSync(folder)).toContain(`${language}.html`);
	});

	test('has an index for language models, whose links lead to Markdown', () => {
		const text = readFileSync(join(folder, 'llms.txt'), 'utf8');
		expect(text).toMatch(/^# Easel\n\n> Easel is a bot /);
		const links = [...text.matchAll(/^- \[[^\]]+\]\(([^)#]+)/gm)].map(([, path = '']) => path);
		expect(links.length).toBeGreaterThan(15);
		expect(links.filter((path) => !existsSync(join(folder, path)))).toEqual([]);
	});

	test.skipIf(noBrowser)('is searched, fits a phone, and shows its pictures', async () => {
		const browser = await openBrowser();
		const page = await browser.newPage({ viewport: { width: 360, height: 740 } });
		const faults: string[] = [];
		page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
		await page.route(`${ORIGIN}/**`, (route) => {
			const path = join(folder, new URL(route.request().url()).pathname.replace(/\/$/, '/index'));
			return route.fulfill({ path: extname(path) ? path : `${path}.html` });
		});
		await page.goto(`${ORIGIN}/`);
		await expect
			.poll(() =>
				page.locator('main img').evaluateAll((all) => all.map((one) => (one as HTMLImageElement).naturalWidth)),
			)
			.not.toContain(0);
		expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
		await page.getByRole('button', { name: 'Search' }).click();
		await page.locator('.search-input').fill('how caps are counted');
		await page.locator('.results a', { hasText: 'How caps are counted' }).first().click();
		await page.getByRole('heading', { name: 'How caps are counted' }).waitFor();
		expect(faults).toEqual([]);
		await browser.close();
	});
});
