import type { VNode } from 'preact';
import type { MessageId } from '../../../i18n/translator.ts';
import type { PageMessages, ParsedMessage } from '../server/snapshot.ts';

export type { MessageId };

type Values = Readonly<Record<string, string | number | VNode | undefined>>;

let language: string = 'en';
let messages: PageMessages['messages'] = {};

export function setMessages(loaded: PageMessages): void {
	({ language, messages } = loaded);
}

export const t = (id: MessageId, values: Readonly<Record<string, string | number>> = {}): string =>
	tNodes(id, values).join('');

/** Returns the message with this id as strings and nodes, for values that are elements. */
export const tNodes = (id: MessageId, values: Values): (VNode | string)[] => {
	const parts = messages[id];
	return parts ? format(parts, values) : [id];
};

/** @param count the value that `#` stands for in a plural */
function format(parts: ParsedMessage, values: Values, count = 0): (VNode | string)[] {
	return parts.flatMap((part) => {
		if (part.type === 0) return part.value;
		if (part.type === 7) return numberText(count);
		const value = values[part.value] ?? '';
		if (part.type === 1) return typeof value === 'object' ? value : String(value);
		if (part.type === 2) return numberText(Number(value));
		if (part.type === 5)
			return format((part.options[String(value)] ?? part.options['other'])?.value ?? [], values, count);
		if (part.type !== 6) throw new TypeError(`A message has a part of the unknown type ${part.type}`);
		const category = new Intl.PluralRules(language).select(Number(value));
		const chosen = part.options[`=${value}`] ?? part.options[category] ?? part.options['other'];
		return format(chosen?.value ?? [], values, Number(value));
	});
}

const numberText = (value: number) => new Intl.NumberFormat(language).format(value);

/**
 * Formats a point in time in the language of the page, as in the browser's region when it has one. Chromium on Linux reports
 * `en-US@posix`, which is no language tag, where `LANG` is not set.
 */
export function formatDate(at: Date, options: Intl.DateTimeFormatOptions): string {
	const tags = navigator.languages.filter((tag) => /^[\w-]+$/.test(tag));
	const regional = tags.find((tag) => tag.split('-')[0] === language.split('-')[0]);
	return new Intl.DateTimeFormat(regional ?? language, options).format(at);
}

/** Returns a size such as “1.4 MB”. */
export function sizeText(bytes: number): string {
	const [unit, size] =
		bytes < 1000 ? (['byte', 1] as const) : bytes < 1e6 ? (['kilobyte', 1e3] as const) : (['megabyte', 1e6] as const);
	const unitDisplay = size === 1 ? 'long' : 'short';
	const maximumFractionDigits = bytes < 1e4 || size === 1e6 ? 1 : 0;
	return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay, maximumFractionDigits }).format(
		bytes / size,
	);
}
