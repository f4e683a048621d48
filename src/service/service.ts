/** The image service as the rest of Easel sees it. `ServiceClient` implements it. */

import type { PricedCall, ServiceUsage, TokenUsage } from '../domain/job.ts';
import type { Background } from '../pictures/cut-out.ts';
import { SERVICE_ERROR_KINDS, type ServiceError } from './errors.ts';

/** Fields in order; absent ones are left out. Forms carry objects as JSON. */
export type Fields = Readonly<Record<string, unknown>>;

/** Text that stands for a picture of a media type in JSON: its base64 alone, or a data URL with it. */
export type PictureReference = { type: string; base64: string; url: string };

/** The most pictures of a composition, whatever the service takes: as many as a message has on Discord. */
export const MAX_REFERENCES = 10;

/** The operations that an image service offers, and the values to suggest for their options. */
export type Capabilities = {
	/** Changes a picture by an instruction, and makes one picture from several. */
	edit: boolean;
	compose: boolean;
	/** The most pictures that one call makes, and that one composition takes. */
	maxPictures: number;
	maxReferences: number;
	/** Sizes to suggest: `WIDTHxHEIGHT`, a name such as `square`, or a resolution such as `2K`. The service may take others. */
	sizes: readonly string[];
	/**
	 * Image models to suggest; the service may offer others. `hint` has strengths of the model: a short phrase in English, translated where
	 * the catalogues have it.
	 */
	models: readonly { id: string; hint?: string }[];
	/** Whether one of the models takes a quality, by which the price of a call differs. */
	quality: boolean;
};

/** An input picture: a PNG, JPEG or WebP of at most about 10 MB, in memory or read when it is sent. `size` is in bytes. */
export type InputImage = { type: string } & ({ bytes: Uint8Array } | { size: number; read(): Promise<Uint8Array> });

/** Who asks. Services get a value that tells nothing about them, where they take one. */
export type Requester = { platform: string; id: string };

/** The qualities of pictures, the cheapest first. */
export const QUALITIES = ['low', 'medium', 'high'] as const;

export type GenerateRequest = {
	prompt: string;
	model?: string;
	size?: string;
	quality?: (typeof QUALITIES)[number];
	background?: 'transparent';
	n?: number;
	by?: Requester;
};
export type EditRequest = Omit<GenerateRequest, 'size' | 'background'> & { image: InputImage };
export type ComposeRequest = Omit<GenerateRequest, 'background'> & { images: readonly InputImage[] };
/** A request for pictures, as far as its price depends on it. `inputs` are the pictures that are sent along. */
export type PricedRequest = Partial<Omit<GenerateRequest, 'by'>> & { inputs?: number };
export type ChatMessage = {
	role: 'system' | 'user' | 'assistant' | 'tool';
	content: string;
	/** Pictures that come with the text, in order. Only for models that take them. */
	images?: readonly InputImage[];
	/** The calls of tools that an answer of the model has made, each of which is followed by its result. */
	calls?: readonly ToolCall[];
	/** The call that a message of a tool is the result of. */
	resultOf?: string;
};
/** A function that a chat model may call. `parameters` is a JSON schema of an object. */
export type ChatTool = { name: string; description: string; parameters: Fields };
/** A call of a tool as the model has written it: `arguments` should be JSON. */
export type ToolCall = { id: string; name: string; arguments: string };
/** Without tools, or where the model takes none, calls and their results are left out of the messages. */
export type ChatRequest = {
	messages: readonly ChatMessage[];
	model?: string;
	by?: Requester;
	tools?: readonly ChatTool[];
	/** The most tokens of the answer, within what the operator allows. */
	maxTokens?: number | undefined;
};
/**
 * A part of a chat answer: text without pictures, or pictures that the model has drawn. `lost` counts further ones, which are no whole PNG, JPEG
 * or WebP, too large, too many, or could not be fetched. `unshown`: there was sound, a file, or nothing but what nobody knows. `retract`: all
 * text so far was the model's reasoning, and is none of the answer.
 * `calls` come at the end of an answer that is complete.
 */
export type ChatPart = string | DrawnPictures | { unshown: true } | { retract: true } | { calls: readonly ToolCall[] };
/** @see ImageResult.release */
type DrawnPictures = { pictures: readonly OutputImage[]; lost: number; release(): void };

/** A PNG, JPEG, WebP or GIF as the service returned it, with the size in its header. */
export type OutputImage = { bytes: Uint8Array; width: number; height: number };

