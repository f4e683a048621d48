import { formatDate } from '../texts.js';
import { parse } from './markdown.js';

/** @typedef {import('./markdown.js').Inline} Inline */
/** @typedef {import('./markdown.js').Block} Block */

/** @param {Node | string} parent */
function append(parent, /** @type {(Node | string)[]} */ children) {
	/** @type {Element} */ (parent).append(...children);
	return /** @type {Element} */ (parent);
}

/** @param {Inline} node @returns {Node} */
function renderInline(node) {
	if (node.kind === 'text') return document.createTextNode(node.text);
	if (node.kind === 'break') return document.createElement('br');
	if (node.kind === 'time') return renderTime(node.at);
	if (node.kind === 'code') return append(document.createElement('code'), [node.text]);
	if (node.kind !== 'link') return append(document.createElement(node.kind), node.children.map(renderInline));
	const anchor = document.createElement('a');
	anchor.href = node.url;
	if (!node.url.startsWith('#')) {
		anchor.target = '_blank';
		anchor.rel = 'noopener noreferrer nofollow';
	}
	append(anchor, node.children.map(renderInline));
	if (anchor.textContent?.includes(node.host)) return anchor;
	// The text is not the address: shows the host that the link leads to.
	const host = document.createElement('span');
	host.className = 'host';
	return append(document.createElement('span'), [anchor, append(host, [` (${node.host})`])]);
}

/** @type {Intl.DateTimeFormatOptions} */
const TIME = { dateStyle: 'medium', timeStyle: 'short' };

/** @param {Date} at */
function renderTime(at) {
	const time = document.createElement('time');
	time.dateTime = at.toISOString();
	time.textContent = formatDate(at, TIME);
	return time;
}

/** @param {Block} block @returns {Node} */
function renderBlock(block) {
	switch (block.kind) {
		case 'paragraph':
			return append(document.createElement('p'), block.children.map(renderInline));
		case 'heading': {
			// Below the heading of the channel.
			return append(document.createElement(`h${block.level + 2}`), block.children.map(renderInline));
		}
		case 'fence':
			return append(document.createElement('pre'), [append(document.createElement('code'), [block.text])]);
		case 'quote':
			return append(document.createElement('blockquote'), block.children.map(renderBlock));
		case 'rule':
			return document.createElement('hr');
		case 'list': {
			const list = document.createElement(block.ordered ? 'ol' : 'ul');
			if (list instanceof HTMLOListElement) list.start = block.start;
			return append(
				list,
				block.items.map((item) => append(document.createElement('li'), item.map(renderInline))),
			);
		}
	}
}

/** Returns Markdown as plain text on one line, for names and previews. A text that was cut may have marks without an end. @param {string} text */
export function plainText(text) {
	const lines = markdown(text).map((node) => {
		const parts = node.nodeName === 'UL' || node.nodeName === 'OL' ? [...node.childNodes] : [node];
		return parts.map(({ textContent }) => textContent).join(', ');
	});
	return lines
		.join(' ')
		.replaceAll(/\*\*|~~|`+/g, '')
		.replaceAll(/\s+/g, ' ')
		.trim();
}

/** Renders Markdown. A text is never parsed as HTML. @param {string} text @returns {Node[]} */
export const markdown = (text) => parse(text).map(renderBlock);
