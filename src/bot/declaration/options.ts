import { z } from 'zod';
import type { Upload } from '../../domain/channel.ts';
import type { CommandDescription, Field } from '../../domain/command.ts';
import { inCode, oneLine, quoted } from '../../domain/text.ts';
import { flagIn, isValueOf } from '../../domain/typed-options.ts';
import { isMessageId, type MessageId, SentenceError, type Translate } from '../../i18n/translator.ts';
import type { Capabilities } from '../../service/service.ts';
import type { Command } from './command.ts';

/** Longer than the ids of any platform. */
const MAX_ID = 64;

/** A picture that the person brings: a file on Discord and in the sandbox, a file input on Slack. */
export const picture = (description: MessageId) => z.custom<Upload>(isUpload).meta({ field: 'picture', description });

export const member = (description: MessageId) => idOf('person', description);

export const channel = (description: MessageId) => idOf('channel', description);

/** The id of a channel that the bot can post in: not a category or a forum. */
export const postableChannel = (description: MessageId) => idOf('channel', description).meta({ postable: true });

/** The id of a channel that people can make requests in: not a category. A thread counts as its channel. */
export const requestableChannel = (description: MessageId) => idOf('channel', description).meta({ requestable: true });

/** The id of a role, or of a user group. */
export const role = (description: MessageId) => idOf('role', description);

/** The whole of an answer that leaves out what few ask about. See `moreButton`. */
export const all = z.boolean().describe('options.all').optional();

const idOf = (field: 'person' | 'channel' | 'role', description: MessageId) =>
	z.string().min(1).max(MAX_ID).meta({ field, description }).brand<'id'>();

export const isUpload = (value: unknown): value is Upload =>
	typeof value === 'object' && value !== null && 'read' in value && typeof value.read === 'function';

/** The names that Discord and Slack both allow. https://docs.discord.com/developers/interactions/application-commands */
const FIELD_NAME = /^[a-z][a-z0-9_]{0,31}$/;

/**
 * Returns a declared command as platforms list, register and show it.
 * @throws TypeError, which names the command and the option, when no form can show it
 */
export const describeCommand = (command: Command, capabilities: Capabilities): CommandDescription => ({
	name: command.name,
	description: checkedDescription(command.description, `/${command.name}`),
	moderators: command.moderators ?? false,
	fields: fieldsOf(command, capabilities),
});

/** Returns the description with its texts translated. Names and values stay as they are. */
export const inLanguage = (t: Translate, command: CommandDescription): CommandDescription => ({
	...command,
	description: t.declared(command.description),
	fields: fieldsIn(t, command.fields),
});

const fieldsIn = (t: Translate, fields: readonly Field[]): Field[] =>
	fields.map((field) => ({ ...field, description: t.declared(field.description) }));

const availableCommands = (commands: readonly Command[], capabilities: Capabilities): Command[] =>
	commands.filter(({ needs }) => needs === undefined || capabilities[needs]);

/** Returns the available commands that people can type, as platforms list, register and show them. */
export const describeCommands = (commands: readonly Command[], capabilities: Capabilities): CommandDescription[] =>
	availableCommands(commands, capabilities)
		.filter(({ hidden }) => !hidden)
		.map((command) => describeCommand(command, capabilities));

/** The available commands, by name. */
export class CommandCatalogue {
	readonly descriptions: ReadonlyMap<string, CommandDescription>;
	readonly #commands: ReadonlyMap<string, Command>;
	readonly #all: readonly Command[];

	constructor(commands: readonly Command[], capabilities: Capabilities) {
		const available = availableCommands(commands, capabilities);
		this.#all = commands;
		this.#commands = new Map(available.map((command) => [command.name, command]));
		this.descriptions = new Map(available.map((command) => [command.name, describeCommand(command, capabilities)]));
	}

	find(name: string): Command | undefined {
		return this.#commands.get(name);
	}

