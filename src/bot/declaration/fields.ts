import { z } from 'zod';
import type { CommandDescription, Field } from '../../domain/command.ts';
import { isMessageId, type MessageId } from '../../i18n/catalogues.ts';
import type { Translate } from '../../i18n/translator.ts';
import type { Capabilities } from '../../service/capabilities.ts';
import type { Command } from './command.ts';

/** What Discord and Slack both take as a name. https://docs.discord.com/developers/interactions/application-commands */
const FIELD_NAME = /^[a-z][a-z0-9_]{0,31}$/;

/** A declared command as platforms list, register and show it. Throws, naming command and option, on what no form can show. */
export function describe(command: Command, capabilities: Capabilities): CommandDescription {
	const cached = descriptions.get(command)?.get(capabilities);
	if (cached) return cached;
	const description: CommandDescription = {
		name: command.name,
		description: checkedDescription(command.description, `/${command.name}`),
		moderators: command.moderators ?? false,
		direct: !command.moderators && !command.serversOnly,
		fields: fieldsOf(command, capabilities),
	};
	const ofCommand = descriptions.get(command) ?? new WeakMap();
	descriptions.set(command, ofCommand.set(capabilities, description));
	return description;
}

/** The core and every platform ask for them, and making them takes its time. */
const descriptions = new WeakMap<Command, WeakMap<Capabilities, CommandDescription>>();

/** As somebody reads it; names and values stay what they are. */
export const inLanguage = (t: Translate, command: CommandDescription): CommandDescription => ({
	...command,
	description: t.declared(command.description),
	fields: command.fields.map((field) => ({ ...field, description: t.declared(field.description) })),
});

/** The inputs of a command, required ones first. */
function fieldsOf(command: Command, capabilities: Capabilities): Field[] {
	const schema = z.toJSONSchema(command.options, { io: 'input', unrepresentable: 'any' });
	// Options that are not declared would not be screened either.
	if (schema.additionalProperties) throw new TypeError(`/${command.name}: options must be a z.strictObject`);
	const required = new Set(schema.required);
	const fields = Object.entries(schema.properties ?? {}).map(([name, property]) =>
		fieldOf(`/${command.name} ${name}`, name, property as Property, required.has(name), capabilities),
	);
	return [...fields.filter((field) => field.required), ...fields.filter((field) => !field.required)];
}

/** The part of JSON Schema that our declarations come to, and the `field` that they add by `.meta()`. */
type Property = z.core.JSONSchema.Schema & { field?: string; completed?: true; suggests?: 'sizes' | 'models' };

function fieldOf(
	where: string,
	name: string,
	property: Property,
	required: boolean,
	capabilities: Capabilities,
): Field {
	if (!FIELD_NAME.test(name)) throw new TypeError(`${where}: not a name that every platform takes`);
	const common = { name, description: checkedDescription(property.description, where), required };
	if (property.enum) return { ...common, kind: 'choice', choices: property.enum.map(String) };
	switch (property.field ?? property.type) {
		case 'string': {
			const { minLength = 0, maxLength, suggests, completed } = property;
			if (maxLength === undefined) throw new TypeError(`${where}: a text needs a maximal length`);
			return {
				...common,
				kind: 'text',
				minLength,
				maxLength,
				suggestions: suggests ? suggestionsOf(capabilities)[suggests] : [],
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

const suggestionsOf = ({ sizes, models }: Capabilities) => ({ sizes, models: models.map(({ id }) => id) });

function checkedDescription(description = '', where: string): MessageId {
	if (!isMessageId(description)) throw new TypeError(`${where}: the description “${description}” is no message's id`);
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

/** The first thing wrong with what a person filled in, as one sentence. A refinement's own message is an id; its text may name `{option}`. */
export function sentenceFor(t: Translate, error: z.ZodError, raw: Readonly<Record<string, unknown>>): string {
	const issue = error.issues[0];
	if (!issue) return t('errors.options.unreadable');
	if (issue.code === 'unrecognized_keys') return t('errors.option.unknown', { option: quotable(issue.keys[0] ?? '') });
	const option = String(issue.path[0] ?? '');
	const value = raw[option];
	if (value === undefined || value === null || value === '') return t('errors.option.missing', { option });
	const given = quotable(String(value));
	switch (issue.code) {
		case 'too_small':
			if (issue.origin === 'string') return t('errors.option.empty', { option });
			return t('errors.option.min', { option, given, least: Number(issue.minimum) });
		case 'too_big': {
			const most = Number(issue.maximum);
			if (issue.origin !== 'string') return t('errors.option.max', { option, given, most });
			const count = String(value).trim().length;
			return t('errors.option.length', { option, count, most });
		}
		case 'invalid_value':
			return t('errors.option.choices', { option, choices: issue.values.map(String).join(', ') });
		case 'invalid_type':
			return t('errors.option.kind', { option, kind: issue.expected });
		case 'custom':
			if (issue.message === 'Invalid input') return t('errors.option.picture', { option });
			return t.declared(issue.message, { ...issue.params, option });
		default:
			return t('errors.option.unreadable', { option });
	}
}

/** Short and harmless enough to be repeated in a sentence. */
const quotable = (text: string) => (text.length > 30 ? `${text.slice(0, 30)}…` : text).replace(/[`\p{C}]/gu, '');
