/**
 * Every sentence that people read, as the code says it, in ICU message syntax; the other languages are keyed by these.
 * https://unicode-org.github.io/icu/userguide/format_parse/messages/
 */
export const en = ['Only moderators may use {command}.'] as const;

export type Message = (typeof en)[number];

/** All sentences in one language. */
export type Catalogue = Readonly<Record<Message, string>>;
