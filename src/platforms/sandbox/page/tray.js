import { h, icon, sizeText } from './dom.js';

/**
 * The files that go with the message being written.
 * @param {() => void} changed
 */
export function createTray(changed) {
	const element = h('div.tray', { hidden: true });
	/** @type {File[]} */
	let files = [];

	/** @param {File[]} next */
	function set(next) {
		files = next;
		element.hidden = files.length === 0;
		element.replaceChildren(...files.map(render));
		changed();
	}

	/** @param {File} file */
	function render(file) {
		const address = URL.createObjectURL(file);
		const image = h('img', {
			src: address,
			alt: '',
			onerror: () => image.replaceWith(icon('file')),
			onload: () => URL.revokeObjectURL(address),
		});
		const remove = h('button.quiet.small', {
			type: 'button',
			'aria-label': `Take ${file.name} out`,
			onclick: () => set(files.filter((other) => other !== file)),
		});
		remove.append(icon('close'));
		const words = h('span.words', {}, h('b', {}, file.name || 'Pasted picture'), h('small', {}, sizeText(file.size)));
		return h('span.attached', {}, h('span.thumb', {}, image), words, remove);
	}

	return { element, set, files: () => files };
}
