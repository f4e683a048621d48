import type { Field } from '../../../domain/command.ts';

/** What somebody typed after a command, by the names of its fields. */
export type SlashText = {
	/** Words as they were typed, ids for people, channels and groups; what a value is worth is for the core to say. */
	options: Record<string, string>;
	/** Words that belong to no field. */
	left: string;
	/** Somebody, a channel or a group by a name, which can't be told from other names: to be chosen. */
	unclear: string[];
};

type Token = { text: string; from: number; to: number; quoted: boolean };

/** https://docs.slack.dev/interactivity/implementing-slash-commands#escaping */
const MENTIONS = {
	person: /^<@([UW][A-Z0-9]+)(?:\|[^>]*)?>$/,
	channel: /^<#([CG][A-Z0-9]+)(?:\|[^>]*)?>$/,
	role: /^<!subteam\^(S[A-Z0-9]+)(?:\|[^>]*)?>$/,
};
const IDS = { person: /^[UW][A-Z0-9]{6,}$/, channel: /^[CG][A-Z0-9]{6,}$/, role: /^S[A-Z0-9]{6,}$/ };
const REFERENCES = ['person', 'channel', 'role'] as const;
type Reference = (typeof REFERENCES)[number];
const isReference = (kind: Field['kind']): kind is Reference => (REFERENCES as readonly string[]).includes(kind);

/**
 * Reads what was typed after a command: `size:1024x1024` and `name:"more words"` anywhere, mentions for whom or what they are, and
 * the rest in the order of the fields: `server month 100`. Choices are known by their values, in any order; the first text takes
 * all that is left. Pictures can't be typed.
 */
export function readSlashText(fields: readonly Field[], text: string): SlashText {
	const options: Record<string, string> = {};
	const unclear: string[] = [];
	const open = fields.filter(({ kind }) => kind !== 'picture');
	const named = takeNamed(open, text);
	for (const { field, value } of named.found) give(field, value);
	const rest = named.rest;

	function give(field: Field, value: string) {
		if (!isReference(field.kind)) {
			options[field.name] = plain(value);
			return;
		}
		const id = idOf(field.kind, value);
		if (id === undefined) unclear.push(field.name);
		else options[field.name] = id;
	}

	const isOpen = ({ name }: Field) => !(name in options) && !unclear.includes(name);
	const slots = () => open.filter(isOpen);
	const tokens = tokensOf(rest);
	const left: Token[] = [];
	for (const [index, token] of tokens.entries()) {
		const mentioned = slots().find(({ kind }) => isReference(kind) && MENTIONS[kind].test(token.text));
		if (mentioned) {
			give(mentioned, token.text);
			continue;
		}
		const choice = slots().find((field) => !textComesBefore(field) && choiceOf(field, token.text) !== undefined);
		if (choice) {
			give(choice, choiceOf(choice, token.text) ?? '');
			continue;
		}
		const next = slots().find(({ kind, required }) => kind === 'text' || required) ?? slots().find(takesWords);
		if (!next) {
			left.push(token);
		} else if (next.kind === 'text') {
			const words = tokens.slice(index);
			const [only] = words;
			give(next, words.length === 1 && only?.quoted ? only.text : rest.slice(token.from).trim());
			break;
		} else give(next, token.text);
	}
	return { options, left: plain(left.map(({ text: word }) => word).join(' ')), unclear };

	/** In a text, words are not taken for choices. */
	function textComesBefore(field: Field): boolean {
		return slots().some((other) => other.kind === 'text' && open.indexOf(other) < open.indexOf(field));
	}
}

const takesWords = ({ kind }: Field) => kind === 'integer' || kind === 'flag';

/** Quotes as keyboards make them. */
const OPENING = '"“„«';
const CLOSING = '"”“»';

function takeNamed(fields: readonly Field[], text: string) {
	const found: { field: Field; value: string }[] = [];
	let rest = '';
	let at = 0;
	const name = /(?<![^\s])([a-z][a-z0-9_]{0,31}):(?=\S)/gi;
	for (let match = name.exec(text); match; match = name.exec(text)) {
		const field = fields.find((one) => one.name === match?.[1]?.toLowerCase());
		if (!field || match.index < at || found.some((one) => one.field === field)) continue;
		const { value, end } = valueAt(text, name.lastIndex);
		found.push({ field, value });
		rest += `${text.slice(at, match.index)}`;
		at = end;
		name.lastIndex = end;
	}
	return { found, rest: (rest + text.slice(at)).trim() };
}

/** A word, a mention or what is in quotes, from here on. */
function valueAt(text: string, from: number): { value: string; end: number; quoted: boolean } {
	const first = text[from] ?? '';
	if (OPENING.includes(first)) {
		for (let at = from + 1; at < text.length; at++) {
			if (text[at] === '\\' && at + 1 < text.length) at++;
			else if (CLOSING.includes(text[at] ?? ' ') && /^(?:\s|$)/.test(text.slice(at + 1)))
				return { value: unquoted(text.slice(from + 1, at)), end: at + 1, quoted: true };
		}
	}
	const mention = /^<[^<>\n]+>/.exec(text.slice(from))?.[0];
	const word = mention ?? /^\S+/.exec(text.slice(from))?.[0] ?? '';
	return { value: word, end: from + word.length, quoted: false };
}

const unquoted = (text: string) => text.replace(/\\(["“”„«»\\])/g, '$1');

function tokensOf(text: string): Token[] {
	const tokens: Token[] = [];
	for (let at = 0; at < text.length; ) {
		if (/\s/.test(text[at] ?? '')) {
			at++;
			continue;
		}
		const { value, end, quoted } = valueAt(text, at);
		tokens.push({ text: value, from: at, to: end, quoted });
		at = end;
	}
	return tokens;
}

function choiceOf(field: Field, word: string): string | undefined {
	if (field.kind !== 'choice') return undefined;
	return field.choices.find((choice) => choice.toLowerCase() === plain(word).toLowerCase());
}

function idOf(kind: Reference, value: string): string | undefined {
	const word = value.trim();
	return MENTIONS[kind].exec(word)?.[1] ?? (IDS[kind].test(word) ? word : undefined);
}

/** What Slack has escaped, as it was typed; mentions and links by what one reads of them. */
const plain = (text: string) =>
	text
		.replace(/<(?:[@#!]|https?:|mailto:)[^<>|\n]*\|([^<>\n]*)>/g, '$1')
		.replace(/<((?:https?:|mailto:)[^<>|\n]*)>/g, '$1')
		.replace(/&lt;/g, '<')
		.replace(/&gt;/g, '>')
		.replace(/&amp;/g, '&');
