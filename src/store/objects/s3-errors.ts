import { StoreError } from '../store.ts';

/** The bucket is there, and has no object with the key. */
export class MissingObjectError extends StoreError {}

const TOO_SLOW = 'The object store does not answer in time.';

const WRONG_KEYS = 'The object store rejects the access key and the secret key.';
const WRONG_REGION = "The object store has the bucket in another region. Add region=… to the files' address.";
const FULL = 'The object store is full.';

/**
 * Sentences by the code in an answer's body.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html#ErrorCodeList
 * https://docs.min.io/enterprise/aistor-object-store/reference/error-codes/
 */
const MESSAGES: Record<string, string> = {
	InvalidAccessKeyId: WRONG_KEYS,
	SignatureDoesNotMatch: WRONG_KEYS,
	AccessDenied: 'The object store does not allow this access key to read, write and delete objects in the bucket.',
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
export const isTemporary = (status: number): boolean =>
	status === 429 || (status >= 500 && status !== 501 && status !== 507);

/** Translates an answer. Its own message is not repeated: services quote the access key in it, and the signature. */
export function answerError({ status, body }: { status: number; body: Uint8Array }): StoreError {
	const [, code] = /<Code>([A-Za-z0-9.]{1,64})<\/Code>/.exec(Buffer.from(body).toString('utf8')) ?? [];
	const message = (code !== undefined && MESSAGES[code]) || messageOf(status, code);
	return new (status === 404 && code === 'NoSuchKey' ? MissingObjectError : StoreError)(message);
}

function messageOf(status: number, code: string | undefined): string {
	if (status === 507) return FULL;
	if (isTemporary(status)) return `The object store fails at present (${code ?? status}).`;
	if (status === 403) return MESSAGES['AccessDenied'] as string;
	if (code === undefined) return `The files' address does not lead to an object store (${status}).`;
	return `The object store returned an error (${code}).`;
}

/** Translates an error of the connection. Its message is not repeated, because it may contain the address. */
export function connectionError(error: unknown, hasAnswered: boolean): StoreError {
	const { code, name } = error as Partial<NodeJS.ErrnoException>;
	if (name === 'TimeoutError' || /^UND_ERR_\w+_TIMEOUT$/.test(code ?? '')) return new StoreError(TOO_SLOW);
	if (code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE') return new StoreError("The object store's answer is too long.");
	if (hasAnswered) return new StoreError("The object store's answer was cut off.");
	return new StoreError(`The object store cannot be reached (${code ?? name}).`);
}
