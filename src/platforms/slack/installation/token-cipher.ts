import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto';
import { promisify } from 'node:util';

const CIPHER = 'aes-256-gcm';
/** What is sealed begins with the way it is sealed, so that there can be another one some day. */
const VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;
const HEAD_BYTES = 1 + NONCE_BYTES + TAG_BYTES;

export type TokenCipher = {
	/** @param about whom it belongs to: it can't be opened as anybody else's */
	close(text: string, about: string): Promise<string>;
	/** Undefined when it was sealed with another secret, for somebody else, or was changed. */
	open(sealed: string, about: string): Promise<string | undefined>;
};

/** Encrypts what is stored, by a key derived from a secret that is not. */
export function createTokenCipher(secret: string): TokenCipher {
	let derived: Promise<Buffer> | undefined;
	// A secret that somebody made up is worth the work that it costs to guess at; it is done once, and not while it starts.
	const key = () => {
		derived ??= promisify<string, string, number, Buffer>(scrypt)(secret, 'easel/slack/installations/1', KEY_BYTES);
		return derived;
	};
	const bound = (about: string) => Buffer.from(`${VERSION}:${about}`);

	return {
		async close(text, about) {
			const nonce = randomBytes(NONCE_BYTES);
			const cipher = createCipheriv(CIPHER, await key(), nonce).setAAD(bound(about));
			const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
			return Buffer.concat([Buffer.of(VERSION), nonce, cipher.getAuthTag(), sealed]).toString('base64');
		},

		async open(sealed, about) {
			const bytes = Buffer.from(sealed, 'base64');
			if (bytes[0] !== VERSION || bytes.length < HEAD_BYTES) return undefined;
			const nonce = bytes.subarray(1, 1 + NONCE_BYTES);
			const decipher = createDecipheriv(CIPHER, await key(), nonce, { authTagLength: TAG_BYTES }).setAAD(bound(about));
			decipher.setAuthTag(bytes.subarray(1 + NONCE_BYTES, HEAD_BYTES));
			try {
				return Buffer.concat([decipher.update(bytes.subarray(HEAD_BYTES)), decipher.final()]).toString('utf8');
			} catch {
				return undefined;
			}
		},
	};
}
