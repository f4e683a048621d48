import { NAMED_SIZES } from '../../domain/picture-sizes.ts';
import { type Fields, jsonBody, jsonBodyWithPictures, multipartBody, type PictureReference } from '../request-body.ts';
import type { EncodedRequest, ServiceProfile, WithModel } from './profile.ts';
import type { SizeRule } from './sizes.ts';
import { isVisionModel } from './vision-models.ts';

/** How edits and compositions are sent: as a form or JSON to `/images/edits`, or as JSON to `/images/generations`. */
export type PictureEncoding =
	/** The name of the file part, for one picture and for several, which have the same one. */
	| { as: 'form'; one: string; several: string }
	| {
			as: 'json';
			path: '/images/edits' | '/images/generations';
			pictures(references: readonly PictureReference[]): object;
	  };

/** In what a service differs from the images API that OpenAI began. */
type Differences = {
	/** What its paths begin with. Default: `/v1`. */
	prefix?: string;
	/** Returns the whole path of an operation, such as `/chat/completions`. Default: with the prefix. */
	pathOf?(operation: string, model?: string): string;
	keyHeader?: ServiceProfile['keyHeader'];
	sizesOf?: ServiceProfile['sizesOf'];
	maxPictures?: number;
	givesAddresses?: boolean;
	/** Default: 300 seconds; large pictures of high quality take two minutes. https://github.com/QuantumNous/new-api/issues/4920 */
	timeoutMs?: number;
	streamsUsage?: boolean;
	/** Default: none does. */
	streamsPictures?: ServiceProfile['streamsPictures'];
	/** Fields of every request for pictures. */
	fields?: Fields;
	/** Returns the fields for a size. Default: `size`. */
	sizeFields?(size: string): Fields;
	/** Absent: the service makes pictures only from text. */
	pictures?: PictureEncoding;
	/** Removes what the service would take as an instruction to itself. */
	promptOf?(prompt: string): string;
};

/** Sizes that every model of this API takes. */
export const COMMON_SIZES: SizeRule = { kind: 'list', sizes: ['1024x1024', '1536x1024', '1024x1536'] };

/** Returns the profile of a service with the widely used images API. A composition is an edit with several pictures. */
export function imagesApi({
	prefix = '/v1',
	pathOf = (operation) => prefix + operation,
	keyHeader = 'authorization',
	sizesOf = () => COMMON_SIZES,
	maxPictures = 10,
	givesAddresses = false,
	timeoutMs = 300_000,
	streamsUsage = false,
	streamsPictures = () => false,
	fields: added = {},
	sizeFields = (size) => ({ size }),
	pictures: encoding,
	promptOf = (prompt) => prompt,
}: Differences): ServiceProfile {
	type Request = WithModel<{ prompt: string; size?: string | undefined; n?: number | undefined }>;
	const fieldsOf = ({ model, prompt, size, n, previews }: Request): Fields => ({
		...{ model, prompt: promptOf(prompt), n },
		...(size !== undefined && sizeFields(size)),
		...added,
		...(previews !== undefined && { stream: true, partial_images: previews }),
	});
	type WithPictures = Request & { images: Parameters<typeof jsonBodyWithPictures>[0] };
	function encode({ images, ...request }: WithPictures, as: PictureEncoding): EncodedRequest {
		const fields = fieldsOf(request);
		if (as.as === 'json')
			return {
				path: pathOf(as.path, request.model),
				body: jsonBodyWithPictures(images, (references) => ({ ...fields, ...as.pictures(references) })),
			};
		const name = images.length === 1 ? as.one : as.several;
		const parts = images.map((image) => ({ name, image }));
		return { path: pathOf('/images/edits', request.model), body: multipartBody(fields, parts) };
	}
	return {
		capabilities: {
			edit: encoding !== undefined,
			compose: encoding !== undefined,
			maxPictures,
			sizes: Object.keys(NAMED_SIZES),
			models: [],
		},
		keyHeader,
		sizesOf,
		givesAddresses,
		timeoutMs,
		streamsUsage,
		isVisionModel,
		streamsPictures,
		generate: (request) => ({ path: pathOf('/images/generations', request.model), body: jsonBody(fieldsOf(request)) }),
		...(encoding && {
			edit: ({ image, ...request }) => encode({ ...request, images: [image] }, encoding),
			compose: (request) => encode(request, encoding),
		}),
		paths: {
			chat: (model) => pathOf('/chat/completions', model),
			embeddings: (model) => pathOf('/embeddings', model),
			moderations: pathOf('/moderations'),
			models: pathOf('/models'),
		},
	};
}
