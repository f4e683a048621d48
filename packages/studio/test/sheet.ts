/** Draws contact sheets of the tables, to look at: `node packages/studio/test/sheet.ts [FOLDER]`. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { composing } from '../src/images/composing.ts';
import { editing } from '../src/images/editing.ts';
import { drawPicture, generation, type Making } from '../src/images/making.ts';
import type { Scene } from '../src/scene/scene.ts';
import { artist } from '../src/workers.ts';
import { contactSheet, type Tile } from './contact-sheet.ts';
import { COMPOSITIONS, EDITS, PARTS, PICTURES, PROMPTS, REAL_PROMPTS } from './tables.ts';

const PER_SHEET = 40;
const size = { width: 512, height: 512 };
const { signal } = new AbortController();
const wish = (prompt: string) => ({ artist, prompt, size, sharpText: false, signal });

async function original(name: string, scene: Scene) {
	const drawn = { scene, ...size };
	const bytes = await drawPicture(artist, drawn, signal);
	return { drawn, bytes, tile: { png: bytes, label: name } };
}

/** A tile of what was made, with what was said about it. */
async function made(words: string, making: Making): Promise<Tile> {
	const { png, revisedPrompt } = await making(0, signal);
	return { png, label: `${words} → ${revisedPrompt}` };
}

async function* generated(prompts: readonly string[]) {
	for (const prompt of prompts) yield made(prompt, generation(wish(prompt)));
}

async function* edited() {
	for (const [name, instruction] of EDITS) {
		const before = await original(name, PICTURES[name]);
		yield* [before.tile, made(instruction, await editing(wish(instruction), before))];
	}
}

async function* composed() {
	for (const [names, prompt] of COMPOSITIONS) {
		const parts = await Promise.all(names.map((name) => original(name, PARTS[name])));
		yield* [...parts.map(({ tile }) => tile), made(prompt, await composing(wish(prompt), parts))];
	}
}

const [folder = 'test/artifacts/studio'] = process.argv.slice(2);
await mkdir(folder, { recursive: true });
const sheets = {
	real: generated(REAL_PROMPTS),
	prompts: generated(PROMPTS.map(([prompt]) => prompt)),
	edits: edited(),
	compositions: composed(),
};
for (const [name, making] of Object.entries(sheets)) {
	const tiles = await Array.fromAsync<Tile>(making);
	for (let from = 0; from < tiles.length; from += PER_SHEET) {
		const sheet = await contactSheet(tiles.slice(from, from + PER_SHEET), 8, 240, 80);
		await writeFile(join(folder, `${name}-${from / PER_SHEET + 1}.png`), sheet);
	}
}
