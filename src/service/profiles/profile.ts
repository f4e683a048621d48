import { NAMED_SIZES } from '../../domain/channel.ts';
import {
	type Fields,
	jsonBody,
	jsonBodyWithPictures,
	multipartBody,
	type PictureReference,
	type RequestBody,
} from '../request-body.ts';
import type { Capabilities, InputImage } from '../service.ts';

/** A request as a service takes it. The path follows the base address. */
export type EncodedRequest = { path: string; body: RequestBody };

export type PictureOperation = 'generate' | 'edit' | 'compose';

/** A request for pictures, with the model that it goes to and the size by which the service knows it. */
export type PictureRequest = {
	prompt: string;
	model: string;
	size?: string;
	n?: number;
	/** Asks for a stream with so many previews; see `streamsPictures`. */
	previews?: number;
};

/** How edits and compositions are sent: as a form or JSON to `/images/edits`, or as JSON to another operation. */
export type PictureEncoding =
	/** The name of the file part, for one picture and for several, which have the same one. */
	| { as: 'form'; one: string; several: string }
	| { as: 'json'; path: string; pictures(references: readonly PictureReference[]): object };

/** How a service takes requests and answers them. What a profile does not name is never sent. */
export type ServiceProfile = {
	readonly capabilities: Capabilities;
	/** The header that carries the key: `authorization` as a bearer token, or the key alone under a name of its own. */
	keyHeader: 'authorization' | 'api-key';
	/** Returns the path of an operation, such as `/chat/completions`. */
	pathOf(operation: string, model?: string): string;
	/** Returns the sizes that a model takes. */
	sizesOf(model: string): SizeRule;
	/** Whether results may be addresses, which are fetched at once, instead of the pictures themselves. */
	givesAddresses: boolean;
	/** Longest wait for one call, unless the operator sets another, in milliseconds. */
	timeoutMs: number;
	/** Whether streamed chat answers end with the tokens they took when `stream_options` asks for it. */
	streamsUsage: boolean;
	/** Tells whether a chat model takes pictures, where the service's list of models does not say. */
	isVisionModel(model: string): boolean;
	/** Tells whether a model can stream its picture with previews of it. */
	streamsPictures(model: string): boolean;
	/** Fields of every request for pictures. */
	fields: Fields;
	/** Returns the fields for a size. */
	sizeFields(size: string): Fields;
	/** Removes what the service would take as an instruction to itself. */
	promptOf(prompt: string): string;
	/** Absent: the service makes pictures only from text. */
	pictures?: PictureEncoding;
	/** A composition goes to an operation of its own, which takes no model. Default: it is an edit with several pictures. */
	composesAt?: string;
};

/** A service: in what it differs from the images API that OpenAI began. */
export type ServiceRow = Partial<Omit<ServiceProfile, 'capabilities'>> & {
	/** Its own addresses: whole host names, or with a dot in front the ends of them. */
	hosts?: readonly string[];
	/** What its paths begin with. */
	prefix?: string;
	maxPictures?: number;
	/** Sizes and models to suggest. */
	suggests?: Pick<Capabilities, 'sizes' | 'models'>;
};

/** Sizes that every model of this API takes. */
export const COMMON_SIZES: SizeRule = { kind: 'list', sizes: ['1024x1024', '1536x1024', '1024x1536'] };

/** Makes a profile of a row. */
export function profileOf({
	prefix = '/v1',
	maxPictures = 10,
	suggests,
	hosts: _,
	...row
}: ServiceRow): ServiceProfile {
	const canEdit = row.pictures !== undefined;
	const { sizes, models } = suggests ?? { sizes: Object.keys(NAMED_SIZES), models: [] };
	return {
		capabilities: { edit: canEdit, compose: canEdit, maxPictures, sizes, models },
		keyHeader: 'authorization',
		pathOf: (operation) => prefix + operation,
		sizesOf: () => COMMON_SIZES,
		givesAddresses: false,
		// Large pictures of high quality take two minutes. https://github.com/QuantumNous/new-api/issues/4920
		timeoutMs: 300_000,
		streamsUsage: false,
		isVisionModel,
		streamsPictures: () => false,
		fields: {},
		sizeFields: (size) => ({ size }),
		promptOf: (prompt) => prompt,
		...row,
	};
}

/** Encodes a request for pictures. A generation has no `images`. */
export function encodePictures(
	{ pathOf, pictures, composesAt, ...profile }: ServiceProfile,
	operation: PictureOperation,
	{ model, prompt, n, size, previews }: PictureRequest,
	images: readonly InputImage[],
): EncodedRequest {
	const ownOperation = operation === 'compose' ? composesAt : undefined;
	const fields: Fields = {
		model: ownOperation === undefined ? model : undefined,
		prompt: profile.promptOf(prompt),
		n,
		...(size !== undefined && profile.sizeFields(size)),
		...profile.fields,
		...(previews !== undefined && { stream: true, partial_images: previews }),
	};
	if (!pictures || images.length === 0) return { path: pathOf('/images/generations', model), body: jsonBody(fields) };
	if (pictures.as === 'json') {
		const body = jsonBodyWithPictures(images, (references) => ({ ...fields, ...pictures.pictures(references) }));
		return { path: pathOf(pictures.path, model), body };
	}
	const name = images.length === 1 ? pictures.one : pictures.several;
	const parts = images.map((image) => ({ name, image }));
	return { path: pathOf(ownOperation ?? '/images/edits', model), body: multipartBody(fields, parts) };
}

