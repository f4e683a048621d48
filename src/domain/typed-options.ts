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
export function readTypedOptions(all: readonly Field[], text: string, references: References): TypedOptions {
	const fields = all.filter(({ kind }) => kind !== 'picture');
	const options: Record<string, string> = {};
	const unclear: string[] = [];
	const assign = (field: Field, value: string): void => {
		const read = readAs(field, value, references);
		if (read === undefined) unclear.push(field.name);
		else options[field.name] = read;
	};
	const { found, rest } = takeNamed(fields, text);
	for (const [field, value] of found) assign(field, value);
	const left: string[] = [];
	for (const { value, from, isQuoted, end } of valuesIn(rest)) {
		const isOpen = ({ name }: Field) => !(name in options || unclear.includes(name));
		const open = fields.filter((one) => isOpen(one) && !(one.kind === 'text' && one.named));
		const field = fieldFor(value, open, references);
		const isText = field?.kind === 'text';
		if (field) assign(field, isText && !(isQuoted && end === rest.length) ? rest.slice(from) : value);
		else left.push(value);
		if (isText) break;
	}
	return { options, left: references.plain(left.join(' ')), unclear };
}

/** Returns the open field that a word belongs to: by what it mentions, as one of its choices, else the next one. */
function fieldFor(word: string, open: readonly Field[], references: References): Field | undefined {
	const firstText = open.findIndex(({ kind }) => kind === 'text');
	// After a text field, a word is part of the text and no choice.
	const beforeText = firstText === -1 ? open : open.slice(0, firstText);
	return (
		open.find(({ kind }) => isReference(kind) && references.mentioned(kind, word) !== undefined) ??
		open.find(({ kind }) => SIGNS[kind] === word[0]) ??
		beforeText.find((field) => choiceOf(field, word, references) !== undefined) ??
		open.find(({ kind, required }) => kind === 'text' || required) ??
		open.find((field) => (field.kind === 'integer' || field.kind === 'flag') && isValueOf(field, word))
	);
}

/** Returns what a word is as the value of a field; undefined for a reference that names nothing. */
function readAs(field: Field, value: string, references: References): string | undefined {
	const word = value.trim();
	if (!isReference(field.kind)) return choiceOf(field, word, references) ?? references.plain(value);
	return references.mentioned(field.kind, word) ?? references.named(field.kind, word);
}

function choiceOf(field: Field, word: string, { plain }: References): string | undefined {
	if (field.kind !== 'choice') return undefined;
	const typed = plain(word).toLowerCase();
	return field.choices.find((choice) => choice.toLowerCase() === typed);
}

/** Words in the quotes of various keyboards; a mention, with the sign of the sentence that it stands in; or a word. */
const VALUE =
	/(?<quoted>["“„”«»「『](?:\\.|[^\\]){0,4000}?["”“»«」』](?!\S))|(?<mention><[^<>\n]+>)(?:[,;.!?，、。](?!\S))?|\S+/gs;

const valuesIn = (text: string) =>
	text.matchAll(VALUE).map(({ 0: all, index: from, groups: { quoted, mention } = {} }) => ({
		value: quoted ? all.slice(1, -1).replace(/\\(["“”„«»「」『』\\])/g, '$1') : (mention ?? all),
		from,
		end: from + all.length,
		isQuoted: quoted !== undefined,
	}));

/** The name of a field before its value; with a blank or an equals sign in the second group. */
const NAME = /(?<!\S)([a-z][a-z0-9_]{0,31})(?:[:：]|(\s?[:：=＝]\s?))(?=\S)/gi;

/**
 * Takes `name:value` and `name:"more words"` out of a text, each name once. Returns them with the rest of the text. With a blank or an
 * equals sign, as in `private: yes`, a word is taken where it can be nothing else; and a sign after a value is none of it. The first text
 * takes the rest, also after its own name, where no other word has to be given: `prompt:a red fox`.
 */
function takeNamed(fields: readonly Field[], text: string): { found: Map<Field, string>; rest: string } {
	const firstText = fields.find((field) => field.kind === 'text' && !field.named);
	const free = fields.every((field) => field === firstText || !field.required) ? firstText : undefined;
	const found = new Map<Field, string>();
	let rest = '';
	let at = 0;
	for (const { index, 0: named, 1: name = '', 2: apart } of text.matchAll(NAME)) {
		const field = fields.find((one) => one.name === name.toLowerCase());
		if (!field || index < at || found.has(field)) continue;
		const [{ value, end, isQuoted } = { value: '', end: 0, isQuoted: false }] = valuesIn(
			text.slice(index + named.length),
		);
		if (field === free && (!isQuoted || apart !== undefined)) continue;
		const word = isQuoted ? value : withoutSign(field, value);
		if (apart !== undefined && !isValueOf(field, word)) continue;
		found.set(field, word);
		rest += text.slice(at, index);
		at = index + named.length + end;
	}
	rest = (rest + text.slice(at)).trim();
	const [empty = '', last] = /(?<!\S)(\S+)[:：]$/.exec(rest) ?? [];
	if (fields.some(({ name }) => name === last?.toLowerCase())) rest = rest.slice(0, -empty.length).trim();
	const [before = '', first] = /^([^\s:：=＝]+)\s?[:：=＝]/.exec(rest) ?? [];
	return { found, rest: free && first?.toLowerCase() === free.name ? rest.slice(before.length).trim() : rest };
}

/** Returns a word without the sign of the sentence that it stands in: a comma, or after what is a value of its field a stop. */
function withoutSign(field: Field, word: string): string {
	const bare = word.replace(/[.!。！]$/, '');
	return isValueOf(field, bare) ? bare : word.replace(/[,;，、]$/, '');
}
