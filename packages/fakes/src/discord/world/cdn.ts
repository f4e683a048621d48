import { createHmac, randomBytes } from 'node:crypto';
import type { Clock } from '../../clock.ts';
import type { StoredFile } from './model.ts';

/** How long the URL of a file is valid. https://docs.discord.com/developers/reference#signed-attachment-cdn-urls */
const VALID_MS = 24 * 3_600_000;

export type Cdn = ReturnType<typeof createCdn>;

/** Stores files at signed URLs that expire. */
export function createCdn(clock: Clock, address: () => string) {
	const key = randomBytes(16);
	const files = new Map<string, StoredFile>();
	const sign = (path: string, until: string) => createHmac('sha256', key).update(`${path} ${until}`).digest('hex');

	return {
		/** Stores a file, and returns it. */
		store(file: StoredFile): StoredFile {
			files.set(file.id, file);
			return file;
		},
		/** Removes a file of a deleted message. */
		remove: (id: string): void => void files.delete(id),
		urlOf({ id, channelId, name, ephemeral }: StoredFile): string {
			const path = `/${ephemeral ? 'ephemeral-' : ''}attachments/${channelId}/${id}/${encodeURIComponent(name)}`;
			const issued = clock.now();
			const until = Math.floor((issued + VALID_MS) / 1000).toString(16);
			return `${address()}/cdn${path}?ex=${until}&is=${Math.floor(issued / 1000).toString(16)}&hm=${sign(path, until)}&`;
		},
		/** Returns the file at a URL, or 404. */
		fetch(url: URL): StoredFile | 404 {
			const path = url.pathname.replace(/^\/cdn/, '');
			const until = url.searchParams.get('ex') ?? '';
			if (url.searchParams.get('hm') !== sign(path, until) || Number.parseInt(until, 16) * 1000 < clock.now())
				return 404;
			return files.get(path.split('/')[3] ?? '') ?? 404;
		},
	};
}

/** The media type by the first bytes, or by the name where these are not known. */
export function typeOf(bytes: Uint8Array, name: string): string {
	const head = Buffer.from(bytes.subarray(0, 12)).toString('latin1');
	if (head.startsWith('\x89PNG')) return 'image/png';
	if (head.startsWith('\xff\xd8\xff')) return 'image/jpeg';
	if (head.startsWith('GIF8')) return 'image/gif';
	if (head.startsWith('RIFF') && head.endsWith('WEBP')) return 'image/webp';
	const texts = { txt: 'text/plain; charset=utf-8', csv: 'text/csv' };
	const byName = { png: 'image/png', jpg: 'image/jpeg', ogg: 'audio/ogg', ...texts };
	return byName[name.split('.').at(-1) as keyof typeof byName] ?? 'application/octet-stream';
}
