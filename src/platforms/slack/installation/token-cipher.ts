import { createCipheriv, createDecipheriv, createHmac, randomBytes, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import type { StateSecrets } from './workspaces.ts';

const CIPHER = 'aes-256-gcm';
/** The first byte of what is encrypted, so that the format can change. */
const VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;
const HEADER_BYTES = 1 + NONCE_BYTES + TAG_BYTES;

/** Encrypts stored tokens with a key that is derived from a secret outside the store. */
export class TokenCipher {
	/** Each is derived once; the first one encrypts. */
	readonly #keys: readonly (() => Promise<Buffer>)[];

	constructor({ stateSecret, previousStateSecret }: StateSecrets) {
		this.#keys = [stateSecret, previousStateSecret].flatMap((secret) => (secret ? [keyOf(secret)] : []));
	}

	/** @param owner whose token it is; it cannot be decrypted as another's */
	async encrypt(text: string, owner: string): Promise<string> {
		const nonce = randomBytes(NONCE_BYTES);
		const key = await this.#keys[0]!();
		const cipher = createCipheriv(CIPHER, key, nonce).setAAD(associatedData(owner));
		const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
		return Buffer.concat([Buffer.of(VERSION), nonce, cipher.getAuthTag(), encrypted]).toString('base64');
	}

	/** Returns undefined when it was encrypted with another secret, for another owner, or was changed. */
	async decrypt(encrypted: string, owner: string): Promise<string | undefined> {
		const bytes = Buffer.from(encrypted, 'base64');
		if (bytes[0] !== VERSION || bytes.length < HEADER_BYTES) return undefined;
		for (const key of this.#keys) {
			const text = decrypted(bytes, await key(), owner);
			if (text !== undefined) return text;
		}
		return undefined;
	}
}

function decrypted(bytes: Buffer, key: Buffer, owner: string): string | undefined {
	const nonce = bytes.subarray(1, 1 + NONCE_BYTES);
	const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
	decipher.setAAD(associatedData(owner)).setAuthTag(bytes.subarray(1 + NONCE_BYTES, HEADER_BYTES));
	try {
		return Buffer.concat([decipher.update(bytes.subarray(HEADER_BYTES)), decipher.final()]).toString('utf8');
	} catch {
		return undefined;
	}
}

/** Slow on purpose, since a secret may be one that can be guessed; therefore once, and not during the start. */
function keyOf(secret: string): () => Promise<Buffer> {
	let key: Promise<Buffer> | undefined;
	return () =>
		(key ??= promisify<string, string, number, Buffer>(scrypt)(secret, 'easel/slack/installations/1', KEY_BYTES));
}

/**
 * Returns the key of the states that `/slack/install` gives to everybody. Nothing that is derived from it tells the key of the tokens, so
 * a state is of no use with a stolen store.
 */
export const stateKey = (secret: string): string =>
	createHmac('sha256', secret).update('easel/slack/state/1').digest('hex');

const associatedData = (owner: string) => Buffer.from(`${VERSION}:${owner}`);
