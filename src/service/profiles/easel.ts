import { NAMED_SIZES } from '../../domain/picture-sizes.ts';
import { jsonBody, jsonBodyWithPictures, multipartBody } from '../request-body.ts';
import type { ServiceProfile } from './profile.ts';

/** The API of the embedded studio, with its own `/v1/images/compose`. */
export const easelProfile: ServiceProfile = {
	capabilities: {
		edit: true,
		compose: true,
		maxPictures: 10,
		sizes: [...Object.keys(NAMED_SIZES), ...Object.values(NAMED_SIZES), '512x512'],
		models: [{ id: 'alpha-image' }, { id: 'beta', hint: 'models.hints.beta' }],
	},
	keyHeader: 'authorization',
	sizesOf: () => ({ kind: 'any' }),
	givesAddresses: false,
	timeoutMs: 180_000,
	streamsUsage: false,
	isVisionModel: () => false,
	streamsPictures: () => false,
	generate: (request) => ({ path: '/v1/images/generations', body: jsonBody(request) }),
	edit: ({ image, format, ...fields }) => ({
		path: '/v1/images/edits',
		body:
			format === 'json'
				? jsonBodyWithPictures([image], ([picture]) => ({ ...fields, image: picture?.url }))
				: multipartBody(fields, [{ name: 'image', image }]),
	}),
	// No model: it is not known whether this call takes one.
	compose: ({ images, format, model: _, ...fields }) => ({
		path: '/v1/images/compose',
		body:
			format === 'json'
				? jsonBodyWithPictures(images, (pictures) => ({ ...fields, images: pictures.map(({ url }) => url) }))
				: multipartBody(
						fields,
						images.map((image) => ({ name: 'image', image })),
					),
	}),
	paths: {
		chat: () => '/v1/chat/completions',
		embeddings: () => '/v1/embeddings',
		moderations: '/v1/moderations',
		models: '/v1/models',
	},
};
