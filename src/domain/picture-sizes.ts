/** Sizes of pictures that people can name, as width x height where a service takes any size. */
export const NAMED_SIZES: Readonly<Record<string, string>> = {
	square: '1024x1024',
	landscape: '1536x1024',
	portrait: '1024x1536',
	wide: '1792x1024',
	tall: '1024x1792',
};
