/** The operations that an image service offers, and the values to suggest for their options. */
export type Capabilities = {
	/** Changes a picture by an instruction. */
	edit: boolean;
	/** Makes one picture from several. */
	compose: boolean;
	/** Sizes to suggest, as width x height. The service may take others. */
	sizes: readonly string[];
	/** Image models to suggest. The service may offer others. */
	models: readonly ImageModel[];
};

export type ImageModel = {
	id: string;
	/** Strengths of the model: a short phrase in English, translated where the catalogues have it. */
	hint?: string;
};

/** The API that a service speaks. */
export type ServiceProfile = { readonly capabilities: Capabilities };
