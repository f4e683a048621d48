import { setTimeout as sleep } from 'node:timers/promises';
import type { App } from '@slack/bolt';
import type { Log } from '../../../log.ts';
import { SlackLoginError } from '../installation/login-error.ts';
import { BOT_SCOPES } from '../manifest.ts';
import type { SlackTransport } from './transport.ts';

/** Between two tries, at most. */
const LONGEST_PAUSE_MS = 60_000;

export type Connection = {
	/**
	 * Resolves once events come, or when Slack can't be reached for now: then it goes on trying by itself. Rejects with
	 * `SlackRefusal`.
	 */
	start(): Promise<void>;
	stop(): Promise<void>;
	/** For `/healthz`. */
	state(): string;
};

/** The start and the end of being on Slack. */
export function createConnection(options: {
	app: App;
	entrance: SlackTransport;
	/** Milliseconds before the second try; doubled for each further one. */
	firstPauseMs?: number | undefined;
	log: Log;
}): Connection {
	const { app, entrance, firstPauseMs = 1000, log } = options;
	const stopping = new AbortController();
	let phase: 'starting' | 'unreachable' | 'refused' | 'open' = 'starting';

	async function open(): Promise<void> {
		const scopes = await entrance.workspaces.check();
		if (scopes) warnOfMissing(scopes);
		await app.start();
		phase = 'open';
	}

	function warnOfMissing(scopes: readonly string[]): void {
		// Slack tells them with every answer; who takes its place may not.
		if (scopes.length === 0) return;
		const missing = BOT_SCOPES.filter((scope) => !scopes.includes(scope));
		if (missing.length > 0)
			log.warn(
				`The Slack app lacks the scopes ${missing.join(', ')}: add them as npm run manifest has them, and install the app again.`,
			);
	}

	async function goOnTrying(): Promise<void> {
		for (let pause = firstPauseMs; !stopping.signal.aborted; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
			await sleep(pause, undefined, { signal: stopping.signal }).catch(() => {});
			if (stopping.signal.aborted) return;
			try {
				await open();
				log.info('Slack is reached now');
				return;
			} catch (error) {
				if (error instanceof SlackLoginError) {
					phase = 'refused';
					log.error(error.message);
					return;
				}
			}
		}
	}

	return {
		async start() {
			await app.init();
			try {
				await open();
			} catch (error) {
				if (error instanceof SlackLoginError) {
					phase = 'refused';
					throw error;
				}
				phase = 'unreachable';
				log.warn({ err: error }, `Slack can’t be reached; the next try is in ${firstPauseMs / 1000} s`);
				void goOnTrying();
			}
		},
		async stop() {
			stopping.abort();
			await app.stop();
		},
		state() {
			if (stopping.signal.aborted) return 'stopped';
			if (entrance.workspaces.gone()) return 'removed';
			return phase === 'open' ? entrance.state() : phase;
		},
	};
}
