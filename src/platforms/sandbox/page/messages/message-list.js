import { announce, byId, h } from '../dom.js';
import { formatDate, t, tNodes } from '../texts.js';
import { renderMessage } from './message.js';
import { plainText } from './render-markdown.js';
import { ScrollFollower } from './scroll-follower.js';

/** @typedef {import('../../server/view.ts').MessageView} Message */
/** @typedef {{ number: number, offset: number }} Position */

/** @type {Intl.DateTimeFormatOptions} */
const DAY = { weekday: 'long', day: 'numeric', month: 'long' };
/** Messages of one author this close together are shown without repeating the author. */
const JOIN_WITHIN_MS = 5 * 60_000;
/** How many pages of older messages are loaded to show a channel where it was left. */
const MAX_RESTORED_PAGES = 10;

/** The messages of a channel: older ones load on scrolling up, and new ones are followed while the end is visible. */
export class MessageList {
	#state;
	#handlers;
	#emptyState;
	#box = byId('history');
	#column = byId('column');
	#scroll;
	/** The elements of the messages that are shown, by number. @type {Map<number, HTMLElement>} */
	#shown = new Map();
	#channel = '';
	#isLoading = false;
	/** Where the person was in each channel that was left. @type {Map<string, Position | undefined>} */
	#positions = new Map();
	/** The last message that was read before this visit. */
	#readUntil = 0;

