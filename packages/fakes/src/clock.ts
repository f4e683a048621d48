/** Real time that a test can move forward: `now()` runs by itself, `advance` jumps ahead and lets fall due what lies between. */
export type Clock = {
	/** Unix milliseconds. */
	now(): number;
	advance(ms: number): void;
	/** Calls `act` once this much time has passed, really or by `advance`. */
	after(ms: number, act: () => void): void;
	/** Calls everything off. */
	stop(): void;
};

type Timer = { at: number; act: () => void; timeout?: NodeJS.Timeout };

export function createClock(): Clock {
	let ahead = 0;
	const timers = new Set<Timer>();
	const now = () => Date.now() + ahead;

	function wind(timer: Timer) {
		clearTimeout(timer.timeout);
		timer.timeout = setTimeout(
			() => {
				timers.delete(timer);
				timer.act();
			},
			Math.max(0, timer.at - now()),
		);
		timer.timeout.unref();
	}

	return {
		now,
		advance(ms) {
			ahead += ms;
			const due = [...timers].filter(({ at }) => at <= now()).toSorted((a, b) => a.at - b.at);
			for (const timer of due) {
				clearTimeout(timer.timeout);
				timers.delete(timer);
				timer.act();
			}
			for (const timer of timers) wind(timer);
		},
		after(ms, act) {
			const timer = { at: now() + ms, act };
			timers.add(timer);
			wind(timer);
		},
		stop() {
			for (const { timeout } of timers) clearTimeout(timeout);
			timers.clear();
		},
	};
}
