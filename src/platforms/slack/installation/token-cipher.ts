import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto';
import { promisify } from 'node:util';

const CIPHER = 'aes-256-gcm';
/** The first byte of what is encrypted, so that the format can change. */
const VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;
const HEADER_BYTES = 1 + NONCE_BYTES + TAG_BYTES;

/** Encrypts stored tokens with a key that is derived from a secret outside the store. */
export class TokenCipher {
	readonly #secret: string;
	#key: Promise<Buffer> | undefined;

	constructor(secret: string) {
		this.#secret = secret;
	}

	/** @param owner whose token it is; it cannot be decrypted as another's */
	async encrypt(text: string, owner: string): Promise<string> {
		const nonce = randomBytes(NONCE_BYTES);
		const cipher = createCipheriv(CIPHER, await this.#deriveKey(), nonce).setAAD(associatedData(owner));
		const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
		return Buffer.concat([Buffer.of(VERSION), nonce, cipher.getAuthTag(), encrypted]).toString('base64');
	}

	/** Returns undefined when it was encrypted with another secret, for another owner, or was changed. */
	async decrypt(encrypted: string, owner: string): Promise<string | undefined> {
		const bytes = Buffer.from(encrypted, 'base64');
		if (bytes[0] !== VERSION || bytes.length < HEADER_BYTES) return undefined;
		const nonce = bytes.subarray(1, 1 + NONCE_BYTES);
		const decipher = createDecipheriv(CIPHER, await this.#deriveKey(), nonce, { authTagLength: TAG_BYTES });
		decipher.setAAD(associatedData(owner)).setAuthTag(bytes.subarray(1 + NONCE_BYTES, HEADER_BYTES));
		try {
			return Buffer.concat([decipher.update(bytes.subarray(HEADER_BYTES)), decipher.final()]).toString('utf8');
		} catch {
			return undefined;
		}
	}

	/** Slow on purpose, since the secret may be one that can be guessed; therefore once, and not during the start. */
	#deriveKey(): Promise<Buffer> {
		this.#key ??= promisify<string, string, number, Buffer>(scrypt)(
			this.#secret,
			'easel/slack/installations/1',
			KEY_BYTES,
		);
		return this.#key;
	}
}

const associatedData = (owner: string) => Buffer.from(`${VERSION}:${owner}`);
