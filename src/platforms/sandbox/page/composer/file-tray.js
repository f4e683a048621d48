import { h, sizeText } from '../dom.js';
import { icon } from '../icons.js';
import { t } from '../texts.js';

/** The files of the message that is being written. */
export class FileTray {
	element = h('div.tray', { hidden: true });
	/** @type {File[]} */
	#files = [];
	#onChange;

	/** @param {() => void} onChange */
	constructor(onChange) {
		this.#onChange = onChange;
	}

	get files() {
		return this.#files;
	}

	/** @param {File[]} files */
	set(files) {
		this.#files = files;
		this.element.hidden = files.length === 0;
		this.element.replaceChildren(...files.map((file) => this.#render(file)));
		this.#onChange();
	}

	/** @param {File[]} files */
	add(files) {
		this.set([...this.#files, ...files]);
	}

	/** @param {File} file */
	#render(file) {
		const address = URL.createObjectURL(file);
		const image = h('img', {
			src: address,
			alt: '',
			onerror: () => image.replaceWith(icon('file')),
			onload: () => URL.revokeObjectURL(address),
		});
		const remove = h('button.quiet.small', {
			type: 'button',
			'aria-label': t('sandbox.file.remove', { file: file.name }),
			onclick: () => this.set(this.#files.filter((other) => other !== file)),
		});
		remove.append(icon('close'));
		const name = h('b', {}, file.name || t('sandbox.file.pasted'));
		const words = h('span.words', {}, name, h('small', {}, sizeText(file.size)));
		return h('span.attached', {}, h('span.thumb', {}, image), words, remove);
	}
}
