import { codeOf, connectionStep } from '../../domain/text.ts';
import type { Log } from '../../log.ts';

/** Milliseconds. */
const FIRST_MS = 1000;
const MAX_MS = 60_000;

/**
 * The pauses between tries to connect: doubled with every failure, up to a minute. Each is shortened at random by up to a half, so
 * that processes which lost their connections together do not reconnect together.
 */
export class Backoff {
	readonly #firstMs: number;
	readonly #random: () => number;
	#failures = 0;

	/** @param firstMs the first pause at most, in milliseconds */
	constructor(firstMs = FIRST_MS, random: () => number = Math.random) {
		this.#firstMs = firstMs;
		this.#random = random;
	}

	/** Failures since the last success. */
	get failures(): number {
		return this.#failures;
	}

	/** Counts a failure. Returns the milliseconds to wait before the next try. */
	fail(): number {
		const pauseMs = Math.min(this.#firstMs * 2 ** this.#failures, MAX_MS);
		this.#failures += 1;
		return pauseMs * (0.5 + this.#random() / 2);
	}

	/** Starts over with the first pause. */
	succeed(): void {
		this.#failures = 0;
	}
}

/** Says in one sentence that a platform can't be reached, why, and when the next try is. @param pauseMs until then */
export function logUnreachable(log: Log, platform: string, error: unknown, pauseMs: number): void {
	const code = codeOf(error);
	const seconds = Math.ceil(pauseMs / 1000);
	log.warn(
		{ code, seconds },
		`${platform} can’t be reached (${code}); the next try is in ${seconds} s. ${connectionStep(code)}`,
	);
}
