import { expect, test } from 'vitest';
import { parseFilesAddress } from './files-address.ts';

test.each(['data/files', '/var/lib/easel files', 'files#1', 'C:\\easel'])('reads %s as a folder', (path) => {
	expect(parseFilesAddress(path)).toEqual({ kind: 'folder', path });
});

test.each([
	[
		's3://pictures?endpoint=https://s3.example.com:9000/',
		{ kind: 's3', endpoint: 'https://s3.example.com:9000', bucket: 'pictures', prefix: '' },
	],
	[
		'S3://My_bucket/easel/one/?region=eu-central-1&endpoint=http%3A%2F%2F127.0.0.1%3A9000',
		{
			kind: 's3',
			endpoint: 'http://127.0.0.1:9000',
			bucket: 'My_bucket',
			prefix: 'easel/one/',
			region: 'eu-central-1',
		},
	],
])('reads %s as a bucket', (text, address) => {
	expect(parseFilesAddress(text)).toEqual(address);
});

test.each([
	['s3:pictures', 'is not an address of files; write a folder, or s3://BUCKET?endpoint=https://HOST'],
	[
		'https://s3.example.com/hunter2',
		'is not an address of files; write a folder, or s3://BUCKET?endpoint=https://HOST',
	],
	['s3://pictures', 'has no endpoint; write a folder, or s3://BUCKET?endpoint=https://HOST'],
	[
		's3://pictures?endpoint=hunter2',
		'has an endpoint that is not scheme, host and port, such as https://s3.example.com',
	],
	[
		's3://pictures?endpoint=https://a.test/pictures',
		'has an endpoint that is not scheme, host and port, such as https://s3.example.com',
	],
	[
		's3://pictures?endpoint=https://u:hunter2@a.test',
		'has an endpoint that is not scheme, host and port, such as https://s3.example.com',
	],
	[
		's3://key:hunter2@pictures?endpoint=https://a.test',
		'contains a key; write it to FILES_ACCESS_KEY and FILES_SECRET_KEY',
	],
	['s3://p?endpoint=https://a.test', 'has an invalid name of a bucket'],
	['s3://pictures/a b?endpoint=https://a.test', 'has a prefix with other characters than A-Z a-z 0-9 _ . - /'],
	['s3://pictures?endpoint=https://a.test&key=hunter2', 'has a parameter besides endpoint and region'],
	['s3://pictures?endpoint=https://a.test&region=eu/1', 'has an invalid region'],
])('refuses %s without repeating it', (text, message) => {
	expect(() => parseFilesAddress(text)).toThrow(new TypeError(message));
});
