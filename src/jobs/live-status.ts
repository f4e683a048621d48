import type { ChannelLimits, Picture, Post, Reply } from '../domain/channel.ts';
import type { Translate } from '../i18n/translator.ts';
import type { LeaseGuard } from '../usage/lease.ts';

/** How often the seconds are updated, unless the channel allows fewer edits. */
const EDIT_EVERY_MS = 5000;

/** A wait in line is shown after this time; most are over by then, and need no edit. */
const SHOW_WAIT_AFTER_MS = 2000;

/** One in this many of the channel's edits is for a status; the others are left for answers. */
const SHARE_OF_EDITS = 4;

/** What a request does at present. The seconds count from the beginning of the wait in line, or of the drawing. */
type Stage = { name: 'waiting'; position: () => number } | { name: 'running' | 'uploading' };

/** Keeps a status message up to date with the stage of a request and its seconds. One edit runs at a time. */
export class LiveStatus {
	readonly #t: Translate;
	readonly #post: Post;
	#reply: Reply;
	readonly #hasLease: LeaseGuard;
	readonly #onLateEdit: () => Promise<void>;
	/** The shortest time between two edits. */
	readonly #paceMs: number;
	readonly #intervalMs: number;
	#editedAt = Date.now();
	#started = Date.now();
	#stage: Stage = { name: 'running' };
	/** To be shown by the next edit. */
	#preview: Picture | undefined;
	#hasPreview = false;
	#lastEdit: Promise<void> = Promise.resolve();
	#timer: NodeJS.Timeout | undefined;

	/**
	 * @param reply the status without its progress
	 * @param hasLease once it returns false, another process has put the answer into the message, and it is not edited any more
	 * @param onLateEdit called when an edit took so long that it may have overwritten that answer
	 */
	constructor(
		t: Translate,
		post: Post,
		reply: Reply,
		{ edits }: ChannelLimits,
		hasLease: LeaseGuard,
		onLateEdit = async () => {},
	) {
		this.#t = t;
		this.#post = post;
		this.#reply = reply;
		this.#hasLease = hasLease;
		this.#onLateEdit = onLateEdit;
		this.#paceMs = (edits.perMs / edits.count) * SHARE_OF_EDITS;
		this.#intervalMs = Math.max(EDIT_EVERY_MS, this.#paceMs);
		this.#editAfter(this.#intervalMs);
	}

	/** @param position returns the position in line, 1 for the next */
	waitInLine(position: () => number): void {
		this.#stage = { name: 'waiting', position };
		this.#editAfter(SHOW_WAIT_AFTER_MS);
	}

	/** Counts the seconds from now, when there was a wait in line. */
	start(): void {
		if (this.#stage.name !== 'waiting') return;
		this.#stage = { name: 'running' };
		this.#started = Date.now();
		this.#editAfter(this.#intervalMs);
	}

	/** Shows the outlines of the pictures from the next edit on. */
	expect(expected: Reply['expected']): void {
		this.#reply = { ...this.#reply, ...(expected && { expected }) };
	}

	/** Shows a preview in place of the one before, as soon as the channel's pace of edits allows it. */
	preview(picture: Picture): void {
		this.#preview = picture;
		if (this.#timer) this.#editAfter(Math.max(0, this.#editedAt + this.#paceMs - Date.now()));
	}

	/** Whether the message shows a preview, or may show one, because an edit has failed. */
	get hasPreview(): boolean {
		return this.#hasPreview;
	}

	/** Shows that the pictures are uploaded, unless they came before any seconds were shown. It is the last edit. */
	upload(): void {
		if (Date.now() - this.#started < this.#intervalMs) return;
		this.#stage = { name: 'uploading' };
		clearTimeout(this.#timer);
		this.#timer = undefined;
		this.#editNext();
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
			this.#editNext();
			void this.#lastEdit.then(() => this.#timer && this.#editAfter(this.#intervalMs));
		}, ms).unref();
	}

	/** A status that cannot be edited does not stop the request. */
	#editNext(): void {
		this.#lastEdit = this.#lastEdit.then(() => this.#edit()).catch(() => {});
	}

	async #edit(): Promise<void> {
		if (!this.#hasLease()) return;
		this.#editedAt = Date.now();
		// Without pictures, an edit leaves those of the message.
		const pictures = this.#preview && { pictures: [this.#preview] };
		this.#preview = undefined;
		this.#hasPreview ||= pictures !== undefined;
		await this.#post.edit({ ...this.#reply, ...pictures, text: this.#message() });
		if (!this.#hasLease()) await this.#onLateEdit();
	}

	#message(): string {
		const { text: status } = this.#reply;
		const stage = this.#stage;
		const seconds = Math.max(0, Math.round((Date.now() - this.#started) / 1000));
		if (stage.name === 'waiting') return this.#t('status.waiting', { status, line: stage.position(), seconds });
		return this.#t(stage.name === 'uploading' ? 'status.uploading' : 'status.running', { status, seconds });
	}
}
