import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import { ERASURE_MS } from '../../usage/erased-members.ts';

/** An erasure, without the id of the person; see `personKey`. */
const line = z.object({
	key: z.string().regex(/^[0-9a-f]{64}$/),
	platform: z.string().min(1).max(40),
	/** Unix milliseconds. */
	at: z.number().int().positive(),
});

export type ListedErasure = z.output<typeof line>;

/**
 * The erasures that were asked for, one line of JSON each, in a file apart from the store: a restored backup may be older than an
 * erasure. Files of several machines can be concatenated. Without a path nothing is listed.
 */
export class ErasureList {
	readonly #path: string | undefined;

	constructor(path: string | undefined) {
		this.#path = path;
	}

	/** Resolves once the line would survive the end of this process. */
	async add({ key, platform, at }: ListedErasure): Promise<void> {
		if (this.#path === undefined) return;
		await mkdir(dirname(this.#path), { recursive: true });
		await appendFile(this.#path, `${JSON.stringify({ key, platform, at })}\n`, { mode: 0o600, flush: true });
	}

	/**
	 * Returns the latest erasure of each person that a backup can still contain. A line that was cut off is skipped.
	 * @param now Unix milliseconds
	 */
	async read(now: number): Promise<ListedErasure[]> {
		const text = this.#path === undefined ? '' : await readFile(this.#path, 'utf8').catch(absent);
		const latest = new Map<string, ListedErasure>();
		for (const each of text.split('\n')) {
			const erasure = parse(each);
			if (!erasure || erasure.at < now - ERASURE_MS) continue;
			if (erasure.at > (latest.get(erasure.key)?.at ?? 0)) latest.set(erasure.key, erasure);
		}
		return [...latest.values()];
	}
}

function parse(text: string): ListedErasure | undefined {
	try {
		return line.safeParse(JSON.parse(text)).data;
	} catch {
		return undefined;
	}
}

function absent(error: unknown): string {
	if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
	throw error;
}
