import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import tables from '../../packages/studio/test/prompts.json' with { type: 'json' };
import { readArguments } from '../../src/cli/arguments.ts';

const {
	words: [folder = 'test/artifacts/sheets'],
} = readArguments({
	name: 'docs:sheets',
	does: `Draws the prompts of the studio's tables, to be looked at, and writes sheets with what was said of each into FOLDER, by default
test/artifacts/sheets.`,
	words: { name: 'FOLDER', count: 'any' },
});

// The help needs neither, and they take a second to load.
const { default: sharp } = await import('sharp');
const { createStudio } = await import('../../packages/studio/src/index.ts');

const SIZE = 256;
const PER_SHEET = 40;
const ACROSS = 8;
const WORDS_HEIGHT = 80;

const studio = createStudio();

/** Returns the picture of a prompt, above what was said of it. */
async function tile(prompt: string): Promise<Buffer> {
	const response = await studio.fetch(
		new Request('http://studio/v1/images/generations', {
			method: 'POST',
			headers: { 'content-type': 'application/json', authorization: 'Bearer sheet' },
			body: JSON.stringify({ model: 'alpha-image', prompt, size: '512x512' }),
		}),
	);
	const { data } = (await response.json()) as { data: { b64_json: string; revised_prompt: string }[] };
	const [{ b64_json, revised_prompt: said } = { b64_json: '', revised_prompt: '' }] = data;
	const picture = await sharp(Buffer.from(b64_json, 'base64')).resize(SIZE, SIZE).toBuffer();
	const words = `${prompt}\n${said}`.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
	const text = { text: words, font: 'sans 8', width: SIZE, height: WORDS_HEIGHT, rgba: true };
	const background = '#fff';
	return sharp({ create: { width: SIZE, height: SIZE + WORDS_HEIGHT, channels: 3, background } })
		.composite([
			{ input: picture, gravity: 'north' },
			{ input: await sharp({ text }).png().toBuffer(), top: SIZE, left: 0 },
		])
		.png()
		.toBuffer();
}

await mkdir(folder, { recursive: true });
const sheets = { real: tables.real, ordinary: tables.ordinary.map(([prompt]) => String(prompt)) };
for (const [name, prompts] of Object.entries(sheets))
	for (let from = 0; from < prompts.length; from += PER_SHEET) {
		const tiles: Buffer[] = [];
		for (const prompt of prompts.slice(from, from + PER_SHEET)) tiles.push(await tile(prompt));
		const joined = sharp(tiles, { join: { across: ACROSS, shim: 6, background: '#fff' } });
		await writeFile(join(folder, `${name}-${from / PER_SHEET + 1}.png`), await joined.png().toBuffer());
	}
// The threads that draw would keep it alive.
process.exit(0);
