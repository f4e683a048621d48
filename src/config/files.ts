import type { z } from 'zod';
import type { FilesOptions } from '../store/files/external-files.ts';
import type { variables } from './variables.ts';

const KEYS = ['FILES_ACCESS_KEY', 'FILES_SECRET_KEY'];

/** Returns where files are kept. `filesFaults` has ensured that a bucket has its keys. */
export function filesFrom(values: z.output<typeof variables>): FilesOptions | undefined {
	const { FILES_URL: address, FILES_ACCESS_KEY: accessKey = '', FILES_SECRET_KEY: secretKey = '' } = values;
	return address?.kind === 's3' ? { ...address, accessKey, secretKey } : address;
}

/** A bucket needs both keys, and nothing else does. */
export function filesFaults(given: Readonly<Record<string, string | undefined>>): string[] {
	if (/^\s*s3:/i.test(given['FILES_URL'] ?? ''))
		return KEYS.filter((name) => !given[name]).map(
			(name) => `${name} is missing; it is needed for the bucket of FILES_URL.`,
		);
	return KEYS.filter((name) => given[name]).map((name) => `${name} is set, but FILES_URL names no bucket.`);
}
