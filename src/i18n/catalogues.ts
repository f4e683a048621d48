import { createRequire } from 'node:module';
import en from './messages/en.json' with { type: 'json' };

/** The id of a message: its area, then its meaning, such as `limits.set.done`. */
export type MessageId = keyof typeof en;

/**
 * The messages of a language by id, in ICU syntax. Typed names (`names.…`) are lower case and one word, as Discord takes them.
 * https://unicode-org.github.io/icu/userguide/format_parse/messages/
 */
type Catalogue = Readonly<Record<MessageId, string>>;

/** BCP 47 tags. */
export const languages = ['en', 'de', 'fr', 'es', 'ja', 'pt-BR', 'ru', 'zh-CN'] as const;

export type Language = (typeof languages)[number];

const require = createRequire(import.meta.url);

const catalogues = new Map<Language, Record<MessageId, string>>();

/** Returns the messages of a language, whose file is read when it is first needed. */
export function catalogueOf(language: Language): Catalogue {
	const catalogue = catalogues.get(language) ?? {
		...(language === 'en' ? en : require(`./messages/${language}.json`)),
	};
	catalogues.set(language, catalogue);
	return catalogue;
}

/** Adds messages of commands from outside. What a language lacks is in English. */
export function addMessages(messages: { readonly [Tag in Language]?: Readonly<Record<string, string>> }): void {
	for (const language of languages) Object.assign(catalogueOf(language), messages.en, messages[language]);
}

/** Whether Easel itself has a message. */
export const isOwnMessage = (id: string): boolean => Object.hasOwn(en, id);

export const isMessageId = (text: string): text is MessageId => Object.hasOwn(catalogueOf('en'), text);
