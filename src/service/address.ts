import type { Call } from './http/transport.ts';
import type { ServiceProfile } from './profiles/profile.ts';
import type { RequestBody } from './request-body.ts';

const COMMON_HEADERS = { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'easel' };

/** An address of the service, with the key that goes there and nowhere else. */
export class ServiceAddress {
	/** Scheme, host and port. */
	readonly origin: string;
	/** Path before `/v1/…`, without a slash at its end. */
	readonly #prefix: string;
	readonly #apiKey: string | undefined;
	readonly #keyHeader: ServiceProfile['keyHeader'];

	/** @throws TypeError when the text is not such an address, or the key has characters that a header cannot carry */
	constructor(text: string, apiKey: string | undefined, keyHeader: ServiceProfile['keyHeader'] = 'authorization') {
		const url = URL.parse(text);
		if (!url || !/^https?:$/.test(url.protocol))
			throw new TypeError('The service address is no http or https address.');
		if (url.username || url.password || url.search || url.hash)
			throw new TypeError('The service address has more than scheme, host, port and path.');
		if (apiKey !== undefined && !/^[\x21-\x7e]+$/.test(apiKey))
			throw new TypeError('The API key has characters that no key has.');
		this.origin = url.origin;
		this.#prefix = url.pathname.replace(/(?<!\/)\/+$/, '');
		this.#apiKey = apiKey;
		this.#keyHeader = keyHeader;
	}

	/** Resolves an address relative to this one; null when it is invalid. */
	resolve(address: string): URL | null {
		return URL.parse(address, `${this.origin}${this.#prefix}/`);
	}

	/** Returns a GET of any address, with the key only for this service's origin. */
	fetch({ origin, pathname, search }: URL): Call {
		const headers = origin === this.origin ? this.#headers() : COMMON_HEADERS;
		return { method: 'GET', origin, path: pathname + search, headers };
	}

	/** Returns a call with this body, or a GET without one. */
	call(path: string, body?: RequestBody): Call {
		const headers = this.#headers();
		const target = { origin: this.origin, path: this.#prefix + path, headers };
		if (!body) return { method: 'GET', ...target };
		headers['content-type'] = body.type;
		headers['content-length'] = String(body.length);
		return { method: 'POST', ...target, body: body.pieces };
	}

	#headers(): Record<string, string> {
		const headers: Record<string, string> = { ...COMMON_HEADERS };
		if (this.#apiKey !== undefined)
			headers[this.#keyHeader] = this.#keyHeader === 'authorization' ? `Bearer ${this.#apiKey}` : this.#apiKey;
		return headers;
	}
}
