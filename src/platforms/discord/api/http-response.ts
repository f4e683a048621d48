import { STATUS_CODES } from 'node:http';
import type { Dispatcher } from 'undici';

/** A complete response, with the part of the interface of `Response` that the library and Easel read. */
export class HttpResponse {
	readonly status: number;
	readonly #headers: Dispatcher.ResponseData['headers'];
	readonly #bytes: Uint8Array;

	constructor(status: number, headers: Dispatcher.ResponseData['headers'], bytes: Uint8Array) {
		this.status = status;
		this.#headers = headers;
		this.#bytes = bytes;
	}

	get ok(): boolean {
		return this.status >= 200 && this.status < 300;
	}

	get statusText(): string {
		return STATUS_CODES[this.status] ?? '';
	}

	get headers(): Pick<Headers, 'get' | 'has'> {
		const get = (name: string) => this.#headers[name.toLowerCase()]?.toString() ?? null;
		return { get, has: (name) => get(name) !== null };
	}

	async arrayBuffer(): Promise<ArrayBufferLike> {
		return new Uint8Array(this.#bytes).buffer;
	}

	async text(): Promise<string> {
		return new TextDecoder().decode(this.#bytes);
	}

	async json(): Promise<unknown> {
		return JSON.parse(await this.text());
	}
}
