import { h } from '../dom.js';
import { t } from '../texts.js';
import { commandIn } from './command-text.js';

/** @typedef {import('./command-text.js').CommandDescription} CommandDescription */

/**
 * What a screen reader needs to read the active command. A box of several lines cannot have the role of a combobox:
 * https://www.w3.org/TR/html-aria/#docconformance
 */
const AUTOCOMPLETE = {
	'aria-autocomplete': 'list',
	'aria-controls': 'picker',
	'aria-describedby': 'usage',
};

/** The list of commands above the message box while a command is typed. Once a command is complete, shows its options. */
export class CommandPicker {
	#list = h('ul.picker', {
		id: 'picker',
		role: 'listbox',
		'aria-label': t('sandbox.command.picker'),
		tabIndex: 0,
		hidden: true,
	});
	#usage = h('p.usage', { id: 'usage', hidden: true });
	element = h('div.above', {}, this.#list, this.#usage);
	#textbox;
	#commands;
	#onChoose;
	/** @type {CommandDescription[]} */
	#found = [];
	#active = 0;
	/** The text at which the list was closed. */
	#dismissedAt = '';

	/**
	 * @param {HTMLTextAreaElement} textbox
	 * @param {() => readonly CommandDescription[]} commands
	 * @param {(command: CommandDescription) => void} onChoose
	 */
	constructor(textbox, commands, onChoose) {
		this.#textbox = textbox;
		this.#commands = commands;
		this.#onChoose = onChoose;
		for (const [name, value] of Object.entries(AUTOCOMPLETE)) textbox.setAttribute(name, value);
		textbox.addEventListener('input', () => this.draw());
	}

	draw() {
		const text = this.#textbox.value;
		const complete = commandIn(text, this.#commands());
		const found = this.#matches(text, complete);
		if (found.length !== this.#found.length || found.some((command, index) => command !== this.#found[index]))
			this.#active = 0;
		this.#found = found;
		this.#list.hidden = found.length === 0;
		this.#list.replaceChildren(...found.map((command, index) => this.#option(command, index)));
		this.#markActive();
		this.#usage.hidden = !complete || !this.#list.hidden || complete.command.fields.length === 0;
		if (complete && !this.#usage.hidden) this.#drawUsage(complete.command, complete.rest);
	}

	/** Returns whether the key was for the list. @param {KeyboardEvent} event */
	handleKey(event) {
		if (this.#list.hidden || event.isComposing) return false;
		// A complete command without required options is run by Enter, as any other text is sent.
		const { name, fields } = this.#found[this.#active];
		const isComplete = this.#textbox.value.trim() === `/${name}` && !fields.some(({ required }) => required);
		if (event.key === 'Enter' && isComplete) return false;
		if (event.key === 'ArrowDown') this.#move(this.#active + 1);
		else if (event.key === 'ArrowUp') this.#move(this.#active - 1);
		else if (event.key === 'Escape') {
			this.#dismissedAt = this.#textbox.value;
			this.draw();
		} else if ((event.key === 'Enter' || event.key === 'Tab') && !event.shiftKey)
			this.#onChoose(this.#found[this.#active]);
		else return false;
		event.preventDefault();
		return true;
	}

	/** @param {string} text @param {ReturnType<typeof commandIn>} complete */
	#matches(text, complete) {
		if (!/^\/[\w ]*$/.test(text) || text === this.#dismissedAt) return [];
		const hasOptions = complete && /\s/.test(text.slice(1 + complete.command.name.length));
		return hasOptions ? [] : matching(this.#commands(), text.slice(1).toLowerCase());
	}

	/** @param {CommandDescription} command @param {number} index */
	#option(command, index) {
		const fields = command.fields.map(({ name, required }) => h(required ? 'b' : 'span', {}, name));
		return h(
			'li',
			{
				id: `command-${index}`,
				role: 'option',
				'aria-selected': index === this.#active,
				// Keeps the focus in the message box.
				onmousedown: (/** @type {Event} */ event) => event.preventDefault(),
				onclick: () => this.#onChoose(command),
				onmousemove: () => index !== this.#active && this.#move(index),
			},
			h('span.command-name', {}, `/${command.name}`),
			h('span.command-fields', {}, ...fields),
			h('span.command-description', {}, command.description),
		);
	}

	/** @param {CommandDescription} command @param {string} rest */
	#drawUsage(command, rest) {
		const given = new Set([...rest.matchAll(/(?<=^|\s)([a-z][a-z0-9_]*):\S/gi)].map((match) => match[1].toLowerCase()));
		const fields = command.fields.map(({ name, required, kind }) => {
			const part = h('span.part', {}, required || kind === 'picture' ? name : `${name}:`);
			part.classList.toggle('given', given.has(name));
			part.classList.toggle('required', required);
			return part;
		});
		this.#usage.replaceChildren(h('b', {}, `/${command.name}`), ...fields, h('span.says', {}, command.description));
	}

	#markActive() {
		for (const [index, item] of [...this.#list.children].entries())
			item.setAttribute('aria-selected', String(index === this.#active));
		if (this.#list.hidden) this.#textbox.removeAttribute('aria-activedescendant');
		else this.#textbox.setAttribute('aria-activedescendant', `command-${this.#active}`);
	}

	/** @param {number} to */
	#move(to) {
		this.#active = (to + this.#found.length) % this.#found.length;
		this.#markActive();
		this.#list.children[this.#active].scrollIntoView({ block: 'nearest' });
	}
}

/** Returns the commands whose names begin with the text, then those that contain it in name or description. @param {readonly CommandDescription[]} commands @param {string} typed */
function matching(commands, typed) {
	return commands
		.filter((command) => rankOf(command, typed) < 3)
		.toSorted((a, b) => rankOf(a, typed) - rankOf(b, typed));
}

/** @param {CommandDescription} command @param {string} typed */
function rankOf({ name, description }, typed) {
	if (name.startsWith(typed)) return 0;
	if (name.includes(typed)) return 1;
	return typed.length > 2 && description.toLowerCase().includes(typed) ? 2 : 3;
}
