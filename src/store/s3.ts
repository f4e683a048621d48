import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { AwsClient } from 'aws4fetch';
import { Agent, request } from 'undici';
import type { BucketAddress } from './addresses.ts';
import type { FileStore } from './files.ts';
import { createClaim, type IndexMember, pagesOf, remainingMs, type Space, StoreError, timeKey } from './store.ts';

/** The entry of a file: which object has its bytes. It expires with the file. */
type FileEntry = {
	object: string;
	/** Of the bytes, in hexadecimal digits. */
	sha256: string;
	/** Unix milliseconds; never when undefined. */
	expires?: number;
};

type ObjectOfFile = { space: string; name: string; object: string };

/** The index of objects, by the time when each may be deleted unless its file still has it, so that no bucket ever has to be listed. */
export const OBJECTS = 'objects';

const fileKey = (space: string, name: string) => `file:${space}:${name}`;

const dueMember = (at: number, { space, name, object }: ObjectOfFile): IndexMember => ({
	index: OBJECTS,
	member: [timeKey(at), space, name, object].join(' '),
});

/** After this time the sweep looks at an object that was written, or replaced and may still be read. Much longer than any call takes. */
export const GRACE_MS = 3600_000;

const SWEEP_EVERY_MS = 600_000;

const DELETES_AT_ONCE = 8;

/** The object of the checks. */
const CHECKED = 'health';

/** A check that succeeded counts for so long, unless a call fails, because services charge for every call. */
const CHECK_EVERY_MS = 60_000;

/**
 * The files of a store in a bucket. Every put writes a new object, and an entry in the store says which object a file has. So
 * nothing depends on how a service orders two writes of one object, a file is replaced in one step, and its expiry is known without
 * asking the service. A sweep deletes the objects that no file has: one process on the store does it at a time, and it reads the
 * objects that are due, never all of them.
 */
export class BucketFiles implements FileStore {
	readonly #bucket: S3Bucket;
	readonly #index: Space;
	readonly #timer: NodeJS.Timeout;
	#checkedAt = Number.NEGATIVE_INFINITY;
	#sweeping: Promise<unknown> = Promise.resolve();
	#isStopping = false;

	/** @param index the space in which the entries of all files are */
	constructor(bucket: S3Bucket, index: Space) {
		this.#bucket = bucket;
		this.#index = index;
		const isFirst = createClaim(index);
		const run = () => {
			// A sweep that fails is made up for by the next one.
			this.#sweeping = isFirst('sweep', SWEEP_EVERY_MS / 2)
				.then((is) => (is ? this.sweep(Date.now()) : 0))
				.catch(() => {});
		};
		this.#timer = setInterval(run, SWEEP_EVERY_MS).unref();
		run();
	}

	async put(space: string, name: string, bytes: Uint8Array, expires?: number): Promise<void> {
		const file = { space, name, object: `${space}/${randomUUID()}` };
		const key = fileKey(space, name);
		const lookAt = (object: string) => ({ index: [dueMember(Date.now() + GRACE_MS, { ...file, object })] });
		const value: FileEntry = { object: file.object, sha256: await sha256(bytes), expires };
		await this.#index.commit(lookAt(file.object));
		await this.#bucket.put(file.object, bytes);
		const replaced = await this.#find(key);
		const put = [{ key, value, ttlMs: remainingMs(expires) }];
		await this.#index.commit({ put, ...(replaced && lookAt(replaced.object)) });
	}

