/** The numbers of a sketch. A scan of 100,000 of them takes about 20 ms of one core. */
export const SKETCH_LENGTH = 256;

const MAX_VALUE = 127;

/** Returns a vector in whole numbers from -127 to 127. It has the same direction, and another length. */
export function quantize(vector: ArrayLike<number>): Int8Array {
	let largest = 0;
	for (let index = 0; index < vector.length; index++) largest = Math.max(largest, Math.abs(vector[index] ?? 0));
	const scale = largest === 0 ? 0 : MAX_VALUE / largest;
	return Int8Array.from(vector, (value) => Math.round(value * scale));
}

/**
 * Returns a vector of `SKETCH_LENGTH` numbers whose likeness to other sketches is about that of the whole vectors: longer ones are
 * projected by a fixed hash of each position. https://doi.org/10.1145/1553374.1553516
 */
export function sketchOf(vector: Int8Array): Int8Array {
	if (vector.length <= SKETCH_LENGTH) {
		const sketch = new Int8Array(SKETCH_LENGTH);
		sketch.set(vector);
		return sketch;
	}
	const sums = new Int32Array(SKETCH_LENGTH);
	for (let index = 0; index < vector.length; index++) {
		const hashed = hashOf(index);
		const bucket = (hashed >>> 1) % SKETCH_LENGTH;
		const value = vector[index] ?? 0;
		sums[bucket] = (sums[bucket] ?? 0) + (hashed & 1 ? value : -value);
	}
	return quantize(sums);
}

/** Returns the cosine of the angle between two vectors of the same length: 1 for the same direction, 0 for unrelated ones. */
export function likeness(one: Int8Array, other: Int8Array): number {
	let sum = 0;
	for (let index = 0; index < one.length; index++) sum += (one[index] ?? 0) * (other[index] ?? 0);
	return sum / ((lengthOf(one) || 1) * (lengthOf(other) || 1));
}

export function lengthOf(vector: Int8Array): number {
	let sum = 0;
	for (let index = 0; index < vector.length; index++) sum += (vector[index] ?? 0) ** 2;
	return Math.sqrt(sum);
}

/** Mixes the bits of a number: the finalizer of MurmurHash3, which is in the public domain. */
function hashOf(index: number): number {
	let mixed = index + 1;
	mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
	mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
	return (mixed ^ (mixed >>> 16)) >>> 0;
}
