import { fileAddress } from './api.js';
import { h, icon, sizeText } from './dom.js';
import { markdown } from './markdown.js';

/** @typedef {import('../server/view.ts').MessageView} Message */

const TIME = new Intl.DateTimeFormat(undefined, { hour: 'numeric', minute: '2-digit' });
const FULL_TIME = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'short' });

/** @param {string} id */
export const hueOf = (id) =>
	({ ada: 'rose', bjorn: 'blue', chiyo: 'green', dele: 'gold', easel: 'easel' })[id] ?? 'rose';

/** @param {string} id @param {string} name */
export function avatar(id, name) {
	const face = h(`span.avatar.${hueOf(id)}`, { 'aria-hidden': 'true' });
	face.append(id === 'easel' ? h('img', { src: '/sandbox/easel.svg', alt: '' }) : name.charAt(0));
	return face;
}

/**
 * What a message's parts do when they are used.
 * @typedef {{
 *   press(message: Message, button: string, from: HTMLButtonElement): void,
 *   menu(message: Message, from: HTMLElement): void,
 *   enlarge(message: Message, index: number): void,
 *   open(room: string): void,
 *   dismiss(message: Message): void,
 *   show(number: number): void,
 * }} Doings
 */

/**
 * @param {Message} message
 * @param {{ nameOf(id: string): string, me: string }} state
 * @param {Doings} doings
 * @param {{ joined: boolean, before?: Element }} how `joined`: goes on after the same author; `before`: what it replaces,
 *   whose pictures are kept as they are, so that an edit of the text does not make them flicker
 */
export function renderMessage(message, state, doings, { joined, before }) {
	const name = state.nameOf(message.author);
	const at = new Date(message.at);
	const time = h('time', { dateTime: message.at, title: FULL_TIME.format(at) }, TIME.format(at));
	const article = h('article.message', {
		id: `message-${message.number}`,
		'data-number': message.number,
		'data-author': message.author,
		tabIndex: -1,
	});
	article.classList.toggle('joined', joined);
	article.classList.toggle('private', message.private);

	if (message.replyTo) {
		const { author, excerpt, number } = message.replyTo;
		const words = h('span', {}, h('b', {}, state.nameOf(author)), ` ${excerpt}`);
		article.append(
			lead(icon('reply'), h('button.lead-link', { type: 'button', onclick: () => doings.show(number) }, words)),
		);
	} else if (message.about) {
		const { person, command } = message.about;
		const asker = h('b', {}, state.nameOf(person));
		article.append(
			lead(avatar(person, state.nameOf(person)), h('span', {}, asker, ' used ', h('code', {}, `/${command}`))),
		);
	}

	const body = h('div.body');
	const by = h('p.by', {}, h('b.name', {}, name), message.author === 'easel' && h('span.badge', {}, 'App'), time);
	if (message.edited && message.author !== 'easel') by.append(h('span.edited', {}, 'edited'));
	body.append(by, h('div.text', {}, ...markdown(message.text)));
	if (message.files.length) body.append(renderFiles(message, doings, before));
	if (message.buttons.length) {
		const row = h('div.buttons', { role: 'group', 'aria-label': 'What next' });
		for (const { id, label, kind } of message.buttons) {
			const button = h('button.action', { type: 'button', onclick: () => doings.press(message, id, button) }, label);
			button.classList.toggle('danger', kind === 'danger');
			row.append(button);
		}
		body.append(row);
	}
	if (message.thread) {
		const { id, title } = message.thread;
		const open = h('button.thread-link', { type: 'button', onclick: () => doings.open(id) });
		open.append(icon('thread'), h('b', {}, title), h('span', {}, 'Open thread'));
		body.append(open);
	}
	if (message.private) {
		const dismiss = h('button.link', { type: 'button', onclick: () => doings.dismiss(message) }, 'Dismiss');
		body.append(h('p.only-you', {}, icon('eye'), 'Only you can see this · ', dismiss));
	}
	const more = h('button.more', {
		type: 'button',
		'aria-label': `More for the message by ${name}`,
		'aria-haspopup': 'menu',
		onclick: () => doings.menu(message, more),
	});
	more.append(icon('more'));
	article.append(avatar(message.author, name), body, more);
	return article;
}

/** @param {...(Node | string)} children */
const lead = (...children) => h('p.lead', {}, ...children);

/** @param {Message} message @param {Doings} doings @param {Element | undefined} before */
function renderFiles(message, doings, before) {
	const files = h('div.files');
	const pictures = message.files.filter(({ type }) => type.startsWith('image/'));
	files.classList.toggle('several', pictures.length > 1);
	for (const file of message.files) {
		const kept = before?.querySelector(`[data-file="${file.id}"]`);
		const isPicture = file.type.startsWith('image/');
		files.append(
			kept ?? (isPicture ? renderPicture(message, pictures.indexOf(file), file, doings) : renderDownload(file)),
		);
	}
	return files;
}

/** All of a message's pictures at once, since enlarged they are leafed through. @param {HTMLElement} frame */
function uncover(frame) {
	for (const each of frame.parentElement?.querySelectorAll('.picture.covered') ?? []) {
		each.classList.remove('covered');
		each.querySelector('.cover')?.remove();
		each.dispatchEvent(new Event('uncover'));
	}
}

/** @param {Message} message @param {number} index @param {any} file @param {Doings} doings */
function renderPicture(message, index, file, doings) {
	const image = h('img', { alt: file.alt || file.name, decoding: 'async' });
	const enlarge = `Enlarge: ${file.alt || file.name}`;
	const frame = h('button.picture', {
		type: 'button',
		'data-file': file.id,
		'aria-label': file.spoiler ? 'Show what is covered' : enlarge,
		onclick: () => (frame.classList.contains('covered') ? uncover(frame) : doings.enlarge(message, index)),
	});
	if (file.spoiler) {
		frame.classList.add('covered');
		frame.append(h('span.cover', {}, icon('eye'), 'Show'));
		frame.addEventListener('uncover', () => frame.setAttribute('aria-label', enlarge));
	}
	if (file.width && file.height) {
		// Keeps the place until the picture is there.
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

/** @param {any} file */
function renderDownload(file) {
	const link = h('a.download', { href: `${fileAddress(file)}?download`, download: file.name, 'data-file': file.id });
	link.append(icon('file'), h('b', {}, file.name), h('small', {}, sizeText(file.size)));
	return link;
}
