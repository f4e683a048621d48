import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { has } from './requirements.ts';

/** A file system of its own in memory, which can be filled to its last byte. */
export type SmallDisk = {
	folder: string;
	fill(): void;
	/** Frees the space that `fill` has taken. */
	free(): void;
	close(): void;
};

export const canMount = has('mount');

export function mountSmallDisk(size = '16m'): SmallDisk {
	const folder = mkdtempSync(join(tmpdir(), 'easel-disk-'));
	execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder]);
	const filler = join(folder, 'filler');
	return {
		folder,
		fill() {
			for (let bytes = 2 ** 20; bytes > 0; ) {
				try {
					appendFileSync(filler, Buffer.alloc(bytes));
				} catch {
					bytes = Math.floor(bytes / 2);
				}
			}
		},
		free: () => rmSync(filler, { force: true }),
		close() {
			execFileSync('umount', ['--lazy', folder]);
			rmSync(folder, { recursive: true });
		},
	};
}
