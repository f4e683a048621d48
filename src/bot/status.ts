import type { Limits, Post } from './platform.ts';

/** How often a waiting person sees that time goes on; slower where the channel's pace asks for it. */
const TELL_EVERY_MS = 5000;

/** An edit in this many may be a status; the others are left for answers in the same channel. */
const SHARE_OF_PACE = 4;

/**
 * Adds the seconds that have gone by to a status message, until told to stop. One edit is in flight at a time.
 * @returns stops it; resolves when the last edit has landed, so that it can't overtake the answer
 */
export function tellTime(post: Post, status: string, { edits }: Limits): () => Promise<void> {
	const started = Date.now();
	const pause = Math.max(TELL_EVERY_MS, (edits.perMs / edits.count) * SHARE_OF_PACE);
	let timer: NodeJS.Timeout | undefined;
	let landed: Promise<void> = Promise.resolve();
	const schedule = () => {
		timer = setTimeout(() => {
			const seconds = Math.round((Date.now() - started) / 1000);
			// A status that can't be shown is no reason to stop: what counts is the answer.
			landed = post.edit({ text: `${status} … ${seconds} s` }).catch(() => {});
			void landed.then(() => timer && schedule());
		}, pause).unref();
	};
	schedule();
	return async () => {
		clearTimeout(timer);
		timer = undefined;
		await landed;
	};
}
