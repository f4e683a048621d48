/** Sizes of pictures that people can name, as width x height where a service takes any size. */
export const NAMED_SIZES: Readonly<Record<string, string>> = {
	square: '1024x1024',
	landscape: '1536x1024',
	portrait: '1024x1536',
	wide: '1792x1024',
	tall: '1024x1792',
};

/** Width and height of a picture; only their ratio counts. */
export type PictureShape = { width: number; height: number };

/** Returns the shape of a size: a name, or width x height such as `1024x1024`. */
export function shapeOf(size: string): PictureShape {
	const [width = 1, height = 1] = (NAMED_SIZES[size] ?? size).split('x').map(Number);
	return { width, height };
}
