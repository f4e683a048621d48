import { h, sizeText } from '../dom.js';
import { pictureProblem } from '../file-check.js';
import { icon } from '../icons.js';
import { t } from '../texts.js';

/** @typedef {import('../composer/command-text.js').Field} Field */

/**
 * One picture, which is dropped, pasted or chosen.
 * @param {Field} field
 * @param {import('./input.js').InputParts} parts
 * @param {() => void} onChange
 * @param {(sentence: string) => void} onError reports a file that cannot be taken
 * @returns {import('./input.js').Input}
 */
export function createPictureInput(field, { attributes, label, description }, onChange, onError) {
	/** @type {File | undefined} */
	let file;
	let address = '';
	const control = h('input.hidden', { ...attributes, type: 'file', accept: 'image/*' });
	const thumb = h('span.thumb');
	const words = h('span.words');
	const clear = h('button.quiet.small', {
		type: 'button',
		hidden: true,
		'aria-label': t('sandbox.file.remove', { file: field.name }),
	});
	clear.append(icon('close'));
	const zone = h('label.zone', { htmlFor: attributes.id, 'data-drop': field.name }, thumb, words);

	/** @param {File | undefined} next */
	function set(next) {
		file = next;
		URL.revokeObjectURL(address);
		address = file ? URL.createObjectURL(file) : '';
		const image = file && h('img', { src: address, alt: '', onerror: () => image.replaceWith(icon('file')) });
		thumb.replaceChildren(image ?? icon('picture'));
		words.replaceChildren(
			h('b', {}, file ? file.name || t('sandbox.file.pasted') : t('sandbox.input.drop')),
			h('small', {}, file ? sizeText(file.size) : t('sandbox.input.dropHint')),
		);
		zone.classList.toggle('full', Boolean(file));
		clear.hidden = !file;
	}
	set(undefined);
	/** @param {File} next */
	function take(next) {
		const problem = pictureProblem(next);
		if (!problem) set(next);
		onChange();
		if (problem) onError(problem);
	}
	control.addEventListener('change', () => {
		if (control.files[0]) take(control.files[0]);
		control.value = '';
	});
	clear.addEventListener('click', () => {
		set(undefined);
		control.focus();
		onChange();
	});
	acceptDrops(zone, take);
	const element = h('div.field.wants-picture', {}, label, control, zone, clear, description);
	return { element, control, value: () => file, set };
}

/** @param {HTMLElement} zone @param {(file: File) => void} onDrop */
function acceptDrops(zone, onDrop) {
	for (const over of ['dragenter', 'dragover']) zone.addEventListener(over, () => zone.classList.add('over'));
	for (const out of ['dragleave', 'drop']) zone.addEventListener(out, () => zone.classList.remove('over'));
	zone.addEventListener('drop', (/** @type {DragEvent} */ event) => {
		const dropped = event.dataTransfer?.files[0];
		if (!dropped) return;
		event.preventDefault();
		event.stopPropagation();
		onDrop(dropped);
		// The page does not see the drop: tells it that it is over.
		document.dispatchEvent(new CustomEvent('dropped'));
	});
}