/**
 * Families of chat models that take pictures, by parts of their names. Most lists of models do not say; where one does, it has the last
 * word. Models that are missing here are covered by `CHAT_PICTURES=on`.
 */
const FAMILIES = [
	// https://developers.openai.com/api/docs/guides/images-vision
	/\bgpt-(4o|4\.1|4-turbo|[5-9])/,
	/\bo(1|3|4-mini)\b(?!-mini)/,
	// https://ai.google.dev/gemini-api/docs/openai
	/\bgemini-/,
	// https://docs.x.ai/developers/model-capabilities/images/understanding
	/\bgrok-[4-9]/,
	/\bclaude-/,
	/\b(pixtral|llava|bakllava|internvl|minicpm-v|moondream|gemma-[34]|llama-4)/,
	/\bvision\b|-vl\b|\d-?vl\b/,
];

/** Models of these families without eyes. */
const OTHERS = /audio|realtime|transcribe|tts|embed|gpt-image|gemma-3-(1b|270m)/;

/** Tells by its name whether a chat model takes pictures. */
function isVisionModel(model: string): boolean {
	const name = model.toLowerCase();
	return !OTHERS.test(name) && FAMILIES.some((family) => family.test(name));
}

/** Width and height in pixels. */
type Size = { width: number; height: number };

/** The sizes that a service takes: every one, a few, every one within bounds, or ratios of width to height (`16:9`) alone. */
export type SizeRule =
	| { kind: 'any' }
	| { kind: 'list'; sizes: readonly string[] }
	| { kind: 'grid'; multiple: number; maxEdge: number; maxRatio: number; minPixels: number; maxPixels: number }
	| { kind: 'ratio'; ratios: readonly string[] };

/**
 * Returns the size, or the ratio, that the service takes and that is nearest to the wanted one: first by its shape, then by its pixels.
 * What is neither a name nor `WIDTHxHEIGHT` is returned as it is, so that the service can refuse it in its own words.
 */
export function nearestSize(rule: SizeRule, wanted: string): string {
	const exact = NAMED_SIZES[wanted] ?? wanted;
	const size = parseSize(exact);
	if (!size) return exact;
	switch (rule.kind) {
		case 'any':
			return exact;
		case 'list':
			return nearestOf(rule.sizes, size);
		case 'ratio':
			return nearestOf(rule.ratios, size);
		case 'grid':
			return onGrid(rule, size);
	}
}

function nearestOf(choices: readonly string[], wanted: Size): string {
	const distances = choices.map((choice) => ({ choice, by: distance(parseSize(choice) ?? wanted, wanted) }));
	return distances.toSorted((one, other) => one.by.shape - other.by.shape || one.by.pixels - other.by.pixels)[0]!
		.choice;
}

function onGrid(rule: Extract<SizeRule, { kind: 'grid' }>, { width, height }: Size): string {
	const { multiple, maxEdge, maxRatio, minPixels, maxPixels } = rule;
	const ratio = Math.min(maxRatio, Math.max(1 / maxRatio, width / height));
	const pixels = Math.min(
		maxPixels,
		Math.max(minPixels, width * height),
		(maxEdge * maxEdge) / Math.max(ratio, 1 / ratio),
	);
	const fits = (one: Size) =>
		Math.max(one.width, one.height) <= maxEdge &&
		Math.max(one.width / one.height, one.height / one.width) <= maxRatio &&
		one.width * one.height >= minPixels &&
		one.width * one.height <= maxPixels;
	const around = (edge: number) =>
		[Math.floor(edge / multiple), Math.ceil(edge / multiple)].map((steps) => steps * multiple);
	const exact = { width: Math.sqrt(pixels * ratio), height: Math.sqrt(pixels / ratio) };
	const candidates = around(exact.width)
		.flatMap((width) => around(exact.height).map((height) => ({ width, height })))
		.filter(fits)
		.map((one) => `${one.width}x${one.height}`);
	return nearestOf(candidates, exact);
}

/** Ratios count as sizes: `16:9` has the shape of 16 × 9 pixels. */
function parseSize(text: string): Size | undefined {
	const [, width, height] = /^([1-9]\d{0,4})[x:]([1-9]\d{0,4})$/.exec(text) ?? [];
	return width && height ? { width: Number(width), height: Number(height) } : undefined;
}

const distance = (one: Size, other: Size) => ({
	// Rounded, so that ratios such as 1792:1024 and 7:4 count as equal.
	shape: Math.round(1e6 * Math.abs(Math.log((one.width * other.height) / (one.height * other.width)))),
	pixels: Math.abs(Math.log((one.width * one.height) / (other.width * other.height))),
});
