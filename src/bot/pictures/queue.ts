/** How many requests of all members together run at once; more only wait at the service instead of here. */
const RUN_AT_ONCE = 16;

/** A place to run. Call it when done. */
export type Release = () => void;

export type Queue = {
	/**
	 * Waits until it is this member's turn. Members take turns, so nobody who asks a lot makes others wait for all of it.
	 * @param atOnce how many requests of this member run at once
	 * @param moved told the place in line, 1 for the next, whenever it changes; not called when nobody waits
	 * Rejects with the signal's reason when aborted while waiting.
	 */
	enter(member: string, atOnce: number, signal: AbortSignal, moved: (place: number) => void): Promise<Release>;
};

type Waiting = { member: string; atOnce: number; start: () => void; moved: (place: number) => void; told?: number };

export function createQueue(runAtOnce = RUN_AT_ONCE): Queue {
	const running = new Map<string, number>();
	let total = 0;
	let waiting: Waiting[] = [];

	/** When a member who runs or waits last had a turn, by count. */
	const turns = new Map<string, number>();
	let turnsTaken = 0;

	const turn = (member: string) => turns.get(member) ?? 0;
	const runs = (member: string) => running.get(member) ?? 0;
	const mayRun = ({ member, atOnce }: Waiting) => total < runAtOnce && runs(member) < atOnce;

	/** Whoever runs least comes first; then whoever had a turn longest ago; then whoever asked first. */
	const before = (a: Waiting, b: Waiting) => runs(a.member) - runs(b.member) || turn(a.member) - turn(b.member);
	const nextInLine = () => waiting.filter(mayRun).toSorted(before)[0];

	function admit(): void {
		for (let next = nextInLine(); next; next = nextInLine()) {
			const one = next;
			waiting = waiting.filter((other) => other !== one);
			running.set(one.member, runs(one.member) + 1);
			total += 1;
			turns.set(one.member, ++turnsTaken);
			one.start();
		}
		for (const [index, one] of inOrder().entries()) {
			if (one.told === index + 1) continue;
			one.told = index + 1;
			one.moved(index + 1);
		}
	}

	/** The line as it will move if nothing else happens: each member's first, then each one's second, and so on. */
	function inOrder(): Waiting[] {
		const rounds = new Map<string, number>();
		return waiting
			.map((one) => {
				const round = rounds.get(one.member) ?? runs(one.member);
				rounds.set(one.member, round + 1);
				return { one, round };
			})
			.sort((a, b) => a.round - b.round || turn(a.one.member) - turn(b.one.member))
			.map(({ one }) => one);
	}

	function release(member: string): Release {
		let released = false;
		return () => {
			if (released) return;
			released = true;
			total -= 1;
			if (runs(member) > 1) running.set(member, runs(member) - 1);
			else running.delete(member);
			admit();
			if (runs(member) === 0 && !waiting.some((one) => one.member === member)) turns.delete(member);
		};
	}

	return {
		enter: (member, atOnce, signal, moved) =>
			new Promise((resolve, reject) => {
				if (signal.aborted) return reject(signal.reason);
				const leave = () => {
					waiting = waiting.filter((other) => other !== one);
					reject(signal.reason);
					admit();
				};
				const one: Waiting = {
					member,
					atOnce: Math.max(1, atOnce),
					moved,
					start() {
						signal.removeEventListener('abort', leave);
						resolve(release(member));
					},
				};
				signal.addEventListener('abort', leave, { once: true });
				waiting.push(one);
				admit();
			}),
	};
}
