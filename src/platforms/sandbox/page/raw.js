/**
 * A command as typed: `/imagine a red fox size:1536x1024 n:2`. Options are `name:value`, quoted when they hold spaces; all other
 * words are the first text option that was not named. Required options that are no text take a word each before it, in
 * order: `/limits set server month 100`.
 */

/** @typedef {import('../../../domain/platform.ts').CommandDescription} CommandDescription */
/** @typedef {import('../../../domain/platform.ts').Field} Field */
/** @typedef {{ people: Named[], channels: Named[], roles: Named[] }} Directory */
/** @typedef {{ id: string, name: string }} Named */

/** The command that a text begins with, the longest name first, so that `limits set` is not `limits`.
 * @param {string} text @param {readonly CommandDescription[]} commands
 * @returns {{ command: CommandDescription, rest: string } | undefined} */
export function commandIn(text, commands) {
	if (!text.startsWith('/')) return undefined;
	const longestFirst = commands.toSorted((a, b) => b.name.length - a.name.length);
	const typed = text.slice(1).toLowerCase();
	const command = longestFirst.find(({ name }) => typed === name || new RegExp(`^${name}\\s`).test(typed));
	return command && { command, rest: text.slice(1 + command.name.length).trim() };
}

/**
 * @param {CommandDescription} command
 * @param {string} rest what follows its name
 * @param {Directory} directory
 * @returns {{ options: Record<string, string | number | boolean>, problem?: string }}
 */
export function optionsIn(command, rest, directory) {
	/** @type {Record<string, string | number | boolean>} */
	const options = {};
	let problem;
	const fields = new Map(command.fields.filter(({ kind }) => kind !== 'picture').map((field) => [field.name, field]));
	const words = rest.replaceAll(/(?<=^|\s)([a-z][a-z0-9_]*):(?:"([^"]*)"|(\S+))/gi, (whole, name, quoted, plain) => {
		const field = fields.get(name.toLowerCase());
		if (!field || field.name in options) return whole;
		const value = readValue(field, quoted ?? plain, directory);
		if (value === undefined) problem ??= `“${quoted ?? plain}” is no value for ${field.name}: ${hint(field)}.`;
		else options[field.name] = value;
		return '';
	});
	// Begun and left empty, as when the list of options is being explored.
	const begun = /(?:^|\s)([a-z][a-z0-9_]*):\s*$/i.exec(words);
	const spoken = begun && fields.has(begun[1].toLowerCase()) ? words.slice(0, begun.index) : words;
	let text = spoken.replaceAll(/[^\S\n]+/g, ' ').trim();
	for (const field of command.fields) {
		if (!field.required || field.kind === 'text' || text === '') break;
		if (field.kind === 'picture' || field.name in options) continue;
		const [word] = text.split(/\s/, 1);
		const value = readValue(field, word, directory);
		if (value === undefined) problem ??= `“${word}” is no value for ${field.name}: ${hint(field)}.`;
		else options[field.name] = value;
		text = text.slice(word.length).trim();
	}
	if (text !== '') {
		const open = command.fields.filter((field) => !(field.name in options));
		const taker = open.find(({ kind }) => kind === 'text') ?? open.find(({ kind }) => kind !== 'picture');
		const value = taker && readValue(taker, text, directory);
		if (!taker) problem ??= `/${command.name} takes no words.`;
		else if (value === undefined) problem ??= `“${text}” is no value for ${taker.name}: ${hint(taker)}.`;
		else options[taker.name] = value;
	}
	return problem ? { options, problem } : { options };
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

/** @param {Field} field */
export function hint(field) {
	if (field.kind === 'choice') return field.choices.join(', ');
	if (field.kind === 'choices')
		return field.min === field.max ? `${field.min} of these` : `${field.min} to ${field.max} of these`;
	if (field.kind === 'integer') return `a whole number from ${field.min} to ${field.max}`;
	if (field.kind === 'flag') return 'true or false';
	return {
		text: 'a text',
		picture: 'a picture',
		person: 'a name here',
		channel: 'a channel here',
		role: 'a role here',
	}[field.kind];
}

/** The words that `optionsIn` reads these options from, pictures left out. @param {CommandDescription} command @param {Record<string, any>} options */
export function wordsFor(command, options) {
	const first = command.fields.find(({ kind }) => kind === 'text')?.name ?? '';
	const { [first]: text, ...named } = options;
	const pairs = Object.entries(named).map(([name, value]) => `${name}:${/\s/.test(`${value}`) ? `"${value}"` : value}`);
	return [`/${command.name}`, ...(text === undefined ? [] : [text]), ...pairs].join(' ');
}
