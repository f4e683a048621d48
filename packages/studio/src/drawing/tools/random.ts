/** A stream of reproducible chance: the same seed gives the same draws on every machine. */
export interface Random {
	/** In [0, 1). */
	next(): number;
	between(low: number, high: number): number;
	/** Both ends included. */
	whole(low: number, high: number): number;
	chance(probability: number): boolean;
	pick<T>(choices: readonly [T, ...T[]]): T;
	shuffled<T>(items: readonly T[]): T[];
	/** An independent stream, so that drawing one more tree does not move the moon. */
	fork(label: string): Random;
}

/** cyrb53's mixing, carried on to 4 × 32 bits. */
function hash(text: string): [number, number, number, number] {
	let [a, b, c, d] = [1779033703, 3144134277, 1013904242, 2773480762];
	for (let index = 0; index < text.length; index++) {
		const code = text.charCodeAt(index);
		a = b ^ Math.imul(a ^ code, 597399067);
		b = c ^ Math.imul(b ^ code, 2869860233);
		c = d ^ Math.imul(c ^ code, 951274213);
		d = a ^ Math.imul(d ^ code, 2716044179);
	}
	return [a ^ (b >>> 15), b ^ (c >>> 13), c ^ (d >>> 16), d ^ (a >>> 14)];
}

/** sfc32 (Chris Doty-Humphrey's PractRand), seeded by a text. */
export function seeded(seed: string): Random {
	let [a, b, c, d] = hash(seed);
	const next = () => {
		const sum = (((a + b) | 0) + d) | 0;
		d = (d + 1) | 0;
		a = b ^ (b >>> 9);
		b = (c + (c << 3)) | 0;
		c = (c << 21) | (c >>> 11);
		c = (c + sum) | 0;
		return (sum >>> 0) / 4294967296;
	};
	for (let warm = 0; warm < 12; warm++) next();
	const between = (low: number, high: number) => low + (high - low) * next();
	const whole = (low: number, high: number) => Math.floor(between(low, high + 1));
	return {
		next,
		between,
		whole,
		chance: (probability) => next() < probability,
		pick: (choices) => choices[whole(0, choices.length - 1)] ?? choices[0],
		shuffled: (items) => {
			const shuffled = [...items];
			for (let last = shuffled.length - 1; last > 0; last--) {
				const other = whole(0, last);
				[shuffled[last], shuffled[other]] = [shuffled[other]!, shuffled[last]!];
			}
			return shuffled;
		},
		fork: (label) => seeded(`${seed}/${label}`),
	};
}
