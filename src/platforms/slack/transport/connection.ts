import { setTimeout as sleep } from 'node:timers/promises';
import { callOf } from '../../../domain/program.ts';
import type { Log } from '../../../log.ts';
import { Backoff, logUnreachable } from '../../shared/backoff.ts';
import { PlatformLoginError } from '../../shared/login-error.ts';
import { BOT_SCOPES } from '../manifest.ts';
import type { Line } from './dispatch.ts';
import type { SlackTransport } from './transport.ts';

/** How long a stop waits for Slack to close its side. */
const CLOSED_WITHIN_MS = 1000;

type ConnectionOptions = { transport: SlackTransport; firstPauseMs?: number | undefined; log: Log };

/** Receives from Slack until the stop, by the lines of the transport. One that ends is made again. */
export class SlackConnection {
	readonly #options: ConnectionOptions;
	readonly #stop = new AbortController();
	readonly #loops: Promise<void>[] = [];
	#open = 0;
	/** The state while no line is open. */
	#closed: 'starting' | 'unreachable' | 'refused' | 'reconnecting' = 'starting';
	#isWarned = false;

	/** @param options.firstPauseMs milliseconds before the second try; doubled for each further one */
	constructor(options: ConnectionOptions) {
		this.#options = options;
	}

	/**
	 * Resolves once events arrive, or when Slack cannot be reached for now: then it keeps trying in the background.
	 *
	 * @throws PlatformLoginError
	 */
	async start(): Promise<void> {
		await this.#options.transport.app.init();
		const first = this.#connect();
		this.#loops.push(this.#keep(first));
		await first.catch((error: unknown) => {
			if (error instanceof PlatformLoginError) throw error;
			this.#closed = 'unreachable';
		});
	}

	async stop(): Promise<void> {
		this.#stop.abort();
		await Promise.race([Promise.all(this.#loops), sleep(CLOSED_WITHIN_MS, undefined, { ref: false })]);
	}

	/** For `/healthz`. */
	state(): string {
		if (this.#stop.signal.aborted) return 'stopped';
		if (this.#options.transport.workspaces.isRemoved()) return 'removed';
		return this.#open > 0 ? 'ready' : this.#closed;
	}

	/** See `Platform.connections`. */
	connections(): { open: number; expected: number } {
		return { open: this.#open, expected: this.#options.transport.lines };
	}

	/** Keeps a line open until the stop. One that ends is made again at once; one that fails, after growing pauses. */
	async #keep(first?: Promise<Line>): Promise<void> {
		const { transport, firstPauseMs, log } = this.#options;
		const backoff = new Backoff(firstPauseMs);
		let isRefused = false;
		for (let opening = first; !this.#stop.signal.aborted; opening = undefined) {
			try {
				const line = await (opening ?? this.#connect());
				if (backoff.failures > 0) log.info('Slack is reached now');
				backoff.succeed();
				isRefused = false;
				while (this.#loops.length < transport.lines) this.#loops.push(this.#keep());
				await line.ended;
			} catch (error) {
				if (this.#stop.signal.aborted) return;
				const pauseMs = backoff.fail();
				if (error instanceof PlatformLoginError) {
					this.#closed = 'refused';
					// The start rejects with it.
					if (opening) return;
					if (!isRefused) log.error(error.message);
					isRefused = true;
				} else logUnreachable(log, 'Slack', error, pauseMs);
				await sleep(pauseMs, undefined, { signal: this.#stop.signal }).catch(() => {});
			}
		}
	}

	async #connect(): Promise<Line> {
		const { transport, log } = this.#options;
		const scopes = await transport.workspaces.check();
		const { ended } = await transport.connect(this.#stop.signal);
		if (scopes && !this.#isWarned) warnOfMissing(scopes, log);
		this.#isWarned = true;
		this.#open += 1;
		this.#closed = 'reconnecting';
		const close = () => {
			this.#open -= 1;
		};
		return { ended: ended.then(close) };
	}
}

function warnOfMissing(scopes: readonly string[], log: Log): void {
	// Slack lists the scopes with every answer. A stand-in for Slack may not.
	if (scopes.length === 0) return;
	const missing = BOT_SCOPES.filter((scope) => !scopes.includes(scope));
	if (missing.length > 0)
		log.warn(
			`The Slack app lacks the scopes ${missing.join(', ')}: add them as ${callOf('manifest')} has them, and install the app again.`,
		);
}