export type ImageResult = {
	images: OutputImage[];
	/** What the service says that it has drawn, when it changes or explains the prompt. A model's text. */
	revisedPrompt?: string;
	/** The model that the service says it has used, where that is another one than was asked for, and the quality. */
	model?: string;
	quality?: string;
	/** What became of a background that should be transparent; `mixed` where pictures differ, or were not all seen. */
	background?: Background | 'mixed';
	/** What the call has used, as far as the service says it. */
	usage?: ServiceUsage;
	/** How many pictures the answer had beyond those asked for. They were read over. */
	dropped?: number;
	/** The error of an answer that has fewer pictures than were asked for. */
	refusal?: ServiceError;
	/** Addresses of further pictures, which could not be fetched. Not to be logged. */
	unfetched?: readonly string[];
	/** To be called when the pictures were handed on: other answers wait until there is memory for theirs. */
	release?: () => void;
};

/** Pictures from their addresses, the addresses of those that could not be fetched, and why the first could not. @see ImageResult.release */
export type FetchedPictures = { images: OutputImage[]; unfetched: string[]; reason?: unknown; release(): void };

/** Receives previews of a picture while it is made: fewer than asked for, or none, where the service is fast or does not stream. */
export type OnPreview = (preview: OutputImage) => void;

/**
 * Calls to the image service. Every call rejects with `ServiceError`, or with the signal's reason when the caller aborted it before
 * anything was sent. Aborted later, it may have been paid for: then the reason is the cause of the `ServiceError`. A time-out of the
 * signal counts as one of the call. No call is retried, but one that the service refuses with a complete 4xx answer, perhaps because of an
 * optional field.
 */
export type Service = {
	readonly capabilities: Capabilities;
	generate(request: GenerateRequest, signal: AbortSignal, onPreview?: OnPreview): Promise<ImageResult>;
	edit(request: EditRequest, signal: AbortSignal, onPreview?: OnPreview): Promise<ImageResult>;
	compose(request: ComposeRequest, signal: AbortSignal, onPreview?: OnPreview): Promise<ImageResult>;
	/**
	 * Yields the answer as it comes. Nothing is sent before the loop begins; leaving it aborts the request.
	 * @param onTokens called before the end when the service counts tokens
	 */
	chat(request: ChatRequest, signal: AbortSignal, onTokens?: (tokens: TokenUsage) => void): AsyncIterable<ChatPart>;
	/** The most tokens of an answer that the operator allows. */
	readonly chatMaxTokens?: number | undefined;
	/** The model of requests for embeddings that name none. */
	readonly embeddingModel: string;
	/** Returns a vector for each text. */
	embed(request: { input: readonly string[]; model?: string }, signal: AbortSignal): Promise<number[][]>;
	/**
	 * Asks the moderation model about a text or about pictures. Absent when the operator has set none.
	 * @returns the categories that it flags
	 */
	moderate?: (request: { text: string } | { images: readonly InputImage[] }, signal: AbortSignal) => Promise<string[]>;
	/** Returns what the price of a request goes by: its model, quality and size as they are sent. */
	priced(request: PricedRequest): PricedCall;
	/**
	 * Returns the larger resolutions that a model, or the default one, takes: by the service's list of models where that says it. Never
	 * rejects.
	 */
	resolutionsOf(model: string | undefined): Promise<readonly string[]>;
	/** Fetches pictures that the service answered with addresses for, two at a time, once there is memory for each. Never rejects. */
	fetchPictures(addresses: readonly string[], signal: AbortSignal): Promise<FetchedPictures>;
	/** Tells whether a chat model, or the default one, takes pictures, by its name and the service's list of models. Never rejects. */
	takesPictures(model: string | undefined): Promise<boolean>;
	/** Returns the ids of the models that the service offers; none where it has no list. */
	models(signal: AbortSignal): Promise<string[]>;
	close(): Promise<void>;
};

/** The service as one person uses it in a command. */
export type PersonalService = Pick<Service, 'capabilities' | 'models' | 'generate' | 'edit' | 'compose'>;

/** The calls of the image service. `fetch`: a picture is read from the address in an answer. */
export const SERVICE_CALLS = ['generate', 'edit', 'compose', 'fetch', 'chat', 'embed', 'moderate', 'models'] as const;

export type ServiceCall = (typeof SERVICE_CALLS)[number];

/** How calls end. `aborted`: by the caller, before anything was sent. `stopped`: by the reader of a chat answer. `error`: by a defect. */
export const SERVICE_OUTCOMES = ['ok', ...SERVICE_ERROR_KINDS, 'aborted', 'stopped', 'error'] as const;

/** Receives how long each call took, in seconds. */
export type ServiceObserver = (call: ServiceCall, outcome: (typeof SERVICE_OUTCOMES)[number], seconds: number) => void;
