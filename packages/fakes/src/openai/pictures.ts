import sharp from 'sharp';

export const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/webp'];

/** Decodes a picture to its end, and tells whether it is one of this type. */
export async function isSoundPicture(bytes: Buffer, type?: string): Promise<boolean> {
	try {
		const picture = sharp(bytes, { failOn: 'error' });
		const { format } = await picture.metadata();
		await picture.stats();
		return IMAGE_TYPES.includes(`image/${format}`) && (type === undefined || type === `image/${format}`);
	} catch {
		return false;
	}
}
