import type { Channel, Post } from '../../domain/channel.ts';
import type { Button } from '../../domain/reply.ts';
import { PlatformRefusedError } from '../messages/refused-error.ts';
import { createEditPace } from './edit-pace.ts';
import { createSplitter, type Piece } from './split-text.ts';

/** A text that is shown while it comes, in messages that are edited: as many as it needs. */
export type LiveText = {
	/** More of the answer has come. Never waits, never throws. */
	push(delta: string): void;
	/** All that has come. */
	text(): string;
	/**
	 * The last edits land, holding the whole text.
	 * @param closing `note` (one line) goes under the text, `buttons` under the last message
	 * @returns the messages, in order; none when there was nothing to show. Rejects with the platform's error when the text could not
	 * be shown at all, and with `Refused` when the platform does not let us show the whole of it; what could be shown of it stands.
	 * Nothing is posted or edited afterwards.
	 */
	end(closing?: Closing): Promise<Post[]>;
};

type Closing = { note?: string; buttons?: readonly Button[] };

/** What a message is to be. */
type Message = {
	text: string;
	buttons: readonly Button[];
	/** Its part of the answer; the note alone has none. */
	piece?: Piece;
	/** It is not edited again. */
	finished: boolean;
	/** It holds the closing note. */
	noted?: boolean;
	/** As it was shown: `Reply.growing`. */
	growing?: string;
};

/** Tries at a message that has to land, before it is left as it was and its rest goes into a new one. */
const TRIES = 5;

/**
 * @param options `key` names the messages (`key.0`, `key.1`, …), `buttons` stand under the growing message (Stop), `onFirst` is called
 * once, when the first text is visible
 */
export function createLiveText(
	channel: Channel,
	options: { key: string; buttons?: readonly Button[]; onFirst?: () => void },
): LiveText {
	const { key, buttons = [], onFirst } = options;
	const room = channel.limits.text;
	const splitter = createSplitter(room);
	const pace = createEditPace(channel.limits.edits);
	const posts: Post[] = [];
	/** The message that is being written, once it is there, and what it holds. */
	let current: { post: Post; shown: Message } | undefined;
	/** How far the current message has grown at its end alone; undefined once it has not. */
	let grown: string | undefined = '';
	let closing: Closing | undefined;
	let noted = false;
	let tries = 0;
	/** Why nothing more can be shown, however often it is tried. */
	let refused: PlatformRefusedError | undefined;
	let running: Promise<Post[]> | undefined;
	/** Ends a wait: for text, or for the time of a preview when the whole text is there. */
	let wake = () => {};
	let idle = false;

	/** What the current message is to be by now; undefined when there is nothing more to show. */
	function wanted(): Message | undefined {
		const draft = splitter.draft();
		if (draft) {
			const { piece, full } = draft;
			const message = { text: piece.shown, buttons: [], piece, finished: true };
			if (full) return message;
			if (!closing) return { ...message, buttons, finished: false };
			const { note, buttons: last = [] } = closing;
			const text = note ? `${piece.shown}\n\n${note}` : piece.shown;
			return text.length <= room ? { ...message, text, buttons: last, noted: true } : message;
		}
		if (!closing?.note || noted) return undefined;
		return { text: closing.note.slice(0, room), buttons: closing.buttons ?? [], finished: true, noted: true };
	}

	async function run(): Promise<Post[]> {
		for (;;) {
			// Whatever comes in one turn of the event loop comes together.
			if (!closing) await new Promise(setImmediate);
			if (refused && closing) throw refused;
			if (refused) {
				await sleep();
				continue;
			}
			const message = wanted();
			if (!message || (current && isSame(current.shown, message))) {
				if (message?.finished) finish(message);
				else if (closing) return posts;
				else await sleep();
				continue;
			}
			const edits = current !== undefined || pace.failures() > 0;
			const wait = edits ? pace.wait(performance.now(), closing !== undefined) : 0;
			if (wait > 0) {
				await sleep(wait);
				continue;
			}
			const failure = await send(message);
			if (!failure) continue;
			if (message.finished && ++tries >= TRIES) {
				if (current) leave(current);
				else if (closing) return giveUp(failure.error);
			}
		}
	}

	async function send(message: Message): Promise<{ error: unknown } | undefined> {
		const sent = performance.now();
		const { text, buttons } = message;
		grown = grownTo(message);
		const growing = grown && !message.finished ? { growing: grown } : {};
		const reply = { text, buttons, ...growing };
		try {
			let post = current?.post;
			if (post) await post.edit(reply);
			else post = await channel.post(reply, `${key}.${posts.length}`);
			pace.landed(sent, performance.now());
			const first = posts.length === 0 && !current;
			current = { post, shown: { ...message, ...growing } };
			if (message.finished) finish(message);
			if (first) onFirst?.();
			return undefined;
		} catch (error) {
			pace.failed(performance.now());
			if (error instanceof PlatformRefusedError) refused = error;
			return { error };
		}
	}

	/** A preview without what makes it whole for now. Marks that turn out to be others than they looked like may take it back. */
	function grownTo({ piece }: Message): string | undefined {
		if (!piece || grown === undefined) return grown;
		const { shown, suffix } = piece;
		const now = shown.slice(0, shown.length - suffix.length);
		if (now.startsWith(grown)) return now;
		return grown.startsWith(now) ? grown : undefined;
	}

	/** The current message is as it stays. */
	function finish({ piece, noted: holdsNote = false }: Message): void {
		if (current) posts.push(current.post);
		if (piece) splitter.take(piece);
		noted ||= holdsNote;
		current = undefined;
		grown = '';
		tries = 0;
	}

	/** A message that takes no more edits, perhaps because somebody deleted it, keeps what it holds. */
	function leave({ shown }: { shown: Message }): void {
		finish(shown);
	}

	function giveUp(error: unknown): Post[] {
		if (posts.length === 0) throw error;
		return posts;
	}

	function sleep(ms?: number): Promise<void> {
		const { promise, resolve } = Promise.withResolvers<void>();
		const timer = ms === undefined ? undefined : setTimeout(resolve, ms);
		idle = ms === undefined;
		wake = () => {
			clearTimeout(timer);
			idle = false;
			resolve();
		};
		return promise;
	}

	function begin(): Promise<Post[]> {
		if (!running) {
			running = run();
			// Whoever ends the text hears of it; until then a rejection is nobody's.
			running.catch(() => {});
		}
		return running;
	}

	return {
		push(delta) {
			if (closing || delta === '') return;
			splitter.push(delta);
			if (idle) wake();
			else begin();
		},
		text: () => splitter.text(),
		end(how = {}) {
			if (!closing) {
				closing = how;
				splitter.end();
				wake();
			}
			return begin();
		},
	};
}

/** Also of a text that is there already, a platform has to be told that it grows no more. */
const isSame = (shown: Message, next: Message) =>
	shown.text === next.text &&
	JSON.stringify(shown.buttons) === JSON.stringify(next.buttons) &&
	!(next.finished && shown.growing !== undefined);
