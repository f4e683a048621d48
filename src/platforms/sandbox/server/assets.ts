import { globSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { basename, extname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Context } from 'hono';
import { getMimeType } from 'hono/utils/mime';

const FOLDER = join(import.meta.dirname, '../page');

/** The paths of the packages that the page imports, and of what it shares with the server, by their imports. */
const LIBRARIES: Readonly<Record<string, string>> = {
	...Object.fromEntries(
		['preact', 'preact/hooks', 'htm'].map((name) => [name, fileURLToPath(import.meta.resolve(name))]),
	),
	// In a built package, this file has another ending.
	'../../../../domain/typed-options.ts': join(FOLDER, `../../../domain/typed-options${extname(import.meta.filename)}`),
};
const servedAs = (library: string) => `lib/${basename(library)}`;

/** The files of the page, by the names under which they are served: no path leads out of them. */
const paths: ReadonlyMap<string, string> = new Map([
	...globSync('**/*.{html,css,ts,svg,webp}', { cwd: FOLDER }).map(
		(name) => [name.replaceAll(sep, '/'), join(FOLDER, name)] as const,
	),
	...Object.entries(LIBRARIES).map(([library, path]) => [servedAs(library), path] as const),
]);

type Asset = { content: string | Uint8Array<ArrayBuffer>; type: string };
const assets = new Map<string, Asset>();

export function serveAsset(c: Context, name: string): Response | undefined {
	const path = paths.get(name);
	if (!path) return undefined;
	const asset = assets.get(name) ?? readAsset(path);
	assets.set(name, asset);
	return c.body(asset.content, 200, { 'Cache-Control': 'no-cache', 'Content-Type': asset.type });
}

/** Reads a file. Browsers get TypeScript without its types, and addresses in place of the names of packages. */
function readAsset(path: string): Asset {
	const bytes = readFileSync(path);
	const [, ending] = /\.(ts|m?js)$/.exec(path) ?? [];
	if (!ending) return { content: new Uint8Array(bytes), type: getMimeType(path) ?? '' };
	const script = ending === 'ts' ? withoutTypes(bytes.toString()) : bytes.toString();
	const content = script.replaceAll(/\bfrom\s*(['"])([a-z./-]+)\1/g, (whole, _, name) =>
		LIBRARIES[name] ? `from '/sandbox/${servedAs(name)}'` : whole,
	);
	return { content, type: 'text/javascript; charset=utf-8' };
}

/** Node warns that the function is experimental. Easel is tested with the Node that is installed with it. */
function withoutTypes(script: string): string {
	const { emitWarning } = process;
	process.emitWarning = () => {};
	try {
		return stripTypeScriptTypes(script);
	} finally {
		process.emitWarning = emitWarning;
	}
}
