import { h } from '../dom.js';
import { icon } from '../icons.js';
import { t } from '../texts.js';

const MAX_LENGTH = 12_000;
const MAX_HEIGHT_PX = 220;

/** The box for text, with buttons to add files and to send. */
export class TextLine {
	textbox = h('textarea', { id: 'words', rows: 1, maxLength: MAX_LENGTH, autocomplete: 'off' });
	element = h('div.line');
	#fileInput = h('input.hidden', { type: 'file', multiple: true, tabIndex: -1, 'aria-hidden': 'true' });
	#sendButton;

	/** @param {{ onSend(): void, onInput(): void, onFiles(files: File[]): void }} handlers */
	constructor({ onSend, onInput, onFiles }) {
		const onclick = () => this.#fileInput.click();
		const attach = h('button.quiet', { type: 'button', 'aria-label': t('sandbox.composer.attach'), onclick });
		attach.append(icon('plus'));
		this.#sendButton = h('button.send', { type: 'button', 'aria-label': t('sandbox.composer.send'), onclick: onSend });
		this.#sendButton.append(icon('send'));
		this.element.append(attach, this.textbox, this.#sendButton, this.#fileInput);
		this.textbox.addEventListener('input', onInput);
		this.#fileInput.addEventListener('change', () => {
			onFiles([...this.#fileInput.files]);
			this.#fileInput.value = '';
		});
	}

	get text() {
		return this.textbox.value;
	}

	set text(text) {
		this.textbox.value = text;
	}

	/** @param {string} label */
	setLabel(label) {
		this.textbox.placeholder = t('sandbox.composer.placeholder', { label });
		this.textbox.setAttribute('aria-label', label);
	}

	/** Fits the height to the text. @param {boolean} hasFiles whether there is something to send without a text */
	update(hasFiles) {
		this.textbox.style.height = 'auto';
		this.textbox.style.height = `${Math.min(this.textbox.scrollHeight, MAX_HEIGHT_PX)}px`;
		this.#sendButton.classList.toggle('ready', this.text.trim() !== '' || hasFiles);
	}

	focus() {
		this.textbox.focus();
	}
}
