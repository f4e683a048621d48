import type { TokenUsage } from '../domain/receipt.ts';
import { ServiceAddress } from './address.ts';
import { readCompletion, readEmbeddings, readModels, readModeration } from './answers.ts';
import type { Capabilities } from './capabilities.ts';
import { streamChat } from './chat-stream.ts';
import { ServiceError } from './errors.ts';
import type { Receive } from './http/exchange.ts';
import { type Call, Transport } from './http/transport.ts';
import { PictureFetcher } from './images/picture-fetcher.ts';
import { type MemoryClaim, PictureMemory } from './images/picture-memory.ts';
import { pictureStreamSink } from './images/picture-stream.ts';
import { type ListedModel, PictureModels } from './picture-models.ts';
import { easelProfile } from './profiles/easel.ts';
import type { EncodedRequest, ServiceProfile } from './profiles/profile.ts';
import { nearestSize } from './profiles/sizes.ts';
import { withoutReasoning } from './reasoning.ts';
import { chatBody, jsonBody, jsonBodyWithPictures } from './request-body.ts';
import type {
	ChatRequest,
	ComposeRequest,
	EditRequest,
	EmbeddingRequest,
	FetchedPictures,
	GenerateRequest,
	ImageResult,
	ModerationRequest,
	OnPreview,
	OutputImage,
	Service,
} from './service.ts';
import { bodySink, imageSink, sinkFor } from './sinks.ts';

