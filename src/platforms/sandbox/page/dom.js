import { t } from './texts.js';

/**
 * Makes an element with properties, attributes, listeners and children. Strings become text, never markup.
 * @param {string} tag may carry classes: `div.card.wide`
 * @param {Record<string, any>} [props] `on*` are listeners, `aria-*`, `data-*` and `role` attributes, the rest properties
 * @param {...(Node | string | false | null | undefined)} children
 * @returns {any}
 */
export function h(tag, props = {}, ...children) {
	const [name, ...classes] = tag.split('.');
	const element = document.createElement(name);
	if (classes.length) element.className = classes.join(' ');
	for (const [key, value] of Object.entries(props)) {
		if (value === undefined || value === null) continue;
		if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
		else if (key.includes('-') || key === 'role' || key === 'list') element.setAttribute(key, String(value));
		else element[key] = value;
	}
	element.append(...children.filter((child) => child !== false && child !== null && child !== undefined));
	return element;
}

/** @param {string} id @returns {any} */
export const byId = (id) => document.getElementById(id);

let announced = '';
/** Has screen readers read a text. @param {string} text */
export function announce(text) {
	// A text that does not change is not read.
	announced = text === announced ? `${text}\u00a0` : text;
	byId('announcer').textContent = announced;
}

/** Returns a size such as “1.4 MB”. @param {number} bytes */
export function sizeText(bytes) {
	if (bytes < 1000) return t('sandbox.file.bytes', { count: bytes });
	const isKilobytes = bytes < 1e6;
	const precision = bytes < 1e4 || !isKilobytes ? 10 : 1;
	const count = Math.round((bytes / (isKilobytes ? 1e3 : 1e6)) * precision) / precision;
	return t(isKilobytes ? 'sandbox.file.kilobytes' : 'sandbox.file.megabytes', { count });
}
