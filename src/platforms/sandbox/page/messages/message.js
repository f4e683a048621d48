import { h } from '../dom.js';
import { icon } from '../icons.js';
import { formatDate, t, tNodes } from '../texts.js';
import { avatar } from './avatar.js';
import { renderExpected, renderFiles } from './message-files.js';
import { markdown, plainText } from './render-markdown.js';

/** @typedef {import('../../server/view.ts').MessageView} Message */

/** Characters of a text that tell its message from others. */
const NAME_LENGTH = 60;
/** @type {Intl.DateTimeFormatOptions} */
const TIME = { hour: 'numeric', minute: '2-digit' };
/** @type {Intl.DateTimeFormatOptions} */
const FULL_TIME = { dateStyle: 'full', timeStyle: 'short' };

/**
 * Called when the parts of a message are used.
 * @typedef {{
 *   press(message: Message, button: string, from: HTMLButtonElement): void,
 *   openMenu(message: Message, from: HTMLElement): void,
 *   enlarge(message: Message, index: number): void,
 *   open(channel: string): void,
 *   dismiss(message: Message): void,
 *   show(number: number): void,
 * }} MessageHandlers
 */

/**
 * @param {Message} message
 * @param {{ nameOf(id: string): string, me: string }} state
 * @param {MessageHandlers} handlers
 * @param {{ joined: boolean, before?: Element }} options `joined`: follows a message of the same author; `before`: the element that
 *   it replaces, whose pictures are reused, so that they do not flicker when the text is edited
 */
export function renderMessage(message, state, handlers, { joined, before }) {
	const name = state.nameOf(message.author);
	const article = h('article.message', {
		id: `message-${message.number}`,
		'data-number': message.number,
		'data-author': message.author,
		tabIndex: -1,
	});
	article.classList.toggle('joined', joined);
	article.classList.toggle('private', message.private);
	const lead = renderLead(message, state, handlers);
	if (lead) article.append(lead);
	const body = h('div.body', {}, renderByline(message, name), h('div.text', {}, ...markdown(message.text)));
	if (message.files.length) body.append(renderFiles(message, handlers, before));
	else if (message.expected) body.append(renderExpected(message.expected, before));
	if (message.buttons.length) body.append(renderButtons(message, handlers));
	if (message.thread) body.append(renderThreadLink(message.thread, handlers));
	if (message.private) body.append(renderPrivacy(message, handlers));
	article.append(avatar(message.author, name), body, renderMenuButton(message, name, handlers));
	return article;
}

/** Renders the line above a message: what it replies to, or the command that it answers. @param {Message} message @param {any} state @param {MessageHandlers} handlers */
function renderLead(message, state, handlers) {
	if (message.replyTo) {
		const { author, excerpt, number } = message.replyTo;
		const text = h('span', {}, h('b', {}, state.nameOf(author)), ` ${plainText(excerpt)}`);
		const link = h('button.lead-link', { type: 'button', onclick: () => handlers.show(number) }, text);
		return h('p.lead', {}, icon('reply'), link);
	}
	if (!message.about) return undefined;
	const { person, command } = message.about;
	const nodes = { name: h('b', {}, state.nameOf(person)), command: h('code', {}, `/${command}`) };
	const text = h('span', {}, ...tNodes('sandbox.message.used', nodes));
	return h('p.lead', {}, avatar(person, state.nameOf(person)), text);
}

/** @param {Message} message @param {string} name */
function renderByline(message, name) {
	const at = new Date(message.at);
	const time = h('time', { dateTime: message.at, title: formatDate(at, FULL_TIME) }, formatDate(at, TIME));
	const isBot = message.author === 'easel';
	const badge = isBot && h('span.badge', {}, t('sandbox.message.app'));
	const edited = message.edited && !isBot && h('span.edited', {}, t('sandbox.message.edited'));
	return h('p.by', {}, h('b.name', {}, name), badge, time, edited);
}

/** @param {Message} message @param {MessageHandlers} handlers */
function renderButtons(message, handlers) {
	const row = h('div.buttons', { role: 'group', 'aria-label': t('sandbox.message.buttons') });
	for (const { id, label, kind } of message.buttons) {
		const button = h('button.action', { type: 'button', onclick: () => handlers.press(message, id, button) }, label);
		button.classList.toggle('danger', kind === 'danger');
		row.append(button);
	}
	return row;
}

/** @param {{ id: string, title: string }} thread @param {MessageHandlers} handlers */
function renderThreadLink({ id, title }, handlers) {
	const link = h('button.thread-link', { type: 'button', onclick: () => handlers.open(id) });
	link.append(icon('thread'), h('b', {}, title), h('span', {}, t('sandbox.message.openThread')));
	return link;
}

/** @param {Message} message @param {MessageHandlers} handlers */
function renderPrivacy(message, handlers) {
	const onclick = () => handlers.dismiss(message);
	const dismiss = h('button.link', { type: 'button', onclick }, t('sandbox.menu.dismiss'));
	return h('p.only-you', {}, icon('eye'), t('sandbox.message.onlyYou'), ' · ', dismiss);
}

/** @param {Message} message @param {string} name @param {MessageHandlers} handlers */
function renderMenuButton(message, name, handlers) {
	const text = plainText(message.text) || message.files[0]?.alt || message.files[0]?.name || '';
	const excerpt = [...text].slice(0, NAME_LENGTH).join('');
	const button = h('button.more', {
		type: 'button',
		'aria-label': t('sandbox.message.more', { name: `${name}${excerpt ? `: ${excerpt}` : ''}` }),
		'aria-haspopup': 'menu',
		onclick: () => handlers.openMenu(message, button),
	});
	button.append(icon('more'));
	return button;
}
