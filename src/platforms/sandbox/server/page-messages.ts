import { catalogueOf, type Language, type MessageId } from '../../../i18n/catalogues.ts';
import { type MessagePart, messageParts } from '../../../i18n/message-parts.ts';
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
