import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { composing } from '../src/images/composing.ts';
import { editing } from '../src/images/editing.ts';
import { drawPicture, generation, type Making } from '../src/images/making.ts';
import type { Scene } from '../src/scene/scene.ts';
import { artist } from '../src/workers.ts';
import { contactSheet, type Tile } from './contact-sheet.ts';
import { COMPOSITIONS, EDITS, PARTS, PICTURES, PROMPTS, REAL_PROMPTS } from './tables.ts';

const size = { width: 512, height: 512 };
const HELP = `npm run studio:sheet -- [OPTIONS] [FOLDER]

Draws contact sheets of the prompts, edits and compositions beside it into FOLDER, by default test/artifacts/studio.

Options:
  --help  prints this
`;
const folder = readFolder();

function readFolder(): string {
	try {
		const { values, positionals } = parseArgs({
			options: { help: { type: 'boolean', short: 'h' } },
			allowPositionals: true,
		});
		if (!values.help) return positionals[0] ?? 'test/artifacts/studio';
		process.stdout.write(HELP);
		process.exit(0);
	} catch (error) {
		const [fault] = (error as Error).message.split('. ');
		process.stderr.write(`${fault}; npm run studio:sheet -- --help explains the arguments.\n`);
		process.exit(64);
	}
}
const { signal } = new AbortController();
const wish = (prompt: string) => ({ artist, prompt, size, sharpText: false, signal });

const original = async (scene: Scene) => {
	const drawn = { scene, ...size };
	return { drawn, bytes: await drawPicture(artist, drawn, signal) };
};

/** A tile of what was made, with what was said about it; or of what was refused, over the picture that it was asked of. */
async function tile(words: string, make: () => Making | Promise<Making>, before?: Uint8Array): Promise<Tile> {
	try {
		const { png, revisedPrompt } = await (await make())(0, signal);
		return { png, label: `${words} → ${revisedPrompt}` };
	} catch (error) {
		if (!before) throw error;
		return { png: before, label: `${words} → ${error instanceof Error ? error.message : error}` };
	}
}

async function generated(prompts: readonly string[]): Promise<Tile[]> {
	const tiles: Tile[] = [];
	for (const prompt of prompts) tiles.push(await tile(prompt, () => generation(wish(prompt))));
	return tiles;
}

async function edited(): Promise<Tile[]> {
	const tiles: Tile[] = [];
	for (const [name, instruction] of EDITS) {
		const before = await original(PICTURES[name]);
		const after = await tile(instruction, () => editing(wish(instruction), before), before.bytes);
		tiles.push({ png: before.bytes, label: name }, after);
	}
	return tiles;
}

async function composed(): Promise<Tile[]> {
	const tiles: Tile[] = [];
	for (const [names, prompt] of COMPOSITIONS) {
		const parts = await Promise.all(names.map((name) => original(PARTS[name])));
		const before = await contactSheet(
			parts.map(({ bytes: png }) => ({ png, label: '' })),
			2,
			250,
			0,
		);
		const after = await tile(prompt, () => composing(wish(prompt), parts), before);
		tiles.push({ png: before, label: names.join(', ') }, after);
	}
	return tiles;
}

await mkdir(folder, { recursive: true });
const save = (name: string, png: Uint8Array) => writeFile(join(folder, `${name}.png`), png);
const PER_SHEET = 40;
for (const [name, make] of Object.entries({
	real: () => generated(REAL_PROMPTS),
	prompts: () => generated(PROMPTS.map(([prompt]) => prompt)),
	edits: edited,
	compositions: composed,
})) {
	const tiles = await make();
	for (let from = 0; from < tiles.length; from += PER_SHEET) {
		const part = tiles.slice(from, from + PER_SHEET);
		await save(`${name}-${from / PER_SHEET + 1}`, await contactSheet(part, 8, 240, 5));
	}
}
