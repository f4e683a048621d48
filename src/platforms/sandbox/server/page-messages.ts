import { IntlMessageFormat } from 'intl-messageformat';
import { catalogueOf, type Language, type MessageId } from '../../../i18n/catalogues.ts';
import { translatorFor } from '../../../i18n/translator.ts';

/** The messages of the page in one language, which is also the one to format its dates and numbers in. */
export type PageMessages = { language: Language; messages: Readonly<Record<string, MessagePart[]>> };

const cached = new Map<Language, PageMessages>();

/** Returns the messages with an id of the area `sandbox`, parsed, since the page has no parser. */
export function pageMessages(locale: string | undefined): PageMessages {
	const { language } = translatorFor(locale);
	const known = cached.get(language);
	if (known) return known;
	const catalogue = catalogueOf(language);
	const ids = (Object.keys(catalogue) as MessageId[]).filter((id) => id.startsWith('sandbox.'));
	const messages = Object.fromEntries(ids.map((id) => [id, messageParts(catalogue[id])]));
	cached.set(language, { language, messages });
	return { language, messages };
}

/** A literal text, a value, or the parts to choose by a value: of a plural by `=0` or the category, of a selection by the value. */
export type MessagePart =
	| string
	| { value: string; number?: true }
	| { value: string; plural: Readonly<Record<string, MessagePart[]>> }
	| { value: string; select: Readonly<Record<string, MessagePart[]>> };

/**
 * Parses a message into JSON, for programs that have no parser of ICU syntax, such as a page.
 * @throws TypeError for syntax that no message has so far, such as dates
 */
export function messageParts(text: string): MessagePart[] {
	return partsOf(new IntlMessageFormat(text, 'en', undefined, { ignoreTag: true }).getAst());
}

type Elements = ReturnType<IntlMessageFormat['getAst']>;

/** @param counted the value that `#` stands for */
function partsOf(elements: Elements, counted = ''): MessagePart[] {
	return elements.map((element) => {
		switch (element.type) {
			case 0:
				return element.value;
			case 1:
				return { value: element.value };
			case 2:
				return { value: element.value, number: true };
			case 5:
				return { value: element.value, select: optionsOf(element.options, counted) };
			case 6:
				return { value: element.value, plural: optionsOf(element.options, element.value) };
			case 7:
				return { value: counted, number: true };
			default:
				throw new TypeError(`A message has an element of the unknown type ${element.type}`);
		}
	});
}

const optionsOf = (options: Readonly<Record<string, { value: Elements }>>, counted: string) =>
	Object.fromEntries(Object.entries(options).map(([key, { value }]) => [key, partsOf(value, counted)]));
