import { type Logger, LogLevel } from '@slack/bolt';
import type { Log } from '../../../log.ts';

/**
 * What Slack's libraries say, as far as it is a warning: they hand over requests and answers as well, which have texts of people
 * and addresses that are secrets.
 */
export function libraryLog(log: Log): Logger {
	const say = (level: 'warn' | 'error', first: unknown) => {
		if (first instanceof Error) return log[level]({ err: first }, 'A Slack library failed');
		const text = String(first).split('\n', 1)[0] ?? '';
		log[level]({ from: 'slack' }, text.replace(/\b(https?|wss?):\/\/\S+/g, '[address]').slice(0, 200));
	};
	return {
		debug() {},
		info() {},
		// They warn of every call that has to be made again: that is ours to say.
		warn: (first) => log.debug({ from: 'slack' }, String(first).slice(0, 60)),
		error: (first) => say('warn', first),
		setLevel() {},
		getLevel: () => LogLevel.WARN,
		setName() {},
	};
}
