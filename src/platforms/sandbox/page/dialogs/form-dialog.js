import { fileAddress, newId, sendFiles } from '../api.js';
import { h } from '../dom.js';
import { Inputs } from '../inputs/inputs.js';
import { markdown } from '../messages/render-markdown.js';
import { t } from '../texts.js';
import { dialogButtons, showDialog } from './dialog.js';

/**
 * Opens a form of the bot. Its values stay until they were sent.
 * @param {{ form: any, channel: string, choices: any[] }} opened `choices`: the pictures that the form asks to choose from
 * @param {string} me the id of the person
 * @param {import('../composer/command-text.js').Directory} directory
 * @returns {Inputs}
 */
export function openFormDialog({ form, channel, choices }, me, directory) {
	const dialog = h('dialog.sheet', { 'aria-labelledby': 'form-title' });
	const error = h('p.error', { role: 'alert' });
	let id = newId();
	const inputs = new Inputs(form.fields, directory, () => {
		id = newId();
		error.textContent = '';
	});
	inputs.fill(form.values ?? {});
	const submit = h('button.primary', { type: 'submit' }, t('sandbox.dialog.send'));
	const element = h('form', { noValidate: true }, h('h2', { id: 'form-title' }, form.title));
	if (form.note) element.append(h('div.text', {}, ...markdown(form.note)));
	if (choices.length > 0) element.append(renderChoices(choices));
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

/** Renders small pictures with the numbers by which the form names them. @param {any[]} files */
function renderChoices(files) {
	const pictures = files.map((file) =>
		h('span.picture.there', {}, h('img', { src: fileAddress(file), alt: file.alt })),
	);
	return h('div.files.several.choices', {}, ...pictures);
}