	async get(space: string, name: string): ReturnType<FileStore['get']> {
		const { object, sha256: digest, expires } = (await this.#find(fileKey(space, name))) ?? {};
		const bytes = object && (await this.#bucket.get(object));
		if (!bytes) return undefined;
		if ((await sha256(bytes)) === digest) return { bytes, expires };
		throw new StoreError('The object store returned other bytes than were written.');
	}

	/** Deletes the object first: an entry without an object is an absent file, and expires. */
	async delete(space: string, name: string): Promise<boolean> {
		const key = fileKey(space, name);
		const entry = await this.#find(key);
		if (entry) await this.#bucket.delete(entry.object);
		if (entry) await this.#index.commit({ remove: [key] });
		return entry !== undefined;
	}

	async names(space: string): Promise<string[]> {
		const prefix = fileKey(space, '');
		return (await Array.fromAsync(this.#index.list(prefix))).map(([key]) => key.slice(prefix.length));
	}

	async check(): Promise<void> {
		if (!this.#bucket.isFailing && performance.now() < this.#checkedAt + CHECK_EVERY_MS) return;
		await this.#bucket.put(CHECKED, new Uint8Array(1));
		if ((await this.#bucket.get(CHECKED))?.length !== 1)
			throw new StoreError('The object store does not return what was written.');
		await this.#bucket.delete(CHECKED);
		this.#checkedAt = performance.now();
	}

	async close(): Promise<void> {
		clearInterval(this.#timer);
		this.#isStopping = true;
		await this.#sweeping;
		await this.#bucket.close();
	}

	/**
	 * Deletes what is due, and returns how many objects that were.
	 *
	 * @param now Unix milliseconds
	 * @throws StoreError at the first object that cannot be deleted; it remains due
	 */
	async sweep(now: number): Promise<number> {
		let deleted = 0;
		for await (const page of pagesOf(this.#index, OBJECTS, { before: timeKey(now) }))
			for (let start = 0; start < page.length && !this.#isStopping; start += DELETES_AT_ONCE)
				deleted += await this.#deleteUnused(page.slice(start, start + DELETES_AT_ONCE));
		return deleted;
	}

	/** Deletes those of the due objects that no file has. Those of files are due when the files expire. */
	async #deleteUnused(members: string[]): Promise<number> {
		const due = members.map((member): ObjectOfFile => {
			const [, space = '', name = '', object = ''] = member.split(' ');
			return { space, name, object };
		});
		const entries = await this.#index.keyv.getMany<FileEntry>(due.map(({ space, name }) => fileKey(space, name)));
		const unused = due.filter(({ object }, at) => entries[at]?.object !== object);
		await Promise.all(unused.map(({ object }) => this.#bucket.delete(object)));
		const later = due.flatMap((file, at) => {
			const { expires } = entries[at] ?? {};
			return unused.includes(file) || expires === undefined ? [] : [dueMember(expires, file)];
		});
		// An expiry of this very moment is the same member.
		const done = members.filter((member) => !later.some((other) => other.member === member));
		await this.#index.commit({ index: later, unindex: done.map((member) => ({ index: OBJECTS, member })) });
		return unused.length;
	}

	#find(key: string): Promise<FileEntry | undefined> {
		return this.#index.keyv.get<FileEntry>(key);
	}
}

/** How long a call may take, with all its attempts. A picture has several megabytes. */
const TIMEOUT_MS = 10_000;
const CONNECT_TIMEOUT_MS = 3000;

/** Services ask for that after 500 and 503. https://docs.aws.amazon.com/AmazonS3/latest/userguide/optimizing-performance-guidelines.html */
const PAUSES_MS = [50, 200];

const MAX_BYTES = 64 * 1024 * 1024;

const CONNECTIONS = 32;

type BucketOptions = BucketAddress & { accessKey: string; secretKey: string };

/** @param index the space in which the entries of all files are */
export const openBucket = (options: BucketOptions, index: Space) => new BucketFiles(new S3Bucket(options), index);

/**
 * Objects in a bucket of a service that is compatible with Amazon S3. It uses three operations only, which all such services have:
 * PutObject, GetObject and DeleteObject, addressed by path and signed with version 4. All three may be repeated, so a call is
 * attempted again after a fault that is temporary. Every call ends within `TIMEOUT_MS` and rejects with `StoreError`.
 *
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_Operations_Amazon_Simple_Storage_Service.html
 */
export class S3Bucket {
	readonly #options: BucketOptions;
	readonly #timeoutMs: number;
	readonly #aws: AwsClient;
	readonly #agent: Agent;
	#isFailing = false;

	constructor(options: BucketOptions, timeoutMs = TIMEOUT_MS) {
		this.#options = options;
		this.#timeoutMs = timeoutMs;
		const { accessKey, secretKey, region } = options;
		this.#aws = new AwsClient({ accessKeyId: accessKey, secretAccessKey: secretKey, service: 's3', region });
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
		return this.#send('GET', key);
	}

	/** Deletes an object. One that does not exist is no error. */
	async delete(key: string): Promise<void> {
		await this.#send('DELETE', key);
	}

	close(): Promise<void> {
		return this.#agent.close();
	}

	/** Attempts a call until it succeeds, fails for good, or its time is over. Returns undefined when the object does not exist. */
	async #send(method: 'PUT' | 'GET' | 'DELETE', key: string, body?: Uint8Array): Promise<Uint8Array | undefined> {
		const signal = AbortSignal.timeout(this.#timeoutMs);
		const digest = await sha256(body ?? new Uint8Array());
		for (let attempt = 0; ; attempt++) {
			try {
				return await this.#attempt({ method, body, signal, dispatcher: this.#agent }, key, digest);
			} catch (error) {
				const { kind } = error as BucketError;
				if (kind === 'missing' && method !== 'PUT') return undefined;
				const wait = kind === 'temporary' ? PAUSES_MS[attempt] : undefined;
				if (wait !== undefined) await pause(wait, undefined, { signal }).catch(() => {});
				if (wait !== undefined && !signal.aborted) continue;
				this.#isFailing = true;
				throw error;
			}
		}
	}

	async #attempt(
		options: NonNullable<Parameters<typeof request>[1]>,
		key: string,
		digest: string,
	): Promise<Uint8Array> {
		const { endpoint, bucket, prefix } = this.#options;
		const { method = '' } = options;
		// The service compares the digest with the bytes that arrive.
		const signed = await this.#aws.sign(`${endpoint}/${bucket}/${prefix}${key}`, {
			method,
			headers: { 'x-amz-content-sha256': digest },
		});
		let status: number | undefined;
		try {
			const answer = await request(signed.url, { ...options, headers: Object.fromEntries(signed.headers) });
			status = answer.statusCode;
			const bytes = await answer.body.bytes();
			if (status === 200 || status === 204) return bytes;
			throw answerError(status, bytes);
		} catch (error) {
			if (error instanceof BucketError) throw error;
			throw new BucketError(connectionMessage(error, status !== undefined), 'temporary');
		}
	}
}

/** Returns the SHA-256 digest in hexadecimal digits. Computed beside the event loop, because a picture takes milliseconds. */
async function sha256(bytes: Uint8Array): Promise<string> {
	return Buffer.from(await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>)).toString('hex');
}

/** `temporary`: the same call may succeed later. `missing`: the bucket is there, and has no object with the key. */
type FailureKind = 'temporary' | 'missing' | 'final';

class BucketError extends StoreError {
	readonly kind: FailureKind;

	constructor(message: string, kind: FailureKind) {
		super(message);
		this.kind = kind;
	}
}

const WRONG_KEYS = 'The object store rejects the access key and the secret key.';
const WRONG_REGION = "The object store has the bucket in another region. Add region=… to the files' address.";
const NOT_ALLOWED = 'The object store does not allow this access key to read, write and delete objects in the bucket.';
const FULL = 'The object store is full.';

/**
 * Sentences by the code in an answer's body.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html#ErrorCodeList
 * https://docs.min.io/enterprise/aistor-object-store/reference/error-codes/
 */
const MESSAGES: Record<string, string> = {
	InvalidAccessKeyId: WRONG_KEYS,
	SignatureDoesNotMatch: WRONG_KEYS,
	AccessDenied: NOT_ALLOWED,
	RequestTimeTooSkewed: "This machine's clock differs too much from the object store's.",
	NoSuchBucket: 'The object store has no such bucket.',
	AuthorizationHeaderMalformed: WRONG_REGION,
	PermanentRedirect: WRONG_REGION,
	TemporaryRedirect: WRONG_REGION,
	QuotaExceeded: FULL,
	XMinioAdminBucketQuotaExceeded: FULL,
	XMinioStorageFull: FULL,
	InsufficientStorage: FULL,
	XAmzContentSHA256Mismatch: 'The object store received other bytes than were sent.',
};

/** `429` and 5xx say that the same call may succeed later. 501 and 507 (full) do not. */
const isTemporary = (status: number): boolean => status === 429 || (status >= 500 && status !== 501 && status !== 507);

/** Translates an answer. Its own message is not repeated: services quote the access key in it, and the signature. */
function answerError(status: number, body: Uint8Array): BucketError {
	const [, code = ''] = /<Code>([A-Za-z0-9.]{1,64})<\/Code>/.exec(Buffer.from(body).toString('utf8')) ?? [];
	const kind = isTemporary(status) ? 'temporary' : status === 404 && code === 'NoSuchKey' ? 'missing' : 'final';
	return new BucketError(MESSAGES[code] ?? messageOf(status, code), kind);
}

function messageOf(status: number, code: string): string {
	if (status === 507) return FULL;
	if (isTemporary(status)) return `The object store fails at present (${code || status}).`;
	if (status === 403) return NOT_ALLOWED;
	if (code === '') return `The files' address does not lead to an object store (${status}).`;
	return `The object store returned an error (${code}).`;
}

/** Translates an error of the connection. Its message is not repeated, because it may contain the address. */
function connectionMessage(error: unknown, hasAnswered: boolean): string {
	const { code, name } = error as Partial<NodeJS.ErrnoException>;
	if (name === 'TimeoutError' || /^UND_ERR_\w+_TIMEOUT$/.test(code ?? ''))
		return 'The object store does not answer in time.';
	if (code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE') return "The object store's answer is too long.";
	if (hasAnswered) return "The object store's answer was cut off.";
	return `The object store cannot be reached (${code ?? name}).`;
}
