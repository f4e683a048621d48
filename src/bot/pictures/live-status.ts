import type { ChannelLimits, Post } from '../../domain/channel.ts';
import type { Reply } from '../../domain/reply.ts';
import type { Translate } from '../../i18n/translator.ts';
import type { LeaseGuard } from '../../usage/processes/lease.ts';

/** How often the seconds are updated, unless the channel allows fewer edits. */
const EDIT_EVERY_MS = 5000;

/** A wait in line is shown after this time; most are over by then. */
const SHOW_WAIT_AFTER_MS = 500;

/** One in this many of the channel's edits is for a status; the others are left for answers. */
const SHARE_OF_EDITS = 4;

/** Keeps a status message up to date with the position in line, then with the seconds since the start. One edit runs at a time. */
export class LiveStatus {
	readonly #t: Translate;
	readonly #post: Post;
	readonly #reply: Reply;
	readonly #isOurs: LeaseGuard;
	readonly #onLateEdit: () => Promise<void>;
	readonly #intervalMs: number;
	#started = Date.now();
	#position: number | undefined;
	#lastEdit: Promise<void> = Promise.resolve();
	#timer: NodeJS.Timeout | undefined;

	/**
	 * @param reply the status without its progress
	 * @param isOurs once it returns false, another process has put the answer into the message, and it is not edited any more
	 * @param onLateEdit called when an edit took so long that it may have overwritten that answer
	 */
	constructor(
		t: Translate,
		post: Post,
		reply: Reply,
		{ edits }: ChannelLimits,
		isOurs: LeaseGuard,
		onLateEdit = async () => {},
	) {
		this.#t = t;
		this.#post = post;
		this.#reply = reply;
		this.#isOurs = isOurs;
		this.#onLateEdit = onLateEdit;
		this.#intervalMs = Math.max(EDIT_EVERY_MS, (edits.perMs / edits.count) * SHARE_OF_EDITS);
		this.#editAfter(this.#intervalMs);
	}

	/** @param position in line, 1 for the next */
	waitInLine(position: number): void {
		const isFirst = this.#position === undefined;
		this.#position = position;
		// Later positions are shown by the next regular edit.
		if (isFirst) this.#editAfter(SHOW_WAIT_AFTER_MS);
	}

	/** Counts the seconds from now, when there was a wait in line. */
	start(): void {
		if (this.#position === undefined) return;
		this.#position = undefined;
		this.#started = Date.now();
		this.#editAfter(this.#intervalMs);
	}

	/** Resolves when the last edit has landed, so that it cannot overwrite the answer. */
	async stop(): Promise<void> {
		clearTimeout(this.#timer);
		this.#timer = undefined;
		await this.#lastEdit;
	}

	#editAfter(ms: number): void {
		clearTimeout(this.#timer);
		this.#timer = setTimeout(() => {
			// A status that cannot be edited does not stop the request.
			this.#lastEdit = this.#lastEdit.then(() => this.#edit()).catch(() => {});
			void this.#lastEdit.then(() => this.#timer && this.#editAfter(this.#intervalMs));
		}, ms).unref();
	}

	async #edit(): Promise<void> {
		if (!this.#isOurs()) return;
		await this.#post.edit({ ...this.#reply, text: this.#message() });
		if (!this.#isOurs()) await this.#onLateEdit();
	}

	#message(): string {
		const { text: status } = this.#reply;
		if (this.#position !== undefined) return this.#t('status.waiting', { status, line: this.#position });
		const seconds = Math.max(0, Math.round((Date.now() - this.#started) / 1000));
		return this.#t('status.running', { status, seconds });
	}
}
