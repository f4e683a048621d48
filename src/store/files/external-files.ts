import { join } from 'node:path';
import { observedFiles, type StoreObserver } from '../backend.ts';
import { checkedSpace, FilesError, type Space, type Store, StoreError } from '../store.ts';
import { createFiles, type ExternalFiles, writeAndDelete } from './files.ts';
import type { BucketAddress, FilesAddress } from './files-address.ts';
import { FolderFiles } from './folder-files.ts';

/** Where files are kept, and the keys that a bucket needs. */
export type FilesOptions =
	| Exclude<FilesAddress, BucketAddress>
	| (BucketAddress & { accessKey: string; secretKey: string });

/**
 * Returns the store with the files of all its spaces elsewhere.
 *
 * @param observe receives how long each operation on a file took
 */
export function withExternalFiles(store: Store, files: ExternalFiles, observe: StoreObserver = () => {}): Store {
	const spaces = new Map<string, Space>();
	let isOpen = true;
	return {
		space(name) {
			const space = spaces.get(name) ?? {
				...store.space(name),
				files: createFiles(observedFiles(files.space(name), observe), () => isOpen),
			};
			spaces.set(name, space);
			return space;
		},
		async ping() {
			await Promise.all([store.ping(), files.check()]);
		},
		warnings: () => store.warnings(),
		async close() {
			isOpen = false;
			await files.close();
			await store.close();
		},
	};
}

/**
 * Opens files, and checks that they can be used.
 *
 * @param index the space for what a bucket cannot hold: which object a file has, and when it expires
 * @throws FilesError
 */
export async function openExternalFiles(options: FilesOptions, index: Space): Promise<ExternalFiles> {
	const files = options.kind === 'folder' ? folderFiles(options.path) : await bucketFiles(options, index);
	try {
		await files.check();
		return files;
	} catch (error) {
		await files.close();
		throw error instanceof StoreError ? new FilesError(error.message) : error;
	}
}

async function bucketFiles(options: Extract<FilesOptions, BucketAddress>, index: Space): Promise<ExternalFiles> {
	const [{ BucketFiles }, { S3Bucket }] = await Promise.all([
		import('../objects/bucket-files.ts'),
		import('../objects/s3-bucket.ts'),
	]);
	return new BucketFiles(new S3Bucket(options, options), index);
}

function folderFiles(path: string): ExternalFiles {
	const health = new FolderFiles(join(path, 'health'));
	return {
		space: (name) => new FolderFiles(join(path, checkedSpace(name))),
		check: () => writeAndDelete(health),
		close: async () => {},
	};
}
