import type { TokenUsage } from '../domain/job.ts';
import { jsonSink, type ListedModel, readEmbeddings, readModels, readModeration, sinkFor } from './answers.ts';
import { streamChat } from './chat.ts';
import { SERVICE_ERROR_KINDS, ServiceError, type ServiceErrorKind } from './errors.ts';
import { type Call, type Receive, ServiceAddress, Transport } from './exchange.ts';
import { isEventStream, type PictureAnswer, pictureStream } from './picture-answer.ts';
import { PictureFetcher, PictureMemory, pictureSink } from './picture-fetcher.ts';
import {
	encodePictures,
	nearestSize,
	type PictureOperation,
	type PictureRequest,
	PROFILES,
	type ServiceProfile,
} from './profiles.ts';
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
	Service,
} from './service.ts';

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

/** Longest wait for the list of models, before a message with pictures is answered. */
const LIST_MS = 5000;

/** How long a list is used, and how long a service that gave none is left alone, in milliseconds. */
const LISTED_MS = 3600_000;
const FAILED_MS = 60_000;

/** Which models take pictures, where the service says it, until a `performance.now()`. */
type ModelList = { until: number; models: Promise<ReadonlyMap<string, boolean | undefined>> };

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
	#listed: ModelList | undefined;

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
		this.#pictures = new PictureFetcher(this.#transport, this.#address, this.#memory, options.pictureOrigins ?? []);
	}

	generate(request: GenerateRequest, signal: AbortSignal, onPreview?: OnPreview): Promise<ImageResult> {
		return this.#make('generate', request, [], signal, onPreview);
	}

	edit({ image, ...request }: EditRequest, signal: AbortSignal, onPreview?: OnPreview): Promise<ImageResult> {
		return this.#make('edit', request, [image], signal, onPreview);
	}

	compose({ images, ...request }: ComposeRequest, signal: AbortSignal, onPreview?: OnPreview): Promise<ImageResult> {
		return this.#make('compose', request, images, signal, onPreview);
	}

	fetchPictures(addresses: readonly string[], signal: AbortSignal): Promise<FetchedPictures> {
		return this.#pictures.fetchAll(addresses, signal);
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
		if (!this.#listed || performance.now() >= this.#listed.until) this.#listed = this.#readList();
		return (await this.#listed.models).get(model) ?? this.#profile.isVisionModel(model);
	}

	#readList(): ModelList {
		const read = this.#listModels(AbortSignal.timeout(LIST_MS)).then(
			(models) => new Map(models.map(({ id, takesPictures }) => [id, takesPictures])),
			() => {
				list.until = performance.now() + FAILED_MS;
				return new Map();
			},
		);
		const list: ModelList = { until: performance.now() + LISTED_MS, models: read };
		return list;
	}

	close(): Promise<void> {
		return this.#transport.close();
	}

	#listModels(signal: AbortSignal): Promise<ListedModel[]> {
		return this.#send(this.#address.call(this.#profile.pathOf('/models')), signal, jsonSink(readModels));
	}

	/**
	 * Asks for a stream with previews where the service may have one. A service that refuses to stream has done no work, and is asked again
	 * without it.
	 */
	async #make(
		operation: PictureOperation,
		{ model = this.#options.models.image, size, ...rest }: Omit<PictureRequest, 'model'> & { model?: string },
		images: readonly InputImage[],
		signal: AbortSignal,
		onPreview: OnPreview | undefined,
	): Promise<ImageResult> {
		if (operation !== 'generate' && !this.capabilities[operation])
			throw new ServiceError('request', `The image service does not offer this operation (${operation}).`);
		const deadline = performance.now() + this.#timeoutMs;
		const { previews = 0 } = this.#options;
		const { n = 1 } = rest;
		const nearest = size === undefined ? undefined : nearestSize(this.#profile.sizesOf(model), size);
		const send = (asked: { previews?: number }, address = this.#address, prefix = '') => {
			const { path, body } = encodePictures(
				this.#profile,
				operation,
				{ ...rest, model, size: nearest, ...asked },
				images,
			);
			const shown = asked.previews === undefined ? undefined : onPreview;
			return this.#sendForPictures(address.call(prefix + path, body), n, signal, deadline, shown);
		};
		const mayStream = previews > 0 && n === 1 && this.#streams !== false && this.#profile.streamsPictures(model);
		const asksForStream = onPreview !== undefined && mayStream;
		try {
			return await send(asksForStream ? { previews } : {});
		} catch (error) {
			if (!(error instanceof ServiceError)) throw error;
			if (operation === 'generate' && this.#altAddress && error.kind === 'unreachable')
				return send({}, this.#altAddress, '/api');
			if (!asksForStream || this.#streams || !mayRefuseStreams(error)) throw error;
			const result = await send({});
			this.#streams = false;
			return result;
		}
	}

	async #sendForPictures(
		call: Call,
		pictures: number,
		signal: AbortSignal,
		deadline: number,
		onPreview?: OnPreview,
	): Promise<ImageResult> {
		const memory = this.#memory.claim();
		const whole = pictureSink(this.#profile.givesAddresses, memory, pictures);
		const sink = onPreview ? this.#streamSink(whole, onPreview) : whole;
		try {
			const { addresses, ...result } = await this.#send(call, signal, sink, deadline);
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
		result: ImageResult & { release(): void },
		addresses: string[],
		signal: AbortSignal,
	): Promise<ImageResult> {
		const { unfetched, reason, ...fetched } = await this.fetchPictures(addresses, signal);
		const images = [...result.images, ...fetched.images];
		const release = () => {
			result.release();
			fetched.release();
		};
		if (images.length > 0)
			return { ...result, images, release, unfetched: unfetched.length > 0 ? unfetched : undefined };
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
function mayRefuseStreams({ kind, status = 0, about }: ServiceError): boolean {
	if (status < 400 || status > 499) return false;
	return about === 'stream' || (kind === 'request' && about === undefined);
}

/** The calls of the image service. `fetch`: a picture is read from the address in an answer. */
export const SERVICE_CALLS = ['generate', 'edit', 'compose', 'fetch', 'chat', 'embed', 'moderate', 'models'] as const;

export type ServiceCall = (typeof SERVICE_CALLS)[number];

/** `aborted`: by the caller, before anything was sent. `stopped`: by the reader of a chat answer. `error`: by a defect. */
export type ServiceCallOutcome = 'ok' | ServiceErrorKind | 'aborted' | 'stopped' | 'error';

/** Every outcome, so that the metrics have them all from the start. */
export const SERVICE_OUTCOMES: readonly ServiceCallOutcome[] = [
	'ok',
	...SERVICE_ERROR_KINDS,
	'aborted',
	'stopped',
	'error',
];

/** Receives how long each call took, in seconds. */
export type ServiceObserver = (call: ServiceCall, outcome: ServiceCallOutcome, seconds: number) => void;

/** Returns the service, whose calls are reported. */
export function observedService(service: Service, observe: ServiceObserver): Service {
	const measure = async <Result>(call: ServiceCall, signal: AbortSignal, work: () => Promise<Result>) => {
		const end = startOf(observe, call, signal);
		try {
			const result = await work();
			end(hasUnfetched(result) ? 'address' : 'ok');
			return result;
		} catch (error) {
			end(error);
			throw error;
		}
	};
	const { moderate } = service;
	return {
		capabilities: service.capabilities,
		generate: (request, signal, onPreview) =>
			measure('generate', signal, () => service.generate(request, signal, onPreview)),
		edit: (request, signal, onPreview) => measure('edit', signal, () => service.edit(request, signal, onPreview)),
		compose: (request, signal, onPreview) =>
			measure('compose', signal, () => service.compose(request, signal, onPreview)),
		fetchPictures: (addresses, signal) => measure('fetch', signal, () => service.fetchPictures(addresses, signal)),
		chat: (request, signal, onTokens) =>
			observedChat(service.chat(request, signal, onTokens), () => startOf(observe, 'chat', signal)),
		embeddingModel: service.embeddingModel,
		embed: (request, signal) => measure('embed', signal, () => service.embed(request, signal)),
		moderate: moderate && ((request, signal) => measure('moderate', signal, () => moderate(request, signal))),
		takesPictures: (model) => service.takesPictures(model),
		models: (signal) => measure('models', signal, () => service.models(signal)),
		close: () => service.close(),
	};
}

/** Tells whether some of the pictures of a call could not be fetched. */
const hasUnfetched = (result: unknown) => ((Object(result) as Partial<ImageResult>).unfetched ?? []).length > 0;

/** @param how an outcome without an error, or the error */
type End = (how: unknown) => void;

function startOf(observe: ServiceObserver, call: ServiceCall, signal: AbortSignal): End {
	const started = performance.now();
	return (how) => {
		const failed = how instanceof ServiceError ? how.kind : signal.aborted ? 'aborted' : 'error';
		const outcome = SERVICE_OUTCOMES.find((one) => one === how) ?? failed;
		observe(call, outcome, (performance.now() - started) / 1000);
	};
}

/** Reports the whole time of an answer, which ends early when its reader leaves the loop. */
async function* observedChat(deltas: AsyncIterable<string>, start: () => End): AsyncGenerator<string> {
	const end = start();
	let how: unknown = 'stopped';
	try {
		yield* deltas;
		how = 'ok';
	} catch (error) {
		how = error;
		throw error;
	} finally {
		end(how);
	}
}
