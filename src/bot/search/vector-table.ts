import { setImmediate } from 'node:timers/promises';
import { lengthOf, SKETCH_LENGTH } from './int8-vector.ts';

/** The vectors that are compared before other work gets its turn, which is some 2 ms. */
const SLICE = 8192;

/** The smallest number of vectors that memory is reserved for. */
const INITIAL = 1024;

/** A result that is searched for: who may find it, and where. */
export type SearchableResult = {
	job: string;
	person: string;
	channel: string;
	thread?: string | undefined;
	/** Only the person who asked may find it. */
	private: boolean;
};

/** The sketches of a server's results in memory. Beyond `capacity`, new results replace the oldest. */
export class VectorTable {
	readonly #capacity: number;
	readonly #results: (SearchableResult | undefined)[] = [];
	readonly #slots = new Map<string, number>();
	/** Ids of people and channels repeat: each is in memory once. */
	readonly #ids = new Map<string, string>();
	#vectors = new Int8Array(INITIAL * SKETCH_LENGTH);
	#lengths = new Float32Array(INITIAL);
	#added = 0;

	constructor(capacity: number) {
		this.#capacity = capacity;
	}

	get size(): number {
		return this.#slots.size;
	}

	has(job: string): boolean {
		return this.#slots.has(job);
	}

	/** Adds a result, unless it is there. */
	add(result: SearchableResult, sketch: Int8Array): void {
		if (this.has(result.job)) return;
		const slot = this.#added++ % this.#capacity;
		const replaced = this.#results[slot];
		if (replaced) this.#slots.delete(replaced.job);
		this.#reserve(slot + 1);
		this.#vectors.set(sketch, slot * SKETCH_LENGTH);
		this.#lengths[slot] = lengthOf(sketch) || 1;
		const [person, channel] = [this.#shared(result.person), this.#shared(result.channel)];
		this.#results[slot] = { ...result, person, channel };
		this.#slots.set(result.job, slot);
	}

	remove(job: string): void {
		const slot = this.#slots.get(job);
		if (slot === undefined) return;
		this.#slots.delete(job);
		this.#results[slot] = undefined;
		this.#vectors.fill(0, slot * SKETCH_LENGTH, (slot + 1) * SKETCH_LENGTH);
	}

	/** Returns the jobs of the results that are most like a sketch, the best first. Other work goes on meanwhile. */
	async nearest(sketch: Int8Array, count: number, accepts: (result: SearchableResult) => boolean): Promise<string[]> {
		const best = new Best(count);
		for (let slot = 0; slot < this.#results.length; slot++) {
			if (slot > 0 && slot % SLICE === 0) await setImmediate();
			const result = this.#results[slot];
			if (result && accepts(result)) best.add(result.job, this.#product(sketch, slot) / (this.#lengths[slot] ?? 1));
		}
		return best.jobs;
	}

	#product(sketch: Int8Array, slot: number): number {
		const vectors = this.#vectors;
		const start = slot * SKETCH_LENGTH;
		let sum = 0;
		for (let index = 0; index < SKETCH_LENGTH; index++) sum += (vectors[start + index] ?? 0) * (sketch[index] ?? 0);
		return sum;
	}

	#reserve(slots: number): void {
		const reserved = this.#lengths.length;
		if (slots <= reserved) return;
		const grown = Math.min(this.#capacity, reserved * 2);
		const [vectors, lengths] = [new Int8Array(grown * SKETCH_LENGTH), new Float32Array(grown)];
		vectors.set(this.#vectors);
		lengths.set(this.#lengths);
		[this.#vectors, this.#lengths] = [vectors, lengths];
	}

	#shared(id: string): string {
		const known = this.#ids.get(id);
		if (known === undefined) this.#ids.set(id, id);
		return known ?? id;
	}
}

/** The highest values of many, in order. */
class Best {
	readonly #count: number;
	readonly #entries: { job: string; value: number }[] = [];

	constructor(count: number) {
		this.#count = count;
	}

	get jobs(): string[] {
		return this.#entries.map(({ job }) => job);
	}

	add(job: string, value: number): void {
		const entries = this.#entries;
		if (entries.length === this.#count && value <= (entries.at(-1)?.value ?? 0)) return;
		let at = entries.length;
		while (at > 0 && (entries[at - 1]?.value ?? 0) < value) at--;
		entries.splice(at, 0, { job, value });
		if (entries.length > this.#count) entries.pop();
	}
}
