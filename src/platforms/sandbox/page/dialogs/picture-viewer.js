import { fileAddress } from '../api.js';
import { h, sizeText } from '../dom.js';
import { icon } from '../icons.js';
import { t } from '../texts.js';
import { showDialog } from './dialog.js';

/** Shows the pictures of a message enlarged. @param {import('../../server/view.ts').MessageView} message @param {number} index the first to show */
export function openPictures(message, index) {
	const pictures = message.files.filter(({ type }) => type.startsWith('image/'));
	const dialog = h('dialog.viewer', { 'aria-label': t('sandbox.viewer.title') });
	const figure = h('figure');
	let at = index;
	/** @param {number} step */
	function turn(step) {
		at = (at + step + pictures.length) % pictures.length;
		figure.replaceChildren(...renderPicture(pictures, at));
	}
	turn(0);
	dialog.addEventListener('keydown', (/** @type {KeyboardEvent} */ event) => {
		const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
		if (step && pictures.length > 1) turn(step);
	});
	// A click beside the picture closes it. A form stays open, since a slip would lose what was typed.
	dialog.addEventListener('click', (/** @type {Event} */ event) => event.target === dialog && dialog.close());
	const turns =
		pictures.length > 1
			? [
					turnButton('sandbox.viewer.previous', 'before', () => turn(-1)),
					turnButton('sandbox.viewer.next', 'after', () => turn(1)),
				]
			: [];
	showDialog(dialog, figure, ...turns);
}

/** @param {readonly any[]} pictures @param {number} at */
function renderPicture(pictures, at) {
	const file = pictures[at];
	const download = h('a.action', { href: `${fileAddress(file)}?download`, download: file.name });
	download.append(icon('download'), t('sandbox.viewer.download'));
	const facts = [
		file.width && `${file.width} × ${file.height}`,
		sizeText(file.size),
		pictures.length > 1 && t('sandbox.viewer.position', { at: at + 1, count: pictures.length }),
	];
	const alt = file.alt || file.name;
	const shown = h('span.facts', {}, facts.filter(Boolean).join(' · '));
	return [h('img', { src: fileAddress(file), alt }), h('figcaption', {}, h('span.alt', {}, alt), shown, download)];
}

/** @param {import('../texts.js').MessageId} label @param {string} name @param {() => void} onclick */
function turnButton(label, name, onclick) {
	const button = h(`button.quiet.turn.${name}`, { type: 'button', 'aria-label': t(label), onclick });
	button.append(icon('back'));
	return button;
}
