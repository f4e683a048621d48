import type { Field } from '../../../../domain/command.ts';
import { type Token, takeNamed, tokensOf } from './slash-tokens.ts';

/** The text after a command, by the names of the command's fields. */
export type SlashText = {
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
 */
export const readSlashText = (fields: readonly Field[], text: string): SlashText =>
	new SlashTextReader(fields.filter(({ kind }) => kind !== 'picture')).read(text);

class SlashTextReader {
	readonly #fields: readonly Field[];
	readonly #options: Record<string, string> = {};
	readonly #unclear: string[] = [];

	constructor(fields: readonly Field[]) {
		this.#fields = fields;
	}

	read(text: string): SlashText {
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
			if (field) this.#assign(field, choiceOf(field, token.text) ?? token.text);
			else left.push(token.text);
		}
		return { options: this.#options, left: asTyped(left.join(' ')), unclear: this.#unclear };
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
			beforeText.find((field) => choiceOf(field, text) !== undefined) ??
			open.find(({ kind, required }) => kind === 'text' || required) ??
			open.find(({ kind }) => kind === 'integer' || kind === 'flag')
		);
	}

	#assign(field: Field | undefined, value: string): void {
		if (!field) return;
		const { name, kind } = field;
		if (!isReference(kind)) {
			this.#options[name] = asTyped(value);
			return;
		}
		const id = idOf(kind, value);
		if (id === undefined) this.#unclear.push(name);
		else this.#options[name] = id;
	}
}

function choiceOf(field: Field, word: string): string | undefined {
	if (field.kind !== 'choice') return undefined;
	return field.choices.find((choice) => choice.toLowerCase() === asTyped(word).toLowerCase());
}

function idOf(kind: Reference, value: string): string | undefined {
	const word = value.trim();
	return MENTIONS[kind].exec(word)?.[1] ?? (IDS[kind].test(word) ? word : undefined);
}

/** Returns a text as it was typed: mentions and links by their labels, and characters that Slack has escaped. */
const asTyped = (text: string) =>
	text
		.replace(/<(?:[@#!]|https?:|mailto:)[^<>|\n]*\|([^<>\n]*)>/g, '$1')
		.replace(/<((?:https?:|mailto:)[^<>|\n]*)>/g, '$1')
		.replace(/&lt;/g, '<')
		.replace(/&gt;/g, '>')
		.replace(/&amp;/g, '&');
