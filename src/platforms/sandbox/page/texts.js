/** @typedef {import('../../../i18n/catalogues.ts').MessageId} MessageId */
/** @typedef {import('../server/page-messages.ts').MessagePart} MessagePart */
/** @typedef {Record<string, string | number | Node | undefined>} Values */

/** The page's messages in the language of its person. */
let language = 'en';
/** @type {Readonly<Record<string, MessagePart[]>>} */
let messages = {};
/** @type {Map<string, Intl.DateTimeFormat>} */
const dateFormats = new Map();

/** Sets the messages, as the server has them. @param {{ language: string, messages: Record<string, MessagePart[]> }} loaded */
export function setMessages(loaded) {
	({ language, messages } = loaded);
	dateFormats.clear();
}

/**
 * Returns the message with this id.
 * @param {MessageId} id
 * @param {Record<string, string | number>} [values]
 */
export const t = (id, values = {}) => tNodes(id, values).join('');

/**
 * Returns the message with this id as strings and nodes, for values that are elements.
 * @param {MessageId} id
 * @param {Values} values
 * @returns {(Node | string)[]}
 */
export const tNodes = (id, values) => format(messages[id] ?? [id], values);

/** @param {readonly MessagePart[]} parts @param {Values} values @returns {(Node | string)[]} */
function format(parts, values) {
	return parts.flatMap((part) => {
		if (typeof part === 'string') return [part];
		const value = values[part.value] ?? '';
		if ('plural' in part) return format(pluralOf(part.plural, Number(value)), values);
		if ('select' in part) return format(part.select[String(value)] ?? part.select['other'] ?? [], values);
		if (typeof value === 'object') return [value];
		return [part.number ? new Intl.NumberFormat(language).format(Number(value)) : String(value)];
	});
}

/** @param {Readonly<Record<string, MessagePart[]>>} options @param {number} count */
const pluralOf = (options, count) =>
	options[`=${count}`] ?? options[new Intl.PluralRules(language).select(count)] ?? options['other'] ?? [];

/**
 * Formats a point in time in the language of the page, as in the browser's region when it has one.
 * @param {Date} at
 * @param {Intl.DateTimeFormatOptions} options
 */
export function formatDate(at, options) {
	const key = JSON.stringify(options);
	let dateFormat = dateFormats.get(key);
	if (!dateFormat) {
		const regional = navigator.languages.find((one) => one.split('-')[0] === language.split('-')[0] && isTag(one));
		dateFormat = new Intl.DateTimeFormat(regional ?? language, options);
		dateFormats.set(key, dateFormat);
	}
	return dateFormat.format(at);
}

/** Fills the texts of the elements that the page begins with. @param {ParentNode} root */
export function fillTexts(root) {
	for (const element of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll('[data-text]')))
		element.textContent = t(/** @type {MessageId} */ (element.dataset.text));
	for (const element of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll('[data-label]')))
		element.setAttribute('aria-label', t(/** @type {MessageId} */ (element.dataset.label)));
}

/** Tells whether this is a language tag. Chromium on Linux reports `en-US@posix` where `LANG` is not set. @param {string} text */
function isTag(text) {
	try {
		return Intl.getCanonicalLocales(text).length > 0;
	} catch {
		return false;
	}
}
