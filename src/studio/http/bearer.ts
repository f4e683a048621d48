import { createHash, timingSafeEqual } from 'node:crypto';
import { ApiError } from './api-error.ts';

/**
 * Makes the check of `Authorization: Bearer KEY`. Without a key of its own the studio takes any, as it guards nothing but
 * still wants to meet clients as the real service does.
 */
export function createBearerCheck(apiKey: string | undefined): (authorization: string | undefined) => void {
	const expected = apiKey === undefined ? undefined : digest(apiKey);
	return (authorization) => {
		const key = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
		if (key === undefined) throw refusal('Send an API key as "Authorization: Bearer KEY".');
		// Digests have one length, so the comparison takes the same time whatever was sent.
		if (expected && !timingSafeEqual(digest(key), expected)) throw refusal('This API key is not known here.');
	};
}

function digest(text: string) {
	return createHash('sha256').update(text).digest();
}

function refusal(message: string) {
	return new ApiError(401, message, { code: 'invalid_api_key', headers: { 'www-authenticate': 'Bearer' } });
}
