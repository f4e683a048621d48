import { setImmediate as settled } from 'node:timers/promises';

/** Something that happens later; `cancel` before it has, and it does not. */
export type Pending = { cancel(): void };

/** Virtual time: nothing waits, and nothing happens but by `step`. */
export type Clock = {
	/** Milliseconds since the run began. Only ever goes on. */
	elapsed(): number;
	/** What the wall says, Unix milliseconds: it can be put forward and back. */
	wall(): number;
	/** Puts the wall clock forward or back, and no timer notices, as after a suspension or by the hand of an operator. */
	jump(ms: number): void;
	after(ms: number, work: () => void): Pending;
	/** Lets the next thing happen, and all that follows from it at once. False when there is nothing until `end`. */
	step(end: number): Promise<boolean>;
};

export function createClock(start: number): Clock {
	let elapsed = 0;
	let offset = start;
	let count = 0;
	/** Soonest last; of two at one time, the one that was asked for first comes first. */
	const line: { at: number; order: number; work: () => void }[] = [];

	return {
		elapsed: () => elapsed,
		wall: () => offset + elapsed,
		jump(ms) {
			offset += ms;
		},
		after(ms, work) {
			const entry = { at: elapsed + Math.max(0, Math.ceil(ms)), order: count++, work };
			let low = 0;
			let high = line.length;
			while (low < high) {
				const middle = (low + high) >>> 1;
				if ((line[middle] as typeof entry).at > entry.at) low = middle + 1;
				else high = middle;
			}
			line.splice(low, 0, entry);
			return {
				cancel() {
					const index = line.indexOf(entry);
					if (index >= 0) line.splice(index, 1);
				},
			};
		},
		async step(end) {
			const next = line.at(-1);
			if (!next || next.at > end) {
				elapsed = Math.max(elapsed, end);
				return false;
			}
			line.pop();
			elapsed = next.at;
			next.work();
			// Every promise that this settles is followed to its end: there is no real input or output to wait for.
			await settled();
			return true;
		},
	};
}
