import { announce, byId, h, icon } from './dom.js';
import { renderMessage } from './message.js';

/** @typedef {import('../server/view.ts').MessageView} Message */

const DAY = new Intl.DateTimeFormat(undefined, { weekday: 'long', day: 'numeric', month: 'long' });
/** Messages of one author this close together are shown as one run. */
const RUN_MS = 5 * 60_000;
/** This near to its end, the history follows new messages. */
const NEAR_PX = 80;

/**
 * The message column of one room: older ones load on scrolling up, new ones are followed when the end is in sight.
 * @param {any} state
 * @param {import('./message.js').Doings} doings
 * @param {() => Node} emptyState
 */
export function createHistory(state, doings, emptyState) {
	const box = byId('history');
	const column = byId('column');
	const jump = byId('jump');
	// Reached by keyboard, it scrolls.
	box.tabIndex = 0;
	/** @type {Map<number, HTMLElement>} */
	const shown = new Map();
	let room = '';
	let following = true;
	let missed = 0;
	let loading = false;
	/** Above it is what was seen before this visit. */
	let readUntil = 0;

	const sorted = () => [...state.log(room).messages.values()].sort((a, b) => a.number - b.number);
	const toEnd = () => box.scrollTo({ top: box.scrollHeight, behavior: 'instant' });

	function draw() {
		const messages = sorted();
		const log = state.log(room);
		const rows = [];
		if (log.loaded && !log.more && log.origin) rows.push(row({ ...log.origin, thread: undefined }, undefined, true));
		else if (!log.more && messages.length) rows.push(beginning());
		let marked = readUntil === 0;
		messages.forEach((message, index) => {
			const last = messages[index - 1];
			const newDay = dayOf(message) !== (last && dayOf(last));
			if (newDay) rows.push(h('p.day', { role: 'separator' }, h('span', {}, DAY.format(new Date(message.at)))));
			if (!marked && message.number > readUntil) {
				marked = true;
				if (message.author !== state.me) rows.push(h('p.day.new', { role: 'separator' }, h('span', {}, 'New')));
			}
			rows.push(row(message, newDay ? undefined : last));
		});
		if (log.loaded && messages.length === 0 && !log.origin) rows.push(emptyState());
		sync(rows);
		if (following) toEnd();
	}

	/** Puts the rows in place without touching those that stay: focus, menus and loaded pictures survive. @param {Element[]} rows */
	function sync(rows) {
		const staying = new Set(rows);
		for (const element of [...column.children]) if (!staying.has(element)) element.remove();
		for (const [index, element] of rows.entries())
			if (column.children[index] !== element) column.insertBefore(element, column.children[index] ?? null);
	}

	/** @param {Message} message @param {Message | undefined} last @param {boolean} [origin] */
	function row(message, last, origin = false) {
		const joined = Boolean(
			last &&
				last.author === message.author &&
				!message.about &&
				!message.replyTo &&
				last.private === message.private &&
				Date.parse(message.at) - Date.parse(last.at) < RUN_MS,
		);
		const slot = origin ? -1 : message.number;
		const before = shown.get(slot);
		const version = `${message.revision} ${joined}`;
		if (before?.dataset.version === version) return before;
		/** @type {(Element | null)[]} */
		const controls = [...(before?.querySelectorAll('button, a') ?? [])];
		const focused = before?.contains(document.activeElement);
		const at = controls.indexOf(document.activeElement);
		const element = renderMessage(message, state, doings, { joined, before });
		element.dataset.version = version;
		element.dataset.files = String(message.files.length);
		if (before) before.replaceWith(element);
		// An edit must not throw a keyboard user out of the message.
		if (focused) (element.querySelectorAll('button, a')[at] ?? element).focus();
		shown.set(slot, element);
		return element;
	}

	function beginning() {
		const { channel, thread } = state.find(room);
		return h('p.beginning', {}, 'This is where ', h('b', {}, thread ? thread.title : `#${channel.name}`), ' begins.');
	}

	async function loadOlder() {
		const log = state.log(room);
		if (loading || (log.loaded && !log.more)) return;
		loading = true;
		const asked = room;
		try {
			await state.older(asked);
			if (asked === room) {
				const fromEnd = box.scrollHeight - box.scrollTop;
				draw();
				if (!following) box.scrollTop = box.scrollHeight - fromEnd;
			}
		} finally {
			loading = false;
		}
	}

	function updateJump() {
		jump.hidden = following;
		jump.replaceChildren(icon('down'), missed ? `${missed} new` : 'Latest');
	}

	box.addEventListener('scroll', () => {
		following = box.scrollHeight - box.scrollTop - box.clientHeight < NEAR_PX;
		if (following) {
			missed = 0;
			seen();
		}
		updateJump();
		if (box.scrollTop < 400) loadOlder().catch(() => {});
	});
	jump.addEventListener('click', () => {
		following = true;
		toEnd();
		box.focus();
	});
	// Pictures that load and text that grows push the end away; whoever was there stays there.
	new ResizeObserver(() => following && toEnd()).observe(column);
	new ResizeObserver(() => following && toEnd()).observe(box);

	function seen() {
		if (document.visibilityState === 'visible' && following && state.log(room).loaded) state.markRead(room);
	}
	document.addEventListener('visibilitychange', seen);

	return {
		/** @param {string} next */
		async enter(next) {
			if (room !== next) {
				room = next;
				readUntil = state.read[room] ?? 0;
			}
			shown.clear();
			column.replaceChildren();
			following = true;
			missed = 0;
			loading = false;
			updateJump();
			draw();
			await loadOlder();
			seen();
		},

		/** @param {Message} message */
		changed(message) {
			if (message.room !== room) return;
			const known = shown.has(message.number);
			const pictures = message.files.length;
			const hadPictures = Number(shown.get(message.number)?.dataset.files ?? 0);
			if (message.author === state.me) following = true;
			else if (!known && !following) missed += 1;
			draw();
			if (message.author !== state.me && (!known || pictures > hadPictures))
				announce(
					`${state.nameOf(message.author)}: ${message.text.slice(0, 200)}${pictures ? ` (${pictures} pictures)` : ''}`,
				);
			updateJump();
			seen();
		},

		/** @param {{ room: string, number: number }} removed */
		removed(removed) {
			if (removed.room !== room) return;
			const focused = shown.get(removed.number)?.contains(document.activeElement);
			shown.delete(removed.number);
			draw();
			if (focused) box.focus();
		},

		/** Scrolls to a message and shows which one it is. @param {number} number */
		show(number) {
			const element = shown.get(number);
			element?.scrollIntoView({ block: 'center' });
			element?.focus({ preventScroll: true });
		},
	};
}

/** @param {Message} message */
const dayOf = (message) => new Date(message.at).toDateString();
