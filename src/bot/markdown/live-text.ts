import {
	type Button,
	type Channel,
	type ChannelLimits,
	MessageGoneError,
	type Post,
	PostClosedError,
	type PostOptions,
	type Reply,
} from '../../domain/channel.ts';
import { PlatformRefusedError } from '../../i18n/translator.ts';
import { TextSplitter } from './split-text.ts';

/** Attempts at a finished message by default. After that it stays as it is, and its rest goes into a new one. */
const MAX_ATTEMPTS = 5;

type LiveTextOptions = {
	/** The messages are posted as `key.0`, `key.1`, … */
	key: string;
	/** Shown under the message that grows, such as Stop. */
	buttons?: readonly Button[];
	post?: PostOptions;
	/** Attempts at a finished message; five by default. */
	attempts?: number;
	/** Called once, when the first text is visible. */
	onFirst?: () => void;
	/** Called once, when somebody has deleted the message that grows: nobody wants more of the text, and nothing more is shown. */
	onDeleted?: () => void;
};

/** Shows a text as it arrives: in a message that is edited, followed by as many as the text needs. */
export class LiveText {
	readonly #channel: Channel;
	readonly #options: LiveTextOptions;
	#splitter: TextSplitter;
	readonly #pace: EditPace;
	#posts: Post[] = [];
	/** The text was taken back, and finished messages still show it. */
	#isRetracted = false;
	/** The message that is being written, once it is posted, and what it shows. */
	#current: { post: Post; shown: LiveMessage } | undefined;
	#closing: Closing | undefined;
	#isNoted = false;
	#attempts = 0;
	/** What shows the text; undefined while there is nothing to do. */
	#running: Promise<Post[]> | undefined;
	/** Ends the current pause, if any. */
	#wake = () => {};

	constructor(channel: Channel, options: LiveTextOptions) {
		this.#channel = channel;
		this.#options = options;
		this.#splitter = splitterFor(channel);
		this.#pace = new EditPace(channel.limits.edits);
	}

