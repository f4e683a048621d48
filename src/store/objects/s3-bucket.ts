import { setTimeout as pause } from 'node:timers/promises';
import { AwsV4Signer } from 'aws4fetch';
import { Agent, request } from 'undici';
import type { BucketAddress } from '../files/files-address.ts';
import { StoreError } from '../store.ts';
import { answerError, connectionError, isTemporary, MissingObjectError } from './s3-errors.ts';

/** How long a call may take, with all its attempts. A picture has several megabytes. */
const TIMEOUT_MS = 10_000;
const CONNECT_TIMEOUT_MS = 3000;

/** Services ask for that after 500 and 503. https://docs.aws.amazon.com/AmazonS3/latest/userguide/optimizing-performance-guidelines.html */
const PAUSES_MS = [50, 200];

/** Larger answers are not read. */
const MAX_BYTES = 64 * 1024 * 1024;

const CONNECTIONS = 32;

export type BucketKeys = { accessKey: string; secretKey: string };

type Answer = { status: number; body: Uint8Array };

/**
 * Objects in a bucket of a service that is compatible with Amazon S3. It uses three operations only, which all such services have:
 * PutObject, GetObject and DeleteObject, addressed by path and signed with version 4. All three may be repeated, so a call is
 * attempted again after a fault that is temporary. Every call ends within `TIMEOUT_MS` and rejects with `StoreError`.
 *
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_Operations_Amazon_Simple_Storage_Service.html
 */
export class S3Bucket {
	readonly #address: BucketAddress;
	readonly #keys: BucketKeys;
	readonly #timeoutMs: number;
	readonly #agent: Agent;
	#isFailing = false;

	constructor(address: BucketAddress, keys: BucketKeys, timeoutMs = TIMEOUT_MS) {
		this.#address = address;
		this.#keys = keys;
		this.#timeoutMs = timeoutMs;
		this.#agent = new Agent({
			connections: CONNECTIONS,
			connect: { timeout: Math.min(CONNECT_TIMEOUT_MS, timeoutMs) },
			headersTimeout: timeoutMs,
			bodyTimeout: timeoutMs,
			maxResponseSize: MAX_BYTES,
		});
	}

	/** True from a call that failed until the next `put` that succeeds. */
	get isFailing(): boolean {
		return this.#isFailing;
	}

	async put(key: string, bytes: Uint8Array): Promise<void> {
		await this.#send('PUT', key, bytes);
		this.#isFailing = false;
	}

	/** Returns undefined when there is no such object. */
	async get(key: string): Promise<Uint8Array | undefined> {
		return (await this.#send('GET', key))?.body;
	}

	/** Deletes an object. One that does not exist is no error. */
	async delete(key: string): Promise<void> {
		await this.#send('DELETE', key);
	}

	/** Waits for running calls, each of which ends in bounded time. */
	close(): Promise<void> {
		return this.#agent.close();
	}

	/** Returns undefined when the object does not exist. */
	async #send(method: 'PUT' | 'GET' | 'DELETE', key: string, body?: Uint8Array): Promise<Answer | undefined> {
		const answer = await this.#answer(method, key, body);
		if (!(answer instanceof StoreError) && (answer.status === 200 || answer.status === 204)) return answer;
		const error = answer instanceof StoreError ? answer : answerError(answer);
		if (error instanceof MissingObjectError && method !== 'PUT') return undefined;
		this.#isFailing = true;
		throw error;
	}

	/** Attempts a call until it succeeds, fails for good, or its time is over. */
	async #answer(method: 'PUT' | 'GET' | 'DELETE', key: string, body?: Uint8Array): Promise<Answer | StoreError> {
		const signal = AbortSignal.timeout(this.#timeoutMs);
		const digest = await sha256(body ?? new Uint8Array());
		for (let attempt = 0; ; attempt++) {
			const answer = await this.#attempt(method, key, body, digest, signal);
			const wait = PAUSES_MS[attempt];
			const isTransient = answer instanceof StoreError || isTemporary(answer.status);
			if (isTransient && wait !== undefined && !signal.aborted) {
				await pause(wait, undefined, { signal }).catch(() => {});
				if (!signal.aborted) continue;
			}
			return answer;
		}
	}

	/** Resolves to the fault when the connection fails. */
	async #attempt(
		method: string,
		key: string,
		body: Uint8Array | undefined,
		digest: ArrayBuffer,
		signal: AbortSignal,
	): Promise<Answer | StoreError> {
		const { endpoint, bucket, prefix, region } = this.#address;
		const signer = new AwsV4Signer({
			method,
			url: `${endpoint}/${bucket}/${prefix}${key}`,
			// The service compares it with the bytes that arrive.
			headers: { 'x-amz-content-sha256': Buffer.from(digest).toString('hex') },
			service: 's3',
			...(region !== undefined && { region }),
			accessKeyId: this.#keys.accessKey,
			secretAccessKey: this.#keys.secretKey,
		});
		const { url, headers } = await signer.sign();
		let hasAnswered = false;
		try {
			const response = await request(url, {
				dispatcher: this.#agent,
				method: method as 'PUT',
				headers: Object.fromEntries(headers),
				body: body ?? null,
				signal,
			});
			hasAnswered = true;
			return { status: response.statusCode, body: await response.body.bytes() };
		} catch (error) {
			return connectionError(error, hasAnswered);
		}
	}
}

/** Returns the SHA-256 digest. Computed beside the event loop, because a picture takes milliseconds. */
export const sha256 = (bytes: Uint8Array): Promise<ArrayBuffer> =>
	crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>);
