import type { Capabilities } from '../capabilities.ts';
import type { RequestBody } from '../request-body.ts';
import type { ComposeRequest, EditRequest, GenerateRequest } from '../service.ts';
import type { SizeRule } from './sizes.ts';

/** A request as a service takes it. The path follows the base address. */
export type EncodedRequest = { path: string; body: RequestBody };

/** A request for pictures with the model that it goes to, and the size by which the service knows it. */
export type WithModel<Request> = Omit<Request, 'model'> & {
	model: string;
	/** Asks for a stream with so many previews; see `streamsPictures`. */
	previews?: number | undefined;
};

/** How a service takes requests and answers them. What a profile does not name is never sent. */
export type ServiceProfile = {
	readonly capabilities: Capabilities;
	/** The header that carries the key: `authorization` as a bearer token, or the key alone under a name of its own. */
	readonly keyHeader: 'authorization' | 'api-key';
	/** Returns the sizes that a model takes. */
	sizesOf(model: string): SizeRule;
	/** Tells whether results may be addresses, which are fetched at once, instead of the pictures themselves. */
	readonly givesAddresses: boolean;
	/** Longest wait for one call, unless the operator sets another, in milliseconds. */
	readonly timeoutMs: number;
	/** Whether streamed chat answers end with the tokens they took when `stream_options` asks for it. */
	readonly streamsUsage: boolean;
	/** Tells whether a chat model takes pictures, where the service's list of models does not say. */
	isVisionModel(model: string): boolean;
	/** Tells whether a model can stream its picture with previews of it. */
	streamsPictures(model: string): boolean;
	generate(request: WithModel<GenerateRequest>): EncodedRequest;
	/** Absent where the service cannot edit. */
	edit?(request: WithModel<EditRequest>): EncodedRequest;
	/** Absent where the service cannot compose. */
	compose?(request: WithModel<ComposeRequest>): EncodedRequest;
	/** Paths of the other operations, of which some services have one for each model. */
	readonly paths: {
		chat(model: string): string;
		embeddings(model: string): string;
		moderations: string;
		models: string;
	};
};
