import { IntlMessageFormat } from 'intl-messageformat';
import { de } from './de.ts';
import { type Catalogue, en, type Message } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { ja } from './ja.ts';
import { ptBR } from './pt-br.ts';
import { ru } from './ru.ts';

/** By placeholder; one that is undefined is left empty. */
type Values = Readonly<Record<string, string | number | undefined>>;

/** Says a sentence in somebody's language. Never throws: what can't be said there is said in English. */
export type Translate = {
	(message: Message, values?: Values): string;
	/** A text that is declared in English elsewhere, such as an option's description; as it is where nobody has translated it. */
	declared(english: string, values?: Values): string;
	/** What a number, a date or a list is to be formatted in. */
	readonly language: Language;
};

/** By language; English is said as the code has it. */
export const catalogues = {
	en: {},
	de,
	fr,
	es,
	ja,
	'pt-BR': ptBR,
	ru,
} as const satisfies Readonly<Record<string, Partial<Catalogue>>>;

/** BCP 47. */
export type Language = keyof typeof catalogues;

export const languages = Object.keys(catalogues) as [Language, ...Language[]];

const translators = new Map<Language, Translate>();
const messages: ReadonlySet<string> = new Set(en);
const isMessage = (text: string): text is Message => messages.has(text);

/** @param locale BCP 47, as a platform tells it: `es-419` reads Spanish, `pt` Brazilian Portuguese */
export function translatorFor(locale = 'en'): Translate {
	const language = languageOf(locale);
	const known = translators.get(language);
	if (known) return known;
	const created = createTranslator(language);
	translators.set(language, created);
	return created;
}

function createTranslator(language: Language): Translate {
	const catalogue: Partial<Catalogue> = catalogues[language];
	const formats = new Map<Message, IntlMessageFormat>();

	function formatOf(message: Message): IntlMessageFormat {
		const known = formats.get(message);
		if (known) return known;
		const format = new IntlMessageFormat(catalogue[message] ?? message, language, undefined, { ignoreTag: true });
		formats.set(message, format);
		return format;
	}

	function translate(message: Message, values: Values = {}): string {
		try {
			return String(formatOf(message).format(values));
		} catch {
			// This may be what says that something else went wrong.
			return language === 'en' ? message : translatorFor('en')(message, values);
		}
	}

	const declared: Translate['declared'] = (english, values) =>
		isMessage(english) ? translate(english, values) : english;
	return Object.freeze(Object.assign(translate, { declared, language }));
}

function languageOf(locale: string): Language {
	const start = locale.split(/[-_]/)[0]?.toLowerCase();
	return (
		languages.find((language) => language === locale) ??
		languages.find((language) => language.split('-')[0] === start) ??
		'en'
	);
}
