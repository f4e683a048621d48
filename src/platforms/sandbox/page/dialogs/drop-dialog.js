import { h } from '../dom.js';
import { icon } from '../icons.js';
import { t } from '../texts.js';
import { showDialog } from './dialog.js';

/**
 * Asks what dropped files are for.
 * @param {File[]} files
 * @param {import('../composer/drop-choices.js').DropChoice[]} choices
 * @param {string | false} note why there are not more choices
 */
export function openDropDialog(files, choices, note) {
	const dialog = h('dialog.sheet.small-sheet', { 'aria-labelledby': 'drop-title' });
	const thumbs = h('div.thumbs');
	const addresses = files.map((file) => URL.createObjectURL(file));
	for (const src of addresses) {
		const image = h('img', { src, alt: '', onerror: () => image.replaceWith(icon('file')) });
		thumbs.append(h('span.thumb', {}, image));
	}
	const list = h('div.choices');
	for (const choice of choices) {
		const button = h('button.choice', { type: 'button' });
		button.addEventListener('click', () => {
			dialog.close();
			choice.run();
		});
		button.append(icon(choice.icon), h('b', {}, choice.label), h('small', {}, choice.hint));
		list.append(button);
	}
	const file = files.length === 1 && files[0].name;
	const question = file ? t('sandbox.drop.named', { file }) : t('sandbox.drop.files', { count: files.length });
	const title = h('h2', { id: 'drop-title' }, question);
	dialog.addEventListener('close', () => {
		for (const src of addresses) URL.revokeObjectURL(src);
	});
	showDialog(dialog, title, thumbs, ...(note ? [h('p.note', {}, note)] : []), list);
	list.querySelector('button').focus();
}
