/** Runs tasks of one key one after another, and tasks of different keys side by side. */
export class KeyedQueue {
	/** The last task of each key that has tasks left. */
	readonly #last = new Map<string, Promise<unknown>>();

	/** Resolves or rejects as the task does. A task that fails does not keep the next from running. */
	run<Result>(key: string, task: () => Promise<Result>): Promise<Result> {
		const result = (this.#last.get(key) ?? Promise.resolve()).then(task);
		const settled = result.catch(() => {});
		this.#last.set(key, settled);
		void settled.then(() => this.#last.get(key) === settled && this.#last.delete(key));
		return result;
	}
}

/**
 * Returns a function that reads once for calls at about the same time: those during a reading, and within some time after it, get its result.
 * @param msOf how long a result is good for, in milliseconds
 */
export function rememberedFor<Result>(msOf: (result: Result) => number, read: () => Promise<Result>) {
	let latest: Promise<Result> | undefined;
	let until = 0;
	return (): Promise<Result> => {
		if (latest && performance.now() < until) return latest;
		until = Number.POSITIVE_INFINITY;
		latest = read();
		latest.then(
			(result) => {
				until = performance.now() + msOf(result);
			},
			() => {
				until = 0;
			},
		);
		return latest;
	};
}

/** Bounds the memory that work takes at once. Work that does not fit waits, in its order. */
export class MemoryBudget {
	readonly #bytes: number;
	readonly #waitMs: number;
	#free: number;
	readonly #waiting = new Set<{ bytes: number; start: () => void }>();

	/** @param waitMs longest wait, after which work gets its memory all the same, as it does when its signal is aborted. Default: for ever */
	constructor(bytes: number, waitMs = Number.POSITIVE_INFINITY) {
		this.#bytes = bytes;
		this.#free = bytes;
		this.#waitMs = waitMs;
	}

	/** Does work once so many bytes are free. */
	async use<Result>(bytes: number, signal: AbortSignal | undefined, work: () => Promise<Result>): Promise<Result> {
		const release = await this.take(bytes, signal);
		try {
			return await work();
		} finally {
			release();
		}
	}

	/**
	 * Waits until so many bytes are free; more than there are take all of them.
	 * @returns gives them back, once
	 * @throws the signal's reason when it is aborted before, unless the wait has an end
	 */
	take(bytes: number, signal?: AbortSignal): Promise<() => void> {
		return new Promise((resolve, reject) => {
			const hasEnd = Number.isFinite(this.#waitMs);
			let taken = Math.min(bytes, this.#bytes);
			const leave = () => {
				this.#waiting.delete(entry);
				clearTimeout(timer);
				signal?.removeEventListener('abort', end);
			};
			const start = () => {
				leave();
				this.#free -= taken;
				resolve(() => {
					this.#free += taken;
					taken = 0;
					this.#admit();
				});
			};
			const end = () => {
				if (hasEnd) return start();
				leave();
				reject(signal?.reason);
				this.#admit();
			};
			const entry = { bytes: taken, start };
			const timer = hasEnd ? setTimeout(end, this.#waitMs).unref() : undefined;
			this.#waiting.add(entry);
			signal?.addEventListener('abort', end, { once: true });
			if (signal?.aborted) end();
			else this.#admit();
		});
	}

	#admit(): void {
		for (const { bytes, start } of this.#waiting) {
			if (bytes > this.#free) return;
			start();
		}
	}
}

/** The requests of all members together that run at once. More would only wait at the service instead of here. */
const RUN_AT_ONCE = 16;

export type QueueLoad = { running: number; waiting: number; oldestSeconds: number };

/** Gives the turn back. Further calls do nothing. */
export type Release = () => void;

/** A member with requests: how many run, and the number of the last turn. */
type Member = { running: number; lastTurn: number };

type Entry = {
	member: Member;
	atOnce: number;
	start: () => void;
	/** When it began to wait; `performance.now()`. */
	since: number;
};

/** A line for requests in which members take turns, so that a member with many requests does not make the others wait for all of them. */
export class MemberQueue {
	readonly #runAtOnce: number;
	/** Those without requests are forgotten. */
	readonly #members = new Map<string, Member>();
	#turns = 0;
	#running = 0;
	#waiting: Entry[] = [];

	constructor(runAtOnce = RUN_AT_ONCE) {
		this.#runAtOnce = runAtOnce;
	}

	/**
	 * Resolves when it is the request's turn. Rejects with the signal's reason when it is aborted before.
	 * @param atOnce the requests of this member that may run at once, at least 1
	 * @param onWait called when it is not the request's turn yet, with a function that returns its position in line, 1 for the next
	 */
	enter(
		name: string,
		atOnce: number,
		signal: AbortSignal,
		onWait: (position: () => number) => void = () => {},
	): Promise<Release> {
		return new Promise((resolve, reject) => {
			if (signal.aborted) return reject(signal.reason);
			const member = this.#members.get(name) ?? { running: 0, lastTurn: 0 };
			this.#members.set(name, member);
			const forgetIfIdle = () => {
				if (member.running === 0 && !this.#waiting.some((other) => other.member === member)) this.#members.delete(name);
			};
			let isReleased = false;
			const release = () => {
				if (isReleased) return;
				isReleased = true;
				this.#running--;
				member.running--;
				this.#admit();
				forgetIfIdle();
			};
			const leave = () => {
				this.#remove(entry);
				reject(signal.reason);
				forgetIfIdle();
			};
			const start = () => {
				signal.removeEventListener('abort', leave);
				resolve(release);
			};
			const entry: Entry = { member, atOnce: Math.max(1, atOnce), start, since: performance.now() };
			signal.addEventListener('abort', leave, { once: true });
			this.#waiting.push(entry);
			this.#admit();
			// The position may be asked for when the turn has just come.
			if (this.#waiting.includes(entry)) onWait(() => Math.max(1, this.#inOrder().indexOf(entry) + 1));
		});
	}

	/** Returns how many requests run and wait, and how long the one that waits longest has waited; 0 when none waits. */
	get load(): QueueLoad {
		const since = this.#waiting.map((entry) => entry.since);
		const oldestSeconds = since.length > 0 ? (performance.now() - Math.min(...since)) / 1000 : 0;
		return { running: this.#running, waiting: since.length, oldestSeconds };
	}

	#admit(): void {
		while (this.#running < this.#runAtOnce) {
			const next = this.#inOrder().find(({ member, atOnce }) => member.running < atOnce);
			if (!next) return;
			this.#remove(next);
			this.#running++;
			next.member.running++;
			next.member.lastTurn = ++this.#turns;
			next.start();
		}
	}

	#remove(entry: Entry): void {
		this.#waiting = this.#waiting.filter((other) => other !== entry);
	}

	/**
	 * Returns the line as it will move when nothing else happens: the first entry of each member, then the second of each, and so on. The
	 * member with the fewest running requests comes first; of several, the one whose last turn was longest ago.
	 */
	#inOrder(): Entry[] {
		const rounds = new Map<Member, number>();
		const inRounds = this.#waiting.map((entry) => {
			const round = rounds.get(entry.member) ?? entry.member.running;
			rounds.set(entry.member, round + 1);
			return { entry, round };
		});
		inRounds.sort((a, b) => a.round - b.round || a.entry.member.lastTurn - b.entry.member.lastTurn);
		return inRounds.map(({ entry }) => entry);
	}
}

/** Returns options for a cache of at most so many entries. With `max` of the library, each would allocate its whole size at once. */
export const bounded = (entries: number) => ({ maxSize: entries, sizeCalculation: () => 1 });