export type ServiceOptions = {
	/** `http:` or `https:`; `/v1/…` is added to its path. */
	baseUrl: string;
	/** Address for generation, as `/api/v1/…`, when nothing could be sent to the first one. */
	altBaseUrl?: string | undefined;
	/** Sent as bearer token to these two addresses alone. */
	apiKey?: string | undefined;
	/** Longest wait for one call, both addresses and the whole answer included. Default: the profile's. */
	timeoutMs?: number | undefined;
	/** Models for requests that name none. */
	models: { image: string; chat: string; embedding: string; moderation?: string | undefined };
	/** Whether chat models take pictures. Default: `auto`, by the profile and the service's list of models. */
	chatPictures?: 'auto' | 'on' | 'off';
	/** Origins besides the service's own that pictures may be fetched from. */
	pictureOrigins?: readonly string[];
	/** How many previews of a picture are asked for, 0 to 3, where the service streams them. Default: 0. */
	previews?: number;
	/** Limits the pictures of answers that are in memory at once. */
	memory?: PictureMemory;
	/** Default: `easelProfile`. */
	profile?: ServiceProfile;
	/** Longest wait for name resolution, connection and TLS handshake. Default: 10 seconds. */
	connectTimeoutMs?: number;
	/** Longest wait for the head of the answer. Default: `timeoutMs`, since pictures are made before anything is answered. */
	headersTimeoutMs?: number;
	/** Longest silence within an answer. Default: 30 seconds. */
	bodyTimeoutMs?: number;
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
	#refusesStreams = false;
	readonly moderate: Service['moderate'];
	readonly #pictureModels = new PictureModels(() => this.#listModels(AbortSignal.timeout(LIST_MS)));

	/** @throws TypeError when an address or the key is invalid */
	constructor(options: ServiceOptions) {
		const { baseUrl, altBaseUrl, apiKey } = options;
		this.#options = options;
		this.#profile = options.profile ?? easelProfile;
		this.#timeoutMs = options.timeoutMs ?? this.#profile.timeoutMs;
		this.capabilities = this.#profile.capabilities;
		const { moderation } = options.models;
		this.moderate = moderation === undefined ? undefined : (...request) => this.#moderate(moderation, ...request);
		const { keyHeader } = this.#profile;
		this.#address = new ServiceAddress(baseUrl, apiKey, keyHeader);
		this.#altAddress = altBaseUrl === undefined ? undefined : new ServiceAddress(altBaseUrl, apiKey, keyHeader);
		this.#transport = new Transport({
			connectMs: options.connectTimeoutMs ?? 10_000,
			headersMs: options.headersTimeoutMs ?? this.#timeoutMs,
			bodyMs: options.bodyTimeoutMs ?? 30_000,
		});
		this.#memory = options.memory ?? new PictureMemory();
		this.#pictures = new PictureFetcher(this.#transport, this.#address, options.pictureOrigins ?? []);
	}

	async generate(request: GenerateRequest, signal: AbortSignal, onPreview?: OnPreview): Promise<ImageResult> {
		const deadline = performance.now() + this.#timeoutMs;
		const complete = this.#complete(request);
		const encode = (previews?: number) => this.#profile.generate({ ...complete, ...(previews && { previews }) });
		try {
			return await this.#stream(complete, encode, signal, deadline, onPreview);
		} catch (error) {
			const isUnreachable = error instanceof ServiceError && error.kind === 'unreachable';
			if (!this.#altAddress || !isUnreachable) throw error;
			const { path, body } = encode();
			return this.#sendForPictures(this.#altAddress, { path: `/api${path}`, body }, complete.n, signal, deadline);
		}
	}

	async edit(request: EditRequest, signal: AbortSignal, onPreview?: OnPreview): Promise<ImageResult> {
		const { edit } = this.#profile;
		if (!edit) throw notOffered('edit');
		const deadline = performance.now() + this.#timeoutMs;
		const complete = this.#complete(request);
		const encode = (previews?: number) => edit({ ...complete, ...(previews && { previews }) });
		return this.#stream(complete, encode, signal, deadline, onPreview);
	}

	async compose(request: ComposeRequest, signal: AbortSignal, onPreview?: OnPreview): Promise<ImageResult> {
		const { compose } = this.#profile;
		if (!compose) throw notOffered('compose');
		const deadline = performance.now() + this.#timeoutMs;
		const complete = this.#complete(request);
		const encode = (previews?: number) => compose({ ...complete, ...(previews && { previews }) });
		return this.#stream(complete, encode, signal, deadline, onPreview);
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

	chat(request: ChatRequest, signal: AbortSignal, onTokens?: (tokens: TokenUsage) => void): AsyncIterable<string> {
		const start = (either: AbortSignal, receive: Receive<void>) =>
			this.#send(this.#completion(request, true), either, receive);
		return streamChat(start, signal, onTokens);
	}

	complete(request: ChatRequest, signal: AbortSignal): Promise<string> {
		return this.#send(
			this.#completion(request, false),
			signal,
			bodySink((body) => withoutReasoning(readCompletion(body).text)),
		);
	}

	get embeddingModel(): string {
		return this.#options.models.embedding;
	}

	embed({ input, model }: EmbeddingRequest, signal: AbortSignal): Promise<number[][]> {
		// Every service takes one text, and not every one takes a list.
		const texts = input.length === 1 ? input[0] : input;
		const complete = { model: model ?? this.#options.models.embedding, input: texts, encoding_format: 'float' };
		const call = this.#address.call(this.#profile.paths.embeddings(complete.model), jsonBody(complete));
		return this.#send(
			call,
			signal,
			bodySink((body) => readEmbeddings(body, input.length)),
		);
	}

	#moderate(model: string, request: ModerationRequest, signal: AbortSignal): Promise<string[]> {
		const body =
			'text' in request
				? jsonBody({ model, input: request.text })
				: jsonBodyWithPictures(request.images, (references) => ({
						model,
						input: references.map(({ url }) => ({ type: 'image_url', image_url: { url } })),
					}));
		return this.#send(this.#address.call(this.#profile.paths.moderations, body), signal, bodySink(readModeration));
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
		return this.#send(this.#address.call(this.#profile.paths.models), signal, bodySink(readModels));
	}

	/** Adds the model, and replaces the size by the nearest that the service takes. */
	#complete<Request extends { model?: string | undefined; size?: string | undefined }>(request: Request) {
		const { model = this.#options.models.image, size, ...fields } = request;
		return { model, ...fields, ...(size !== undefined && { size: nearestSize(this.#profile.sizesOf(model), size) }) };
	}

	/**
	 * Asks for a stream with previews where the service may have one, and else for the pictures alone. A service that refuses to stream has
	 * done no work, and is asked again without it.
	 */
	async #stream(
		{ model, n = 1 }: { model: string; n?: number | undefined },
		encode: (previews?: number) => EncodedRequest,
		signal: AbortSignal,
		deadline: number,
		onPreview: OnPreview | undefined,
	): Promise<ImageResult> {
		const { previews = 0 } = this.#options;
		const mayStream = previews > 0 && n === 1 && !this.#refusesStreams && this.#profile.streamsPictures(model);
		if (!onPreview || !mayStream) return this.#sendForPictures(this.#address, encode(), n, signal, deadline);
		try {
			return await this.#sendForPictures(this.#address, encode(previews), n, signal, deadline, onPreview);
		} catch (error) {
			if (!mayRefuseStreams(error)) throw error;
			const result = await this.#sendForPictures(this.#address, encode(), n, signal, deadline);
			this.#refusesStreams = true;
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
		const whole = imageSink(this.#profile.givesAddresses, memory, pictures);
		const sink = onPreview ? pictureStreamSink(whole, onPreview) : whole;
		// A stream is silent while the picture is made.
		const bodyMs = onPreview && this.#timeoutMs;
		try {
			const { addresses, ...result } = await this.#send(address.call(path, body), signal, sink, deadline, bodyMs);
			if (addresses.length === 0) return { ...result, release: memory.release };
			return await this.#withFetched({ ...result, release: memory.release }, addresses, signal);
		} catch (error) {
			memory.release();
			throw error;
		}
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

	#completion({ messages, model }: ChatRequest, stream: boolean): Call {
		const fields = {
			...{ model: model ?? this.#options.models.chat, stream },
			...(stream && this.#profile.streamsUsage && { stream_options: { include_usage: true } }),
		};
		const body = chatBody(fields, messages);
		return this.#address.call(this.#profile.paths.chat(fields.model), body);
	}

	#send<T>(
		call: Call,
		signal: AbortSignal,
		receive: Receive<T>,
		deadline = performance.now() + this.#timeoutMs,
		bodyMs?: number,
	): Promise<T> {
		return this.#transport.send(call, signal, deadline, sinkFor(receive, this.#options.apiKey), bodyMs);
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
