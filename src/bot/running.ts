import type { Log } from '../log.ts';

/** What runs in this process, so that its end can wait for it. */
export type Running = {
	/** Work that somebody waits for as well. */
	hold<T>(work: Promise<T>): Promise<T>;
	/** Work that nobody else waits for; a failure is logged. */
	track(work: Promise<unknown>): void;
	/** Resolves when all has ended. */
	ended(): Promise<void>;
};

export function createRunning(log: Log): Running {
	const running = new Set<Promise<unknown>>();

	function hold<T>(work: Promise<T>): Promise<T> {
		const held = work.finally(() => running.delete(held));
		running.add(held);
		return held;
	}

	return {
		hold,
		track: (work) =>
			void hold(work.catch((error: unknown) => log.error({ err: error }, 'Something that ran by itself failed'))),
		async ended() {
			await Promise.allSettled(running);
			// What ended has told the log; that is waited for as well.
			await Promise.allSettled(running);
		},
	};
}
