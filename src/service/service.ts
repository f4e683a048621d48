/** The image service as the rest of Easel sees it: types only. `createService` in client.ts makes one. */

import type { Capabilities } from './capabilities.ts';

/** An input picture: bytes of a PNG, JPEG or WebP, at most about 10 MB. */
export type InputImage = { bytes: Uint8Array; type: string };

/** How input pictures travel; both are documented by the service. */
export type InputFormat = 'multipart' | 'json';

export type GenerateRequest = {
	prompt: string;
	model?: string | undefined;
	size?: string | undefined;
	n?: number | undefined;
};
export type EditRequest = {
	image: InputImage;
	prompt: string;
	model?: string | undefined;
	n?: number | undefined;
	format?: InputFormat | undefined;
};
export type ComposeRequest = {
	images: readonly InputImage[];
	prompt: string;
	size?: string | undefined;
	n?: number | undefined;
	format?: InputFormat | undefined;
};
export type ChatMessage = { role: 'system' | 'user' | 'assistant'; content: string };
export type ChatRequest = { messages: readonly ChatMessage[]; model?: string };

/** A PNG as the service returned it, with what its header says. */
export type OutputImage = { bytes: Uint8Array; width: number; height: number };

export type ImageResult = {
	/** Unix seconds. */
	created: number;
	images: OutputImage[];
	/** The service's own id of the request, when it gives one. */
	requestId?: string;
};

/**
 * Every call rejects with `ServiceError`, or with the signal's reason when the caller aborted it before anything was sent. Aborted
 * later, it may have been paid for: then it is a `ServiceError` of unknown fate, with the reason as its cause. No call is ever retried.
 */
export type Service = {
	readonly capabilities: Capabilities;
	generate(request: GenerateRequest, signal: AbortSignal): Promise<ImageResult>;
	edit(request: EditRequest, signal: AbortSignal): Promise<ImageResult>;
	compose(request: ComposeRequest, signal: AbortSignal): Promise<ImageResult>;
	/** The answer's text as it comes. Nothing is sent before the loop begins; leaving it aborts the request. */
	chat(request: ChatRequest, signal: AbortSignal): AsyncIterable<string>;
	/** The whole answer at once. */
	complete(request: ChatRequest, signal: AbortSignal): Promise<string>;
	embed(request: { input: string; model?: string }, signal: AbortSignal): Promise<number[]>;
	/** The ids of what the service offers. */
	models(signal: AbortSignal): Promise<string[]>;
	close(): Promise<void>;
};
