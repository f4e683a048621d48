import { readErrorAnswer } from './answers.ts';
import { type Asked, OPTIONAL_FIELDS, type OptionalField, reasonOf, ServiceError } from './errors.ts';
import type { Call, HttpAnswer, Transport } from './exchange.ts';
import type { ServiceProfile } from './profiles.ts';
import type { RequestBody } from './requests.ts';

const COMMON_HEADERS = { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'easel' };

/** A path that names its version, such as `/v1` or `/api/paas/v4`. */
const VERSIONED = /\/v\d{1,3}[a-z\d]{0,10}$/i;

type AddressOptions = {
	apiKey?: string;
	keyHeader?: ServiceProfile['keyHeader'];
	/** What the service's paths begin with, such as `/v1`. An address that ends in a version, or in this, is used as it is. */
	prefix?: string;
	/** Further headers, with lower-case names. */
	headers?: Readonly<Record<string, string>>;
	/** The variables that the address and its key are from. */
	variables?: Asked['variables'];
};

/** An address of a service, with the key that goes there and nowhere else. */
export class ServiceAddress {
	/** Scheme, host and port. */
	readonly origin: string;
	readonly apiKey: string | undefined;
	readonly variables: Asked['variables'];
	/** The path of the address, without a slash at its end. */
	readonly #path: string;
	/** What paths of operations begin with. */
	readonly #prefix: string;
	readonly #headers: Readonly<Record<string, string>>;

	/** @throws TypeError when the text is not such an address, or the key has characters that a header cannot carry */
	constructor(
		text: string,
		{ apiKey, keyHeader = 'authorization', prefix = '', headers, variables }: AddressOptions = {},
	) {
		const url = URL.parse(text);
		if (!url || !/^https?:$/.test(url.protocol))
			throw new TypeError('The service address is no http or https address.');
		if (url.username || url.password || url.search || url.hash)
			throw new TypeError('The service address has more than scheme, host, port and path.');
		if (apiKey !== undefined && !/^[\x21-\x7e]+$/.test(apiKey))
			throw new TypeError('The API key has characters that no key has.');
		this.origin = url.origin;
		this.apiKey = apiKey;
		this.variables = variables;
		this.#path = url.pathname.replace(/(?<!\/)\/+$/, '');
		const isWhole = VERSIONED.test(this.#path) || this.#path.endsWith(prefix);
		this.#prefix = isWhole ? this.#path : this.#path + prefix;
		const key = keyHeader === 'authorization' ? `Bearer ${apiKey}` : apiKey;
		this.#headers = { ...COMMON_HEADERS, ...headers, ...(apiKey && key && { [keyHeader]: key }) };
	}

	/** Resolves an address relative to this one; null when it is invalid. */
	resolve(address: string): URL | null {
		return URL.parse(address, `${this.origin}${this.#path}/`);
	}

	/** Returns a GET of any address, with the key only for this service's origin. */
	fetch({ origin, pathname, search }: URL): Call {
		const headers = origin === this.origin ? this.#headers : COMMON_HEADERS;
		return { method: 'GET', origin, path: pathname + search, headers };
	}

	/** Returns a call of an operation, such as `/models`, with this body, or a GET without one. */
	call(path: string, body?: RequestBody): Call {
		const target = { origin: this.origin, path: this.#prefix + path };
		if (!body) return { method: 'GET', ...target, headers: this.#headers };
		const headers = { ...this.#headers, 'content-type': body.type, 'content-length': String(body.length) };
		return { method: 'POST', ...target, headers, body: body.pieces };
	}
}

type OptionalFields = Partial<Record<OptionalField, unknown>>;

/** A request, in the variants that optional fields make of it. */
export type Asking = {
	/** The words of a person in it. */
	prompt?: string;
	/** Undefined ones are none. */
	optional?: OptionalFields;
	/** The model that takes tools and a bound of tokens, or does not. */
	model?: string;
	/** Returns the request with those of the optional fields that the service has not refused; without a body, it is a GET. */
	request(asked: OptionalFields): { path: string; body?: RequestBody };
};

/** A service at its address, which is asked once. */
export class Endpoint {
	readonly address: ServiceAddress;
	readonly profile: ServiceProfile;
	readonly #transport: Transport;
	readonly #timeoutMs: number;
	/** Whether the service takes a field, once it has shown it; of tools and bounds, whether a model does. */
	readonly #takes = new Map<string, boolean>();

	/** @param timeoutMs longest wait for a call without a deadline of its own */
	constructor(address: ServiceAddress, profile: ServiceProfile, transport: Transport, timeoutMs: number) {
		this.address = address;
		this.profile = profile;
		this.#transport = transport;
		this.#timeoutMs = timeoutMs;
	}

	/** Asks once and reads the answer. */
	async ask<T>(
		asking: Asking,
		signal: AbortSignal,
		read: (answer: HttpAnswer) => Promise<T>,
		deadline?: number,
	): Promise<T> {
		const answer = await this.open(asking, signal, deadline);
		try {
			return await read(answer);
		} catch (error) {
			throw this.reasonOf(error, answer, asking);
		} finally {
			answer.close();
		}
	}

	/**
	 * Sends a request, and once more without the optional fields that the service refuses: a request that is refused by a complete error
	 * answer was not carried out. Whether it takes a field is remembered.
	 * @throws ServiceError when the answer is an error
	 */
	async open(asking: Asking, signal: AbortSignal, deadline = performance.now() + this.#timeoutMs): Promise<HttpAnswer> {
		const { optional = {}, request, model = '' } = asking;
		const keyOf = (field: OptionalField) => (/^(tools|max_)/.test(field) ? `${field} ${model}` : field);
		const isAsked = (field: OptionalField) => optional[field] !== undefined && this.#takes.get(keyOf(field)) !== false;
		const asked = OPTIONAL_FIELDS.filter(isAsked);
		const send = async (fields: readonly OptionalField[]) => {
			const { path, body } = request(Object.fromEntries(fields.map((field) => [field, optional[field]])));
			const answer = await this.#transport.send(this.address.call(path, body), signal, deadline);
			if (answer.status < 200 || answer.status > 299) throw await readErrorAnswer(answer, this.#askedBy(asking));
			for (const field of asked)
				if (!this.#takes.has(keyOf(field))) this.#takes.set(keyOf(field), fields.includes(field));
			return answer;
		};
		return send(asked).catch((error: unknown) => {
			const isRefused = (field: OptionalField) =>
				error instanceof ServiceError && mayRefuse(error, field, this.#takes.has(keyOf(field)));
			if (!asked.some(isRefused)) throw error;
			return send(asked.filter((field) => !isRefused(field)));
		});
	}

	/** Returns what a reader of an answer has thrown; see `reasonOf`. */
	reasonOf(error: unknown, answer: HttpAnswer, asking: Asking): unknown {
		return reasonOf(error, answer, this.#askedBy(asking));
	}

	#askedBy({ prompt }: Asking): Asked {
		const { apiKey, variables } = this.address;
		return { apiKey, variables, prompt };
	}
}

/** Not every service names the field that it refuses. One model of a gateway may take a field that another refuses. */
function mayRefuse({ kind, status = 0, about }: ServiceError, field: OptionalField, wasTaken: boolean): boolean {
	if (about === field) return status >= 400 && status <= (field === 'tools' ? 500 : 499);
	// Without the bound, or with the other one, much may be different.
	const isBound = field === 'max_tokens' || field === 'max_completion_tokens';
	return !isBound && !wasTaken && kind === 'request' && about === undefined && (status === 400 || status === 422);
}
