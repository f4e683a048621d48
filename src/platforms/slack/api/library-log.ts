import { type Logger, LogLevel } from '@slack/bolt';
import type { Log } from '../../../log.ts';

/**
 * Returns a logger for Slack's libraries. Passes on errors without addresses, and no requests or answers: those hold texts of people
 * and addresses that are secret.
 */
export function libraryLog(log: Log): Logger {
	return {
		debug() {},
		info() {},
		// The libraries warn of every call that is tried again, which Easel logs itself.
		warn: (first) => log.debug({ from: 'slack' }, String(first).slice(0, 60)),
		error(first: unknown) {
			if (first instanceof Error) return log.warn({ err: first }, 'A Slack library failed');
			const line = String(first).split('\n', 1)[0] ?? '';
			log.warn({ from: 'slack' }, line.replace(/\b(https?|wss?):\/\/\S+/g, '[address]').slice(0, 200));
		},
		setLevel() {},
		getLevel: () => LogLevel.WARN,
		setName() {},
	};
}
