/**
 * The service takes "about 10 MB" a picture, and doesn't say of which kind. From people we take the larger 10 MB, which is
 * also what Discord means by it; what is larger than the smaller 10 MB is made smaller before it is sent.
 */
export const MAX_INPUT_BYTES = 10 * 1024 * 1024;
export const MAX_SENT_BYTES = 10_000_000;

/** Room for a 50-megapixel telephone camera; decoded at once, such a picture takes 200 MB at most. */
export const MAX_INPUT_PIXELS = 50_000_000;

/** Longest side: the most that a WebP can have, and what other programs can still show. https://developers.google.com/speed/webp/faq */
export const MAX_INPUT_SIDE = 16_383;
