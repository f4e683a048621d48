/** The operations that an image service offers, and the values to suggest for their options. */
export type Capabilities = {
	/** Changes a picture by an instruction. */
	edit: boolean;
	/** Makes one picture from several. */
	compose: boolean;
	/** The most pictures that one call makes. */
	maxPictures: number;
	/** Sizes to suggest: `WIDTHxHEIGHT`, or a name such as `square`. The service may take others. */
	sizes: readonly string[];
	/** Image models to suggest. The service may offer others. */
	models: readonly ImageModel[];
};

export type ImageModel = {
	id: string;
	/** Strengths of the model: a short phrase in English, translated where the catalogues have it. */
	hint?: string;
};
