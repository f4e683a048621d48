import type { VNode } from 'preact';
import { byId, h, html, titleOf } from '../html.ts';
import type { Found, Message, Page } from '../page.ts';
import { formatDate, t, tNodes } from '../texts.ts';
import { emptyChannel } from './empty-channel.ts';
import { MessageView } from './message.ts';

const DAY: Intl.DateTimeFormatOptions = { weekday: 'long', day: 'numeric', month: 'long' };
/** Messages of one author this close together are shown without repeating the author. */
const JOIN_WITHIN_MS = 5 * 60_000;

/** The messages of the channel or thread that is shown. Older ones load on scrolling up. A focusable box can be scrolled by keyboard. */
export const messageList = (page: Page): VNode =>
	html`<section class="history" id="history" aria-label=${t('sandbox.channel.messages')} tabindex="0" ref=${page.scroll.attach}>
		<div class="column" id="column">${rowsOf(page)}</div>
	</section>`;

function rowsOf(page: Page): VNode[] {
	const { log, readUntil, found } = page;
	const messages = [...log.messages.values()].sort((a, b) => a.number - b.number);
	const rows: VNode[] = [];
	const row = (message: Message, isJoined = false) =>
		h(MessageView, { key: `${message.channel} ${message.number}`, page, message, isJoined });
	// A thread of a command is started on a message without content.
	const origin = log.origin && (log.origin.text || log.origin.files.length > 0) ? log.origin : undefined;
	if (origin && log.loaded && !log.more) rows.push(row(origin));
	else if (!log.more && messages.length > 0) rows.push(beginning(found));
	let isMarked = readUntil === 0;
	for (const [index, message] of messages.entries()) {
		const last = messages[index - 1];
		const isNewDay = dayOf(message) !== (last && dayOf(last));
		if (isNewDay) rows.push(separator('day', formatDate(new Date(message.at), DAY), message));
		if (!isMarked && message.number > readUntil) {
			isMarked = true;
			if (message.author !== page.me) rows.push(separator('day new', t('sandbox.channel.new'), message));
		}
		rows.push(row(message, !isNewDay && last !== undefined && isJoined(message, last)));
	}
	if (log.loaded && messages.length === 0 && !origin) rows.push(emptyChannel(page));
	return rows;
}

const isJoined = (message: Message, last: Message): boolean =>
	last.author === message.author &&
	!message.about &&
	!message.replyTo &&
	last.private === message.private &&
	Date.parse(message.at) - Date.parse(last.at) < JOIN_WITHIN_MS;

const separator = (name: string, text: string, { number }: Message) =>
	html`<p key="${name} ${number}" class=${name} role="separator"><span>${text}</span></p>`;

const dayOf = ({ at }: Message) => new Date(at).toDateString();

function beginning({ channel, thread }: Found): VNode {
	const name = html`<b>${thread?.title ?? titleOf(channel)}</b>`;
	return html`<p class="beginning" key="beginning">${tNodes('sandbox.channel.beginning', { channel: name })}</p>`;
}

/** When its end is this near, the box follows new messages. */
const FOLLOW_PX = 80;
/** When its beginning is this near, older messages are loaded. */
const LOAD_PX = 400;
/** How many messages are loaded at once to come to an old one. */
const LARGE_PAGE = 100;

/** Keeps the end of the messages visible while it is, and says what is new when it is not. */
export class ScrollFollower {
	readonly #page: Page;
	/** The element, once something is drawn. */
	#box!: HTMLElement;
	isFollowing = true;
	/** The position at the last scroll, in pixels. */
	#top = 0;
	#isLoading = false;
	/** The first visible message of each channel that was left, and its distance from the top; none at the end. */
	readonly #positions = new Map<string, { number: number; offset: number } | undefined>();

	constructor(page: Page) {
		this.#page = page;
	}

	readonly attach = (box: HTMLElement): void => {
		this.#box = box;
		box.addEventListener('scroll', () => this.#onScroll());
		// Messages that come, pictures that load and texts that grow move the end, which stays visible if it was.
		const observer = new ResizeObserver(() => this.#toEnd());
		for (const element of [box, ...box.children]) observer.observe(element);
	};

	/** How many messages there are below that the person has not seen. */
	get unseen(): number {
		const { log, read, shown } = this.#page;
		return [...log.messages.keys()].filter((number) => number > (read[shown] ?? 0)).length;
	}

	/** Shows the end from now on. */
	follow(): void {
		this.isFollowing = true;
		this.#page.afterRender(() => this.#toEnd());
	}

	jump(): void {
		this.follow();
		this.#page.afterRender(() => this.#box.focus());
	}

	markSeen(): void {
		const isSeen = document.visibilityState === 'visible' && this.isFollowing;
		if (isSeen && this.#page.log.loaded) this.#page.markRead();
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
		const { log, shown } = this.#page;
		while (log.more && Math.min(...log.messages.keys()) > number) await this.#page.loadOlder(shown, LARGE_PAGE);
		if (!log.messages.has(number) || shown !== this.#page.shown) return false;
		this.#page.afterRender(() => {
			const element = byId(`message-${number}`);
			if (!element) return;
			this.isFollowing = false;
			if (offset === undefined) {
				element.scrollIntoView({ block: 'center' });
				element.focus({ preventScroll: true });
			} else this.#box.scrollTop += this.#topOf(element) - offset;
			this.#page.changed();
		});
		return true;
	}

	/** Scrolls to the end if it was visible. What can be tried in an empty channel is read from its beginning. */
	#toEnd(): void {
		const isEmpty = this.#page.log.messages.size === 0;
		if (this.isFollowing && !isEmpty) this.#box.scrollTo({ top: this.#box.scrollHeight, behavior: 'instant' });
	}

	#onScroll(): void {
		const { scrollHeight, scrollTop, clientHeight } = this.#box;
		const isNear = scrollHeight - scrollTop - clientHeight < FOLLOW_PX;
		const before = this.isFollowing;
		// A tall message moves the end away before this event comes. Only a person scrolls up.
		if (isNear || scrollTop < this.#top) this.isFollowing = isNear;
		this.#top = scrollTop;
		this.markSeen();
		if (before !== this.isFollowing) this.#page.changed();
		if (scrollTop < LOAD_PX) this.#loadOlder().catch(() => {});
	}

	/** Loads older messages without moving what is visible. */
	async #loadOlder(): Promise<void> {
		const { log, shown } = this.#page;
		if (this.#isLoading || !log.loaded || !log.more) return;
		this.#isLoading = true;
		await this.#page.loadOlder(shown).finally(() => {
			this.#isLoading = false;
		});
		const fromEnd = this.#box.scrollHeight - this.#box.scrollTop;
		this.#page.afterRender(() => {
			if (shown === this.#page.shown && !this.isFollowing) this.#box.scrollTop = this.#box.scrollHeight - fromEnd;
		});
	}

	/** Returns the first visible message and its distance from the top, or undefined at the end. */
	#position(): { number: number; offset: number } | undefined {
		if (this.isFollowing) return undefined;
		const messages = [...this.#box.querySelectorAll<HTMLElement>('.message:not(#origin)')];
		const first = messages.find((element) => this.#topOf(element) + element.offsetHeight > 0);
		return first && { number: Number(first.dataset['number']), offset: this.#topOf(first) };
	}

	/** Returns the distance of an element from the top of the box, in pixels. */
	#topOf = (element: HTMLElement): number =>
		element.getBoundingClientRect().top - this.#box.getBoundingClientRect().top;
}
