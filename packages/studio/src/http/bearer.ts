import { createHash, timingSafeEqual } from 'node:crypto';
import { ApiError } from './api-error.ts';

/** Returns the check of `Authorization: Bearer KEY`. Without a configured key any key is accepted, but one is required. */
export function createBearerCheck(apiKey: string | undefined): (authorization: string | undefined) => void {
	const expected = apiKey === undefined ? undefined : digest(apiKey);
	return (authorization) => {
		const key = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
		if (key === undefined) throw refusal('Send an API key as "Authorization: Bearer KEY".');
		// Digests have the same length, so the comparison always takes the same time.
		if (expected && !timingSafeEqual(digest(key), expected)) throw refusal('This API key is not valid.');
	};
}

function digest(text: string) {
	return createHash('sha256').update(text).digest();
}

function refusal(message: string) {
	return new ApiError(401, message, { code: 'invalid_api_key', headers: { 'www-authenticate': 'Bearer' } });
}
