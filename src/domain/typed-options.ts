import type { Field } from './command.ts';

/**
 * Returns the command whose name a text begins with, the longest one, so that `limits set` is not `limits`, and the rest of the text.
 *
 * @param nameOf returns another name of a command
 */
export function commandAtStart<Command extends { name: string }>(
	commands: readonly Command[],
	text: string,
	nameOf = (name: string) => name,
): { command: Command; rest: string } | undefined {
	return commands
		.toSorted((one, other) => other.name.length - one.name.length)
		.map((command) => ({ command, match: nameAtStart(command.name, nameOf(command.name)).exec(text) }))
		.flatMap(({ command, match }) => (match ? [{ command, rest: text.slice(match[0].length) }] : []))[0];
}

/** A sign at its end is no part of it, as in “usage?”, nor are marks without width before it, which come with copied text. */
const nameAtStart = (...names: string[]) =>
	new RegExp(`^[\\s\u200b\u2060]*(?:${names.join('|').replaceAll(' ', '\\s+')})(?:\\s+|[.!?。！？]?$)`, 'i');

/** The text after a command, by the names of the command's fields. */
export type TypedOptions = {
	/** Words as typed; ids of people, channels and roles. */
	options: Record<string, string>;
	/** Words that belong to no field. */
	left: string;
	/** Fields whose person, channel or role was typed in a way that names none. */
	unclear: string[];
};

type Reference = 'person' | 'channel' | 'role';

/** How people name each other, channels and roles on a platform. */
export type References = {
	/** Returns the id of what a word mentions, as `@ada` does; undefined for any other word. */
	mentioned(kind: Reference, word: string): string | undefined;
	/** Returns the id for a value of a field, which may also be a name or an id. */
	named(kind: Reference, value: string): string | undefined;
	/** Returns a text as it was typed, without what the platform has put into it. */
	plain(text: string): string;
};

/** What a name begins with that the platform has not made a mention of. */
const SIGNS: Readonly<Record<string, string>> = { person: '@', channel: '#' };

/** A size or a ratio, of which only the usual ones are suggested. */
const SIZE = /^\d{1,4}[x×:]\d{1,4}$/;

const YES = ['true', 'yes', 'ja', 'oui', 'sí', 'si', 'sim', 'да', 'はい', '是'];
const NO = ['false', 'no', 'nein', 'non', 'não', 'nao', 'нет', 'いいえ', '否'];

/** Returns what a word for yes or no says, in any language of the messages; undefined for other words. */
export function flagIn(word: string): boolean | undefined {
	const typed = word.normalize('NFKC').toLowerCase();
	return YES.includes(typed) || (NO.includes(typed) ? false : undefined);
}