	/** Tells whether there is such a command at other services. */
	isUnavailable(name: string): boolean {
		return !this.#commands.has(name) && this.#all.some((command) => command.name === name);
	}

	fields(name: string): readonly Field[] {
		return this.descriptions.get(name)?.fields ?? [];
	}

	/** Returns those fields of a command, in this order, described in a person's language; all by default. */
	formFields(t: Translate, command: string, names?: readonly string[]): Field[] {
		const fields = fieldsIn(t, this.fields(command));
		return names?.flatMap((name) => fields.find((field) => field.name === name) ?? []) ?? fields;
	}
}

/** Of commands that were described: tests start hundreds of bots, and spent a tenth of their time on it. */
const schemas = new WeakMap<Command['options'], z.core.JSONSchema.BaseSchema>();

function schemaOf({ options }: Command): z.core.JSONSchema.BaseSchema {
	const schema = schemas.get(options) ?? z.toJSONSchema(options, { io: 'input', unrepresentable: 'any' });
	schemas.set(options, schema);
	return schema;
}

function fieldsOf(command: Command, capabilities: Capabilities): Field[] {
	const schema = schemaOf(command);
	// Options that are not declared would not be screened either.
	if (schema.additionalProperties) throw new TypeError(`/${command.name}: options must be a z.strictObject`);
	const properties = Object.entries(schema.properties ?? {}) as [string, Property][];
	const shown = properties.filter(([, { hidden, needs }]) => !hidden && (!needs || capabilities[needs]));
	const fields = shown.map(([name, property]) =>
		fieldOf(`/${command.name} ${name}`, name, property, schema.required?.includes(name) ?? false, capabilities),
	);
	return fields.toSorted((one, other) => Number(other.required) - Number(one.required));
}

/** The part of JSON Schema that declarations use, and the properties that they add by `.meta()`. */
type Property = z.core.JSONSchema.Schema & {
	field?: string;
	postable?: true;
	requestable?: true;
	completed?: true;
	hidden?: true;
	needs?: 'quality';
	suggests?: 'sizes' | 'models';
	named?: true;
	counts?: 'pictures';
};

function fieldOf(
	where: string,
	name: string,
	property: Property,
	required: boolean,
	capabilities: Capabilities,
): Field {
	if (!FIELD_NAME.test(name)) throw new TypeError(`${where}: not a name that every platform allows`);
	const common = { name, description: checkedDescription(property.description, where), required };
	if (property.enum) return { ...common, kind: 'choice', choices: property.enum.map(String) };
	switch (property.field ?? property.type) {
		case 'string': {
			const { minLength = 0, maxLength, suggests, examples = [], completed, named } = property;
			if (maxLength === undefined) throw new TypeError(`${where}: a text needs a maximum length`);
			const offered = { sizes: capabilities.sizes, models: capabilities.models.map(({ id }) => id) };
			const suggestions = suggests ? offered[suggests] : examples.map(String);
			return { ...common, kind: 'text', minLength, maxLength, suggestions, completed, named };
		}
		case 'integer': {
			const { minimum: min, maximum: most, counts } = property;
			if (min === undefined || most === undefined)
				throw new TypeError(`${where}: a number needs a minimum and a maximum`);
			return { ...common, kind: 'integer', min, max: counts ? Math.min(most, capabilities.maxPictures) : most };
		}
		case 'boolean':
			return { ...common, kind: 'flag' };
		case 'channel':
			return { ...common, kind: 'channel', postable: property.postable, requestable: property.requestable };
		case 'picture':
		case 'person':
		case 'role':
			return { ...common, kind: property.field as 'picture' };
		default:
			throw new TypeError(`${where}: no form has a field for options of this kind`);
	}
}

function checkedDescription(description = '', where: string): MessageId {
	if (!isMessageId(description))
		throw new TypeError(`${where}: the description “${description}” is not the id of a message`);
	return description;
}

type Options = Readonly<Record<string, unknown>>;

