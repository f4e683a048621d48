import { prepare } from './prepare.ts';

/** Chat models scale larger pictures down themselves. https://developers.openai.com/api/docs/guides/images-vision */
const BOUNDS = { side: 1536, bytes: 1_000_000 };

/**
 * Turns a person's file into a picture for a chat model: as `prepare`, and with a longer side of at most 1536 pixels and 1 MB.
 * @throws PictureError
 */
export const reduce = async (bytes: Uint8Array): Promise<Uint8Array> => (await prepare(bytes, undefined, BOUNDS)).bytes;
