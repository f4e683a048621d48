import type { ServiceProfile } from '../capabilities.ts';

/** The API of the embedded studio, with its own `/v1/images/compose`. */
export const easelProfile: ServiceProfile = {
	capabilities: {
		edit: true,
		compose: true,
		sizes: ['1024x1024', '1536x1024', '1024x1536', '1792x1024', '1024x1792', '512x512'],
		models: [{ id: 'alpha-image' }, { id: 'beta', hint: 'models.hints.beta' }],
	},
};
