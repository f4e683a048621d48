import { get } from '../api.js';
import { h } from '../dom.js';
import { checkFiles, pictureProblem } from '../file-check.js';
import { icon } from '../icons.js';
import { Inputs } from '../inputs/inputs.js';
import { t } from '../texts.js';
import { pictureCount } from './drop-choices.js';

/** @typedef {import('./command-text.js').CommandDescription} CommandDescription */
/** @typedef {{ command: CommandDescription, options: Record<string, any>, files: { part: string, file: File }[] }} FilledCommand */

/**
 * The inputs of a command, in place of the message box.
 * @typedef {{
 *   onChange(): void,
 *   onError(sentence: string): void,
 *   onSubmit(filled: FilledCommand): void,
 *   onLeave(): void,
 * }} CardHandlers `onLeave`: back to writing
 */
export class CommandCard {
	element = h('form.card', { noValidate: true, hidden: true });
	#me;
	#handlers;
	/** @type {{ command: CommandDescription, inputs: Inputs } | undefined} */
	#open;

	/** @param {string} me the id of the person @param {CardHandlers} handlers */
	constructor(me, handlers) {
		this.#me = me;
		this.#handlers = handlers;
		this.element.addEventListener('keydown', (/** @type {KeyboardEvent} */ event) => this.#handleKey(event));
		// The focus may be outside: a click on a message does not keep Escape from closing the card.
		addEventListener('keydown', (event) => {
			const isElsewhere = document.querySelector('dialog[open], :popover-open, .drawer-open');
			if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing || isElsewhere || !this.#open) return;
			event.preventDefault();
			handlers.onLeave();
		});
		this.element.addEventListener('submit', (/** @type {SubmitEvent} */ event) => {
			event.preventDefault();
			if (!this.#open) return;
			const { command, inputs } = this.#open;
			const problem = inputs.problem();
			if (problem) handlers.onError(problem);
			else handlers.onSubmit({ command, ...inputs.values() });
		});
	}

	/** The command that is shown. */
	get command() {
		return this.#open?.command;
	}

	/** @param {CommandDescription} command @param {import('./command-text.js').Directory} directory @param {Record<string, any>} options the initial values */
	show(command, directory, options) {
		const inputs = new Inputs(
			command.fields,
			directory,
			this.#handlers.onChange,
			(option, typed) => get('suggestions', { as: this.#me, command: command.name, option, typed }),
			this.#handlers.onError,
		);
		this.#open = { command, inputs };
		const onclick = this.#handlers.onLeave;
		const back = h('button.quiet.small', { type: 'button', 'aria-label': t('sandbox.command.back'), onclick });
		back.append(icon('close'));
		const head = h('p.card-head', {}, h('b', {}, `/${command.name}`), h('span', {}, command.description), back);
		inputs.chips.append(h('button.primary', { type: 'submit' }, t('sandbox.command.run')));
		inputs.fill(options);
		this.element.replaceChildren(head, inputs.element);
		this.element.setAttribute('aria-label', `/${command.name}`);
		this.element.hidden = false;
	}

	/** Puts files into the picture inputs, in order, and reports those that it cannot take. Returns them. @param {File[]} files @returns {File[]} */
	take(files) {
		if (!this.#open) return files;
		const { command, inputs } = this.#open;
		const max = pictureCount(command);
		const { good, problem } = max > 0 ? checkFiles(files, pictureProblem) : { good: files, problem: undefined };
		const left = inputs.take(good);
		inputs.focus();
		const values = { command: command.name, max, count: left.length };
		const sentence = left.length > 0 && max > 0 ? t('sandbox.command.tooManyFiles', values) : problem;
		if (sentence) this.#handlers.onError(sentence);
		return left;
	}

	/** Closes the card, and returns its values. @returns {FilledCommand | undefined} */
	close() {
		const filled = this.#open && { command: this.#open.command, ...this.#open.inputs.values() };
		this.#open = undefined;
		this.element.hidden = true;
		this.element.replaceChildren();
		return filled;
	}

	/** @param {KeyboardEvent} event */
	#handleKey(event) {
		if (event.isComposing || event.key !== 'Enter' || event.shiftKey) return;
		if (!(event.target instanceof HTMLTextAreaElement)) return;
		event.preventDefault();
		this.element.requestSubmit();
	}
}
