import { rememberedFor } from '../domain/queues.ts';
import { readErrorAnswer, readJson } from './answers.ts';
import { headerOf } from './contents.ts';
import {
	type Asked,
	InvalidResponseError,
	OPTIONAL_FIELDS,
	type OptionalField,
	reasonOf,
	ServiceError,
} from './errors.ts';
import type { AnswerMemory, HttpAnswer, Transport } from './exchange.ts';
import { type ListedModel, nextPage, readModels } from './models.ts';
import { IMAGE_LIMITS, readOutputImage } from './picture-answer.ts';
import { PROFILES, profileOfAddress, type ServiceProfile } from './profiles.ts';
import type { RequestBody } from './requests.ts';
import type { OutputImage } from './service.ts';

const COMMON_HEADERS = { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'easel' };

/** A path that names its version, such as `/v1` or `/api/paas/v4`. */
const VERSIONED = /\/v\d{1,3}[a-z\d.]{0,10}$/i;
/**
 * An operation at the end of a path, as documentation shows it, and the deployment before it in Azure's. One word alone may be a part of a
 * gateway's path.
 */
const OPERATION =
	/(\/openai\/deployments\/[^/]+)?\/(?:images\/(?:generations|edits|variations|compose)|chat\/completions|(?<=\/(?:v\d[\w.]{0,9}(?:\/openai)?|deployments\/[^/]{1,99})\/)(?:completions|embeddings|responses|messages|images|models(?:\/[^/]*)?))$/i;

/** Longest wait for a picture at an address, how many of an answer are fetched at the same time, and how often one may be elsewhere. */
const FETCH_MS = 60_000;
const FETCHES_AT_ONCE = 2;
const MAX_REDIRECTS = 2;

/** The most pages of a list of models, the longest wait for one that an answer depends on, and how long one is used, and an empty one. */
const MAX_PAGES = 10;
const LIST_MS = 5000;
const LISTED_MS = 3600_000;
const UNLISTED_MS = 60_000;

type EndpointOptions = Pick<ServiceAddresses, 'apiKey' | 'headers' | 'pictureOrigins'> & {
	/**
	 * The service's paths begin with its prefix, such as `/v1`. An address that ends in a version, or in this, is used as it is, as is what is
	 * before an operation.
	 */
	profile: ServiceProfile;
	transport: Transport;
	/** Longest wait for a call. */
	timeoutMs: number;
	/** The variables that the address and its key are from. */
	variables?: Asked['variables'];
};

/** A request, in the variants that optional fields make of it. */
export type Asking = {
	/** Such as `/models`. */
	operation: string;
	model?: string;
	/** The words of a person in it. */
	prompt?: string;
	/** Undefined ones are none. */
	optional?: Partial<Record<OptionalField, unknown>>;
	/** Returns the body with those of the optional fields that the service has not refused. Absent for a GET. */
	body?(asked: NonNullable<Asking['optional']>): RequestBody;
};

