import { IntlMessageFormat } from 'intl-messageformat';
import { catalogueOf, type Language, type MessageId, translatorFor } from '../../../i18n/translator.ts';

/** A parsed message: texts, values, and what is chosen by a value. */
export type ParsedMessage = ReturnType<IntlMessageFormat['getAst']>;

/** The messages of the page in one language, which is also the one to format its dates and numbers in. */
export type PageMessages = { language: Language; messages: Readonly<Record<string, ParsedMessage>> };

const cached = new Map<Language, PageMessages>();

/** Returns the messages with an id of the area `sandbox`, parsed, since the page has no parser. */
export function pageMessages(locale: string | undefined): PageMessages {
	const { language } = translatorFor(locale);
	const known = cached.get(language);
	if (known) return known;
	const catalogue = catalogueOf(language);
	const ids = (Object.keys(catalogue) as MessageId[]).filter((id) => id.startsWith('sandbox.'));
	const partsOf = (id: MessageId) =>
		new IntlMessageFormat(catalogue[id], 'en', undefined, { ignoreTag: true }).getAst();
	const parsed = { language, messages: Object.fromEntries(ids.map((id) => [id, partsOf(id)])) };
	cached.set(language, parsed);
	return parsed;
}
