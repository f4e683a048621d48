import { h } from './dom.js';
import { commandIn } from './raw.js';

/** @typedef {import('./raw.js').CommandDescription} CommandDescription */

/**
 * The list of commands above the message box while `/…` is typed, as a combobox's listbox
 * (https://www.w3.org/WAI/ARIA/apg/patterns/combobox/); once a command is complete, what it takes.
 * @param {HTMLTextAreaElement} words
 * @param {() => readonly CommandDescription[]} commands
 * @param {(command: CommandDescription) => void} choose
 */
export function createPicker(words, commands, choose) {
	const list = h('ul.picker', { id: 'picker', role: 'listbox', 'aria-label': 'Commands', hidden: true });
	const usage = h('p.usage', { id: 'usage', hidden: true });
	const element = h('div.above', {}, list, usage);
	/** @type {CommandDescription[]} */
	let found = [];
	let active = 0;
	let dismissed = '';

	for (const [name, value] of Object.entries({
		role: 'combobox',
		'aria-autocomplete': 'list',
		'aria-controls': 'picker',
		'aria-describedby': 'usage',
	}))
		words.setAttribute(name, value);

	function draw() {
		const typed =
			/^\/[\w ]*$/.test(words.value) && words.value !== dismissed ? words.value.slice(1).toLowerCase() : undefined;
		const complete = commandIn(words.value, commands());
		const begun = typed !== undefined && !(complete && /\s/.test(words.value.slice(1 + complete.command.name.length)));
		const next = begun ? matching(commands(), typed) : [];
		if (next.length !== found.length || next.some((command, index) => command !== found[index])) active = 0;
		found = next;
		list.hidden = found.length === 0;
		words.setAttribute('aria-expanded', String(!list.hidden));
		list.replaceChildren(
			...found.map((command, index) => {
				const fields = command.fields.map(({ name, required }) => h(required ? 'b' : 'span', {}, name));
				return h(
					'li',
					{
						id: `command-${index}`,
						role: 'option',
						'aria-selected': index === active,
						// Before the click takes the focus away from the words.
						onmousedown: (/** @type {Event} */ event) => event.preventDefault(),
						onclick: () => choose(command),
						onmousemove: () => index !== active && move(index),
					},
					h('span.command-name', {}, `/${command.name}`),
					h('span.command-fields', {}, ...fields),
					h('span.command-description', {}, command.description),
				);
			}),
		);
		mark();
		usage.hidden = !complete || !list.hidden || complete.command.fields.length === 0;
		if (complete && !usage.hidden) drawUsage(complete.command, complete.rest);
	}

	/** @param {CommandDescription} command @param {string} rest */
	function drawUsage(command, rest) {
		const given = new Set([...rest.matchAll(/(?<=^|\s)([a-z][a-z0-9_]*):\S/gi)].map((match) => match[1].toLowerCase()));
		const fields = command.fields.map(({ name, required, kind }) => {
			const part = h('span.part', {}, required || kind === 'picture' ? name : `${name}:`);
			part.classList.toggle('given', given.has(name));
			part.classList.toggle('required', required);
			return part;
		});
		usage.replaceChildren(h('b', {}, `/${command.name}`), ...fields, h('span.says', {}, command.description));
	}

	function mark() {
		for (const [index, item] of [...list.children].entries())
			item.setAttribute('aria-selected', String(index === active));
		if (list.hidden) words.removeAttribute('aria-activedescendant');
		else words.setAttribute('aria-activedescendant', `command-${active}`);
	}

	/** @param {number} to */
	function move(to) {
		active = (to + found.length) % found.length;
		mark();
		list.children[active].scrollIntoView({ block: 'nearest' });
	}

	words.addEventListener('input', draw);

	return {
		element,
		draw,

		/** Whether the key was for the list. @param {KeyboardEvent} event */
		key(event) {
			if (list.hidden || event.isComposing) return false;
			// Typed to its end and in want of nothing: Enter runs it, as it would any other line.
			const { name, fields } = found[active];
			if (event.key === 'Enter' && words.value.trim() === `/${name}` && !fields.some(({ required }) => required))
				return false;
			if (event.key === 'ArrowDown') move(active + 1);
			else if (event.key === 'ArrowUp') move(active - 1);
			else if (event.key === 'Escape') {
				dismissed = words.value;
				draw();
			} else if ((event.key === 'Enter' || event.key === 'Tab') && !event.shiftKey) choose(found[active]);
			else return false;
			event.preventDefault();
			return true;
		},
	};
}

/** Those that begin with it, then those that hold it, in name or description. @param {readonly CommandDescription[]} commands @param {string} typed */
function matching(commands, typed) {
	/** @param {CommandDescription} command */
	const rank = ({ name, description }) =>
		name.startsWith(typed)
			? 0
			: name.includes(typed)
				? 1
				: typed.length > 2 && description.toLowerCase().includes(typed)
					? 2
					: 3;
	return commands.filter((command) => rank(command) < 3).toSorted((a, b) => rank(a) - rank(b));
}
