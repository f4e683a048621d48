import type { Field } from '../../../domain/command.ts';
import type { Decode } from './message-reader.ts';

/** The text after a command, by the names of the command's fields. */
export type TypedOptions = {
	/** Words as typed; ids of people, channels and groups. The core validates them. */
	options: Record<string, string>;
	/** Words that belong to no field. */
	left: string;
	/** Fields whose person, channel or group was typed by name instead of as a mention, so that it has to be chosen. */
	unclear: string[];
};

/** https://docs.slack.dev/interactivity/implementing-slash-commands#escaping */
const MENTIONS = {
	person: /^<@([UW][A-Z0-9]+)(?:\|[^>]*)?>$/,
	channel: /^<#([CG][A-Z0-9]+)(?:\|[^>]*)?>$/,
	role: /^<!subteam\^(S[A-Z0-9]+)(?:\|[^>]*)?>$/,
};
const IDS = { person: /^[UW][A-Z0-9]{6,}$/, channel: /^[CG][A-Z0-9]{6,}$/, role: /^S[A-Z0-9]{6,}$/ };
type Reference = keyof typeof MENTIONS;
const isReference = (kind: Field['kind']): kind is Reference => kind in MENTIONS;

/**
 * Reads the text after a command. `size:1024x1024` and `name:"more words"` may stand anywhere. Mentions and choices are recognized by
 * their values, and other words are assigned in the order of the fields, as in `server month 100`. The first text field takes the
 * rest, also after its own name: `prompt:a red fox`. Picture fields are skipped.
 *
 * @param decode turns the markup of a text option into words; ids are taken from it before
 */
export const readTypedOptions = (fields: readonly Field[], text: string, decode: Decode): TypedOptions =>
	new TypedOptionsReader(
		fields.filter(({ kind }) => kind !== 'picture'),
		decode,
	).read(text);

class TypedOptionsReader {
	readonly #fields: readonly Field[];
	readonly #decode: Decode;
	readonly #options: Record<string, string> = {};
	readonly #unclear: string[] = [];

	constructor(fields: readonly Field[], decode: Decode) {
		this.#fields = fields;
		this.#decode = decode;
	}

	read(text: string): TypedOptions {
		const names = this.#fields.map(({ name }) => name);
		const { found, rest } = takeNamed(names, text, this.#freeText()?.name);
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
			if (field) this.#assign(field, this.#choiceOf(field, token.text) ?? token.text);
			else left.push(token.text);
		}
		return { options: this.#options, left: this.#decode(left.join(' ')), unclear: this.#unclear };
	}

	/** Returns the field that may be named before words without quotes: the first text, where no other word has to be given. */
	#freeText(): Field | undefined {
		const first = this.#fields.find(({ kind }) => kind === 'text');
		const isAlone = this.#fields.every((field) => field === first || !field.required);
		return isAlone ? first : undefined;
	}

	/** Returns the field that a token belongs to: by what it mentions, as one of its choices, else the next one. */
	#fieldFor({ text }: Token): Field | undefined {
		const open = this.#fields.filter(({ name }) => !(name in this.#options) && !this.#unclear.includes(name));
		const firstText = open.findIndex(({ kind }) => kind === 'text');
		// After a text field, a word is part of the text and no choice.
		const beforeText = firstText === -1 ? open : open.slice(0, firstText);
		return (
			open.find(({ kind }) => isReference(kind) && MENTIONS[kind].test(text)) ??
			beforeText.find((field) => this.#choiceOf(field, text) !== undefined) ??
			open.find(({ kind, required }) => kind === 'text' || required) ??
			open.find(({ kind }) => kind === 'integer' || kind === 'flag')
		);
	}

	#assign(field: Field | undefined, value: string): void {
		if (!field) return;
		const { name, kind } = field;
		if (!isReference(kind)) {
			this.#options[name] = this.#decode(value);
			return;
		}
		const word = value.trim();
		const id = MENTIONS[kind].exec(word)?.[1] ?? (IDS[kind].test(word) ? word : undefined);
		if (id === undefined) this.#unclear.push(name);
		else this.#options[name] = id;
	}

	#choiceOf(field: Field, word: string): string | undefined {
		if (field.kind !== 'choice') return undefined;
		const typed = this.#decode(word).toLowerCase();
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
const OPENING_QUOTES = '"“„«';
const CLOSING_QUOTES = '"”“»';

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
 * Takes `name:value` and `name:"more words"` out of a text, each name once. Returns them with the rest of the text.
 *
 * @param free the name of the field that takes the rest, where `name:` alone may stand before it: `prompt:a red fox`
 */
function takeNamed(names: readonly string[], text: string, free?: string) {
	const found = new Map<string, string>();
	let rest = '';
	let at = 0;
	const pattern = /(?<![^\s])([a-z][a-z0-9_]{0,31}):(?=\S)/gi;
	for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
		const name = match[1]?.toLowerCase() ?? '';
		if (!names.includes(name) || match.index < at || found.has(name)) continue;
		if (name === free && !OPENING_QUOTES.includes(text[pattern.lastIndex] ?? ' ')) continue;
		const { value, end } = valueAt(text, pattern.lastIndex);
		found.set(name, value);
		rest += text.slice(at, match.index);
		at = end;
		pattern.lastIndex = end;
	}
	rest = (rest + text.slice(at)).trim();
	const isNamed = free !== undefined && rest.toLowerCase().startsWith(`${free}:`);
	return { found: [...found], rest: isNamed ? rest.slice(free.length + 1).trim() : rest };
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
	const mention = /^<[^<>\n]+>/.exec(text.slice(from))?.[0];
	const word = mention ?? /^\S+/.exec(text.slice(from))?.[0] ?? '';
	return { value: word, end: from + word.length, quoted: false };
}

const unescapeQuotes = (text: string) => text.replace(/\\(["“”„«»\\])/g, '$1');
