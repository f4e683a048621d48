import { h } from '../dom.js';
import { icon } from '../icons.js';
import { t } from '../texts.js';

/** Shows a dialog with a button to close it. It is removed when it closes. @param {HTMLDialogElement} dialog @param {...Node} children */
export function showDialog(dialog, ...children) {
	const onclick = () => dialog.close();
	const close = h('button.quiet.close', { type: 'button', 'aria-label': t('sandbox.dialog.close'), onclick });
	close.append(icon('close'));
	dialog.append(close, ...children);
	dialog.addEventListener('close', () => dialog.remove());
	document.body.append(dialog);
	dialog.showModal();
}

/** Returns the buttons at the end of a form. @param {HTMLDialogElement} dialog @param {HTMLButtonElement} submit */
export function dialogButtons(dialog, submit) {
	const onclick = () => dialog.close();
	return h('div.end', {}, h('button.action', { type: 'button', onclick }, t('sandbox.dialog.cancel')), submit);
}
