import type { Button, Channel, Post, PostOptions } from '../../domain/channel.ts';
import { PlatformRefusedError } from '../../i18n/sentence-error.ts';
import { EditPace } from './edit-pace.ts';
import { type Closing, growingPart, isSame, type LiveMessage, messageOf, noteMessage } from './live-message.ts';
import { TextSplitter } from './split-text.ts';
import { Wakeup } from './wakeup.ts';

/** Attempts at a finished message. After that it stays as it is, and its rest goes into a new one. */
const MAX_ATTEMPTS = 5;

type LiveTextOptions = {
	/** The messages are posted as `key.0`, `key.1`, … */
	key: string;
	/** Shown under the message that grows, such as Stop. */
	buttons?: readonly Button[];
	/** Of the messages that are posted. */
	post?: PostOptions;
	/** Called once, when the first text is visible. */
	onFirst?: () => void;
};

/** Shows a text as it arrives: in a message that is edited, followed by as many as the text needs. */
export class LiveText {
	readonly #channel: Channel;
	readonly #options: LiveTextOptions;
	readonly #splitter: TextSplitter;
	readonly #pace: EditPace;
	readonly #wakeup = new Wakeup();
	readonly #posts: Post[] = [];
	/** The message that is being written, once it is posted, and what it shows. */
	#current: { post: Post; shown: LiveMessage } | undefined;
	/** See `growingPart`. */
	#growing: string | undefined = '';
	#closing: Closing | undefined;
	#isNoted = false;
	#attempts = 0;
	/** Set when the platform will not show more of the text, however often it is tried. */
	#refused: PlatformRefusedError | undefined;
	#running: Promise<Post[]> | undefined;

	constructor(channel: Channel, options: LiveTextOptions) {
		this.#channel = channel;
		this.#options = options;
		this.#splitter = new TextSplitter(channel.limits.text);
		this.#pace = new EditPace(channel.limits.edits);
	}

	/** Adds text. Returns at once and never throws. */
	push(delta: string): void {
		if (this.#closing || delta === '') return;
		this.#splitter.push(delta);
		if (this.#wakeup.isIdle) this.#wakeup.wake();
		else this.#begin();
	}

	/** Returns all text that was added. */
	text(): string {
		return this.#splitter.text();
	}

	/**
	 * Completes the text. Nothing is posted or edited after it resolves.
	 *
	 * @returns the messages, in order; none when there was nothing to show
	 * @throws PlatformRefusedError when the platform does not allow the whole text to be shown; what it allowed stays
	 * @throws the platform's error when nothing could be shown
	 */
	end(closing: Closing = {}): Promise<Post[]> {
		if (!this.#closing) {
			this.#closing = closing;
			this.#splitter.end();
			this.#wakeup.wake();
		}
		return this.#begin();
	}

	#begin(): Promise<Post[]> {
		if (!this.#running) {
			this.#running = this.#run();
			// Rejections are for the caller of `end`, which may not have been called yet.
			this.#running.catch(() => {});
		}
		return this.#running;
	}

	async #run(): Promise<Post[]> {
		for (;;) {
			// Deltas that arrive in one turn of the event loop are shown together.
			if (!this.#closing) await new Promise(setImmediate);
			if (this.#refused) {
				if (this.#closing) throw this.#refused;
				await this.#wakeup.sleep();
				continue;
			}
			const message = this.#next();
			if (!message || (this.#current && isSame(this.#current.shown, message))) {
				if (message?.finished) this.#finish(message);
				else if (this.#closing) return this.#posts;
				else await this.#wakeup.sleep();
				continue;
			}
			const wait = this.#wait();
			if (wait > 0) {
				await this.#wakeup.sleep(wait);
				continue;
			}
			const failure = await this.#send(message);
			if (!failure || !message.finished || ++this.#attempts < MAX_ATTEMPTS) continue;
			// A message that takes no more edits, perhaps because it was deleted, stays as it is.
			if (this.#current) this.#finish(this.#current.shown);
			else if (this.#closing && this.#posts.length === 0) throw failure.error;
			else if (this.#closing) return this.#posts;
		}
	}

	/** Returns what the current message is to show by now; undefined when there is nothing more to show. */
	#next(): LiveMessage | undefined {
		const room = this.#channel.limits.text;
		const draft = this.#splitter.draft();
		if (draft) return messageOf(draft, this.#options.buttons ?? [], this.#closing, room);
		const note = this.#isNoted ? undefined : this.#closing?.note;
		return note && this.#closing ? noteMessage(note, this.#closing, room) : undefined;
	}

	/** A new message does not wait, unless the last attempt failed. */
	#wait(): number {
		const isPaced = this.#current !== undefined || this.#pace.failures > 0;
		return isPaced ? this.#pace.wait(performance.now(), this.#closing !== undefined) : 0;
	}

	async #send(message: LiveMessage): Promise<{ error: unknown } | undefined> {
		const sent = performance.now();
		const { text, buttons, finished } = message;
		this.#growing = growingPart(message, this.#growing);
		const growing = this.#growing && !finished ? { growing: this.#growing } : {};
		const reply = { text, buttons, ...growing };
		try {
			let post = this.#current?.post;
			if (post) await post.edit(reply);
			else post = await this.#channel.post(reply, `${this.#options.key}.${this.#posts.length}`, this.#options.post);
			this.#pace.succeeded(sent, performance.now());
			const isFirst = this.#posts.length === 0 && !this.#current;
			this.#current = { post, shown: { ...message, ...growing } };
			if (finished) this.#finish(message);
			if (isFirst) this.#options.onFirst?.();
			return undefined;
		} catch (error) {
			this.#pace.failed(performance.now());
			if (error instanceof PlatformRefusedError) this.#refused = error;
			return { error };
		}
	}

	/** Leaves the current message as it is, and goes on to the next. */
	#finish({ piece, noted = false }: LiveMessage): void {
		if (this.#current) this.#posts.push(this.#current.post);
		if (piece) this.#splitter.take(piece);
		this.#isNoted ||= noted;
		this.#current = undefined;
		this.#growing = '';
		this.#attempts = 0;
	}
}
