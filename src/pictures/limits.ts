/**
 * The service takes "about 10 MB" a picture, without saying which MB. People may send the larger 10 MB, which is also Discord's;
 * pictures above the smaller 10 MB are reduced before they are sent, with room for a mark.
 */
export const MAX_INPUT_BYTES = 10 * 1024 * 1024;
export const MAX_SENT_BYTES = 10_000_000 - 1000;

/** Enough for a 50-megapixel phone camera. Decoded at once, such a picture takes at most 200 MB. */
export const MAX_INPUT_PIXELS = 50_000_000;

/** Longest side: the maximum of WebP, which other programs can still show. https://developers.google.com/speed/webp/faq */
export const MAX_INPUT_SIDE = 16_383;
