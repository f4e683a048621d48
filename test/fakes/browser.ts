import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { chromium } from 'playwright-core';

/** Where Debian installs Chromium without windows, which needs half the time. */
const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell';

const CHROMIUM = process.env['CHROMIUM'] ?? (existsSync(HEADLESS_SHELL) ? HEADLESS_SHELL : '/usr/bin/chromium');

/** The folder of screenshots. */
export const ARTIFACTS = 'test/artifacts';

/** Whether tests that need a browser are skipped. In CI, they never are. */
export const noBrowser = !existsSync(CHROMIUM) && process.env['CI'] === undefined;
if (noBrowser) console.warn(`There is no browser at ${CHROMIUM} (set CHROMIUM): tests in the browser are skipped.`);

/** Starts headless Chromium without its background requests. */
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