/** A service at its address, with the key that goes there and nowhere else. */
export class Endpoint {
	readonly profile: ServiceProfile;
	readonly #options: EndpointOptions;
	/** Scheme, host and port; the path of the address, without a slash at its end, and what paths of operations begin with. */
	readonly #origin: string;
	readonly #path: string;
	readonly #prefix: string;
	readonly #headers: Readonly<Record<string, string>>;
	/** Whether the service takes a field, once it has shown it; of tools, bounds, backgrounds and streams, whether a model does. */
	readonly #takes = new Map<string, boolean>();
	readonly #listed = rememberedFor(
		({ length }) => (length > 0 ? LISTED_MS : UNLISTED_MS),
		() => this.models(AbortSignal.timeout(LIST_MS)).catch(() => []),
	);

	/** @throws TypeError when the address is no such address, or the key has characters that a header cannot carry */
	constructor(address: string, options: EndpointOptions) {
		const { profile, apiKey, headers } = options;
		const url = URL.parse(address);
		if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash)
			throw new TypeError('The service address has to be http or https, with a host, a port and a path alone.');
		if (apiKey !== undefined && !/^[\x21-\x7e]+$/.test(apiKey))
			throw new TypeError('The API key has characters that no key has.');
		this.#origin = url.origin;
		this.profile = profile;
		this.#options = options;
		const given = url.pathname.replace(/(?<!\/)\/+$/, '');
		const [operation = '', deployment] = OPERATION.exec(given) ?? [];
		this.#path = given.slice(0, given.length - operation.length);
		const isBefore = operation !== '' && deployment === undefined;
		const isWhole = isBefore || VERSIONED.test(this.#path) || this.#path.endsWith(profile.prefix);
		this.#prefix = isWhole ? this.#path : this.#path + profile.prefix;
		const key = profile.keyHeader === 'authorization' ? `Bearer ${apiKey}` : apiKey;
		// A server behind a password has another authorization than the key.
		this.#headers = { ...COMMON_HEADERS, ...(apiKey && key && { [profile.keyHeader]: key }), ...headers };
	}

	/**
	 * Gets an address at this service's origin, or, without the key, at one from which pictures may be fetched.
	 * @param limited is aborted when the time of the call is over, too
	 * @throws InvalidResponseError when it is another one
	 */
	async #fetch(url: URL | null, limited: AbortSignal): Promise<HttpAnswer> {
		if (!url || url.username || url.password) throw new InvalidResponseError('its address is not valid');
		const { origin } = url;
		const isOwn = origin === this.#origin;
		// An origin without a star begins and ends with itself.
		const isAllowed = ([start = '', end = start]: string[]) => origin.startsWith(start) && origin.endsWith(end);
		if (!isOwn && !this.#options.pictureOrigins?.some((one) => isAllowed(one.split('*'))))
			throw new InvalidResponseError('its address has an origin that is not in SERVICE_PICTURE_ORIGINS');
		const headers = isOwn ? this.#headers : COMMON_HEADERS;
		return this.#options.transport.send({ origin, path: url.pathname + url.search, headers }, limited);
	}

	/** Gets what is beside the versions of the service. */
	root(path: string, limited: AbortSignal): Promise<HttpAnswer> {
		return this.#fetch(new URL(this.#origin + this.#path.replace(/\/v1$/, '') + path), limited);
	}

	/** Sends a request once, and returns its answer, which may be an error. */
	send(path: string, body: RequestBody | undefined, limited: AbortSignal): Promise<HttpAnswer> {
		const sent = body && { 'content-type': body.type, 'content-length': String(body.length) };
		const call = { origin: this.#origin, path: this.#prefix + path, headers: { ...this.#headers, ...sent } };
		return this.#options.transport.send({ ...call, body: body?.pieces }, limited);
	}

	/** Returns a signal that is aborted when the time of a call is over, too. Each is kept until then, so a call has one. */
	limited(signal: AbortSignal): AbortSignal {
		return AbortSignal.any([signal, AbortSignal.timeout(this.#options.timeoutMs)]);
	}

	/**
	 * Asks once and reads the answer.
	 * @param limited is aborted when the time of the call is over, too
	 */
	async ask<T>(asking: Asking, limited: AbortSignal, read: (answer: HttpAnswer) => Promise<T>): Promise<T> {
		const answer = await this.open(asking, limited);
		try {
			return await read(answer);
		} catch (error) {
			throw this.reasonOf(error, answer, asking.prompt);
		} finally {
			answer.close();
		}
	}

	/**
	 * Fetches pictures that the service answered with addresses for, where it may; redirects, too. Never rejects.
	 * @param addresses absolute, or relative to the service's base address
	 */
	async fetchPictures(addresses: readonly string[], signal: AbortSignal, memory: AnswerMemory) {
		const found: (OutputImage | string)[] = [];
		let reason: unknown;
		for (let at = 0; at < addresses.length; at += FETCHES_AT_ONCE) {
			const limited = AbortSignal.any([signal, AbortSignal.timeout(FETCH_MS)]);
			const fetching = addresses.slice(at, at + FETCHES_AT_ONCE).map((address) =>
				this.#fetchPicture(address, limited, memory).catch((error: unknown) => {
					reason ??= error;
					return address;
				}),
			);
			found.push(...(await Promise.all(fetching)));
		}
		if (reason instanceof InvalidResponseError)
			reason = new ServiceError('invalid', `A picture of the image service can't be fetched: ${reason.message}.`);
		const images = found.filter((one) => typeof one === 'object');
		return { images, unfetched: found.filter((one) => typeof one === 'string'), reason };
	}

	async #fetchPicture(address: string, limited: AbortSignal, memory: AnswerMemory): Promise<OutputImage> {
		let url = URL.parse(address, `${this.#origin}${this.#path}/`);
		for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
			const answer = await this.#fetch(url, limited);
			try {
				const location = headerOf(answer, 'location');
				if (answer.status >= 300 && answer.status <= 399 && location !== undefined) {
					url = URL.parse(location, url?.href);
					continue;
				}
				if (answer.status !== 200) throw new InvalidResponseError(`its address answers with status ${answer.status}`);
				return await memory.read(answer, IMAGE_LIMITS.pictureBytes, (bytes, fault) => {
					if (fault) throw fault;
					return readOutputImage(bytes);
				});
			} finally {
				answer.close();
			}
		}
		throw new InvalidResponseError('it was redirected too often');
	}

	/** Returns what the service's list says of a model. Never rejects. */
	async listed(model: string): Promise<ListedModel | undefined> {
		return (await this.#listed()).findLast(({ id }) => id === model);
	}

	/** Reads all lists of models; further ones may fail. */
	async models(signal: AbortSignal): Promise<ListedModel[]> {
		const lists = this.profile.listsAt.map((operation, index) => {
			const list = this.#list(operation, signal);
			return index === 0 ? list : list.catch(() => []);
		});
		return (await Promise.all(lists)).flat();
	}

	async #list(operation: string, signal: AbortSignal, page = '', pages = MAX_PAGES): Promise<ListedModel[]> {
		const asking = { operation: operation + page };
		const read = (answer: unknown) => ({ models: readModels(answer), next: nextPage(answer) });
		const { models, next } = await this.askJson(asking, signal, read);
		if (next === undefined || pages === 1) return models;
		return [...models, ...(await this.#list(operation, signal, `?${next}`, pages - 1).catch(() => []))];
	}

	/** Asks once and reads a small answer. */
	askJson<T>(asking: Asking, signal: AbortSignal, read: (answer: unknown) => T): Promise<T> {
		return this.ask(asking, this.limited(signal), async (answer) => read(await readJson(answer)));
	}

	/**
	 * Sends a request, and once more without the optional fields that the service refuses: a request that is refused by a complete error
	 * answer was not carried out. Whether it takes a field is remembered.
	 * @throws ServiceError when the answer is an error
	 */
	async open({ operation, model, prompt, optional = {}, body }: Asking, limited: AbortSignal): Promise<HttpAnswer> {
		const keyOf = (field: OptionalField) =>
			/^(tools|system|max_|background|stream$)/.test(field) ? `${field} ${model}` : field;
		const isAsked = (field: OptionalField) => optional[field] !== undefined && this.#takes.get(keyOf(field)) !== false;
		const asked = OPTIONAL_FIELDS.filter(isAsked);
		const send = async (fields: readonly OptionalField[]) => {
			const given = body?.(Object.fromEntries(fields.map((field) => [field, optional[field]])));
			const answer = await this.send(this.profile.pathOf(operation, model), given, limited);
			if (answer.status < 200 || answer.status > 299) throw await readErrorAnswer(answer, { ...this.#options, prompt });
			for (const field of asked)
				if (!this.#takes.has(keyOf(field))) this.#takes.set(keyOf(field), fields.includes(field));
			return answer;
		};
		return send(asked).catch((error: unknown) => {
			const isRefused = (field: OptionalField) => {
				// Without a bound, or with the other one, much may be different, and a chat is read as it comes.
				const isNeeded = /^(max_|system)/.test(field) || (field === 'stream' && operation === '/chat/completions');
				const mustBeNamed = this.#takes.has(keyOf(field)) || isNeeded;
				return error instanceof ServiceError && mayRefuse(error, field, mustBeNamed);
			};
			if (!asked.some(isRefused)) throw error;
			return send(asked.filter((field) => !isRefused(field)));
		});
	}

	/** Returns what a reader of an answer has thrown; see `reasonOf`. */
	reasonOf(error: unknown, answer: HttpAnswer, prompt?: string): unknown {
		return reasonOf(error, answer, { ...this.#options, prompt });
	}
}

/** Not every service names the field that it refuses. One model of a gateway may take a field that another refuses. */
function mayRefuse({ kind, status = 0, about }: ServiceError, field: OptionalField, mustBeNamed: boolean): boolean {
	if (about === field) return status >= 400 && status <= 501;
	return !mustBeNamed && kind === 'request' && about === undefined && (status === 400 || status === 422);
}

/** Where a service is, and others beside it. */
export type ServiceAddresses = {
	/** `http:` or `https:`; `/v1/…` is added to its path, unless that ends in a version, or in an operation. */
	baseUrl: string;
	/** Address for generation, as `/api/v1/…`, when nothing could be sent to the first one. */
	altBaseUrl?: string;
	/** Sent as bearer token to these two addresses alone, as are the headers. */
	apiKey?: string;
	headers?: Readonly<Record<string, string>>;
	/** Other services for chat and for embeddings, or other keys for them. */
	chat?: OtherService;
	embedding?: OtherService;
	/** Longest wait for one call, both addresses and the whole answer included. Default: the profile's. */
	timeoutMs?: number;
	/**
	 * Origins (scheme, host and port) besides the service's own that pictures may be fetched from; `*.` at the beginning of a host stands for
	 * every name below it.
	 */
	pictureOrigins?: readonly string[];
};

/** A service beside the one for pictures. Without an address it is the same, with another key. */
type OtherService = { baseUrl?: string; apiKey?: string };

/** Returns where pictures, their lists of models, chats and embeddings are asked for, and pictures in the second place. */
export function endpointsOf(options: ServiceAddresses, profile: ServiceProfile, transport: Transport) {
	const { baseUrl, altBaseUrl, apiKey, headers, chat, embedding, pictureOrigins } = options;
	const { timeoutMs = profile.timeoutMs } = options;
	const own = { apiKey, headers };
	const at = (address: string, one: Partial<EndpointOptions>, from = 'SERVICE', keyFrom = 'SERVICE') => {
		const variables = { address: `${from}_BASE_URL`, key: `${keyFrom}_API_KEY` };
		return new Endpoint(address, { profile, ...one, transport, timeoutMs, pictureOrigins, variables });
	};
	/** Without an address it is the same service, or its other API. */
	const beside = (name: 'CHAT' | 'EMBEDDING', { baseUrl: elsewhere, apiKey: otherKey }: OtherService = {}) => {
		const found = elsewhere ? PROFILES[profileOfAddress(elsewhere) ?? 'openai'] : profile;
		const credentials = elsewhere ? { apiKey: otherKey } : { headers, apiKey: otherKey ?? apiKey };
		const one = { ...credentials, profile: found.chatsAs ? PROFILES[found.chatsAs] : found };
		return at(rootOf(found, elsewhere ?? baseUrl), one, elsewhere && name, otherKey && name);
	};
	const second = { ...profile, prefix: `/api${profile.prefix}` };
	return {
		pictures: at(rootOf(profile, baseUrl), own),
		second: altBaseUrl ? at(altBaseUrl, { ...own, profile: second }, 'SERVICE_ALT') : undefined,
		lists: beside('CHAT'),
		chat: beside('CHAT', chat),
		embedding: beside('EMBEDDING', embedding),
	};
}

/** Returns the address without the version, where a service has two APIs beside each other. */
const rootOf = ({ chatsAs }: ServiceProfile, baseUrl: string): string =>
	(chatsAs && baseUrl.split(/\/v1beta(?![^/])/, 1)[0]) ?? baseUrl;
