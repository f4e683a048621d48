import type { TokenUsage } from '../domain/receipt.ts';
import { jsonSink, type ListedModel, readEmbeddings, readModels, readModeration, sinkFor } from './answers.ts';
import { streamChat } from './chat.ts';
import { ServiceError } from './errors.ts';
import type { Receive } from './exchange.ts';
import { isEventStream, type PictureAnswer, pictureSink, pictureStream } from './picture-answer.ts';
import { PictureFetcher } from './picture-fetcher.ts';
import { type MemoryClaim, PictureMemory } from './picture-memory.ts';
import {
	type EncodedRequest,
	nearestSize,
	type PictureOperation,
	type PictureRequest,
	type ServiceProfile,
} from './profiles/profile.ts';
import { PROFILES } from './profiles/profiles.ts';
import { chatBody, jsonBody, jsonBodyWithPictures } from './request-body.ts';
import type {
	Capabilities,
	ChatRequest,
	ComposeRequest,
	EditRequest,
	EmbeddingRequest,
	FetchedPictures,
	GenerateRequest,
	ImageResult,
	InputImage,
	ModerationRequest,
	OnPreview,
	OutputImage,
	Service,
} from './service.ts';
import { type Call, ServiceAddress, Transport } from './transport.ts';

export type ServiceOptions = {
	/** `http:` or `https:`; `/v1/…` is added to its path. */
	baseUrl: string;
	/** Address for generation, as `/api/v1/…`, when nothing could be sent to the first one. */
	altBaseUrl?: string;
	/** Sent as bearer token to these two addresses alone. */
	apiKey?: string;
	/** Longest wait for one call, both addresses and the whole answer included. Default: the profile's. */
	timeoutMs?: number;
	/** Models for requests that name none. */
	models: { image: string; chat: string; embedding: string; moderation?: string };
	/** Whether chat models take pictures. Default: `auto`, by the profile and the service's list of models. */
	chatPictures?: 'auto' | 'on' | 'off';
	/** Origins besides the service's own that pictures may be fetched from. */
	pictureOrigins?: readonly string[];
	/** How many previews of a picture are asked for, 0 to 3, where the service streams them. Default: 0. */
	previews?: number;
	/** Limits the pictures of answers that are in memory at once. */
	memory?: PictureMemory;
	/** Default: `easel`. */
	profile?: ServiceProfile;
	/** Longest wait for name resolution, connection and TLS handshake. Default: 10 seconds. */
	connectTimeoutMs?: number;
};

/** Longest wait for a picture at an address. */
const FETCH_MS = 60_000;

/** How many pictures of an answer are fetched at the same time. */
const FETCHES_AT_ONCE = 2;

/** Longest wait for the list of models, before a message with pictures is answered. */
const LIST_MS = 5000;

/** The client of an image service. */
export class ServiceClient implements Service {
	readonly capabilities: Capabilities;
	readonly #options: ServiceOptions;
	readonly #profile: ServiceProfile;
	readonly #timeoutMs: number;
	readonly #transport: Transport;
	readonly #address: ServiceAddress;
	readonly #altAddress: ServiceAddress | undefined;
	readonly #pictures: PictureFetcher;
	readonly #memory: PictureMemory;
	/** Whether the service streams pictures, once it has shown it. */
	#streams: boolean | undefined;
	readonly moderate: Service['moderate'];
	readonly #pictureModels = new PictureModels(() => this.#listModels(AbortSignal.timeout(LIST_MS)));

	/** @throws TypeError when an address or the key is invalid */
	constructor(options: ServiceOptions) {
		const { baseUrl, altBaseUrl, apiKey } = options;
		this.#options = options;
		this.#profile = options.profile ?? PROFILES.easel;
		this.#timeoutMs = options.timeoutMs ?? this.#profile.timeoutMs;
		this.capabilities = this.#profile.capabilities;
		const { moderation } = options.models;
		this.moderate = moderation === undefined ? undefined : (...request) => this.#moderate(moderation, ...request);
		const { keyHeader } = this.#profile;
		this.#address = new ServiceAddress(baseUrl, apiKey, keyHeader);
		this.#altAddress = altBaseUrl === undefined ? undefined : new ServiceAddress(altBaseUrl, apiKey, keyHeader);
		this.#transport = new Transport(options.connectTimeoutMs ?? 10_000);
		this.#memory = options.memory ?? new PictureMemory();
		this.#pictures = new PictureFetcher(this.#transport, this.#address, options.pictureOrigins ?? []);
	}

