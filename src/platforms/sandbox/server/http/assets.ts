import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { extname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Context } from 'hono';

const FOLDER = join(import.meta.dirname, '../../page');

const TYPES: Readonly<Record<string, string>> = {
	'.html': 'text/html; charset=utf-8',
	'.css': 'text/css; charset=utf-8',
	'.svg': 'image/svg+xml',
	'.webp': 'image/webp',
};

/** The packages that the page imports, and what it shares with the server, by their imports. */
const LIBRARIES: Readonly<Record<string, { served: string; path: string }>> = {
	...Object.fromEntries(
		['preact', 'preact/hooks', 'htm'].map((name) => [
			name,
			{ served: `lib/${name}.mjs`, path: fileURLToPath(import.meta.resolve(name)) },
		]),
	),
	'../../../../domain/typed-options.ts': {
		served: 'lib/typed-options.mjs',
		// In a built package, this file has another ending.
		path: join(FOLDER, `../../../domain/typed-options${extname(import.meta.filename)}`),
	},
};

type Asset = { content: string | Uint8Array<ArrayBuffer>; type: string; etag: string };

/** The files of the page, by the names under which they are served: no path leads out of them. */
const paths: ReadonlyMap<string, string> = new Map([
	...globSync('**/*.{html,css,ts,svg,webp}', { cwd: FOLDER }).map(
		(name) => [name.replaceAll(sep, '/'), join(FOLDER, name)] as const,
	),
	...Object.values(LIBRARIES).map(({ served, path }) => [served, path] as const),
]);
const assets = new Map<string, Asset>();

/** Serves a file of the page, `304` when the browser has it. Returns undefined when there is no such file. */
export function serveAsset(c: Context, name: string): Response | undefined {
	const path = paths.get(name);
	if (!path) return undefined;
	const asset = assets.get(name) ?? readAsset(path);
	assets.set(name, asset);
	const headers = { ETag: asset.etag, 'Cache-Control': 'no-cache' };
	if (c.req.header('if-none-match') === asset.etag) return c.body(null, 304, headers);
	return c.body(asset.content, 200, { ...headers, 'Content-Type': asset.type });
}

/** Reads a file. Browsers get TypeScript without its types, and addresses in place of the names of packages. */
function readAsset(path: string): Asset {
	const extension = extname(path);
	const bytes = readFileSync(path);
	const script = extension === '.ts' ? withoutTypes(bytes.toString()) : bytes.toString();
	const isScript = /^\.(ts|m?js)$/.test(extension);
	const content = isScript ? withAddresses(script) : new Uint8Array(bytes);
	return {
		content,
		type: isScript ? 'text/javascript; charset=utf-8' : (TYPES[extension] ?? 'application/octet-stream'),
		etag: `"${createHash('sha256').update(content).digest('base64url')}"`,
	};
}

const withAddresses = (script: string) =>
	script.replaceAll(/\bfrom\s*(['"])([a-z./-]+)\1/g, (whole, _, name) =>
		LIBRARIES[name] ? `from '/sandbox/${LIBRARIES[name].served}'` : whole,
	);

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
