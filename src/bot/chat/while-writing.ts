import type { Channel } from '../../domain/channel.ts';

/** Platforms show that somebody types for about ten seconds. https://docs.discord.com/developers/resources/channel */
const TYPING_MS = 8000;

/** Saves now and then, one at a time, until it is stopped; failing once does not matter. */
export function keepSaving(ms: number, save: () => Promise<void>) {
	let busy: Promise<void> | undefined;
	const timer = setInterval(() => {
		busy ??= save()
			.catch(() => {})
			.finally(() => {
				busy = undefined;
			});
	}, ms).unref();
	return {
		/** Resolves when what was begun has ended. */
		async stop() {
			clearInterval(timer);
			await busy;
		},
	};
}

/** Shows that an answer is coming, until its first words are there. */
export function keepTyping(channel: Channel) {
	const show = () => void channel.typing?.().catch(() => {});
	show();
	const timer = setInterval(show, TYPING_MS).unref();
	return { stop: () => clearInterval(timer) };
}