	/** Adds text. Returns at once and never throws. */
	push(delta: string): void {
		if (this.#closing || delta === '') return;
		this.#splitter.push(delta);
		void this.#begin();
	}

	/** Takes back all text so far: what comes is shown in its place. */
	retract(): void {
		if (this.#closing || this.text() === '') return;
		this.#splitter = splitterFor(this.#channel);
		this.#isRetracted = true;
	}

	/** Returns all text that was added, and not taken back. */
	text(): string {
		return this.#splitter.text();
	}

	/**
	 * Completes the text. Nothing is posted or edited after it resolves.
	 *
	 * @returns the messages, in order; none when there was nothing to show
	 * @throws PlatformRefusedError when the platform does not allow the whole text to be shown; what it allowed stays
	 * @throws the platform's error when the text, or its end, could not be shown
	 */
	end(closing: Closing = {}): Promise<Post[]> {
		if (!this.#closing) {
			this.#closing = closing;
			this.#splitter.end();
			this.#wake();
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
			if (this.#isRetracted) await this.#deleteFinished();
			const message = this.#next();
			if (!message || this.#isShown(message)) {
				if (message?.finished) {
					this.#finish(message);
					continue;
				}
				if (!this.#closing) this.#running = undefined;
				return this.#posts;
			}
			const wait = this.#wait();
			if (wait > 0) await this.#pause(wait);
			else if (!(await this.#send(message))) return this.#posts;
		}
	}

	async #deleteFinished(): Promise<void> {
		this.#isRetracted = false;
		for (const post of this.#posts.splice(0)) await post.delete().catch(() => {});
	}

	/** Returns what the current message is to show by now; undefined when there is nothing more to show. */
	#next(): LiveMessage | undefined {
		const room = this.#channel.limits.text;
		const closing = this.#closing;
		const splitter = this.#splitter;
		const piece = splitter.draft();
		const note = this.#isNoted ? undefined : closing?.note;
		const last = { buttons: closing?.buttons ?? [], finished: true, noted: true };
		if (!piece) return note ? { text: note.slice(0, room), ...last } : undefined;
		const { shown: text, full } = piece;
		const take = () => splitter.take(piece);
		if (!full && !closing) return { text, buttons: this.#options.buttons ?? [], take, finished: false };
		const whole = note ? `${text}\n\n${note}` : text;
		return full || whole.length > room ? { text, buttons: [], take, finished: true } : { text: whole, take, ...last };
	}

	#isShown(next: LiveMessage): boolean {
		const shown = this.#current?.shown;
		return shown?.text === next.text && JSON.stringify(shown.buttons) === JSON.stringify(next.buttons);
	}

	/** A new message does not wait, unless the last attempt failed. */
	#wait(): number {
		const isPaced = this.#current !== undefined || this.#pace.failures > 0;
		return isPaced ? this.#pace.wait(performance.now(), this.#closing !== undefined) : 0;
	}

	/** Returns false when nobody wants more of the text. */
	async #send(message: LiveMessage): Promise<boolean> {
		const sent = performance.now();
		const { text, buttons, finished } = message;
		const reply: Reply = { text, buttons, ...(!finished && { growing: true }) };
		const { key, post: how, attempts = MAX_ATTEMPTS, onFirst, onDeleted } = this.#options;
		try {
			let post = this.#current?.post;
			if (post) await post.edit(reply);
			else post = await this.#channel.post(reply, `${key}.${this.#posts.length}`, how);
			this.#pace.succeeded(sent, performance.now());
			const isFirst = this.#posts.length === 0 && !this.#current;
			this.#current = { post, shown: message };
			if (finished) this.#finish(message);
			if (isFirst) onFirst?.();
		} catch (error) {
			// The platform shows no more of the text, however often it is tried.
			if (error instanceof PlatformRefusedError) throw error;
			if (error instanceof MessageGoneError) {
				onDeleted?.();
				return false;
			}
			const isClosed = error instanceof PostClosedError;
			if (!isClosed) this.#pace.failed(performance.now());
			const isOver = isClosed || (finished && ++this.#attempts >= attempts);
			// A message that takes no more edits stays as it is.
			if (isOver && this.#current) this.#finish(this.#current.shown);
			else if (isOver && this.#closing) throw error;
		}
		return true;
	}

	/** Resolves after `ms`, or when `#wake` is called. */
	#pause(ms: number): Promise<void> {
		return new Promise((resolve) => {
			const timer = setTimeout(resolve, ms);
			this.#wake = () => {
				clearTimeout(timer);
				resolve();
			};
		});
	}

	/** Leaves the current message as it is, and goes on to the next. */
	#finish({ take, noted = false }: LiveMessage): void {
		if (this.#current) this.#posts.push(this.#current.post);
		take?.();
		this.#isNoted ||= noted;
		this.#current = undefined;
		this.#attempts = 0;
	}
}

const splitterFor = ({ limits: { text, noTables } }: Channel) => new TextSplitter(text, noTables);

/** Additions to a complete text: one line of Markdown under it, and buttons under its last message. */
type Closing = { note?: string; buttons?: readonly Button[] };

type LiveMessage = {
	text: string;
	buttons: readonly Button[];
	/** Takes its part out of the text. Absent when it holds the note alone. */
	take?: () => void;
	finished: boolean;
	noted?: boolean;
};

const FIRST_RETRY_MS = 1000;
const MAX_RETRY_MS = 8000;

/**
 * Keeps the edits of a message within a channel's rate limit. Times are milliseconds of a monotonic clock.
 *
 * An edit counts from when it was answered, so that network delays cannot bring more edits into the platform's window than it allows.
 * Where the platform delays an edit, the next one waits for as long again.
 */
export class EditPace {
	readonly #limit: ChannelLimits['edits'];
	/** Spreads the edits over the window. */
	readonly #intervalMs: number;
	/** When the latest edits were answered. */
	#answered: number[] = [];
	#nextPreview = 0;
	#retryAt = 0;
	#failures = 0;

	constructor(limit: ChannelLimits['edits']) {
		this.#limit = limit;
		this.#intervalMs = limit.perMs / Math.max(1, limit.count - 1);
	}

	get failures(): number {
		return this.#failures;
	}

	/**
	 * Returns how long to wait before an edit.
	 *
	 * @param last the last edit does not wait for the interval, and may use the place that is reserved for it
	 */
	wait(now: number, last: boolean): number {
		const { count } = this.#limit;
		const at = last ? this.#free(count) : Math.max(this.#free(Math.max(1, count - 1)), this.#nextPreview);
		return Math.max(0, at - now, this.#retryAt - now);
	}

	/** Records that a message was posted or edited. */
	succeeded(sent: number, now: number): void {
		this.#record(now);
		this.#failures = 0;
		this.#nextPreview = Math.max(sent + this.#intervalMs, now + (now - sent));
	}

	failed(now: number): void {
		this.#record(now);
		this.#retryAt = now + Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** this.#failures);
		this.#failures++;
	}

	#record(now: number): void {
		this.#answered.push(now);
		this.#answered = this.#answered.slice(-this.#limit.count);
	}

	/** Returns when fewer than `edits` of them are in the window. */
	#free(edits: number): number {
		return (this.#answered.at(-edits) ?? Number.NEGATIVE_INFINITY) + this.#limit.perMs;
	}
}
