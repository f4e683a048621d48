import { h } from '../dom.js';
import { t } from '../texts.js';

/** @typedef {import('./command-text.js').Named} Named */

/** The list of people above the message box while a mention is typed. */
export class PeoplePicker {
	element = h('ul.above.people-picker', {
		id: 'people-picker',
		role: 'listbox',
		'aria-label': t('sandbox.composer.people'),
		hidden: true,
	});
	#textbox;
	#people;
	/** @type {Named[]} */
	#found = [];
	#active = 0;

	/** @param {HTMLTextAreaElement} textbox @param {() => Named[]} people */
	constructor(textbox, people) {
		this.#textbox = textbox;
		this.#people = people;
		for (const name of ['input', 'click']) textbox.addEventListener(name, () => this.#draw());
		textbox.addEventListener('blur', () => this.#show([]));
	}

	/** Returns whether the key was for the list. @param {KeyboardEvent} event */
	handleKey(event) {
		if (this.element.hidden || event.isComposing) return false;
		const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
		if (step) this.#move((this.#active + step + this.#found.length) % this.#found.length);
		else if (event.key === 'Escape') this.#show([]);
		else if ((event.key === 'Enter' || event.key === 'Tab') && !event.shiftKey)
			this.#complete(this.#found[this.#active]);
		else return false;
		event.preventDefault();
		return true;
	}

	/** Returns the name that is being typed after an `@` before the caret. */
	#typed() {
		const { value, selectionStart } = this.#textbox;
		return /(?<![\p{L}\p{N}_])@([\p{L}\p{N}_]*)$/u.exec(value.slice(0, selectionStart))?.[1];
	}

	#draw() {
		const typed = this.#typed();
		if (typed === undefined) return this.#show([]);
		const start = folded(typed);
		// The name as it is typed in full is sent by Enter, as any other text.
		this.#show(this.#people().filter(({ name }) => folded(name).startsWith(start) && name !== typed));
	}

	/** @param {Named[]} found */
	#show(found) {
		if (found.length === 0 && this.element.hidden) return;
		this.#found = found;
		this.element.hidden = found.length === 0;
		this.#textbox.setAttribute('aria-controls', this.element.hidden ? 'picker' : this.element.id);
		this.element.replaceChildren(...found.map((person, index) => this.#option(person, index)));
		if (this.element.hidden) this.#textbox.removeAttribute('aria-activedescendant');
		else this.#move(0);
	}

	/** @param {Named} person @param {number} index */
	#option(person, index) {
		return h(
			'li',
			{
				id: `person-${index}`,
				role: 'option',
				// Keeps the focus in the message box.
				onmousedown: (/** @type {Event} */ event) => event.preventDefault(),
				onclick: () => this.#complete(person),
			},
			`@${person.name}`,
		);
	}

	/** @param {number} to */
	#move(to) {
		this.#active = to;
		for (const [index, item] of [...this.element.children].entries())
			item.setAttribute('aria-selected', String(index === to));
		this.#textbox.setAttribute('aria-activedescendant', `person-${to}`);
	}

	/** @param {Named} person */
	#complete({ name }) {
		const end = this.#textbox.selectionStart;
		const start = end - (this.#typed()?.length ?? 0);
		this.#textbox.setRangeText(`${name} `, start, end, 'end');
		this.#textbox.dispatchEvent(new Event('input', { bubbles: true }));
	}
}

/** Returns a name without case and accents, so that `@bj` and `@bjo` find Björn. @param {string} name */
const folded = (name) => name.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
