import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
// @ts-expect-error The package has no types.
import S3rver from '@20minutes/s3rver';
import type { FilesOptions } from '../../../src/store/addresses.ts';

/**
 * Starts a service of others, on a free port. It verifies signatures too, for requests without a query.
 * https://github.com/jamhall/s3rver
 */
export async function startS3rver(): Promise<{ options: FilesOptions & { kind: 's3' }; close(): Promise<void> }> {
	const directory = mkdtempSync(join(tmpdir(), 'easel-s3rver-'));
	const bucket = 'easel-pictures';
	const server = new S3rver({
		address: '127.0.0.1',
		port: 0,
		silent: true,
		directory,
		configureBuckets: [{ name: bucket }],
	});
	const { port } = (await server.run()) as { port: number };
	return {
		// The only keys that it accepts.
		options: {
			kind: 's3',
			endpoint: `http://127.0.0.1:${port}`,
			bucket,
			prefix: '',
			accessKey: 'S3RVER',
			secretKey: 'S3RVER',
		},
		async close() {
			await server.close();
			rmSync(directory, { recursive: true });
		},
	};
}
