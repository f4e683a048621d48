import { fileAddress } from '../api.js';
import { h, sizeText } from '../dom.js';
import { icon } from '../icons.js';
import { t } from '../texts.js';

/** @typedef {import('../../server/view.ts').MessageView} Message */
/** @typedef {import('./message.js').MessageHandlers} MessageHandlers */

/** @param {Message} message @param {MessageHandlers} handlers @param {Element | undefined} before the element with pictures to reuse */
export function renderFiles(message, handlers, before) {
	const files = h('div.files');
	const pictures = message.files.filter(({ type }) => type.startsWith('image/'));
	files.classList.toggle('several', pictures.length > 1);
	// The pictures of a result that takes several messages are numbered throughout.
	const number = pictures[0]?.number;
	if (number) files.style.counterReset = `picture ${number - 1}`;
	for (const file of message.files) {
		const reused = before?.querySelector(`[data-file="${file.id}"]`);
		const isPicture = file.type.startsWith('image/');
		files.append(
			reused ?? (isPicture ? renderPicture(message, pictures.indexOf(file), file, handlers) : renderDownload(file)),
		);
	}
	return files;
}

/**
 * Renders outlines of the pictures that a message waits for, in their shape, so that nothing moves when they come.
 * @param {NonNullable<Message['expected']>} expected @param {Element | undefined} before the element with outlines to reuse
 */
export function renderExpected({ count, shape = { width: 1, height: 1 } }, before) {
	const name = `${count} ${shape.width} ${shape.height}`;
	const reused = before?.querySelector(`[data-expected="${name}"]`);
	if (reused) return reused;
	const outlines = h('div.files', { 'data-expected': name, 'aria-hidden': 'true' });
	outlines.classList.toggle('several', count > 1);
	for (let index = 0; index < count; index += 1) {
		const outline = h('div.picture.sized.expected', {}, h('div.canvas'));
		outline.style.setProperty('--ratio', String(shape.width / shape.height));
		outline.style.setProperty('--wide', String(shape.width));
		outlines.append(outline);
	}
	return outlines;
}

/** @param {Message} message @param {number} index @param {any} file @param {MessageHandlers} handlers */
function renderPicture(message, index, file, handlers) {
	const image = h('img', { alt: file.alt || file.name, decoding: 'async' });
	const enlarge = t('sandbox.message.enlarge', { alt: file.alt || file.name });
	const frame = h('button.picture', {
		type: 'button',
		'data-file': file.id,
		'aria-label': file.spoiler ? t('sandbox.message.covered') : enlarge,
		onclick: () => (frame.classList.contains('covered') ? uncoverAll(frame) : handlers.enlarge(message, index)),
	});
	if (file.spoiler) {
		frame.classList.add('covered');
		frame.append(h('span.cover', {}, icon('eye'), t('sandbox.message.cover')));
		frame.addEventListener('uncover', () => frame.setAttribute('aria-label', enlarge));
	}
	if (file.width && file.height) {
		// Reserves the space until the picture has loaded.
		frame.classList.add('sized');
		frame.style.setProperty('--ratio', String(file.width / file.height));
		frame.style.setProperty('--wide', String(file.width));
	}
	image.addEventListener('load', () => frame.classList.add('there'));
	image.addEventListener('error', () => frame.classList.add('broken'));
	image.src = fileAddress(file);
	frame.append(image);
	return frame;
}

/** Uncovers all pictures of a message, since the enlarged view shows them all. @param {HTMLElement} frame */
function uncoverAll(frame) {
	for (const each of frame.parentElement?.querySelectorAll('.picture.covered') ?? []) {
		each.classList.remove('covered');
		each.querySelector('.cover')?.remove();
		each.dispatchEvent(new Event('uncover'));
	}
}

/** @param {any} file */
function renderDownload(file) {
	const link = h('a.download', { href: `${fileAddress(file)}?download`, download: file.name, 'data-file': file.id });
	link.append(icon('file'), h('b', {}, file.name), h('small', {}, sizeText(file.size)));
	return link;
}