/** Tells whether a word alone says that it is a value of a field. */
export function isValueOf(field: Field, word: string): boolean {
	const typed = word.normalize('NFKC').toLowerCase();
	if (isReference(field.kind)) return /^(?:<[@#!]|[@#])/.test(typed);
	if (field.kind === 'integer') return /^-?\d{1,15}$/.test(typed);
	if (field.kind === 'flag') return flagIn(typed) !== undefined;
	const values = field.kind === 'choice' ? field.choices : field.kind === 'text' ? field.suggestions : [];
	return (
		values.some((value) => value.toLowerCase() === typed) ||
		(field.kind === 'text' && values.length > 0 && SIZE.test(typed))
	);
}

const isReference = (kind: Field['kind']): kind is Reference => /^(person|channel|role)$/.test(kind);

/**
 * Reads the text after a command. `size:1024x1024` and `name:"more words"` may stand anywhere. Mentions and choices are recognized by
 * their values, and other words are assigned in the order of the fields, as in `server month 100`. The first text field takes the
 * rest, also after its own name: `prompt:a red fox`. A name at the end without a value is none. Picture fields are skipped.
 */
export const readTypedOptions = (fields: readonly Field[], text: string, references: References): TypedOptions =>
	new OptionReader(
		fields.filter(({ kind }) => kind !== 'picture'),
		references,
	).read(text);

class OptionReader {
	readonly #fields: readonly Field[];
	readonly #references: References;
	readonly #options: Record<string, string> = {};
	readonly #unclear: string[] = [];

	constructor(fields: readonly Field[], references: References) {
		this.#fields = fields;
		this.#references = references;
	}

	read(text: string): TypedOptions {
		const { found, rest } = takeNamed(this.#fields, text, this.#freeText()?.name);
		for (const [name, value] of found)
			this.#assign(
				this.#fields.find((field) => field.name === name),
				value,
			);
		const tokens = tokensOf(rest);
		const left: string[] = [];
		for (const [index, token] of tokens.entries()) {
			const field = this.#fieldFor(token);
			if (field?.kind === 'text') {
				this.#assign(field, token.quoted && index === tokens.length - 1 ? token.text : rest.slice(token.from).trim());
				break;
			}
			if (field) this.#assign(field, token.text);
			else left.push(token.text);
		}
		return { options: this.#options, left: this.#references.plain(left.join(' ')), unclear: this.#unclear };
	}

	/** Returns the field that may be named before words without quotes: the first text, where no other word has to be given. */
	#freeText(): Field | undefined {
		const first = this.#fields.find((field) => field.kind === 'text' && !field.named);
		const isAlone = this.#fields.every((field) => field === first || !field.required);
		return isAlone ? first : undefined;
	}

	/** Returns the field that a token belongs to: by what it mentions, as one of its choices, else the next one. */
	#fieldFor({ text }: Token): Field | undefined {
		const isOpen = ({ name }: Field) => !(name in this.#options) && !this.#unclear.includes(name);
		const open = this.#fields.filter((field) => isOpen(field) && !(field.kind === 'text' && field.named));
		const firstText = open.findIndex(({ kind }) => kind === 'text');
		// After a text field, a word is part of the text and no choice.
		const beforeText = firstText === -1 ? open : open.slice(0, firstText);
		return (
			open.find(({ kind }) => isReference(kind) && this.#references.mentioned(kind, text) !== undefined) ??
			open.find(({ kind }) => SIGNS[kind] === text[0]) ??
			beforeText.find((field) => this.#choiceOf(field, text) !== undefined) ??
			open.find(({ kind, required }) => kind === 'text' || required) ??
			open.find((field) => (field.kind === 'integer' || field.kind === 'flag') && isValueOf(field, text))
		);
	}

	#assign(field: Field | undefined, value: string): void {
		if (!field) return;
		const { name, kind } = field;
		const { mentioned, named, plain } = this.#references;
		const word = value.trim();
		const read = isReference(kind)
			? (mentioned(kind, word) ?? named(kind, word))
			: (this.#choiceOf(field, word) ?? plain(value));
		if (read === undefined) this.#unclear.push(name);
		else this.#options[name] = read;
	}

	#choiceOf(field: Field, word: string): string | undefined {
		if (field.kind !== 'choice') return undefined;
		const typed = this.#references.plain(word).toLowerCase();
		return field.choices.find((choice) => choice.toLowerCase() === typed);
	}
}

/** A word, a mention, or words in quotes. */
type Token = {
	/** Without its quotes. */
	text: string;
	/** The index of its first character, which may be a quote. */
	from: number;
	quoted: boolean;
};

/** The quotes of various keyboards. */
const OPENING_QUOTES = '"“„”«»「『';
const CLOSING_QUOTES = '"”“»«」』';

/** Splits a text at its white space. */
function tokensOf(text: string): Token[] {
	const tokens: Token[] = [];
	for (let at = 0; at < text.length; ) {
		if (/\s/.test(text[at] ?? '')) {
			at++;
			continue;
		}
		const { value, end, quoted } = valueAt(text, at);
		tokens.push({ text: value, from: at, quoted });
		at = end;
	}
	return tokens;
}

/**
 * Takes `name:value` and `name:"more words"` out of a text, each name once. Returns them with the rest of the text. With a blank or an
 * equals sign, as in `private: yes`, a word is taken where it can be nothing else; and a sign after a value is none of it.
 *
 * @param free the name of the field that takes the rest, where `name:` alone may stand before it: `prompt:a red fox`
 */
function takeNamed(
	fields: readonly Field[],
	text: string,
	free?: string,
): { found: [name: string, value: string][]; rest: string } {
	const found = new Map<string, string>();
	let rest = '';
	let at = 0;
	const pattern = /(?<![^\s])([a-z][a-z0-9_]{0,31})(?:[:：]|(\s?[:：=＝]\s?))(?=\S)/gi;
	for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
		const name = match[1]?.toLowerCase() ?? '';
		const field = fields.find((one) => one.name === name);
		if (!field || match.index < at || found.has(name)) continue;
		const isQuoted = OPENING_QUOTES.includes(text[pattern.lastIndex] ?? ' ');
		const isApart = match[2] !== undefined;
		if (name === free && !(isQuoted && !isApart)) continue;
		const { value, end } = valueAt(text, pattern.lastIndex);
		const word = isQuoted || name === free ? value : withoutSign(field, value);
		if (isApart && !isValueOf(field, word)) continue;
		found.set(name, word);
		rest += text.slice(at, match.index);
		at = end;
		pattern.lastIndex = end;
	}
	rest = withoutEmptyName((rest + text.slice(at)).trim(), fields);
	const [named = '', name] = /^([^\s:：=＝]+)\s?[:：=＝]/.exec(rest) ?? [];
	return { found: [...found], rest: name?.toLowerCase() === free ? rest.slice(named.length).trim() : rest };
}

/** Returns a word without the sign of the sentence that it stands in: a comma, or after what is a value of its field a stop. */
function withoutSign(field: Field, word: string): string {
	const bare = word.replace(/[.!。！]$/, '');
	return isValueOf(field, bare) ? bare : word.replace(/[,;，、]$/, '');
}

/** Returns a text without the name of a field at its end that has no value. */
function withoutEmptyName(text: string, fields: readonly Field[]): string {
	const last = text.split(/\s/).at(-1) ?? '';
	const isName = /[:：]$/.test(last) && fields.some(({ name }) => name === last.slice(0, -1).toLowerCase());
	return isName ? text.slice(0, -last.length).trim() : text;
}

/** Returns the word, mention or quoted text that begins at an index. */
function valueAt(text: string, from: number): { value: string; end: number; quoted: boolean } {
	if (OPENING_QUOTES.includes(text[from] ?? ' ')) {
		for (let at = from + 1; at < text.length; at++) {
			if (text[at] === '\\' && at + 1 < text.length) at++;
			else if (CLOSING_QUOTES.includes(text[at] ?? ' ') && /^(?:\s|$)/.test(text.slice(at + 1)))
				return { value: unescapeQuotes(text.slice(from + 1, at)), end: at + 1, quoted: true };
		}
	}
	const [all = '', mention] = /^(<[^<>\n]+>)(?:[,;.!?，、。](?=\s|$))?|^\S+/.exec(text.slice(from)) ?? [];
	return { value: mention ?? all, end: from + all.length, quoted: false };
}

const unescapeQuotes = (text: string) => text.replace(/\\(["“”„«»「」『』\\])/g, '$1');
