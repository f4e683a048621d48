/** Words count most; their parts make "painter" and "painting" somewhat similar. */
const WORD_WEIGHT = 1;
const PART_WEIGHT = 0.35;
const PART_LENGTHS = [3, 4];

/** Frequent words, which say little about a text. */
const COMMON = new Set('a an and are as at be by for from in is it of on or that the this to was with'.split(' '));
const COMMON_WEIGHT = 0.15;

/**
 * Returns the embedding of a text: its words and their parts are counted, damped, and hashed with a sign into `dimensions`
 * buckets. Texts are near when they share words; meanings are not known. Deterministic, of length 1.
 */
export function embed(text: string, dimensions: number): Float32Array {
	const vector = new Float64Array(dimensions);
	for (const [feature, all] of Map.groupBy(featuresOf(text), ([feature]) => feature)) {
		const value = (all[0]?.[1] ?? 0) * (1 + Math.log(all.length));
		const hashed = hash(feature);
		const bucket = (hashed >>> 1) % dimensions;
		vector[bucket] = (vector[bucket] ?? 0) + (hashed & 1 ? value : -value);
	}
	const length = Math.hypot(...vector);
	// Features may cancel out; every text still has a direction.
	if (length === 0) vector[(hash(text) >>> 1) % dimensions] = 1;
	return Float32Array.from(vector, (value) => value / (length || 1));
}

/** Yields the words of a text and their parts. */
function* featuresOf(text: string): Generator<[feature: string, weight: number]> {
	const words =
		text
			.normalize('NFKC')
			.toLowerCase()
			.match(/[\p{L}\p{M}\p{N}]+|[^\s\p{L}\p{M}\p{N}]/gu) ?? [];
	for (const word of words) {
		const common = COMMON.has(word) || !/[\p{L}\p{N}]/u.test(word);
		yield [word, common ? COMMON_WEIGHT : WORD_WEIGHT];
		if (common) continue;
		const bounded = `<${word}>`;
		for (const length of PART_LENGTHS)
			for (let start = 0; start + length <= bounded.length; start++)
				yield [`#${bounded.slice(start, start + length)}`, PART_WEIGHT];
	}
}

/** FNV-1a over UTF-16 units, with a final mix for the low bits. http://www.isthe.com/chongo/tech/comp/fnv/ */
function hash(text: string): number {
	let value = 0x811c9dc5;
	for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
	value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
	return (value ^ (value >>> 13)) >>> 0;
}
