import { type CallOutcome, type Job, ShutdownError, UserAbortError } from '../domain/job.ts';
import type { Easel } from '../easel.ts';
import { SentenceError } from '../i18n/translator.ts';
import { type Log, tryAndLog } from '../log.ts';
import { isRefusal, ServiceError, type ServiceErrorKind } from '../service/errors.ts';
import { MINUTE_MS, type Space } from '../store/store.ts';

/**
 * Decides what becomes of a paid call that ended in an error: `failed` is given back, `unknown` stays counted and is never sent again.
 *
 * - `failed`: it was never sent, or the service answered with a complete error: any 4xx, 500, 501, 503, 505, or a redirect (301, 307, 308)
 * - `unknown`: no answer, an answer that was cut off or is not what the interface promises, and every other status: a gateway that gave up
 *   (502, 504, 520–527) may have lost a paid picture
 *
 * @param wasSent whether the service may have been asked
 */
export function outcomeOfError(error: unknown, wasSent: boolean): 'failed' | 'unknown' {
	if (!wasSent || error instanceof ShutdownError || error instanceof UserAbortError) return 'failed';
	if (!(error instanceof ServiceError)) return 'unknown';
	switch (error.kind) {
		case 'unreachable':
			return 'failed';
		case 'no-answer':
		case 'cut-off':
		case 'invalid':
		case 'address':
			return 'unknown';
		default:
			return error.status !== undefined && isRefusal(error.status) ? 'failed' : 'unknown';
	}
}

/**
 * Decides what becomes of a paid call whose process has ended: without a result, it failed if it had only been reserved, and is unknown
 * if the service may have been asked. Once it is settled, only a failure was given back.
 *
 * @param hasResult whether pictures or text of it are kept
 */
export function outcomeOfCrash(
	{ state, outcome }: { state: Job['state']; outcome?: CallOutcome },
	hasResult = false,
): CallOutcome {
	if (hasResult) return 'succeeded';
	return state === 'reserved' || outcome === 'failed' ? 'failed' : 'unknown';
}

/** How a call to the service ended, as far as this process knows. */
export type CallResult<Result> = { wasSent: boolean } & (
	| { outcome: 'succeeded'; result: Result }
	| { outcome: 'failed' | 'unknown'; error: unknown }
);

/**
 * Makes the paid call of a job, unless calls are paused, the call is not wanted any more, or another process has taken the job over. A
 * failure is counted before anything else goes on. Never rejects.
 *
 * @param run prepares the call, and asks the service once `send` has returned the job that may be sent
 */
export async function makeCall<Result>(
	{ ledger, failurePause }: Easel,
	signal: AbortSignal,
	run: (send: (job: Job) => Promise<Job>) => Promise<Result>,
): Promise<CallResult<Result>> {
	let wasSent = false;
	const send = async (job: Job) => {
		const paused = await failurePause.refusal();
		if (paused) throw paused;
		signal.throwIfAborted();
		const own = await ledger.send(job);
		// The other process has given the call back.
		if (!own) throw new ShutdownError();
		wasSent = true;
		return own;
	};
	try {
		const result = await run(send);
		return { wasSent, outcome: 'succeeded', result };
	} catch (error) {
		await failurePause.record(error);
		return { wasSent, outcome: outcomeOfError(error, wasSent), error };
	}
}

/** Failures are counted by the minute, for this many minutes. */
const WINDOW_MINUTES = 10;

/** Failures of the service, or of what is between: not what a person or the operator has to change. */
const SERVICE_FAILURES: ReadonlySet<ServiceErrorKind> = new Set([
	'failure',
	'unreachable',
	'no-answer',
	'cut-off',
	'invalid',
	'address',
]);

const PAUSED = 'until';

/** When paid calls are paused, and what is done then. */
export type PauseRule = {
	/** More failed or unknown calls than this, in ten minutes, pause paid calls; 0 never does. */
	failures: number;
	pauseMs: number;
	/** Called in the process that has begun a pause. */
	onPause?: (() => void) | undefined;
};

type PauseOptions = { space: Space; rule: PauseRule; log: Log; now: () => number };

/** Counts failed and unknown calls of all processes on the store, and pauses paid calls when there are too many. */
export class FailurePause {
	readonly #options: PauseOptions;

	constructor(parts: PauseOptions) {
		this.#options = parts;
	}

	/** Returns why no paid call may be made now, or undefined, also when that cannot be read. Never rejects. */
	async refusal(): Promise<SentenceError | undefined> {
		const { log } = this.#options;
		const leftMs = await tryAndLog(log, 'A pause of paid calls could not be looked up', () => this.leftMs());
		return leftMs ? new SentenceError('errors.paused', { minutes: Math.ceil(leftMs / MINUTE_MS) }) : undefined;
	}

	/**
	 * Returns for how many milliseconds paid calls are still paused; 0 when they are not.
	 * @throws StoreError
	 */
	async leftMs(): Promise<number> {
		const { space, rule, now } = this.#options;
		if (rule.failures === 0) return 0;
		return Math.max(0, ((await space.keyv.get<number>(PAUSED)) ?? 0) - now());
	}

	/** Counts a call that has ended in an error, if that is a failure. Never rejects. */
	async record(error: unknown): Promise<void> {
		if (this.#options.rule.failures === 0 || !isFailure(error)) return;
		await tryAndLog(this.#options.log, 'A failed call could not be recorded', () => this.#count());
	}

	async #count(): Promise<void> {
		const { space, rule, log, now } = this.#options;
		const minute = Math.floor(now() / MINUTE_MS);
		const keys = Array.from({ length: WINDOW_MINUTES }, (_, ago) => `failed:${minute - ago}`);
		const ttlMs = (WINDOW_MINUTES + 1) * MINUTE_MS;
		await space.commit({ add: [{ key: `failed:${minute}`, by: 1, ttlMs }] });
		const [until = 0, ...counts] = await space.keyv.getMany<number>([PAUSED, ...keys]);
		const failures = counts.reduce<number>((sum, count) => sum + (count ?? 0), 0);
		if (failures <= rule.failures || until > now()) return;
		// One process begins it.
		const begun = { key: `begun:${minute}`, value: true, ttlMs: MINUTE_MS };
		const pause = { key: PAUSED, value: now() + rule.pauseMs, ttlMs: rule.pauseMs };
		if ((await space.commit({ once: begun.key, put: [begun, pause] })) !== 'done') return;
		const minutes = rule.pauseMs / MINUTE_MS;
		log.error({ failures, minutes }, 'Too many calls to the image service failed: paid calls are paused');
		rule.onPause?.();
	}
}

/** Tells whether a call has failed. One that was aborted, which has a cause, has not; nor has one that only came too soon (429). */
function isFailure(error: unknown): boolean {
	if (!(error instanceof ServiceError) || error.cause !== undefined) return false;
	return SERVICE_FAILURES.has(error.kind) || (error.kind === 'busy' && (error.status ?? 0) >= 500);
}