/** Returns the options that a person gave, checked, or what is wrong with the first faulty one. */
export function parseOptions(
	command: { options: z.ZodObject },
	fields: readonly Field[],
	options: Options,
): { options: Record<string, unknown> } | SentenceError {
	const given = coerceOptions(fields, options);
	const parsed = command.options.safeParse(given);
	if (!parsed.success) return optionRefusal(parsed.error, given);
	return aboveMaximum(fields, parsed.data) ?? { options: parsed.data };
}

/** `--ar 16:9` or `--ar 16:9 2K`, also with the dashes that phones make of two. */
const FLAG = /(?<![^\s])(?:--|[—–])([a-z][a-z-]{0,30})(?:[ =](\d{1,2}:\d{1,2} [24]k|[\w:.,/]{1,40}))?(?![^\s])/gi;

/** `--no text, people`: what a picture should not show, up to the next flag. */
const WITHOUT = /(?<![^\s])(?:--|[—–])no[ =].*?(?=\s(?:--|[—–])[a-z]|$)/gis;

/** `size:wide`, as options of typed commands are written, with a comma before it. */
const OPTION = /(?:^|,?\s)([\p{L}_]{1,32})[:：]([^\s,;]{1,40})[,;.]?(?!\S)/giu;

/** A size at the end of a prompt, which stays in it: a ratio may mean a time or a verse as well. */
const SIZE_AT_END =
	/(?:(?<![^\s,(])((?:21|16|9|5|4|3|2|1):(?:21|16|9|5|4|3|2|1))|,\s?(square|portrait|landscape|wide|tall))(?:[\s-](?:aspect\s)?(?:format|ratio))?[).!]?$/i;

/** The longest part of an unknown flag that is named. */
const MAX_FLAG = 60;

const ALIASES: Readonly<Record<string, string>> = { ar: 'size', aspect: 'size', 'aspect-ratio': 'size', num: 'n' };

/**
 * Reads the options in the prompt of a command: flags, as people type them for other bots, and `name:value` where that is a value of the
 * option. They are used where the option is not given, and left out of the prompt. So are other flags.
 *
 * @param nameOf returns the name of an option in the person's language, which is read as well
 * @returns the options, and the unknown flags as they were written
 */
export function readFlags(
	fields: readonly Field[],
	options: Options,
	nameOf = (name: string) => name,
): { options: Options; unknown?: string[] } {
	const { prompt } = options;
	const unknown: string[] = [];
	if (typeof prompt !== 'string') return { options };
	const found: Record<string, unknown> = {};
	const wanted = prompt.replace(WITHOUT, (written) => {
		unknown.push(oneLine(written, MAX_FLAG));
		return '';
	});
	const unflagged = wanted.replace(FLAG, (written: string, flag: string, value: string | undefined, at: number) => {
		const field = fieldOfFlag(fields, flag);
		const after = wanted.slice(at + written.length).trimStart();
		// A word after a flag in the middle of a prompt may belong to the prompt.
		const isValue = value !== undefined && (/^[\d.:]+$/.test(value) || after === '' || /^(?:--|[—–])/.test(after));
		const isTaken = field ? field.kind !== 'flag' : isValue;
		if (field) found[field.name] ??= isTaken ? (value ?? true) : true;
		else unknown.push((isTaken ? written : `--${flag}`).trim());
		return isTaken ? '' : (value ?? '');
	});
	const text = unflagged.replace(OPTION, (written: string, name: string, value: string) => {
		const field = fieldOfFlag(fields, fields.find((one) => nameOf(one.name) === name.toLowerCase())?.name ?? name);
		if (!field || !isValueOf(field, value)) return written;
		found[field.name] ??= value;
		return '';
	});
	const [, ratio, shape] = (fieldOfFlag(fields, 'size') && SIZE_AT_END.exec(text.trim())) ?? [];
	if (ratio || shape) found['size'] ??= ratio ?? shape;
	return { options: { ...found, ...options, prompt: text }, ...(unknown.length > 0 && { unknown }) };
}

