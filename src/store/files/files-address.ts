/** Where files are kept outside the store: in a folder, or in a bucket of an object store. */
export type FilesAddress = { kind: 'folder'; path: string } | BucketAddress;

export type BucketAddress = {
	kind: 's3';
	/** Scheme, host and port. */
	endpoint: string;
	bucket: string;
	/** Comes before every key: empty, or ending in a slash. */
	prefix: string;
	/** Derived from the endpoint when undefined. */
	region?: string;
};

const EXPECTED = 'write a folder, or s3://BUCKET?endpoint=https://HOST';

/**
 * Parses a folder's path, or `s3://BUCKET/PREFIX?endpoint=https://HOST&region=REGION`, of which prefix and region may be missing.
 *
 * @throws TypeError with a predicate, such as "has no endpoint", that contains no part of the address
 */
export function parseFilesAddress(text: string): FilesAddress {
	const [, scheme] = /^([a-z][a-z0-9+.-]+):/i.exec(text) ?? [];
	if (scheme === undefined) return { kind: 'folder', path: text };
	const url = scheme.toLowerCase() === 's3' ? URL.parse(text) : null;
	if (!url?.host || url.hash) throw new TypeError(`is not an address of files; ${EXPECTED}`);
	if (url.username || url.password)
		throw new TypeError('contains a key; write it to FILES_ACCESS_KEY and FILES_SECRET_KEY');
	// https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucketnamingrules.html
	if (url.port || !/^[\w.-]{3,63}$/.test(url.host)) throw new TypeError('has an invalid name of a bucket');
	const path = url.pathname.replace(/^\/|\/$/g, '');
	// Other characters are signed in different ways by different services.
	if (path && !/^[\w.-]+(\/[\w.-]+)*$/.test(path))
		throw new TypeError('has a prefix with other characters than A-Z a-z 0-9 _ . - /');
	const { endpoint, region, ...others } = Object.fromEntries(url.searchParams);
	if (Object.keys(others).length > 0) throw new TypeError('has a parameter besides endpoint and region');
	if (!endpoint) throw new TypeError(`has no endpoint; ${EXPECTED}`);
	if (region !== undefined && !/^[\w-]+$/.test(region)) throw new TypeError('has an invalid region');
	return {
		kind: 's3',
		endpoint: originOf(endpoint),
		bucket: url.host,
		prefix: path && `${path}/`,
		...(region !== undefined && { region }),
	};
}

function originOf(endpoint: string): string {
	const url = URL.parse(endpoint);
	const isOrigin = url && /^https?:$/.test(url.protocol) && url.pathname === '/' && !url.search && !url.hash;
	if (!isOrigin || url.username || url.password)
		throw new TypeError('has an endpoint that is not scheme, host and port, such as https://s3.example.com');
	return url.origin;
}
