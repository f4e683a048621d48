import { setTimeout as sleep } from 'node:timers/promises';
import type { Channel, Place } from '../../domain/channel.ts';
import type { Job } from '../../domain/job.ts';
import type { AnswerState, RequestOutcome } from '../../domain/platform.ts';
import type { Easel } from '../../easel.ts';
import type { SentenceError } from '../../i18n/translator.ts';
import { tryAndLog } from '../../log.ts';
import { answerNext, endInterrupted } from './answer.ts';
import { threadKey } from './transcript.ts';

/** Messages that follow each other this closely are one turn. */
const FOLLOW_UP_MS = 1500;

const LOOK_FAILED = 'The messages that wait in a thread could not be looked up';

/** While people keep writing, the first of them waits for at most this many pauses. */
const MAX_PAUSES = 4;

/** The turns of a thread: those that are being answered and the one that is gathering messages. */
type Turns = {
	channel: Channel;
	/** A message has arrived since the last turn began. */
	pending: boolean;
	/** When the next turn begins, and when at the latest; `performance.now()`. */
	due: number;
	latest: number;
	/** The store has the record that people wait here. */
	isRecorded: boolean;
};

type Ended = RequestOutcome | SentenceError;

type AnswerNext = (easel: Easel, channel: Channel) => Promise<AnswerState | undefined>;

/** Gathers the messages of each thread into turns, and has one turn answered at a time. Idle threads take no memory. */
export class TurnScheduler {
	readonly followUpMs: number;
	readonly #easel: Easel;
	readonly #answerNext: AnswerNext;
	readonly #busy = new Map<string, { turns: Turns; done: Promise<Ended> }>();

	constructor(easel: Easel, followUpMs = FOLLOW_UP_MS, next: AnswerNext = answerNext) {
		this.#easel = easel;
		this.followUpMs = followUpMs;
		this.#answerNext = next;
	}

	/**
	 * Schedules a turn for the messages that wait in a thread.
	 *
	 * @param waitMs how long to wait for further messages
	 * @param first work to do before that turn; skipped when the thread is busy
	 * @param isRecorded the store has the record that people wait here for this process
	 * @returns how the last answer ended, once no messages wait any more
	 */
	schedule(
		channel: Channel,
		waitMs: number,
		{ first, isRecorded = false }: { first?: () => Promise<Ended>; isRecorded?: boolean } = {},
	): Promise<Ended> {
		const key = threadKey(channel.place);
		const now = performance.now();
		const latest = now + this.followUpMs * MAX_PAUSES;
		const busy = this.#busy.get(key);
		if (busy) {
			const { turns, done } = busy;
			if (!turns.pending) turns.latest = latest;
			Object.assign(turns, { channel, pending: true, due: Math.min(now + waitMs, turns.latest) });
			return done;
		}
		// People see at once that their message was read, although the bot waits whether more follow.
		if (waitMs > 0) void channel.typing?.().catch(() => {});
		const turns: Turns = { channel, pending: true, due: now + waitMs, latest, isRecorded };
		const done = this.#run(turns, first);
		this.#busy.set(key, { turns, done });
		return done;
	}

	/** Settles when the turns of a thread have ended; undefined when it has none. */
	running(place: Place): Promise<Ended> | undefined {
		return this.#busy.get(threadKey(place))?.done;
	}

	/** Stops the answers of the matching threads, and resolves when the current turns there have ended. */
	async stopWhere(matches: (place: Place) => boolean): Promise<void> {
		this.#easel.ownJobs.stopAnswers(matches);
		const busy = [...this.#busy.values()].filter(({ turns }) => matches(turns.channel.place));
		await Promise.allSettled(busy.map(({ done }) => done));
	}

	/** Answers the messages that waited for processes that are gone, on the platforms that this process runs. */
	async resume(): Promise<void> {
		const { conversations, platforms, lease, running } = this.#easel;
		for await (const { place, process } of conversations.waiting()) {
			if (!platforms.runs(place) || !(await lease.hasExpired(process))) continue;
			const channel = await platforms.open(place);
			if (channel) running.track(this.schedule(channel, 0));
			else await conversations.waitNoLonger(place);
		}
	}

	endInterrupted(job: Job): Promise<void> {
		return endInterrupted(this.#easel, job);
	}

	get busyThreads(): number {
		return this.#busy.size;
	}

	async #run(turns: Turns, first?: () => Promise<Ended>): Promise<Ended> {
		const { conversations, lease, log } = this.#easel;
		const { place } = turns.channel;
		let ended: Ended = 'answered';
		try {
			ended = (await first?.()) ?? ended;
			while (turns.pending) {
				if (!turns.isRecorded) await conversations.wait(place, lease.processId);
				turns.isRecorded = false;
				// Look once more after each answer: messages that another process received meanwhile are left to this one.
				for (let answered = true; turns.pending || answered; ) {
					await this.#quiet(turns);
					const isRequested = turns.pending;
					turns.pending = false;
					const next = () => this.#answerNext(this.#easel, turns.channel);
					// A failure of the store after an answer must not look like a failed request.
					const state = await (isRequested ? next() : tryAndLog(log, LOOK_FAILED, next));
					answered = state !== undefined;
					ended = state ?? ended;
				}
				// A message that arrives in the meantime sets `pending` again.
				await tryAndLog(log, 'A thread is still recorded as waiting', () => conversations.waitNoLonger(place));
			}
		} finally {
			this.#busy.delete(threadKey(place));
		}
		return ended;
	}

	/** Resolves when no further message has followed for a while, or the process is stopping. */
	async #quiet(turns: Turns): Promise<void> {
		const { stopping: signal } = this.#easel;
		const left = () => turns.due - performance.now();
		for (let ms = left(); ms > 0 && !signal.aborted; ms = left())
			await sleep(ms, undefined, { signal }).catch(() => {});
	}
}
