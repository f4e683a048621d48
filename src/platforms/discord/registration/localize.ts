import type { LocalizationMap } from 'discord.js';
import { type Language, languages } from '../../../i18n/catalogues.ts';
import { type Translate, translatorFor } from '../../../i18n/translator.ts';

/** Returns a name or a description by locale; undefined when every locale has the English one. */
export type Localize = (textIn: (t: Translate) => string) => LocalizationMap | undefined;

/** The language of everything that has no localization. */
export const english = translatorFor('en');

/** Discord's names of Easel's languages. https://docs.discord.com/developers/reference#locales */
const LOCALES: Readonly<Record<Language, readonly string[]>> = {
	en: [],
	de: ['de'],
	fr: ['fr'],
	es: ['es-ES', 'es-419'],
	ja: ['ja'],
	'pt-BR': ['pt-BR'],
	ru: ['ru'],
	// Traditional Chinese has no catalogue: its readers get the simplified one, as in answers.
	'zh-CN': ['zh-CN', 'zh-TW'],
};

export const localize: Localize = (textIn) => {
	const entries = languages.flatMap((language) => {
		const text = textIn(translatorFor(language));
		return LOCALES[language].map((locale) => [locale, text] as const);
	});
	return entries.every(([, text]) => text === textIn(english)) ? undefined : Object.fromEntries(entries);
};

/** The name of a command, an option or a choice, as it is in its JSON. */
export function localizedName(name: string, localize: Localize) {
	const name_localizations = localize((t) => t.nameOf(name));
	return { name, ...(name_localizations && { name_localizations }) };
}

/** The description of a command or an option, as it is in its JSON. */
export function localizedDescription(description: string, localize: Localize) {
	const description_localizations = localize((t) => t.declared(description));
	return {
		description: english.declared(description),
		...(description_localizations && { description_localizations }),
	};
}
