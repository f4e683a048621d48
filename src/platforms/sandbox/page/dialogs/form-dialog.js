import { newId, sendFiles } from '../api.js';
import { h } from '../dom.js';
import { Inputs } from '../inputs/inputs.js';
import { thumbnail } from '../inputs/picture-choice.js';
import { markdown } from '../messages/render-markdown.js';
import { t } from '../texts.js';
import { dialogButtons, showDialog } from './dialog.js';

/**
 * Opens a form of the bot. Its values stay until they were sent.
 * @param {{ form: any, channel: string, pictures: import('../inputs/picture-choice.js').Picture[] }} opened `pictures`: of its message
 * @param {string} me the id of the person
 * @param {import('../composer/command-text.js').Directory} directory
 * @returns {Inputs}
 */
export function openFormDialog({ form, channel, pictures }, me, directory) {
	const dialog = h('dialog.sheet', { 'aria-labelledby': 'form-title' });
	const error = h('p.error', { role: 'alert' });
	let id = newId();
	const onChange = () => {
		id = newId();
		error.textContent = '';
	};
	const inputs = new Inputs(form.fields, directory, onChange, undefined, undefined, pictures);
	inputs.fill(form.values ?? {});
	const submit = h('button.primary', { type: 'submit' }, t('sandbox.dialog.send'));
	const element = h('form', { noValidate: true }, h('h2', { id: 'form-title' }, form.title));
	// Several pictures are in the input that chooses from them.
	if (pictures.length === 1) element.append(h('div.thumbs', {}, thumbnail(pictures[0])));
	if (form.note) element.append(h('div.text', {}, ...markdown(form.note)));
	element.append(inputs.element, error, dialogButtons(dialog, submit));
	element.addEventListener('keydown', (/** @type {KeyboardEvent} */ event) => {
		if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
		if (!(event.target instanceof HTMLTextAreaElement)) return;
		event.preventDefault();
		element.requestSubmit();
	});
	element.addEventListener('submit', async (/** @type {SubmitEvent} */ event) => {
		event.preventDefault();
		const problem = inputs.problem();
		error.textContent = problem ?? '';
		if (problem || submit.disabled) return;
		const { options, files } = inputs.values();
		submit.disabled = true;
		try {
			await sendFiles('commands', { as: me, channel, id, command: form.command, options, form: form.id }, files);
			dialog.close();
		} catch (failure) {
			error.textContent = /** @type {Error} */ (failure).message;
			submit.disabled = false;
		}
	});
	showDialog(dialog, element);
	inputs.focus();
	return inputs;
}
