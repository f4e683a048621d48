import { createRequire } from 'node:module';
import { IntlMessageFormat } from 'intl-messageformat';
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

/**
 * Why nothing comes of a request, in a sentence that people read in their own language: returned where a refusal is a result, thrown where
 * it is not. Its `message` is the same in English.
 */
export class SentenceError extends Error {
	readonly id: MessageId;
	readonly values: Values | undefined;
	/** Further sentences, without values. */
	#more: readonly MessageId[] = [];

	constructor(id: MessageId, values?: Values, options?: ErrorOptions) {
		super(translatorFor('en')(id, values), options);
		this.id = id;
		this.values = values;
	}

	/** Returns the message with another sentence after it. */
	and(id: MessageId): SentenceError {
		const both = new SentenceError(this.id, this.values, { cause: this.cause });
		both.#more = [...this.#more, id];
		both.message = both.messageIn(translatorFor('en'));
		return both;
	}

	/** Returns the message in the language of `t`. */
	messageIn(t: Translate): string {
		return [t(this.id, this.values), ...this.#more.map((id) => t(id))].join(' ');
	}
}

/**
 * Thrown when a platform refuses a request for a reason that a person can remove, such as a missing permission or a locked thread.
 * The sentence names the reason and what to do; the cause is the platform's response. The same request does not succeed later.
 */
export class PlatformRefusedError extends SentenceError {
	override name = 'PlatformRefusedError';
}

/** Thrown when a message is larger than its channel accepts. It may be sent with smaller pictures. */
export class UploadTooLargeError extends PlatformRefusedError {
	override name = 'UploadTooLargeError';
	/** The limit of the channel, where it is known. */
	readonly limits: { pictureBytes: number; messageBytes?: number } | undefined;

	constructor(
		sentence: MessageId,
		values: Values,
		{ limits, ...options }: ErrorOptions & { limits?: UploadTooLargeError['limits'] },
	) {
		super(sentence, values, options);
		this.limits = limits;
	}
}
