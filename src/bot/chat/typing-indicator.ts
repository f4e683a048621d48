import type { Channel } from '../../domain/channel.ts';

/** Platforms show that somebody types for about ten seconds. https://docs.discord.com/developers/resources/channel */
const TYPING_MS = 8000;

/** Shows that an answer is coming, until it is stopped. */
export function showTyping(channel: Channel): { stop(): void } {
	const show = () => void channel.typing?.().catch(() => {});
	show();
	const timer = setInterval(show, TYPING_MS).unref();
	return { stop: () => clearInterval(timer) };
}
