import { z } from 'zod';
import type { Command } from './command.ts';
import type { CommandDescription, Field } from './platform.ts';

/** What Discord and Slack both take as a name. https://docs.discord.com/developers/interactions/application-commands */
const FIELD_NAME = /^[a-z][a-z0-9_]{0,31}$/;

/** Discord's limit for descriptions, the tightest. https://docs.discord.com/developers/interactions/application-commands */
const MAX_DESCRIPTION = 100;

/** A declared command as platforms list, register and show it. Throws, naming command and option, on what no form can show. */
export const describe = (command: Command): CommandDescription => ({
	name: command.name,
	description: within(command.description, command.name),
	moderators: command.moderators ?? false,
	direct: !command.moderators && !command.serversOnly,
	fields: fieldsOf(command),
});

/** The inputs of a command, required ones first. */
function fieldsOf(command: Command): Field[] {
	const schema = z.toJSONSchema(command.options, { io: 'input', unrepresentable: 'any' });
	const required = new Set(schema.required);
	const fields = Object.entries(schema.properties ?? {}).map(([name, property]) =>
		fieldOf(`/${command.name} ${name}`, name, property as Property, required.has(name)),
	);
	return [...fields.filter((field) => field.required), ...fields.filter((field) => !field.required)];
}

/** The part of JSON Schema that our declarations come to, and the `field` that they add by `.meta()`. */
type Property = z.core.JSONSchema.Schema & { field?: string; completed?: true };

function fieldOf(where: string, name: string, property: Property, required: boolean): Field {
	if (!FIELD_NAME.test(name)) throw new TypeError(`${where}: not a name that every platform takes`);
	const common = { name, description: within(property.description ?? '', where), required };
	if (property.enum) return { ...common, kind: 'choice', choices: property.enum.map(String) };
	switch (property.field ?? property.type) {
		case 'string': {
			const { minLength = 0, maxLength, examples = [], completed } = property;
			if (maxLength === undefined) throw new TypeError(`${where}: a text needs a maximal length`);
			return {
				...common,
				kind: 'text',
				minLength,
				maxLength,
				suggestions: examples.map(String),
				...(completed && { completed }),
			};
		}
		case 'integer': {
			const { minimum, maximum } = property;
			if (minimum === undefined || maximum === undefined) throw new TypeError(`${where}: a number needs its bounds`);
			return { ...common, kind: 'integer', min: minimum, max: maximum };
		}
		case 'boolean':
			return { ...common, kind: 'flag' };
		case 'picture':
		case 'person':
		case 'channel':
		case 'role':
			return { ...common, kind: property.field as 'picture' };
		default:
			throw new TypeError(`${where}: no input for options of this kind`);
	}
}

function within(description: string, where: string): string {
	if (description.length < 1 || description.length > MAX_DESCRIPTION)
		throw new TypeError(`${where}: a description has 1 to ${MAX_DESCRIPTION} characters`);
	return description;
}

/** What platforms without typed options hand over as words, as the kinds that the command declares. Empty ones are left out. */
export function typed(fields: readonly Field[], raw: Readonly<Record<string, unknown>>): Record<string, unknown> {
	const kinds = new Map(fields.map(({ name, kind }) => [name, kind]));
	const given = Object.entries(raw).filter(([, value]) => value !== undefined && value !== null && value !== '');
	return Object.fromEntries(given.map(([name, value]) => [name, typedAs(kinds.get(name), value)]));
}

function typedAs(kind: Field['kind'] | undefined, value: unknown): unknown {
	if (kind === 'text' && typeof value === 'number') return String(value);
	if (typeof value !== 'string') return value;
	if (kind === 'integer' && /^-?\d{1,15}$/.test(value.trim())) return Number(value);
	if (kind === 'flag' && /^(true|yes|false|no)$/i.test(value)) return /^[ty]/i.test(value);
	return value;
}

/** The first thing wrong with what a person filled in, as one sentence. */
export function sentenceFor(error: z.ZodError, raw: Readonly<Record<string, unknown>>): string {
	const issue = error.issues[0];
	if (!issue) return 'Something in this command could not be read.';
	if (issue.code === 'unrecognized_keys') return `There is no option \`${clip(issue.keys[0] ?? '')}\`.`;
	const name = String(issue.path[0] ?? '');
	const value = raw[name];
	if (value === undefined || value === null || value === '') return `\`${name}\` is missing.`;
	switch (issue.code) {
		case 'too_small':
			return issue.origin === 'string'
				? `\`${name}\` is empty.`
				: `\`${name}\` is at least ${issue.minimum}; you gave ${clip(String(value))}.`;
		case 'too_big':
			return issue.origin === 'string'
				? `\`${name}\` has ${String(value).trim().length} characters; at most ${issue.maximum} are allowed.`
				: `\`${name}\` is at most ${issue.maximum}; you gave ${clip(String(value))}.`;
		case 'invalid_value':
			return `\`${name}\` is one of ${issue.values.map(String).join(', ')}.`;
		case 'invalid_type':
			return `\`${name}\` is not ${NOUNS[issue.expected] ?? 'what is expected here'}.`;
		default:
			return `\`${name}\` ${issue.message === 'Invalid input' ? 'is not a picture file' : issue.message}.`;
	}
}

const NOUNS: Record<string, string> = {
	string: 'a text',
	int: 'a whole number',
	number: 'a whole number',
	boolean: 'yes or no',
};

/** Short and harmless enough to be repeated in a sentence. */
const clip = (text: string) => (text.length > 30 ? `${text.slice(0, 30)}…` : text).replace(/[`\p{C}]/gu, '');
