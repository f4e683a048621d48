import { t } from '../texts.js';

/**
 * Commands as typed: `/imagine a red fox size:1536x1024 n:2`. Options are `name:value`, quoted when the value has spaces. The other
 * words are the first text option that is not named, or the first of all after its name: `/imagine prompt:a red fox`. Required options
 * that are not texts take a word each before it, in order: `/limits set server month 100`.
 */

/** @typedef {import('../../../../domain/command.ts').CommandDescription} CommandDescription */
/** @typedef {import('../../../../domain/command.ts').Field} Field */
/** @typedef {{ people: Named[], channels: Named[], roles: Named[] }} Directory */
/** @typedef {{ id: string, name: string }} Named */

/**
 * Returns the command that a text begins with, the longest name first, so that `limits set` is not `limits`.
 * @param {string} text @param {readonly CommandDescription[]} commands
 * @returns {{ command: CommandDescription, rest: string } | undefined}
 */
export function commandIn(text, commands) {
	if (!text.startsWith('/')) return undefined;
	const longestFirst = commands.toSorted((a, b) => b.name.length - a.name.length);
	const typed = text.slice(1).toLowerCase();
	const command = longestFirst.find(({ name }) => typed === name || new RegExp(`^${name}\\s`).test(typed));
	return command && { command, rest: text.slice(1 + command.name.length).trim() };
}

/**
 * Reads the options of a command.
 * @param {CommandDescription} command
 * @param {string} rest the text after its name
 * @param {Directory} directory
 * @returns {{ options: Record<string, string | number | boolean>, problem?: string }}
 */
export function optionsIn(command, rest, directory) {
	/** @type {Record<string, string | number | boolean>} */
	const options = {};
	/** @type {string | undefined} */
	let problem;
	/** @param {Field} field @param {string} text */
	const read = (field, text) => {
		const value = readValue(field, text, directory);
		if (value !== undefined) options[field.name] = value;
		else problem ??= t('sandbox.command.noValue', { text, field: field.name, hint: hint(field) });
	};
	const fields = new Map(command.fields.filter(({ kind }) => kind !== 'picture').map((field) => [field.name, field]));
	const free = freeText(command);
	const words = rest.replaceAll(/(?<=^|\s)([a-z][a-z0-9_]*):(?:"([^"]*)"|(\S+))/gi, (whole, name, quoted, plain) => {
		const field = fields.get(name.toLowerCase());
		if (!field || field.name in options || (field === free && plain !== undefined)) return whole;
		read(field, quoted ?? plain);
		return '';
	});
	let text = withoutEmptyOption(words, fields)
		.replaceAll(/[^\S\n]+/g, ' ')
		.trim();
	if (free && text.toLowerCase().startsWith(`${free.name}:`)) text = text.slice(free.name.length + 1).trim();
	for (const field of command.fields) {
		if (!field.required || field.kind === 'text' || text === '') break;
		if (field.kind === 'picture' || field.name in options) continue;
		const [word] = text.split(/\s/, 1);
		read(field, word);
		text = text.slice(word.length).trim();
	}
	if (text !== '') {
		const open = command.fields.filter((field) => !(field.name in options));
		const taker = open.find(({ kind }) => kind === 'text') ?? open.find(({ kind }) => kind !== 'picture');
		if (taker) read(taker, text);
		else problem ??= t('sandbox.command.noWords', { command: command.name });
	}
	return problem ? { options, problem } : { options };
}

/** Returns the option that may be named before words without quotes: the first text, where no other word has to be given. @param {CommandDescription} command */
function freeText({ fields }) {
	const first = fields.find(({ kind }) => kind === 'text');
	const isAlone = fields.every((field) => field === first || !field.required || field.kind === 'picture');
	return isAlone ? first : undefined;
}

/** Returns a text without an option at its end that has no value, as when options are being explored. @param {string} text @param {ReadonlyMap<string, Field>} fields */
function withoutEmptyOption(text, fields) {
	const empty = /(?:^|\s)([a-z][a-z0-9_]*):\s*$/i.exec(text);
	return empty && fields.has(empty[1].toLowerCase()) ? text.slice(0, empty.index) : text;
}

/** @param {Field} field @param {string} text @param {Directory} directory */
function readValue(field, text, { people, channels, roles }) {
	switch (field.kind) {
		case 'text':
			return text;
		case 'choice':
			return field.choices.find((choice) => choice.toLowerCase() === text.toLowerCase());
		case 'integer':
			return /^-?\d{1,15}$/.test(text) ? Number(text) : undefined;
		case 'flag':
			if (/^(true|yes|on|1)$/i.test(text)) return true;
			return /^(false|no|off|0)$/i.test(text) ? false : undefined;
		case 'person':
			return named(people, text.replace(/^@/, ''));
		case 'channel':
			return named(channels, text.replace(/^#/, ''));
		case 'role':
			return named(roles, text.replace(/^@/, ''));
		default:
			return undefined;
	}
}

/** @param {Named[]} all @param {string} text */
const named = (all, text) => all.find(({ id, name }) => id === text || name.toLowerCase() === text.toLowerCase())?.id;

/** @type {Readonly<Record<Exclude<Field['kind'], 'choice' | 'choices' | 'integer'>, import('../texts.js').MessageId>>} */
const HINTS = {
	channel: 'sandbox.hint.channel',
	flag: 'sandbox.hint.flag',
	person: 'sandbox.hint.person',
	picture: 'sandbox.hint.picture',
	role: 'sandbox.hint.role',
	text: 'sandbox.hint.text',
};

/** Returns what can be given for a field, to complete a sentence. @param {Field} field */
export function hint(field) {
	if (field.kind === 'choice') return field.choices.join(', ');
	if (field.kind === 'choices') {
		const { min, max } = field;
		return min === max ? t('sandbox.hint.choicesExact', { min }) : t('sandbox.hint.choices', { min, max });
	}
	if (field.kind === 'integer') return t('sandbox.hint.integer', { min: field.min, max: field.max });
	return t(HINTS[field.kind]);
}

/** Returns a command as text, from which `optionsIn` reads the same options. Pictures are left out. @param {CommandDescription} command @param {Record<string, any>} options */
export function textFor(command, options) {
	const first = command.fields.find(({ kind }) => kind === 'text')?.name ?? '';
	const { [first]: text, ...named } = options;
	const pairs = Object.entries(named).map(([name, value]) => `${name}:${/\s/.test(`${value}`) ? `"${value}"` : value}`);
	return [`/${command.name}`, ...(text === undefined ? [] : [text]), ...pairs].join(' ');
}
