import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { chromium } from 'playwright-core';

/** Where Debian installs Chromium: the one without windows needs half the time. */
const INSTALLED = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];

const CHROMIUM = process.env['CHROMIUM'] ?? INSTALLED.find((path) => existsSync(path));

/** The folder of screenshots. */
export const ARTIFACTS = 'test/artifacts';

/** Whether tests that need a browser are skipped. In CI, they never are. */
export const noBrowser = CHROMIUM === undefined && process.env['CI'] === undefined;
if (noBrowser) console.warn('Chromium is not installed (or set CHROMIUM): tests in the browser are skipped.');

/** Starts headless Chromium without its background requests. */
export async function openBrowser() {
	await mkdir(ARTIFACTS, { recursive: true });
	return chromium.launch({
		...(CHROMIUM && { executablePath: CHROMIUM }),
		args: [
			...['--no-sandbox', '--headless=new', '--disable-gpu', '--disable-quic', '--no-first-run'],
			...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
		],
	});
}
