import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';

/** Chromium without windows, compressed, for any Linux on x64. https://github.com/Sparticuz/chromium */
const PACKAGE = join(import.meta.dirname, '../../node_modules/@sparticuz/chromium');
/** Within the package, so that a newer one comes without it. */
const FOLDER = join(PACKAGE, 'unpacked');
/** What Debian's Chromium would find on the system: libraries, and a renderer without a graphics card. */
const ARCHIVES = ['al2023', 'swiftshader'];

export const PACKAGED_CHROMIUM = join(FOLDER, 'chromium');

/** Where the libraries of the packaged Chromium are. */
export const PACKAGED_LIBRARIES = join(FOLDER, 'lib');

export const canUnpackChromium = (): boolean =>
	process.platform === 'linux' && process.arch === 'x64' && existsSync(join(PACKAGE, 'bin/chromium.br'));

/** Unpacks the packaged Chromium, once: 200 MB, in about ten seconds. Several processes may do so at once. */
export async function unpackChromium(): Promise<void> {
	if (existsSync(PACKAGED_CHROMIUM)) return;
	const unpacked = await mkdtemp(`${FOLDER}-`);
	const unpack = async (name: string) => promisify(brotliDecompress)(await readFile(join(PACKAGE, 'bin', name)));
	await writeFile(join(unpacked, 'chromium'), await unpack('chromium.br'), { mode: 0o755 });
	for (const name of ARCHIVES)
		execFileSync('tar', ['-x', '--no-same-owner', '-C', unpacked], { input: await unpack(`${name}.tar.br`) });
	await rename(unpacked, FOLDER).catch(() => rm(unpacked, { recursive: true }));
}