function fieldOfFlag(fields: readonly Field[], flag: string): Field | undefined {
	const name = ALIASES[flag.toLowerCase()] ?? flag.toLowerCase();
	return fields.find((field) => field.name === name && name !== 'prompt' && FLAGS.has(field.kind));
}

/** The kinds of options that a flag can stand for. */
const FLAGS: ReadonlySet<Field['kind']> = new Set(['text', 'choice', 'integer', 'flag']);

/** Returns options of platforms that have only text as the kinds that the fields declare. Empty ones are left out. */
export function coerceOptions(fields: readonly Field[], options: Options): Record<string, unknown> {
	const kinds = new Map(fields.map(({ name, kind }) => [name, kind]));
	const given = Object.entries(options).filter(([, value]) => !isEmpty(value));
	return Object.fromEntries(given.map(([name, value]) => [name, coerce(kinds.get(name), value)]));
}

/** A text in which nothing is visible, as every declaration refuses it. */
const BLANK = ' ';

const isEmpty = (value: unknown) => value === undefined || value === null || value === '';

function coerce(kind: Field['kind'] | undefined, value: unknown): unknown {
	if (kind === 'text' && typeof value === 'number') return String(value);
	if (typeof value !== 'string') return value;
	if (oneLine(value) === '') return BLANK;
	// Keyboards of East Asia write digits of full width.
	const number = kind === 'integer' ? value.normalize('NFKC').trim() : '';
	if (/^-?\d{1,15}$/.test(number)) return Number(number);
	if (kind === 'flag') return flagIn(value) ?? value;
	return value;
}

/** Returns the first fault of a person's options. A refinement's own message is an id, with `{option}` as a placeholder. */
export function optionRefusal(error: z.ZodError, options: Options): SentenceError {
	const issue = error.issues[0];
	if (!issue) return new SentenceError('errors.options.unreadable');
	if (issue.code === 'unrecognized_keys')
		return new SentenceError('errors.option.unknown', { option: inCode(issue.keys[0] ?? '', MAX_GIVEN) });
	const option = String(issue.path[0] ?? '');
	const value = options[option];
	if (isEmpty(value)) return new SentenceError('errors.option.missing', { option });
	const given = quoted(String(value), MAX_GIVEN);
	switch (issue.code) {
		case 'too_small':
			if (issue.origin === 'string') return new SentenceError('errors.option.empty', { option });
			return new SentenceError('errors.option.min', { option, given, least: Number(issue.minimum) });
		case 'too_big': {
			const most = Number(issue.maximum);
			if (issue.origin !== 'string') return new SentenceError('errors.option.max', { option, given, most });
			return new SentenceError('errors.option.length', { option, count: [...String(value).trim()].length, most });
		}
		case 'invalid_value':
			return new SentenceError('errors.option.choices', { option, choices: issue.values.map(String).join(', ') });
		case 'invalid_type':
			return new SentenceError('errors.option.kind', { option, kind: issue.expected });
		case 'custom':
			if (issue.message === 'Invalid input') return new SentenceError('errors.option.picture', { option });
			return isMessageId(issue.message)
				? new SentenceError(issue.message, { ...issue.params, option })
				: new SentenceError('errors.words', { words: issue.message });
		default:
			return new SentenceError('errors.option.unreadable', { option });
	}
}

/** Refuses a number that is above what the service allows; its fields know that, and the declaration does not. */
function aboveMaximum(fields: readonly Field[], options: Options): SentenceError | undefined {
	const given = ({ name }: Field) => Number(options[name] ?? 0);
	const above = fields.filter((field) => field.kind === 'integer').find((field) => given(field) > field.max);
	const values = above && { option: above.name, given: String(given(above)), most: above.max };
	return values && new SentenceError('errors.option.max', values);
}

/** The longest part of an option that a sentence repeats. */
const MAX_GIVEN = 31;
