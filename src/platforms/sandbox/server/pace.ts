import { setTimeout as sleep } from 'node:timers/promises';
import type { ChannelLimits } from '../../../domain/channel.ts';

/** Resolves when the next edit under `name` may go. */
export type SandboxPace = (name: string, limit: ChannelLimits['edits']) => Promise<void>;

/**
 * At most `count` edits in any window of `perMs`. One too many waits its turn, first come first served: the clients of
 * Discord and Slack do so too when the platform answers 429, so the core meets the same delay and never loses an edit.
 */
export function createPace(wait: (ms: number) => Promise<unknown> = sleep, now = () => performance.now()): SandboxPace {
	const lines = new Map<string, { turn: Promise<void>; times: number[] }>();

	return (name, { count, perMs }) => {
		const line = lines.get(name) ?? { turn: Promise.resolve(), times: [] };
		lines.set(name, line);
		line.turn = line.turn.then(async () => {
			const earliest = line.times.at(-count);
			const due = earliest === undefined ? 0 : earliest + perMs - now();
			if (due > 0) await wait(due);
			line.times.push(now());
			line.times.splice(0, line.times.length - count);
		});
		return line.turn;
	};
}
