import { NAMED_SIZES, RESOLUTIONS } from '../domain/channel.ts';
import { type Capabilities, type Fields, MAX_REFERENCES, type PictureReference } from './service.ts';
import { ANY_SIZE, COMMON_SIZES, ratios, type SizeRule, sizesOfModel } from './sizes.ts';

/** How pictures are sent: as files of a form, with the name for one and the one that several have, or as fields of JSON. */
export type PictureEncoding =
	| { one: string; several: string }
	| ((references: readonly PictureReference[]) => Record<string, unknown>);

/** How services take requests and answer them, unless their rows say otherwise. What a profile does not name is never sent. */
const USUAL = {
	/** The header that carries the key: `authorization` as a bearer token, or the key alone under a name of its own. */
	keyHeader: 'authorization' as 'authorization' | 'api-key' | 'x-goog-api-key',
	/** What its paths begin with, unless the configured address has a version of its own. */
	prefix: '/v1',
	/** Returns the path of an operation, such as `/chat/completions`, after the prefix. */
	pathOf: (operation: string, model = '') =>
		operation.replace('{model}', encodeURIComponent(model.replace(/^models\//, ''))),
	/** Where pictures are made from text, and where models are listed. */
	generatesAt: '/images/generations',
	listsAt: ['/models'],
	/** Part names of files that OpenAI takes. It refuses a repeated `image`. https://github.com/openai/openai-ruby/issues/311 */
	pictures: { one: 'image', several: 'image[]' } as PictureEncoding,
	sizesOf: (_model: string): SizeRule => COMMON_SIZES,
	/** Returns the fields for a size or a ratio, and a resolution beside it. */
	sizeFields: (shape: string, resolution?: string): Fields => ({ size: resolution ? `${shape} ${resolution}` : shape }),
	/** Whether an answer without pictures means that all of them were blocked. */
	leavesOutBlocked: false,
	/**
	 * Longest wait for one call, unless the operator sets another, in milliseconds. Large pictures of high quality take two minutes.
	 * https://github.com/QuantumNous/new-api/issues/4920
	 */
	timeoutMs: 300_000,
	/** The field of chat requests that bounds the tokens of an answer. */
	tokenLimit: 'max_tokens' as 'max_tokens' | 'max_completion_tokens',
	/** Whether streamed chat answers end with the tokens they took when `stream_options` asks for it. */
	streamsUsage: false,
	/** Whether requests may say who asks, in `safety_identifier`. */
	identifies: false,
	/** Tells whether a chat model takes pictures, where the service's list of models does not say. */
	isVisionModel,
	/** Tells whether a model can stream its picture with previews of it. */
	streamsPictures: (_model: string) => false,
	/** Tells whether a model takes `quality`, and mostly `background`: one that refuses it is asked without it. */
	takesQuality: (_model: string) => false,
	/** Whether its models follow an instruction beside the words of a person, instead of drawing its words as well. */
	followsInstructions: true,
	/** Removes what the service would take as an instruction to itself. */
	promptOf: (prompt: string) => prompt,
};

export type ServiceProfile = typeof USUAL & {
	readonly capabilities: Capabilities;
	/** Where pictures are changed. Absent: the service makes them only from text. */
	editsAt?: string;
	/** A composition goes to a form of its own, which takes no model. Default: it is an edit with several pictures. */
	composesAt?: string;
	/** Returns the whole body of a request for pictures, where its shape is another one. Pictures follow the prompt in their order. */
	bodyOf?(prompt: string, sizeFields: Fields, references: readonly PictureReference[]): Fields;
	/** Chats, embeddings and lists go by another profile, at the same service. */
	chatsAs?: 'google';
	/** The form in which pictures have to be asked for, as `b64_json`. Default: the service's own. */
	responseFormat?: string;
};

/** A service: in what it differs from the images API that OpenAI began. */
type ServiceRow = Partial<Omit<ServiceProfile, 'capabilities'>> &
	Partial<Pick<Capabilities, 'maxPictures' | 'maxReferences' | 'sizes' | 'models'>> & {
		/** Its own addresses: whole host names, or with a dot in front the ends of them. */
		hosts?: readonly string[];
	};

/** Part names where a repeated `image` is understood. */
const REPEATED: PictureEncoding = { one: 'image', several: 'image' };

/** A picture as a part of a message, as some services have it elsewhere, too. */
export const imagePart = ({ url }: PictureReference) => ({ type: 'image_url', image_url: { url } });

/** Where the images API changes pictures. */
const EDITS = '/images/edits';

/** Makes a profile of a row, which suggests the configured image models, too. */
function profileOf({ hosts: _, ...row }: ServiceRow, imageModels: readonly string[]): ServiceProfile {
	const { maxPictures = 10, maxReferences = 3, sizes = Object.keys(NAMED_SIZES), models: hints = [], ...own } = row;
	const fields = { ...USUAL, ...own };
	const canEdit = fields.editsAt !== undefined;
	const ids = [...new Set([...imageModels, ...hints.map(({ id }) => id)])];
	const resolutions = imageModels.flatMap((model) => fields.sizesOf(model).resolutions ?? []);
	return {
		...fields,
		capabilities: {
			...{ edit: canEdit, compose: canEdit, maxPictures },
			maxReferences: Math.min(maxReferences, MAX_REFERENCES),
			sizes: [...new Set([...sizes, ...resolutions])],
			models: ids.map((id) => hints.find((hint) => hint.id === id) ?? { id }),
			quality: ids.some((id) => fields.takesQuality(id)),
		},
	};
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

/** Tells by its name whether a chat model takes pictures. */
function isVisionModel(model: string): boolean {
	const name = model.toLowerCase();
	const isBlind = /audio|realtime|transcribe|tts|embed|gpt-image|gemma-3-(1b|270m)/.test(name);
	return !isBlind && FAMILIES.some((family) => family.test(name));
}

/**
 * Models that stream their pictures and take a quality, at OpenAI's own API.
 * https://developers.openai.com/api/docs/guides/image-generation#streaming
 */
const isGptImage = (model: string) => /(?:^|\/)(?:chat)?gpt-image/.test(model);

/** OpenAI's API, wherever it is offered. `response_format` is not sent: models refuse it. https://github.com/vercel/ai/issues/6102 */
const OPENAI: ServiceRow = {
	sizesOf: sizesOfModel,
	maxReferences: 16,
	streamsUsage: true,
	// https://developers.openai.com/api/docs/guides/image-generation#customize-image-output
	takesQuality: isGptImage,
};

/** Servers that may draw without a graphics card. https://github.com/techjarves/Uncensored-Local-Studio/issues/46 */
const LOCAL: ServiceRow = { sizesOf: () => ANY_SIZE, timeoutMs: 600_000 };

/** The services that Easel knows, by their names in `SERVICE_PROFILE`. docs/services.md says what works on each, and what was tried. */
const SERVICES = {
	// The API of the embedded studio.
	easel: {
		sizesOf: () => ANY_SIZE,
		timeoutMs: 180_000,
		isVisionModel: () => false,
		followsInstructions: false,
		editsAt: EDITS,
		composesAt: '/images/compose',
		sizes: [...Object.keys(NAMED_SIZES), ...Object.values(NAMED_SIZES), '512x512'],
		models: [{ id: 'alpha-image' }, { id: 'beta', hint: 'models.hints.beta' }],
	},
	// https://developers.openai.com/api/docs/guides/safety-checks.md
	// Newer models refuse `max_tokens`. https://developers.openai.com/api/reference/resources/chat/subresources/completions/methods/create
	openai: {
		...OPENAI,
		tokenLimit: 'max_completion_tokens',
		// Also in the regions where it keeps data. https://developers.openai.com/api/docs/guides/your-data
		hosts: ['api.openai.com', '.api.openai.com'],
		streamsPictures: isGptImage,
		identifies: true,
		editsAt: EDITS,
	},
	// For services of this API without /v1/images/edits.
	'openai-generations': { ...OPENAI, streamsPictures: isGptImage },
	// https://github.com/MicrosoftDocs/azure-ai-docs, articles/ai-foundry/openai/how-to/dall-e.md
	azure: {
		...OPENAI,
		tokenLimit: 'max_completion_tokens',
		hosts: ['.openai.azure.com', '.services.ai.azure.com', '.cognitiveservices.azure.com'],
		prefix: '/openai/v1',
		keyHeader: 'api-key',
		streamsPictures: isGptImage,
		editsAt: EDITS,
	},
	// The API before /openai/v1: models are the names of deployments, in the path.
	// https://github.com/openai/openai-node, src/azure.ts
	'azure-deployments': {
		...OPENAI,
		prefix: '/openai',
		keyHeader: 'api-key',
		pathOf(operation, model) {
			const deployment = model === undefined ? '' : `/deployments/${encodeURIComponent(model)}`;
			return `${deployment}${operation}?api-version=2025-04-01-preview`;
		},
		editsAt: EDITS,
	},
	// Some versions refuse `image[]`; all take a repeated `image`. https://github.com/BerriAI/litellm/issues/41625
	litellm: { ...OPENAI, editsAt: EDITS, pictures: REPEATED },
	// Pictures are JSON fields of generations. `|` begins the negative prompt.
	// https://github.com/mudler/LocalAI, core/http/endpoints/openai/image.go
	localai: {
		...LOCAL,
		responseFormat: 'b64_json',
		editsAt: '/images/generations',
		pictures: (references) => ({ ref_images: references.map(({ base64 }) => base64) }),
		promptOf: (prompt) => prompt.replaceAll('|', ' '),
	},
	// One picture needs brackets as well. Settings in the prompt would be obeyed.
	// https://github.com/leejet/stable-diffusion.cpp, examples/server/routes_openai.cpp
	'sd-server': {
		...LOCAL,
		maxPictures: 8,
		editsAt: EDITS,
		pictures: { one: 'image[]', several: 'image[]' },
		promptOf: (prompt) => prompt.replaceAll(/<\/?sd_cpp_extra_args>/gi, ' '),
	},
	// Older versions answer with addresses unless told otherwise. https://github.com/sgl-project/sglang/issues/19360
	sglang: {
		...LOCAL,
		streamsUsage: true,
		responseFormat: 'b64_json',
		editsAt: EDITS,
	},
	// https://docs.x.ai/developers/model-capabilities/images.md
	xai: {
		hosts: ['api.x.ai', '.api.x.ai'],
		// https://github.com/vercel/ai/issues/19168
		leavesOutBlocked: true,
		// Before Grok Imagine, models had one resolution. https://docs.x.ai/developers/model-capabilities/images/generation
		sizesOf: (model) => ratios('1:1 3:2 2:3 16:9 9:16 4:3 3:4 2:1 1:2', /grok-2/.test(model) ? [] : ['2K']),
		responseFormat: 'b64_json',
		sizeFields: (aspect_ratio, resolution) => ({ aspect_ratio, resolution: resolution?.toLowerCase() }),
		editsAt: EDITS,
		pictures(references) {
			const images = references.map(({ url }) => ({ url, type: 'image_url' }));
			return images.length === 1 ? { image: images[0] } : { images };
		},
	},
	// Pictures must lie at public addresses there, which those of a chat do not. https://docs.together.ai/docs/images-overview
	together: {
		hosts: ['api.together.xyz', 'api.together.ai'],
		sizesOf: () => ANY_SIZE,
		maxPictures: 4,
		responseFormat: 'base64',
		sizeFields(size) {
			const [width, height] = size.split('x').map(Number);
			return { width, height };
		},
	},
	// https://github.com/vercel/ai, packages/deepinfra/src/deepinfra-image-model.ts
	deepinfra: {
		hosts: ['api.deepinfra.com'],
		prefix: '/v1/openai',
		sizesOf: () => ANY_SIZE,
		maxPictures: 1,
		editsAt: EDITS,
		pictures: REPEATED,
	},
	// One address for generations and edits. Models differ in what they take, and refuse the rest.
	// https://openrouter.ai/docs/guides/overview/multimodal/image-generation
	openrouter: {
		hosts: ['openrouter.ai', 'eu.openrouter.ai'],
		prefix: '/api/v1',
		generatesAt: '/images',
		listsAt: ['/models', '/images/models'],
		maxReferences: 14,
		streamsUsage: true,
		// Its list of models says which of them take a resolution.
		// https://openrouter.ai/docs/client-sdks/typescript/models/imagegenerationrequestresolution.md
		sizesOf: () => ratios('1:1 16:9 9:16 4:3 3:4 3:2 2:3 4:5 5:4 21:9 9:21 2:1 1:2', RESOLUTIONS),
		sizeFields: (aspect_ratio, resolution) => ({ aspect_ratio, resolution }),
		editsAt: '/images',
		pictures: (references) => ({ input_references: references.map(imagePart) }),
	},
	gemini: {
		hosts: ['generativelanguage.googleapis.com'],
		prefix: '/v1beta',
		keyHeader: 'x-goog-api-key',
		maxPictures: 1,
		// https://ai.google.dev/gemini-api/docs/image-generation
		maxReferences: 14,
		// Gemini 2.5 and the small models have one resolution.
		sizesOf: (model) =>
			ratios('1:1 2:3 3:2 3:4 4:3 4:5 5:4 9:16 16:9 21:9', /gemini-2|-lite/.test(model) ? [] : RESOLUTIONS),
		sizeFields: (aspectRatio, imageSize) => ({ imageConfig: { aspectRatio, imageSize } }),
		generatesAt: '/models/{model}:generateContent',
		editsAt: '/models/{model}:generateContent',
		bodyOf(prompt, sizeFields, references) {
			const pictures = references.map(({ type, base64 }) => ({ inlineData: { mimeType: type, data: base64 } }));
			return {
				contents: [{ role: 'user', parts: [{ text: prompt }, ...pictures] }],
				generationConfig: { responseModalities: ['TEXT', 'IMAGE'], ...sizeFields },
			};
		},
		chatsAs: 'google',
	},
	// The same models by the widely used API. https://ai.google.dev/gemini-api/docs/openai
	google: {
		prefix: '/v1beta/openai',
		maxPictures: 4,
		responseFormat: 'b64_json',
	},
} satisfies Record<string, ServiceRow>;

export type ProfileName = keyof typeof SERVICES;

export const PROFILE_NAMES = Object.keys(SERVICES) as ProfileName[];

export const profileNamed = (name: ProfileName, { imageModels }: { imageModels: readonly string[] }): ServiceProfile =>
	profileOf(SERVICES[name], imageModels);

export const PROFILES = Object.fromEntries(
	Object.entries<ServiceRow>(SERVICES).map(([name, row]) => [name, profileOf(row, [])]),
) as Record<ProfileName, ServiceProfile>;

/** Returns the profile of a service that is known by its address. */
export function profileOfAddress(baseUrl: string): ProfileName | undefined {
	const { hostname } = new URL(baseUrl);
	return PROFILE_NAMES.find((name) => {
		const { hosts = [] }: ServiceRow = SERVICES[name];
		return hosts.some((host) => (host.startsWith('.') ? hostname.endsWith(host) : hostname === host));
	});
}
