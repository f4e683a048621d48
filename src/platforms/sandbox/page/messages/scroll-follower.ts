import { byId } from '../html.ts';
import type { Page } from '../page.ts';

/** When its end is this near, the box follows new messages. */
const FOLLOW_PX = 80;
/** When its beginning is this near, older messages are loaded. */
const LOAD_PX = 400;
/** How many messages are loaded at once to come to an old one. */
const LARGE_PAGE = 100;

/** Keeps the end of the messages visible while it is, and says what is new when it is not. */
export class ScrollFollower {
	readonly #page: Page;
	#box: HTMLElement | undefined;
	isFollowing = true;
	/** The position at the last scroll, in pixels. */
	#top = 0;
	#isLoading = false;
	/** The first visible message of each channel that was left, and its distance from the top; none at the end. */
	readonly #positions = new Map<string, { number: number; offset: number } | undefined>();

	constructor(page: Page) {
		this.#page = page;
	}

	attach(box: HTMLElement): void {
		this.#box = box;
		box.addEventListener('scroll', () => this.#onScroll(box));
		// Pictures that load and texts that grow move the end, which stays visible if it was.
		const observer = new ResizeObserver(() => this.update());
		for (const element of [box, ...box.children]) observer.observe(element);
	}

	/** How many messages there are below that the person has not seen. */
	get unseen(): number {
		const { state, shown } = this.#page;
		return [...state.log(shown).messages.keys()].filter((number) => number > (state.read[shown] ?? 0)).length;
	}

	/** Shows the end from now on. */
	follow(): void {
		this.isFollowing = true;
		this.#page.afterRender(() => this.update());
	}

	/** Marks the messages as read that the person sees. */
	markSeen(): void {
		const { state, shown } = this.#page;
		const isSeen = document.visibilityState === 'visible' && this.isFollowing && state.log(shown).loaded;
		if (isSeen && state.markRead(shown)) this.#page.changed();
	}

	/** Scrolls to the end after the content has changed, if the end was visible. */
	update(): void {
		const { state, shown } = this.#page;
		// What can be tried in an empty channel is read from its beginning.
		if (this.isFollowing && state.log(shown).messages.size > 0)
			this.#box?.scrollTo({ top: this.#box.scrollHeight, behavior: 'instant' });
	}

	jump(): void {
		this.follow();
		this.#page.afterRender(() => this.#box?.focus());
	}

	leave(channel: string): void {
		this.#positions.set(channel, this.#position());
		this.#isLoading = false;
		this.follow();
	}

	/** Scrolls to where the person was, if that was not the end. */
	async restore(channel: string): Promise<boolean> {
		const position = this.#positions.get(channel);
		this.#positions.delete(channel);
		return position !== undefined && this.show(position.number, position.offset);
	}

	/**
	 * Scrolls to a message, which may have to be loaded, and focuses it. Returns whether it is there.
	 * @param offset its distance from the top, without which it is shown in the middle
	 */
	async show(number: number, offset?: number): Promise<boolean> {
		const { state, shown } = this.#page;
		const log = state.log(shown);
		while (log.more && Math.min(...log.messages.keys()) > number) await state.loadOlder(shown, LARGE_PAGE);
		if (!log.messages.has(number) || shown !== this.#page.shown) return false;
		this.#page.afterRender(() => {
			const element = byId(`message-${number}`);
			if (!element || !this.#box) return;
			this.isFollowing = false;
			if (offset === undefined) {
				element.scrollIntoView({ block: 'center' });
				element.focus({ preventScroll: true });
			} else this.#box.scrollTop += this.#topOf(element) - offset;
			this.#page.changed();
		});
		return true;
	}

	#onScroll(box: HTMLElement): void {
		const isNear = box.scrollHeight - box.scrollTop - box.clientHeight < FOLLOW_PX;
		const before = this.isFollowing;
		// A tall message moves the end away before this event comes. Only a person scrolls up.
		if (isNear || box.scrollTop < this.#top) this.isFollowing = isNear;
		this.#top = box.scrollTop;
		this.markSeen();
		if (before !== this.isFollowing) this.#page.changed();
		if (box.scrollTop < LOAD_PX) this.#loadOlder(box).catch(() => {});
	}

	/** Loads older messages without moving what is visible. */
	async #loadOlder(box: HTMLElement): Promise<void> {
		const { state, shown } = this.#page;
		const log = state.log(shown);
		if (this.#isLoading || !log.loaded || !log.more) return;
		this.#isLoading = true;
		try {
			await state.loadOlder(shown);
			const fromEnd = box.scrollHeight - box.scrollTop;
			if (shown !== this.#page.shown) return;
			this.#page.afterRender(() => {
				if (!this.isFollowing) box.scrollTop = box.scrollHeight - fromEnd;
			});
		} finally {
			this.#isLoading = false;
		}
	}

	/** Returns the first visible message and its distance from the top, or undefined at the end. */
	#position(): { number: number; offset: number } | undefined {
		if (this.isFollowing || !this.#box) return undefined;
		const messages = [...this.#box.querySelectorAll<HTMLElement>('.message:not(#origin)')];
		const first = messages.find((element) => this.#topOf(element) + element.offsetHeight > 0);
		return first && { number: Number(first.dataset['number']), offset: this.#topOf(first) };
	}

	/** Returns the distance of an element from the top of the box, in pixels. */
	#topOf = (element: HTMLElement): number =>
		element.getBoundingClientRect().top - (this.#box?.getBoundingClientRect().top ?? 0);
}
