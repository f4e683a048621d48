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

type ListedErasure = z.output<typeof line>;

/**
 * Lists an erasure that was asked for, as a line of JSON in a file apart from the store: a restored backup may be older than an erasure.
 * Files of several machines can be concatenated. Resolves once the line would survive the end of this process.
 */
export async function listErasure(path: string, { key, platform, at }: ListedErasure): Promise<void> {
	await mkdir(dirname(path), { recursive: true });
	await appendFile(path, `${JSON.stringify({ key, platform, at })}\n`, { mode: 0o600, flush: true });
}

/**
 * Returns the latest erasure of each person that a backup can still contain. A line that was cut off is skipped.
 * @param now Unix milliseconds
 */
export async function listedErasures(path: string, now: number): Promise<ListedErasure[]> {
	const text = await readFile(path, 'utf8').catch(absent);
	const all = text.split('\n').flatMap((each) => parse(each) ?? []);
	const recent = all.filter(({ at }) => at >= now - ERASURE_MS).sort((one, other) => one.at - other.at);
	return [...new Map(recent.map((each) => [each.key, each])).values()];
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
