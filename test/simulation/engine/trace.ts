import type { VirtualClock } from './clock.ts';

/** Parts of a line that differ in each run, whatever the seed: references of errors, and ids of processes. */
const UNSEEDED = /(?<=reference )[0-9a-f]{8}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** Records what happens in a run, one line for each event. */
export class Trace {
	readonly lines: string[] = [];
	readonly #clock: VirtualClock;

	constructor(clock: VirtualClock) {
		this.#clock = clock;
	}

	add(subject: string, event: string): void {
		const seconds = (this.#clock.elapsed / 1000).toFixed(3).padStart(8);
		this.lines.push(
			`${seconds} ${new Date(this.#clock.wall).toISOString()} ${subject}: ${event.replace(UNSEEDED, '…')}`,
		);
	}
}
