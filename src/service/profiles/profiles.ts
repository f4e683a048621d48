import { NAMED_SIZES } from '../../domain/channel.ts';
import {
	COMMON_SIZES,
	type PictureEncoding,
	profileOf,
	type ServiceProfile,
	type ServiceRow,
	type SizeRule,
} from './profile.ts';

/** gpt-image-2 and later. https://developers.openai.com/api/reference/resources/images/methods/generate.md */
const FREE_SIZES: SizeRule = {
	kind: 'grid',
	multiple: 16,
	maxEdge: 3840,
	maxRatio: 3,
	minPixels: 655_360,
	maxPixels: 8_294_400,
};

/** https://developers.openai.com/api/docs/guides/image-generation#streaming */
const streamsPictures = (model: string) => /(?:^|\/)(?:chat)?gpt-image/.test(model);

const sizesOfGptImage = (model: string): SizeRule => (/gpt-image-(?!1)/.test(model) ? FREE_SIZES : COMMON_SIZES);

/** For servers that may draw without a graphics card. https://github.com/techjarves/Uncensored-Local-Studio/issues/46 */
const LOCAL_MS = 600_000;

/** Part names that OpenAI takes. It refuses a repeated `image`. https://github.com/openai/openai-ruby/issues/311 */
const WITH_BRACKETS: PictureEncoding = { as: 'form', one: 'image', several: 'image[]' };
/** Part names where a repeated `image` is understood. */
const REPEATED: PictureEncoding = { as: 'form', one: 'image', several: 'image' };

/** OpenAI's API, wherever it is offered. `response_format` is not sent: models refuse it. https://github.com/vercel/ai/issues/6102 */
const OPENAI: ServiceRow = { sizesOf: sizesOfGptImage, givesAddresses: true, streamsUsage: true };

/** The services that Easel knows, by their names in `SERVICE_PROFILE`. docs/services.md says what works on each, and what was tried. */
const SERVICES = {
	// The API of the embedded studio.
	easel: {
		sizesOf: () => ({ kind: 'any' }),
		timeoutMs: 180_000,
		isVisionModel: () => false,
		pictures: REPEATED,
		composesAt: '/images/compose',
		suggests: {
			sizes: [...Object.keys(NAMED_SIZES), ...Object.values(NAMED_SIZES), '512x512'],
			models: [{ id: 'alpha-image' }, { id: 'beta', hint: 'models.hints.beta' }],
		},
	},
	openai: { ...OPENAI, hosts: ['api.openai.com'], streamsPictures, pictures: WITH_BRACKETS },
	// For services of this API without /v1/images/edits.
	'openai-generations': { ...OPENAI, streamsPictures },
	// https://github.com/MicrosoftDocs/azure-ai-docs, articles/ai-foundry/openai/how-to/dall-e.md
	azure: {
		...OPENAI,
		hosts: ['.openai.azure.com', '.services.ai.azure.com'],
		prefix: '/openai/v1',
		keyHeader: 'api-key',
		streamsPictures,
		pictures: WITH_BRACKETS,
	},
	// The API before /openai/v1: models are the names of deployments, in the path.
	// https://github.com/openai/openai-node, src/azure.ts
	'azure-deployments': {
		...OPENAI,
		keyHeader: 'api-key',
		pathOf(operation, model) {
			const deployment = model === undefined ? '' : `/deployments/${encodeURIComponent(model)}`;
			return `/openai${deployment}${operation}?api-version=2025-04-01-preview`;
		},
		pictures: WITH_BRACKETS,
	},
	// Some versions refuse `image[]`; all take a repeated `image`. https://github.com/BerriAI/litellm/issues/41625
	litellm: { ...OPENAI, pictures: REPEATED },
	// Pictures are JSON fields of generations. `|` begins the negative prompt.
	// https://github.com/mudler/LocalAI, core/http/endpoints/openai/image.go
	localai: {
		sizesOf: () => ({ kind: 'any' }),
		timeoutMs: LOCAL_MS,
		givesAddresses: true,
		fields: { response_format: 'b64_json' },
		pictures: {
			as: 'json',
			path: '/images/generations',
			pictures: (references) => ({ ref_images: references.map(({ base64 }) => base64) }),
		},
		promptOf: (prompt) => prompt.replaceAll('|', ' '),
	},
	// One picture needs brackets as well. Settings in the prompt would be obeyed.
	// https://github.com/leejet/stable-diffusion.cpp, examples/server/routes_openai.cpp
	'sd-server': {
		sizesOf: () => ({ kind: 'any' }),
		maxPictures: 8,
		timeoutMs: LOCAL_MS,
		pictures: { as: 'form', one: 'image[]', several: 'image[]' },
		promptOf: (prompt) => prompt.replaceAll(/<\/?sd_cpp_extra_args>/gi, ' '),
	},
	// Older versions answer with addresses unless told otherwise. https://github.com/sgl-project/sglang/issues/19360
	sglang: {
		sizesOf: () => ({ kind: 'any' }),
		timeoutMs: LOCAL_MS,
		givesAddresses: true,
		streamsUsage: true,
		fields: { response_format: 'b64_json' },
		pictures: WITH_BRACKETS,
	},
	// https://docs.x.ai/developers/model-capabilities/images.md
	xai: {
		hosts: ['api.x.ai'],
		sizesOf: () => ({ kind: 'ratio', ratios: ['1:1', '3:2', '2:3', '16:9', '9:16', '4:3', '3:4', '2:1', '1:2'] }),
		givesAddresses: true,
		fields: { response_format: 'b64_json' },
		sizeFields: (ratio) => ({ aspect_ratio: ratio }),
		pictures: {
			as: 'json',
			path: '/images/edits',
			pictures(references) {
				const images = references.map(({ url }) => ({ url, type: 'image_url' }));
				return images.length === 1 ? { image: images[0] } : { images };
			},
		},
	},
	// Pictures must lie at public addresses there, which those of a chat do not. https://docs.together.ai/docs/images-overview
	together: {
		hosts: ['api.together.xyz', 'api.together.ai'],
		sizesOf: () => ({ kind: 'any' }),
		maxPictures: 4,
		givesAddresses: true,
		fields: { response_format: 'base64' },
		sizeFields(size) {
			const [width, height] = size.split('x').map(Number);
			return { width, height };
		},
	},
	// https://github.com/vercel/ai, packages/deepinfra/src/deepinfra-image-model.ts
	deepinfra: {
		hosts: ['api.deepinfra.com'],
		prefix: '/v1/openai',
		sizesOf: () => ({ kind: 'any' }),
		maxPictures: 1,
		pictures: REPEATED,
	},
	// https://ai.google.dev/gemini-api/docs/openai
	google: {
		hosts: ['generativelanguage.googleapis.com'],
		prefix: '/v1beta/openai',
		maxPictures: 4,
		fields: { response_format: 'b64_json' },
	},
} satisfies Record<string, ServiceRow>;

export type ProfileName = keyof typeof SERVICES;

export const PROFILE_NAMES = Object.keys(SERVICES) as ProfileName[];

export const PROFILES = Object.fromEntries(
	Object.entries<ServiceRow>(SERVICES).map(([name, row]) => [name, profileOf(row)]),
) as Record<ProfileName, ServiceProfile>;

/** Returns the profile of a service that is known by its address. */
export function profileOfAddress(baseUrl: string): ProfileName | undefined {
	const { hostname } = new URL(baseUrl);
	return PROFILE_NAMES.find((name) => {
		const { hosts = [] }: ServiceRow = SERVICES[name];
		return hosts.some((host) => (host.startsWith('.') ? hostname.endsWith(host) : hostname === host));
	});
}
