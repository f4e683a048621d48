import { mkdir } from 'node:fs/promises';
import { chromium } from 'playwright-core';
import { PACKAGED_CHROMIUM, PACKAGED_LIBRARIES, unpackChromium } from './packaged-chromium.ts';
import { CHROMIUM, has } from './requirements.ts';

/** The folder of screenshots. */
export const ARTIFACTS = 'test/artifacts';

/** Whether tests that need a browser are skipped. */
export const noBrowser = !has('browser');

/** Starts headless Chromium without its background requests. */
export async function openBrowser() {
	await mkdir(ARTIFACTS, { recursive: true });
	const isPackaged = CHROMIUM === PACKAGED_CHROMIUM;
	if (isPackaged) await unpackChromium();
	return chromium.launch({
		executablePath: CHROMIUM,
		env: { ...process.env, ...(isPackaged && { LD_LIBRARY_PATH: PACKAGED_LIBRARIES }) },
		args: [
			...['--no-sandbox', '--headless=new', '--disable-gpu', '--disable-quic', '--no-first-run'],
			...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
		],
	});
}