	async generate({ ...request }: GenerateRequest, signal: AbortSignal, onPreview?: OnPreview): Promise<ImageResult> {
		const deadline = performance.now() + this.#timeoutMs;
		const complete = this.#complete(request);
		try {
			return await this.#stream('generate', complete, [], signal, deadline, onPreview);
		} catch (error) {
			const isUnreachable = error instanceof ServiceError && error.kind === 'unreachable';
			if (!this.#altAddress || !isUnreachable) throw error;
			const { path, body } = this.#profile.encode('generate', complete, []);
			return this.#sendForPictures(this.#altAddress, { path: `/api${path}`, body }, complete.n, signal, deadline);
		}
	}

	async edit({ image, ...request }: EditRequest, signal: AbortSignal, onPreview?: OnPreview): Promise<ImageResult> {
		if (!this.capabilities.edit) throw notOffered('edit');
		const deadline = performance.now() + this.#timeoutMs;
		return this.#stream('edit', this.#complete(request), [image], signal, deadline, onPreview);
	}

	async compose({ images, ...request }: ComposeRequest, signal: AbortSignal, onPreview?: OnPreview) {
		if (!this.capabilities.compose) throw notOffered('compose');
		const deadline = performance.now() + this.#timeoutMs;
		return this.#stream('compose', this.#complete(request), images, signal, deadline, onPreview);
	}

	async fetchPictures(addresses: readonly string[], signal: AbortSignal): Promise<FetchedPictures> {
		const claims: MemoryClaim[] = [];
		const outcomes: PromiseSettledResult<OutputImage>[] = [];
		const fetch = async (address: string) => {
			const claim = this.#memory.claim();
			claims.push(claim);
			return this.#pictures.fetch(address, signal, performance.now() + FETCH_MS, claim).catch((error: unknown) => {
				claim.release();
				throw error;
			});
		};
		for (let at = 0; at < addresses.length; at += FETCHES_AT_ONCE)
			outcomes.push(...(await Promise.allSettled(addresses.slice(at, at + FETCHES_AT_ONCE).map(fetch))));
		return {
			images: outcomes.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])),
			unfetched: addresses.filter((_, index) => outcomes[index]?.status === 'rejected'),
			reason: outcomes.find((one) => one.status === 'rejected')?.reason,
			release: () => {
				for (const claim of claims) claim.release();
			},
		};
	}

	chat({ messages, model }: ChatRequest, signal: AbortSignal, onTokens?: (tokens: TokenUsage) => void) {
		const usage = this.#profile.streamsUsage ? { include_usage: true } : undefined;
		const fields = { model: model ?? this.#options.models.chat, stream: true, stream_options: usage };
		const path = this.#profile.pathOf('/chat/completions', fields.model);
		const start = (either: AbortSignal, receive: Receive<void>) =>
			this.#send(this.#address.call(path, chatBody(fields, messages)), either, receive);
		return streamChat(start, signal, onTokens);
	}

	get embeddingModel(): string {
		return this.#options.models.embedding;
	}

	embed({ input, model }: EmbeddingRequest, signal: AbortSignal): Promise<number[][]> {
		// Every service takes one text, and not every one takes a list.
		const texts = input.length === 1 ? input[0] : input;
		const complete = { model: model ?? this.#options.models.embedding, input: texts, encoding_format: 'float' };
		const call = this.#address.call(this.#profile.pathOf('/embeddings', complete.model), jsonBody(complete));
		const sink = jsonSink((answer) => readEmbeddings(answer, input.length));
		return this.#send(call, signal, sink);
	}

	#moderate(model: string, request: ModerationRequest, signal: AbortSignal): Promise<string[]> {
		const body =
			'text' in request
				? jsonBody({ model, input: request.text })
				: jsonBodyWithPictures(request.images, (references) => ({
						model,
						input: references.map(({ url }) => ({ type: 'image_url', image_url: { url } })),
					}));
		return this.#send(this.#address.call(this.#profile.pathOf('/moderations'), body), signal, jsonSink(readModeration));
	}

	async models(signal: AbortSignal): Promise<string[]> {
		return (await this.#listModels(signal)).map(({ id }) => id);
	}

	async takesPictures(model = this.#options.models.chat): Promise<boolean> {
		const { chatPictures = 'auto' } = this.#options;
		if (chatPictures !== 'auto') return chatPictures === 'on';
		return (await this.#pictureModels.takesPictures(model)) ?? this.#profile.isVisionModel(model);
	}

	close(): Promise<void> {
		return this.#transport.close();
	}

	#listModels(signal: AbortSignal): Promise<ListedModel[]> {
		return this.#send(this.#address.call(this.#profile.pathOf('/models')), signal, jsonSink(readModels));
	}

	/** Adds the model, and replaces the size by the nearest that the service takes. */
	#complete({
		model = this.#options.models.image,
		size,
		...request
	}: Omit<PictureRequest, 'model'> & { model?: string }) {
		return {
			...request,
			model,
			size: size === undefined ? undefined : nearestSize(this.#profile.sizesOf(model), size),
		};
	}

	/**
	 * Asks for a stream with previews where the service may have one, and else for the pictures alone. A service that refuses to stream has
	 * done no work, and is asked again without it.
	 */
	async #stream(
		operation: PictureOperation,
		request: PictureRequest,
		images: readonly InputImage[],
		signal: AbortSignal,
		deadline: number,
		onPreview: OnPreview | undefined,
	): Promise<ImageResult> {
		const { previews = 0 } = this.#options;
		const { model, n = 1 } = request;
		const send = (asked: PictureRequest, shown?: OnPreview) =>
			this.#sendForPictures(this.#address, this.#profile.encode(operation, asked, images), n, signal, deadline, shown);
		const mayStream = previews > 0 && n === 1 && this.#streams !== false && this.#profile.streamsPictures(model);
		if (!onPreview || !mayStream) return send(request);
		try {
			return await send({ ...request, previews }, onPreview);
		} catch (error) {
			if (this.#streams || !mayRefuseStreams(error)) throw error;
			const result = await send(request);
			this.#streams = false;
			return result;
		}
	}

	async #sendForPictures(
		address: ServiceAddress,
		{ path, body }: EncodedRequest,
		pictures: number | undefined,
		signal: AbortSignal,
		deadline: number,
		onPreview?: OnPreview,
	): Promise<ImageResult> {
		const memory = this.#memory.claim();
		const whole = pictureSink(this.#profile.givesAddresses, memory, pictures);
		const sink = onPreview ? this.#streamSink(whole, onPreview) : whole;
		try {
			const { addresses, ...result } = await this.#send(address.call(path, body), signal, sink, deadline);
			if (addresses.length === 0) return { ...result, release: memory.release };
			return await this.#withFetched({ ...result, release: memory.release }, addresses, signal);
		} catch (error) {
			memory.release();
			throw error;
		}
	}

	#streamSink(whole: Receive<PictureAnswer>, onPreview: OnPreview): Receive<PictureAnswer> {
		return (head, flow) => {
			if (!isEventStream(head)) return whole(head, flow);
			this.#streams = true;
			return pictureStream(head, onPreview);
		};
	}

	/** Adds the pictures at these addresses, as far as they can be fetched. */
	async #withFetched(
		result: ImageResult & Pick<FetchedPictures, 'release'>,
		addresses: string[],
		signal: AbortSignal,
	): Promise<ImageResult> {
		const { unfetched, reason, ...fetched } = await this.fetchPictures(addresses, signal);
		const images = [...result.images, ...fetched.images];
		const release = () => {
			result.release();
			fetched.release();
		};
		if (images.length > 0) return { ...result, images, release, ...(unfetched.length > 0 && { unfetched }) };
		const code = reason instanceof ServiceError ? (reason.code ?? reason.kind) : undefined;
		throw new ServiceError('address', 'The pictures were made, but could not be fetched.', { addresses, code });
	}

	#send<T>(
		call: Call,
		signal: AbortSignal,
		receive: Receive<T>,
		deadline = performance.now() + this.#timeoutMs,
	): Promise<T> {
		return this.#transport.send(call, signal, deadline, sinkFor(receive, this.#options.apiKey));
	}
}

