import { ServiceAddress } from './address.ts';
import { readCompletion, readEmbedding, readModels } from './answers.ts';
import type { Capabilities, ServiceProfile } from './capabilities.ts';
import { streamChat } from './chat-stream.ts';
import { ServiceError } from './errors.ts';
import type { Receive } from './http/exchange.ts';
import { type Call, Transport } from './http/transport.ts';
import { easelProfile } from './profiles/easel.ts';
import { jsonBody, pictureBody } from './request-body.ts';
import type {
	ChatRequest,
	ComposeRequest,
	EditRequest,
	EmbeddingRequest,
	GenerateRequest,
	ImageResult,
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
	/** Longest wait for one call, both addresses and the whole answer included. */
	timeoutMs: number;
	/** Models for requests that name none. */
	models: { image: string; chat: string; embedding: string };
	/** Default: `easelProfile`. */
	profile?: ServiceProfile;
	/** Longest wait for name resolution, connection and TLS handshake. Default: 10 seconds. */
	connectTimeoutMs?: number;
	/** Longest wait for the head of the answer. Default: `timeoutMs`, since pictures are made before anything is answered. */
	headersTimeoutMs?: number;
	/** Longest silence within an answer. Default: 30 seconds. */
	bodyTimeoutMs?: number;
};

/** The client of an image service. */
export class ServiceClient implements Service {
	readonly capabilities: Capabilities;
	readonly #options: ServiceOptions;
	readonly #transport: Transport;
	readonly #address: ServiceAddress;
	readonly #altAddress: ServiceAddress | undefined;

	/** @throws TypeError when an address or the key is invalid */
	constructor(options: ServiceOptions) {
		const { baseUrl, altBaseUrl, apiKey, timeoutMs } = options;
		this.#options = options;
		this.capabilities = (options.profile ?? easelProfile).capabilities;
		this.#address = new ServiceAddress(baseUrl, apiKey);
		this.#altAddress = altBaseUrl === undefined ? undefined : new ServiceAddress(altBaseUrl, apiKey);
		this.#transport = new Transport({
			connectMs: options.connectTimeoutMs ?? 10_000,
			headersMs: options.headersTimeoutMs ?? timeoutMs,
			bodyMs: options.bodyTimeoutMs ?? 30_000,
		});
	}

	async generate({ prompt, model, size, n }: GenerateRequest, signal: AbortSignal): Promise<ImageResult> {
		const deadline = performance.now() + this.#options.timeoutMs;
		const body = () => jsonBody({ model: model ?? this.#options.models.image, prompt, size, n });
		try {
			return await this.#send(this.#address.call('/v1/images/generations', body()), signal, imageSink, deadline);
		} catch (error) {
			const isUnreachable = error instanceof ServiceError && error.kind === 'unreachable';
			if (!this.#altAddress || !isUnreachable) throw error;
			return this.#send(this.#altAddress.call('/api/v1/images/generations', body()), signal, imageSink, deadline);
		}
	}

	edit({ image, prompt, model, n, format = 'multipart' }: EditRequest, signal: AbortSignal): Promise<ImageResult> {
		const body = pictureBody(format, { model: model ?? this.#options.models.image, prompt, n }, image);
		return this.#send(this.#address.call('/v1/images/edits', body), signal, imageSink);
	}

	compose(
		{ images, prompt, size, n, format = 'multipart' }: ComposeRequest,
		signal: AbortSignal,
	): Promise<ImageResult> {
		// No model: it is not known whether this call takes one.
		const body = pictureBody(format, { prompt, size, n }, images);
		return this.#send(this.#address.call('/v1/images/compose', body), signal, imageSink);
	}

	chat(request: ChatRequest, signal: AbortSignal): AsyncIterable<string> {
		return streamChat((either, receive) => this.#send(this.#completion(request, true), either, receive), signal);
	}

	complete(request: ChatRequest, signal: AbortSignal): Promise<string> {
		return this.#send(this.#completion(request, false), signal, bodySink(readCompletion));
	}

	embed({ input, model }: EmbeddingRequest, signal: AbortSignal): Promise<number[]> {
		const body = jsonBody({ model: model ?? this.#options.models.embedding, input });
		return this.#send(this.#address.call('/v1/embeddings', body), signal, bodySink(readEmbedding));
	}

	models(signal: AbortSignal): Promise<string[]> {
		return this.#send(this.#address.call('/v1/models'), signal, bodySink(readModels));
	}

	close(): Promise<void> {
		return this.#transport.close();
	}

	#completion({ messages, model }: ChatRequest, stream: boolean): Call {
		const body = jsonBody({ model: model ?? this.#options.models.chat, messages, stream });
		return this.#address.call('/v1/chat/completions', body);
	}

	#send<T>(
		call: Call,
		signal: AbortSignal,
		receive: Receive<T>,
		deadline = performance.now() + this.#options.timeoutMs,
	): Promise<T> {
		return this.#transport.send(call, signal, deadline, sinkFor(receive, this.#options.apiKey));
	}
}
