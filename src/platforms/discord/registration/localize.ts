import type { LocalizationMap } from 'discord.js';
import { type Language, languages, translatorFor } from '../../../i18n/translator.ts';

/** Returns the translations of an English name or description; undefined when there are none. */
export type Localize = (english: string) => LocalizationMap | undefined;

/** Discord's names of Easel's languages. https://docs.discord.com/developers/reference#locales */
const LOCALES: Readonly<Record<Language, readonly string[]>> = {
	en: [],
	de: ['de'],
	fr: ['fr'],
	es: ['es-ES', 'es-419'],
	ja: ['ja'],
	'pt-BR': ['pt-BR'],
	ru: ['ru'],
};

export const localize: Localize = (english) => {
	const entries = languages.flatMap((language) => {
		const text = translatorFor(language).declared(english);
		return LOCALES[language].map((locale) => [locale, text] as const);
	});
	return entries.every(([, text]) => text === english) ? undefined : Object.fromEntries(entries);
};

/** The localized name of a command, an option or a choice, as a property of its JSON. */
export function localizedName(name: string, localize: Localize) {
	const name_localizations = localize(name);
	return name_localizations && { name_localizations };
}

/** The localized description of a command or an option, as a property of its JSON. */
export function localizedDescription(description: string, localize: Localize) {
	const description_localizations = localize(description);
	return description_localizations && { description_localizations };
}
