import { setTimeout as sleep } from 'node:timers/promises';
import type { App } from '@slack/bolt';
import type { Log } from '../../../log.ts';
import { Backoff, logUnreachable } from '../../shared/backoff.ts';
import { PlatformLoginError } from '../../shared/login-error.ts';
import { BOT_SCOPES } from '../manifest.ts';
import type { SlackTransport } from './transport.ts';

/** Starts and stops receiving from Slack. */
export class SlackConnection {
	readonly #app: App;
	readonly #transport: SlackTransport;
	readonly #log: Log;
	readonly #backoff: Backoff;
	readonly #stop = new AbortController();
	#phase: 'starting' | 'unreachable' | 'refused' | 'open' = 'starting';

	/** @param options.firstPauseMs milliseconds before the second try; doubled for each further one */
	constructor(options: { app: App; transport: SlackTransport; firstPauseMs?: number | undefined; log: Log }) {
		this.#app = options.app;
		this.#transport = options.transport;
		this.#log = options.log;
		this.#backoff = new Backoff(options.firstPauseMs);
	}

	/**
	 * Resolves once events arrive, or when Slack cannot be reached for now: then it keeps trying in the background.
	 *
	 * @throws PlatformLoginError
	 */
	async start(): Promise<void> {
		await this.#app.init();
		try {
			await this.#open();
		} catch (error) {
			if (error instanceof PlatformLoginError) {
				this.#phase = 'refused';
				throw error;
			}
			this.#phase = 'unreachable';
			void this.#keepTrying(this.#failed(error));
		}
	}

	async stop(): Promise<void> {
		this.#stop.abort();
		await this.#app.stop();
	}

	/** For `/healthz`. */
	state(): string {
		if (this.#stop.signal.aborted) return 'stopped';
		if (this.#transport.workspaces.isRemoved()) return 'removed';
		return this.#phase === 'open' ? this.#transport.state() : this.#phase;
	}

	async #open(): Promise<void> {
		const scopes = await this.#transport.workspaces.check();
		if (scopes) warnOfMissing(scopes, this.#log);
		await this.#app.start();
		this.#phase = 'open';
	}

	/** Returns the milliseconds before the next try. */
	#failed(error: unknown): number {
		const pauseMs = this.#backoff.fail();
		logUnreachable(this.#log, 'Slack', error, pauseMs);
		return pauseMs;
	}

	async #keepTrying(firstPauseMs: number): Promise<void> {
		for (let pauseMs = firstPauseMs; ; ) {
			await sleep(pauseMs, undefined, { signal: this.#stop.signal }).catch(() => {});
			if (this.#stop.signal.aborted) return;
			try {
				await this.#open();
				this.#log.info('Slack is reached now');
				return;
			} catch (error) {
				if (error instanceof PlatformLoginError) {
					this.#phase = 'refused';
					this.#log.error(error.message);
					return;
				}
				pauseMs = this.#failed(error);
			}
		}
	}
}

function warnOfMissing(scopes: readonly string[], log: Log): void {
	// Slack lists the scopes with every answer. A stand-in for Slack may not.
	if (scopes.length === 0) return;
	const missing = BOT_SCOPES.filter((scope) => !scopes.includes(scope));
	if (missing.length > 0)
		log.warn(
			`The Slack app lacks the scopes ${missing.join(', ')}: add them as npm run manifest has them, and install the app again.`,
		);
}
