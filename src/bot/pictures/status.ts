import type { ChannelLimits, Post } from '../../domain/channel.ts';
import type { Translate } from '../../i18n/translator.ts';

/** How often a waiting person sees that time goes on; slower where the channel's pace asks for it. */
const TELL_EVERY_MS = 5000;

/** A wait this short is none. */
const TELL_WAITING_MS = 500;

/** An edit in this many may be a status; the others are left for answers in the same channel. */
const SHARE_OF_PACE = 4;

/** A status message that tells how things stand: the place in line, then the seconds that have gone by. */
export type Status = {
	/** Waits as this one in line, 1 for the next. */
	inLine(place: number): void;
	/** It is its turn. */
	running(): void;
	/** Resolves when the last edit has landed, so that none can overtake the answer. */
	stop(): Promise<void>;
};

/**
 * Edits a message now and then, one edit at a time, with what is the case when the edit is sent.
 * @param ours whether the message still is ours to edit; once it is not, another process has said there how the request ended
 */
export function showStatus(
	t: Translate,
	post: Post,
	text: string,
	{ edits }: ChannelLimits,
	ours: () => boolean,
): Status {
	const pause = Math.max(TELL_EVERY_MS, (edits.perMs / edits.count) * SHARE_OF_PACE);
	let started = Date.now();
	let line: number | undefined;
	let landed: Promise<void> = Promise.resolve();
	let timer: NodeJS.Timeout | undefined;

	const words = () =>
		line === undefined
			? t('status.running', {
					status: text,
					seconds: Math.max(0, Math.round((Date.now() - started) / 1000)),
				})
			: t('status.waiting', { status: text, line });

	function tellIn(ms: number) {
		clearTimeout(timer);
		timer = setTimeout(() => {
			// A status that can't be shown is no reason to stop: what counts is the answer.
			landed = landed.then(() => (ours() ? post.edit({ text: words() }) : undefined)).catch(() => {});
			void landed.then(() => timer && tellIn(pause));
		}, ms).unref();
	}

	tellIn(pause);
	return {
		inLine(place) {
			const first = line === undefined;
			line = place;
			// That one has to wait is told soon, though not of a wait that is over by then; how the line moves, with the next edit.
			if (first) tellIn(TELL_WAITING_MS);
		},
		running() {
			if (line === undefined) return;
			line = undefined;
			started = Date.now();
			tellIn(pause);
		},
		async stop() {
			clearTimeout(timer);
			timer = undefined;
			await landed;
		},
	};
}