	/**
	 * @param {import('../state.js').PageState} state
	 * @param {import('./message.js').MessageHandlers} handlers
	 * @param {() => Node} emptyState
	 */
	constructor(state, handlers, emptyState) {
		this.#state = state;
		this.#handlers = handlers;
		this.#emptyState = emptyState;
		// A focusable box can be scrolled with the keyboard.
		this.#box.tabIndex = 0;
		this.#scroll = new ScrollFollower(this.#box, this.#column, byId('jump'), {
			onEnd: () => this.#markSeen(),
			onBeginning: () => this.#loadOlder().catch(() => {}),
		});
		document.addEventListener('visibilitychange', () => this.#markSeen());
	}

	/** Shows a channel or thread. @param {string} channel */
	async enter(channel) {
		this.#positions.set(this.#channel, this.#position());
		if (this.#channel !== channel) {
			this.#channel = channel;
			this.#readUntil = this.#state.read[channel] ?? 0;
		}
		this.#shown.clear();
		this.#column.replaceChildren();
		this.#isLoading = false;
		this.#scroll.follow();
		this.#draw();
		await this.#loadOlder();
		await this.#restore(this.#positions.get(channel));
		this.#markSeen();
	}

	/** Returns the first visible message and its distance from the top, or undefined at the end. */
	#position() {
		if (this.#scroll.isFollowing) return undefined;
		const { top } = this.#box.getBoundingClientRect();
		for (const [number, element] of [...this.#shown].sort(([a], [b]) => a - b)) {
			const { top: start, bottom } = element.getBoundingClientRect();
			if (number > 0 && bottom > top) return { number, offset: start - top };
		}
		return undefined;
	}

	/** Scrolls to where the person was, and loads the messages from there on. @param {Position | undefined} position */
	async #restore(position) {
		if (!position) return;
		const log = this.#state.log(this.#channel);
		const channel = this.#channel;
		for (let page = 0; page < MAX_RESTORED_PAGES && log.more; page += 1) {
			if (Math.min(...log.messages.keys()) <= position.number) break;
			await this.#loadOlder();
			if (channel !== this.#channel) return;
		}
		const element = this.#shown.get(position.number);
		if (!element) return;
		const { top } = this.#box.getBoundingClientRect();
		this.#scroll.leaveEnd();
		this.#box.scrollTop += element.getBoundingClientRect().top - top - position.offset;
	}

	/** Shows a message that is new or was edited. @param {Message} message */
	update(message) {
		if (message.channel !== this.#channel) return;
		const before = this.#shown.get(message.number);
		const pictures = message.files.length;
		const hadPictures = Number(before?.dataset.files ?? 0);
		const isMine = message.author === this.#state.me;
		if (isMine) this.#scroll.follow();
		else if (!before) this.#scroll.countUnseen();
		this.#draw();
		if (!isMine && (!before || pictures > hadPictures)) this.#announce(message, pictures);
		this.#markSeen();
	}

	/** @param {{ channel: string, number: number }} removed */
	remove({ channel, number }) {
		if (channel !== this.#channel) return;
		const hadFocus = this.#shown.get(number)?.contains(document.activeElement);
		this.#shown.delete(number);
		this.#draw();
		if (hadFocus) this.#box.focus();
	}

	/** Scrolls to a message and focuses it. @param {number} number */
	show(number) {
		const element = this.#shown.get(number);
		element?.scrollIntoView({ block: 'center' });
		element?.focus({ preventScroll: true });
	}

	#draw() {
		const log = this.#state.log(this.#channel);
		const messages = [...log.messages.values()].sort((a, b) => a.number - b.number);
		/** @type {Element[]} */
		const rows = [];
		const { origin } = log;
		// A thread of a command is started on a message without content.
		const hasOrigin = origin && (origin.text || origin.files.length > 0);
		if (log.loaded && !log.more && hasOrigin) rows.push(this.#row({ ...origin, thread: undefined }, undefined, true));
		else if (!log.more && messages.length) rows.push(this.#beginning());
		let isMarked = this.#readUntil === 0;
		for (const [index, message] of messages.entries()) {
			const last = messages[index - 1];
			const isNewDay = dayOf(message) !== (last && dayOf(last));
			if (isNewDay) rows.push(separator('p.day', formatDate(new Date(message.at), DAY)));
			if (!isMarked && message.number > this.#readUntil) {
				isMarked = true;
				if (message.author !== this.#state.me) rows.push(separator('p.day.new', t('sandbox.channel.new')));
			}
			rows.push(this.#row(message, isNewDay ? undefined : last));
		}
		if (log.loaded && messages.length === 0 && !hasOrigin) rows.push(/** @type {Element} */ (this.#emptyState()));
		this.#sync(rows);
		this.#scroll.update();
	}

	/** Puts the rows in place without touching those that stay: they keep focus, menus and loaded pictures. @param {Element[]} rows */
	#sync(rows) {
		const staying = new Set(rows);
		const { children } = this.#column;
		for (const element of [...children]) if (!staying.has(element)) element.remove();
		for (const [index, element] of rows.entries())
			if (children[index] !== element) this.#column.insertBefore(element, children[index] ?? null);
	}

	/** @param {Message} message @param {Message | undefined} last @param {boolean} [isOrigin] */
	#row(message, last, isOrigin = false) {
		const joined = isJoined(message, last);
		const slot = isOrigin ? -1 : message.number;
		const before = this.#shown.get(slot);
		const version = `${message.revision} ${joined}`;
		if (before?.dataset.version === version) return before;
		/** @type {(Element | null)[]} */
		const controls = [...(before?.querySelectorAll('button, a') ?? [])];
		const hadFocus = before?.contains(document.activeElement);
		const focusedAt = controls.indexOf(document.activeElement);
		const element = renderMessage(message, this.#state, this.#handlers, { joined, before });
		element.dataset.version = version;
		element.dataset.files = String(message.files.length);
		if (before) before.replaceWith(element);
		// An edit does not take the keyboard focus away.
		if (hadFocus) (element.querySelectorAll('button, a')[focusedAt] ?? element).focus();
		this.#shown.set(slot, element);
		return element;
	}

	#beginning() {
		const { channel, thread } = this.#state.find(this.#channel);
		const title = channel.direct ? channel.name : `#${channel.name}`;
		const name = h('b', {}, thread ? thread.title : title);
		return h('p.beginning', {}, ...tNodes('sandbox.channel.beginning', { channel: name }));
	}

	async #loadOlder() {
		const log = this.#state.log(this.#channel);
		if (this.#isLoading || (log.loaded && !log.more)) return;
		this.#isLoading = true;
		const channel = this.#channel;
		try {
			await this.#state.loadOlder(channel);
			if (channel === this.#channel) this.#scroll.keepPosition(() => this.#draw());
		} finally {
			this.#isLoading = false;
		}
	}

	#markSeen() {
		const isVisible = document.visibilityState === 'visible' && this.#scroll.isFollowing;
		if (isVisible && this.#state.log(this.#channel).loaded) this.#state.markRead(this.#channel);
	}

	/** @param {Message} message @param {number} pictures */
	#announce(message, pictures) {
		const values = { name: this.#state.nameOf(message.author), text: plainText(message.text.slice(0, 200)) };
		const sentence = pictures
			? t('sandbox.message.announcedPictures', { ...values, count: pictures })
			: t('sandbox.message.announced', values);
		announce(sentence);
	}
}

/** Whether a message is shown without its author, after one of the same author. @param {Message} message @param {Message | undefined} last */
const isJoined = (message, last) =>
	Boolean(
		last &&
			last.author === message.author &&
			!message.about &&
			!message.replyTo &&
			last.private === message.private &&
			Date.parse(message.at) - Date.parse(last.at) < JOIN_WITHIN_MS,
	);

/** @param {string} tag @param {string} text */
const separator = (tag, text) => h(tag, { role: 'separator' }, h('span', {}, text));

/** @param {Message} message */
const dayOf = (message) => new Date(message.at).toDateString();
