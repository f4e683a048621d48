import { get } from './api.js';
import { h, icon } from './dom.js';
import { createInputs } from './form.js';

/** @typedef {import('./raw.js').CommandDescription} CommandDescription */
/** @typedef {{ command: CommandDescription, options: Record<string, any>, files: { part: string, file: File }[] }} Filled */

/**
 * A command being filled in, in the place of the message box.
 * @param {{
 *   changed(): void,
 *   fail(sentence: string): void,
 *   submit(filled: Filled): void,
 *   leave(): void,
 *   me: string,
 * }} doings `leave`: back to writing
 */
export function createCard({ changed, fail, submit, leave, me }) {
	const element = h('form.card', { noValidate: true, hidden: true });
	/** @type {{ command: CommandDescription, inputs: ReturnType<typeof createInputs> } | undefined} */
	let open;

	element.addEventListener('keydown', (/** @type {KeyboardEvent} */ event) => {
		if (event.isComposing) return;
		if (event.key === 'Escape') {
			event.preventDefault();
			leave();
		} else if (event.key === 'Enter' && !event.shiftKey && event.target instanceof HTMLTextAreaElement) {
			event.preventDefault();
			element.requestSubmit();
		}
	});
	element.addEventListener('submit', (/** @type {SubmitEvent} */ event) => {
		event.preventDefault();
		if (!open) return;
		const problem = open.inputs.problem();
		if (problem) fail(problem);
		else submit({ command: open.command, ...open.inputs.values() });
	});

	return {
		element,

		/** @param {CommandDescription} command @param {import('./raw.js').Directory} directory @param {Record<string, any>} options what is given already */
		show(command, directory, options) {
			const inputs = createInputs(command.fields, directory, changed, (option, typed) =>
				get('suggestions', { as: me, command: command.name, option, typed }),
			);
			open = { command, inputs };
			const back = h('button.quiet.small', { type: 'button', 'aria-label': 'Back to writing', onclick: leave });
			back.append(icon('close'));
			const head = h('p.card-head', {}, h('b', {}, `/${command.name}`), h('span', {}, command.description), back);
			inputs.element.querySelector('.chips').append(h('button.primary', { type: 'submit' }, 'Run'));
			inputs.fill(options);
			element.replaceChildren(head, inputs.element);
			element.setAttribute('aria-label', `/${command.name}`);
			element.hidden = false;
		},

		/** Puts files into its pictures, in order, and says when there were too many. @param {File[]} files */
		take(files) {
			if (!open) return;
			const left = open.inputs.take(files);
			if (left > 0) fail(`/${open.command.name} has no place for ${left} of the files.`);
			open.inputs.focus();
		},

		command: () => open?.command,

		/** Closes it, and gives back what it held. @returns {Filled | undefined} */
		close() {
			const filled = open && { command: open.command, ...open.inputs.values() };
			open = undefined;
			element.hidden = true;
			element.replaceChildren();
			return filled;
		},
	};
}