/** A complete refusal of the request may be about the stream, which not every service names. */
function mayRefuseStreams(error: unknown): boolean {
	if (!(error instanceof ServiceError)) return false;
	const { kind, status = 0, about } = error;
	if (status < 400 || status > 499) return false;
	return about === 'stream' || (kind === 'request' && about === undefined);
}

const notOffered = (operation: string) =>
	new ServiceError('request', `The image service does not offer this operation (${operation}).`);

/** How long a list is used, and how long a service that gave none is left alone, in milliseconds. */
const LISTED_MS = 3600_000;
const FAILED_MS = 60_000;

/** Knows from a service's list of models which of them take pictures in chats. The list is read when it is needed. */
class PictureModels {
	readonly #list: () => Promise<readonly ListedModel[]>;
	#known: Promise<ReadonlyMap<string, boolean | undefined>> | undefined;
	/** The `performance.now()` at which the list is read again. */
	#expiresAt = 0;

	/** @param list reads the service's list of models */
	constructor(list: () => Promise<readonly ListedModel[]>) {
		this.#list = list;
	}

	/** Never rejects. @returns undefined when the list does not say, or cannot be read */
	async takesPictures(model: string): Promise<boolean | undefined> {
		if (!this.#known || performance.now() >= this.#expiresAt) {
			this.#expiresAt = performance.now() + LISTED_MS;
			this.#known = this.#read();
		}
		return (await this.#known).get(model);
	}

	async #read(): Promise<ReadonlyMap<string, boolean | undefined>> {
		try {
			return new Map((await this.#list()).map(({ id, takesPictures }) => [id, takesPictures]));
		} catch {
			this.#expiresAt = performance.now() + FAILED_MS;
			return new Map();
		}
	}
}
