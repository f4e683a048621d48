import de from './messages/de.json' with { type: 'json' };
import en from './messages/en.json' with { type: 'json' };
import es from './messages/es.json' with { type: 'json' };
import fr from './messages/fr.json' with { type: 'json' };
import ja from './messages/ja.json' with { type: 'json' };
import ptBR from './messages/pt-BR.json' with { type: 'json' };
import ru from './messages/ru.json' with { type: 'json' };

/** The id of a message: its area, then its meaning, such as `limits.set.done`. */
export type MessageId = keyof typeof en;

/**
 * The messages of each language by id, in ICU syntax. Typed names (`names.…`) are lower case and one word, as Discord takes them.
 * https://unicode-org.github.io/icu/userguide/format_parse/messages/
 */
export const catalogues = { en, de, fr, es, ja, 'pt-BR': ptBR, ru } as const satisfies Readonly<
	Record<string, Readonly<Record<MessageId, string>>>
>;

/** A BCP 47 tag. */
export type Language = keyof typeof catalogues;

export const languages = Object.keys(catalogues) as [Language, ...Language[]];

export const isMessageId = (text: string): text is MessageId => Object.hasOwn(en, text);
