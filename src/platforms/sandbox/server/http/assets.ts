import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join, sep } from 'node:path';
import type { Context } from 'hono';

const TYPES: Readonly<Record<string, string>> = {
	'.html': 'text/html; charset=utf-8',
	'.css': 'text/css; charset=utf-8',
	'.js': 'text/javascript; charset=utf-8',
	'.svg': 'image/svg+xml',
};

/** Returns a function that serves the files of a folder. They are read once and served by exact name: no path leads out of the folder. */
export function createAssets(folder: string) {
	const assets = new Map(
		readdirSync(folder, { recursive: true, encoding: 'utf8' }).flatMap((name) => {
			const type = TYPES[extname(name)];
			if (!type) return [];
			const bytes = readFileSync(join(folder, name));
			return [
				[
					name.replaceAll(sep, '/'),
					{ bytes, type, etag: `"${createHash('sha256').update(bytes).digest('base64url')}"` },
				] as const,
			];
		}),
	);

	/** Returns the file, `304` when the browser has it, or undefined when there is no such file. */
	return (c: Context, name: string): Response | undefined => {
		const asset = assets.get(name);
		if (!asset) return undefined;
		const headers = { ETag: asset.etag, 'Cache-Control': 'no-cache' };
		if (c.req.header('if-none-match') === asset.etag) return c.body(null, 304, headers);
		return c.body(asset.bytes, 200, { ...headers, 'Content-Type': asset.type });
	};
}
