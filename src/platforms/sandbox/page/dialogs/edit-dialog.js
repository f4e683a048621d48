import { send } from '../api.js';
import { h } from '../dom.js';
import { t } from '../texts.js';
import { dialogButtons, showDialog } from './dialog.js';

/**
 * Opens a dialog to edit a person's own message.
 * @param {import('../../server/view.ts').MessageView} message
 * @param {string} me the id of the person
 * @param {number} maxLength
 */
export function openEditDialog(message, me, maxLength) {
	const dialog = h('dialog.sheet', { 'aria-labelledby': 'edit-title' });
	const error = h('p.error', { role: 'alert' });
	const textbox = h('textarea', {
		name: 'text',
		rows: 4,
		value: message.text,
		maxLength,
		'aria-label': t('sandbox.edit.text'),
	});
	const submit = h('button.primary', { type: 'submit' }, t('sandbox.dialog.save'));
	const element = h('form', { noValidate: true }, h('h2', { id: 'edit-title' }, t('sandbox.edit.title')));
	element.append(h('div.field.long', {}, textbox), error, dialogButtons(dialog, submit));
	element.addEventListener('submit', async (/** @type {SubmitEvent} */ event) => {
		event.preventDefault();
		const { channel, number } = message;
		try {
			await send('edits', { as: me, channel, number, text: textbox.value });
			dialog.close();
		} catch (failure) {
			error.textContent = /** @type {Error} */ (failure).message;
		}
	});
	showDialog(dialog, element);
	textbox.focus();
}
