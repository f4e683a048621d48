import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FilesOptions } from '../../../src/store/addresses.ts';
import { type Credentials, signatureFault } from './signature.ts';

/** The service's status of each error. https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html#ErrorCodeList */
const STATUS: Record<string, number> = {
	AccessDenied: 403,
	AuthorizationHeaderMalformed: 400,
	InvalidAccessKeyId: 403,
	NoSuchBucket: 404,
	NoSuchKey: 404,
	NotImplemented: 501,
	PermanentRedirect: 301,
	QuotaExceeded: 403,
	RequestTimeTooSkewed: 403,
	SignatureDoesNotMatch: 403,
	SlowDown: 503,
	XAmzContentSHA256Mismatch: 400,
};

/**
 * A fault of one request: an error code of the service, no answer at all (`hang`), a connection that is closed before the answer
 * (`die`) or within it (`cut`), an answer that is shorter than the object (`short`), or a page of another server (`html`).
 */
export type S3Fault = keyof typeof STATUS | 'hang' | 'die' | 'cut' | 'short' | 'html';

/** One bucket of a service that is compatible with Amazon S3 and strict about signatures. */
export class FakeS3 {
	readonly credentials: Credentials = { accessKey: 'EASELKEY', secretKey: 'never+logged/secret', region: 'us-east-1' };
	readonly bucket = 'easel-pictures';
	/** The objects by their keys. */
	readonly objects = new Map<string, Buffer>();
	/** Every request, such as `PUT pictures/1`. */
	readonly requests: string[] = [];
	/** The fault of every request. */
	fault: S3Fault | undefined;
	/** How many bytes the bucket takes. */
	capacity = Number.POSITIVE_INFINITY;
	readonly #faults: S3Fault[] = [];
	readonly #server = createServer((request, response) => {
		this.#answer(request, response).catch(() => request.socket.destroy());
	});
	#port = 0;

	static async start(): Promise<FakeS3> {
		const fake = new FakeS3();
		await fake.start();
		return fake;
	}

	get endpoint(): string {
		return `http://127.0.0.1:${this.#port}`;
	}

	get options(): FilesOptions & { kind: 's3' } {
		const { endpoint, bucket, credentials } = this;
		return { kind: 's3', endpoint, bucket, prefix: '', ...credentials };
	}

	/** Sets the faults of the next requests, one each. */
	next(...faults: S3Fault[]): void {
		this.#faults.push(...faults);
	}

	/** Listens, at the same port as before. */
	async start(): Promise<void> {
		await new Promise<void>((resolve) => this.#server.listen(this.#port, '127.0.0.1', resolve));
		this.#port = (this.#server.address() as AddressInfo).port;
	}

	async stop(): Promise<void> {
		const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
		this.#server.closeAllConnections();
		await closed;
	}

	async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const body = Buffer.concat(await request.toArray());
		const { pathname, search } = new URL(request.url ?? '', this.endpoint);
		const [, bucket, key = ''] = /^\/([^/]+)\/(.+)$/.exec(pathname) ?? [];
		this.requests.push(`${request.method} ${key}`);
		const fault = this.#faults.shift() ?? this.fault;
		if (fault === 'hang') return;
		if (fault === 'die') return void request.socket.destroy();
		if (fault === 'html')
			return void response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Not found</h1>');
		if (fault === 'cut' || fault === 'short') {
			const bytes = this.objects.get(key) ?? Buffer.alloc(10);
			const length = fault === 'cut' ? bytes.length : bytes.length - 1;
			response.writeHead(200, { 'content-length': length }).write(bytes.subarray(0, bytes.length - 1), () => {
				if (fault === 'cut') request.socket.destroy();
				else response.end();
			});
			return;
		}
		const code =
			fault ??
			signatureFault(request, body, this.credentials) ??
			(bucket === this.bucket ? undefined : 'NoSuchBucket') ??
			(search ? 'NotImplemented' : this.#operate(request.method, key, body, response));
		if (code !== undefined) fail(response, code, request.headers.authorization);
	}

	/** Returns the code of an error, or answers. */
	#operate(method: string | undefined, key: string, body: Buffer, response: ServerResponse): string | undefined {
		const object = this.objects.get(key);
		if (method === 'PUT') {
			const used = [...this.objects.values()].reduce((sum, { length }) => sum + length, 0);
			if (used - (object?.length ?? 0) + body.length > this.capacity) return 'QuotaExceeded';
			this.objects.set(key, body);
			response.writeHead(200).end();
			return undefined;
		}
		if (method === 'GET') {
			if (!object) return 'NoSuchKey';
			response.writeHead(200, { 'content-type': 'binary/octet-stream', 'content-length': object.length }).end(object);
			return undefined;
		}
		if (method !== 'DELETE') return 'NotImplemented';
		// The same whether the object existed or not. https://docs.aws.amazon.com/AmazonS3/latest/API/API_DeleteObject.html
		this.objects.delete(key);
		response.writeHead(204).end();
		return undefined;
	}
}

/** Answers with an error. Services quote parts of the request in it. */
function fail(response: ServerResponse, code: string, authorization: string | undefined): void {
	const body = `<?xml version="1.0" encoding="UTF-8"?>
<Error><Code>${code}</Code><Message>Denied.</Message><StringToSign>${authorization}</StringToSign></Error>`;
	response.writeHead(STATUS[code] ?? 400, { 'content-type': 'application/xml' }).end(body);
}
