import type { Button, Channel } from '../../domain/channel.ts';

/** Platforms show that somebody types for about ten seconds. https://docs.discord.com/developers/resources/channel */
const TYPING_MS = 8000;

/**
 * Shows that an answer is coming, until it is stopped.
 *
 * @param stop the button that the platform's own stop button presses
 */
export function showTyping(channel: Channel, stop: Button): { stop(): void } {
	const show = () => void channel.typing?.(stop).catch(() => {});
	show();
	const timer = setInterval(show, TYPING_MS).unref();
	return { stop: () => clearInterval(timer) };
}
