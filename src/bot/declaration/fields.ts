import { z } from 'zod';
import type { CommandDescription, Field } from '../../domain/command.ts';
import { isMessageId, type MessageId } from '../../i18n/catalogues.ts';
import type { Translate } from '../../i18n/translator.ts';
import type { Capabilities } from '../../service/service.ts';
import type { Command } from './command.ts';

/** The names that Discord and Slack both allow. https://docs.discord.com/developers/interactions/application-commands */
const FIELD_NAME = /^[a-z][a-z0-9_]{0,31}$/;

/**
 * Returns a declared command as platforms list, register and show it. Its fields are made when they are first read: that takes a tenth of
 * the start, and the sandbox needs them later.
 * @throws TypeError, which names the command and the option, when no form can show it; for an option when the fields are read
 */
export function describeCommand(command: Command, capabilities: Capabilities): CommandDescription {
	const cached = descriptions.get(command)?.get(capabilities);
	if (cached) return cached;
	let fields: Field[] | undefined;
	const description: CommandDescription = {
		name: command.name,
		description: checkedDescription(command.description, `/${command.name}`),
		moderators: command.moderators ?? false,
		direct: !command.moderators && !command.serversOnly,
		get fields() {
			fields ??= fieldsOf(command, capabilities);
			return fields;
		},
	};
	const ofCommand = descriptions.get(command) ?? new WeakMap();
	descriptions.set(command, ofCommand.set(capabilities, description));
	return description;
}

/** Descriptions are requested often, and take time to make. */
const descriptions = new WeakMap<Command, WeakMap<Capabilities, CommandDescription>>();

/** Returns the description with its texts translated. Names and values stay as they are. */
export const inLanguage = (t: Translate, command: CommandDescription): CommandDescription => ({
	...command,
	description: t.declared(command.description),
	fields: command.fields.map((field) => ({ ...field, description: t.declared(field.description) })),
});

/** Returns the fields of a command, required ones first. */
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

/** The part of JSON Schema that declarations use, and the properties that they add by `.meta()`. */
type Property = z.core.JSONSchema.Schema & {
	field?: string;
	postable?: true;
	requestable?: true;
	completed?: true;
	suggests?: 'sizes' | 'models';
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
			const { minLength = 0, maxLength, suggests, examples = [], completed } = property;
			if (maxLength === undefined) throw new TypeError(`${where}: a text needs a maximum length`);
			return {
				...common,
				kind: 'text',
				minLength,
				maxLength,
				suggestions: suggests ? suggestionsOf(capabilities)[suggests] : examples.map(String),
				...(completed && { completed }),
			};
		}
		case 'integer': {
			const { minimum, maximum, counts } = property;
			if (minimum === undefined || maximum === undefined)
				throw new TypeError(`${where}: a number needs a minimum and a maximum`);
			return {
				...common,
				kind: 'integer',
				min: minimum,
				max: counts ? Math.min(maximum, capabilities.maxPictures) : maximum,
			};
		}
		case 'boolean':
			return { ...common, kind: 'flag' };
		case 'channel':
			return {
				...common,
				kind: 'channel',
				...(property.postable && { postable: true }),
				...(property.requestable && { requestable: true }),
			};
		case 'picture':
		case 'person':
		case 'role':
			return { ...common, kind: property.field as 'picture' };
		default:
			throw new TypeError(`${where}: no form has a field for options of this kind`);
	}
}

const suggestionsOf = ({ sizes, models }: Capabilities) => ({ sizes, models: models.map(({ id }) => id) });

function checkedDescription(description = '', where: string): MessageId {
	if (!isMessageId(description))
		throw new TypeError(`${where}: the description “${description}” is not the id of a message`);
	return description;
}
