import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** The largest difference between the clocks of client and service. */
const MAX_SKEW_MS = 15 * 60_000;

export type Credentials = { accessKey: string; secretKey: string; region: string };

const sha256 = (text: string | Buffer) => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();

/**
 * Returns the code of the error that the service answers a request with whose signature is wrong.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
 */
export function signatureFault(request: IncomingMessage, body: Buffer, credentials: Credentials): string | undefined {
	const { authorization = '', 'x-amz-date': date, 'x-amz-content-sha256': digest } = request.headers;
	const [, key, day, region, headers, signature] =
		/^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([a-z0-9;-]+), ?Signature=([0-9a-f]{64})$/.exec(
			authorization,
		) ?? [];
	if (!headers || !signature || !day) return 'AccessDenied';
	if (key !== credentials.accessKey) return 'InvalidAccessKeyId';
	if (region !== credentials.region) return 'AuthorizationHeaderMalformed';
	if (typeof date !== 'string' || typeof digest !== 'string') return 'AccessDenied';
	const at = Date.parse(date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
	if (!date.startsWith(day) || !(Math.abs(at - Date.now()) < MAX_SKEW_MS)) return 'RequestTimeTooSkewed';
	const signed = headers.split(';');
	// All of these have to be signed.
	const required = ['host', ...Object.keys(request.headers).filter((name) => name.startsWith('x-amz-'))];
	if (!required.every((name) => signed.includes(name))) return 'AccessDenied';

	const url = new URL(request.url ?? '', 'http://host');
	const canonical = [
		request.method,
		url.pathname,
		[...url.searchParams]
			.map((pair) => pair.map(encodeURIComponent).join('='))
			.sort()
			.join('&'),
		...signed.map((name) => `${name}:${String(request.headers[name]).trim()}`),
		'',
		headers,
		digest,
	].join('\n');
	const scope = `${day}/${region}/s3/aws4_request`;
	const signingKey = [day, region, 's3', 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${credentials.secretKey}`);
	const expected = hmac(signingKey, ['AWS4-HMAC-SHA256', date, scope, sha256(canonical)].join('\n'));
	if (!timingSafeEqual(expected, Buffer.from(signature, 'hex'))) return 'SignatureDoesNotMatch';
	if (digest !== sha256(body)) return 'XAmzContentSHA256Mismatch';
	return undefined;
}
