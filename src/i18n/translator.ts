import { IntlMessageFormat } from 'intl-messageformat';
import { de } from './de.ts';
import type { Catalogue, Message } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { ja } from './ja.ts';
import { ptBR } from './pt-br.ts';
import { ru } from './ru.ts';

/** Says a sentence in somebody's language, in English where that is not known. */
export type Translate = (message: Message, values?: Readonly<Record<string, string | number>>) => string;

const catalogues: Readonly<Record<string, Partial<Catalogue>>> = { en: {}, de, fr, es, ja, 'pt-BR': ptBR, ru };

/** BCP 47. */
export const languages = Object.keys(catalogues);

const translators = new Map<string, Translate>();

/** @param locale BCP 47, as a platform tells it: `es-419` reads Spanish, `pt` Brazilian Portuguese */
export function translatorFor(locale = 'en'): Translate {
	const language = languageOf(locale);
	const known = translators.get(language);
	if (known) return known;
	const formats = new Map<Message, IntlMessageFormat>();
	const translate: Translate = (message, values) => {
		let format = formats.get(message);
		if (!format) {
			format = new IntlMessageFormat(catalogues[language]?.[message] ?? message, language, undefined, {
				ignoreTag: true,
			});
			formats.set(message, format);
		}
		return String(format.format(values));
	};
	translators.set(language, translate);
	return translate;
}

function languageOf(locale: string): string {
	if (locale in catalogues) return locale;
	const [start] = locale.split(/[-_]/);
	return languages.find((language) => language.split('-')[0] === start?.toLowerCase()) ?? 'en';
}
