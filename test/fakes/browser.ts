import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { chromium } from 'playwright-core';

const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

/** Where tests leave what they saw. */
export const ARTIFACTS = 'test/artifacts';

/** No browser here, so tests that need one are skipped; never where CI says that everything is to run. */
export const noBrowser = !existsSync(CHROMIUM) && process.env['CI'] === undefined;
if (noBrowser) console.warn(`There is no browser at ${CHROMIUM} (set CHROMIUM): tests in the browser are skipped.`);

/** Headless Chromium, without the requests that it makes of its own accord. */
export async function openBrowser() {
	await mkdir(ARTIFACTS, { recursive: true });
	return chromium.launch({
		executablePath: CHROMIUM,
		args: [
			...['--no-sandbox', '--headless=new', '--disable-gpu', '--disable-quic', '--no-first-run'],
			...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
		],
	});
}
