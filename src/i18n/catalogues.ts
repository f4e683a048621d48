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

/** Returns the messages of a language, whose file is read when it is first needed. */
export const catalogueOf = (language: Language): Catalogue =>
	language === 'en' ? en : (require(`./messages/${language}.json`) as Catalogue);

export const isMessageId = (text: string): text is MessageId => Object.hasOwn(en, text);
