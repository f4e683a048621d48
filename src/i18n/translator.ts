import { IntlMessageFormat } from 'intl-messageformat';
import { catalogueOf, isMessageId, type Language, languages, type MessageId } from './catalogues.ts';

/** Values by placeholder; an undefined value is left empty. */
export type Values = Readonly<Record<string, string | number | undefined>>;

/** Returns messages in one language. Never throws: a message that cannot be formatted is returned in English. */
export type Translate = {
	(id: MessageId, values?: Values): string;
	/** The message with this id; any other text, such as a description without translations, as it is. */
	declared(idOrText: string, values?: Values): string;
	/** The name of a command, an option or a choice as it is typed in this language; the name itself when it has no translation. */
	nameOf(name: string): string;
	/** The language of the messages, and the one to format dates, numbers and lists in. */
	readonly language: Language;
};

const translators = new Map<Language, Translate>();

/** @param locale BCP 47, as a platform reports it: `es-419` becomes Spanish, `pt` Brazilian Portuguese */
export function translatorFor(locale = 'en'): Translate {
	const language = languageOf(locale);
	const cached = translators.get(language);
	if (cached) return cached;
	const created = createTranslator(language);
	translators.set(language, created);
	return created;
}

function createTranslator(language: Language): Translate {
	const catalogue = catalogueOf(language);
	const formats = new Map<MessageId, IntlMessageFormat>();

	function formatOf(id: MessageId): IntlMessageFormat {
		const cached = formats.get(id);
		if (cached) return cached;
		const format = new IntlMessageFormat(catalogue[id], language, undefined, { ignoreTag: true });
		formats.set(id, format);
		return format;
	}

	function translate(id: MessageId, values: Values = {}): string {
		try {
			return String(formatOf(id).format(values));
		} catch {
			// The message may report another error, which must not be lost.
			return language === 'en' ? catalogue[id] : translatorFor('en')(id, values);
		}
	}

	const declared: Translate['declared'] = (text, values) => (isMessageId(text) ? translate(text, values) : text);
	const nameOf: Translate['nameOf'] = (name) => {
		const id = `names.${name}`;
		return isMessageId(id) ? translate(id) : name;
	};
	return Object.freeze(Object.assign(translate, { declared, nameOf, language }));
}

function languageOf(locale: string): Language {
	const start = locale.split(/[-_]/)[0]?.toLowerCase();
	return (
		languages.find((language) => language === locale) ??
		languages.find((language) => language.split('-')[0] === start) ??
		'en'
	);
}
