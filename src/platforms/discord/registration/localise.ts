import { type Language, languages, translatorFor } from '../../../i18n/translator.ts';
import type { Localise } from './commands.ts';

/** What Discord calls our languages. https://docs.discord.com/developers/reference#locales */
const LOCALES: Readonly<Record<Language, readonly string[]>> = {
	en: [],
	de: ['de'],
	fr: ['fr'],
	es: ['es-ES', 'es-419'],
	ja: ['ja'],
	'pt-BR': ['pt-BR'],
	ru: ['ru'],
};

/** As the catalogues have it. Whoever reads another language sees the English. */
export const localise: Localise = (english) => {
	const entries = languages.flatMap((language) => {
		const text = translatorFor(language).declared(english);
		return LOCALES[language].map((locale) => [locale, text] as const);
	});
	return entries.every(([, text]) => text === english) ? undefined : Object.fromEntries(entries);
};
