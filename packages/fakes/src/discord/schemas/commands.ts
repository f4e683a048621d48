import { type ChannelType, Locale, ApplicationCommandOptionType as Type } from 'discord-api-types/v10';
import { z } from 'zod';
import { addFieldError } from './read-form.ts';

/** Limits of commands. https://docs.discord.com/developers/interactions/application-commands */
const MAX_CHARACTERS = 8000;
const MAX_COMMANDS = { 1: 100, 2: 15, 3: 15 } as const;

const chatName = z
	.string()
	.min(1)
	.max(32)
	.regex(/^[-_'\p{L}\p{N}\p{sc=Deva}\p{sc=Thai}]+$/u)
	.refine((name) => name === name.toLowerCase(), 'Command name must be lowercase');
const description = z.string().min(1).max(100);
const locale = z.enum(Object.values(Locale) as [Locale, ...Locale[]]);
const localized = (text: z.ZodType<string>) => z.partialRecord(locale, text).nullish();
const choiceName = z.string().min(1).max(100);

const choice = (value: z.ZodType<string | number>) =>
	z.object({ name: choiceName, name_localizations: localized(choiceName), value });
const common = {
	name: chatName,
	name_localizations: localized(chatName),
	description,
	description_localizations: localized(description),
	required: z.boolean().optional(),
};
const completed = { autocomplete: z.boolean().optional() };
const number = z.number();

const textOption = z.object({
	type: z.literal(Type.String),
	...common,
	...completed,
	choices: z
		.array(choice(z.string().min(1).max(100)))
		.max(25)
		.optional(),
	min_length: z.number().int().min(0).max(6000).optional(),
	max_length: z.number().int().min(1).max(6000).optional(),
});
const numberOption = <T extends Type.Integer | Type.Number>(type: T, value: z.ZodNumber) =>
	z.object({
		type: z.literal(type),
		...common,
		...completed,
		choices: z.array(choice(value)).max(25).optional(),
		min_value: value.optional(),
		max_value: value.optional(),
	});
const plainOption = <T extends Type.Boolean | Type.User | Type.Role | Type.Mentionable>(type: T) =>
	z.object({ type: z.literal(type), ...common });
const channelOption = z.object({
	type: z.literal(Type.Channel),
	...common,
	channel_types: z.array(z.number().int()).optional(),
});
const attachmentOption = z.object({
	type: z.literal(Type.Attachment),
	...common,
	file_types: z
		.array(z.string().regex(/^(image|video|audio|\.[a-z0-9]+)$/i))
		.max(10)
		.optional(),
});

const valueOption = z
	.discriminatedUnion('type', [
		textOption.strict(),
		numberOption(Type.Integer, number.int()).strict(),
		numberOption(Type.Number, number).strict(),
		...([Type.Boolean, Type.User, Type.Role, Type.Mentionable] as const).map((type) => plainOption(type).strict()),
		channelOption.strict(),
		attachmentOption.strict(),
	])
	.superRefine((option, context) => {
		if ('autocomplete' in option && option.autocomplete && option.choices?.length)
			addFieldError(
				context,
				['autocomplete'],
				'APPLICATION_COMMAND_OPTIONS_CHOICES_INVALID',
				'choices or autocomplete',
			);
		if ('choices' in option) {
			const { choices = [] } = option;
			uniqueNames(choices, context, ['choices'], 'APPLICATION_COMMAND_OPTIONS_CHOICE_NAME_ALREADY_EXISTS');
		}
	});

function uniqueNames(named: readonly { name: string }[], context: z.RefinementCtx, path: string[], code: string) {
	for (const [index, { name }] of named.entries())
		if (named.findIndex((other) => other.name === name) < index)
			addFieldError(context, [...path, index], code, `${name} is used twice`);
}

const values = z
	.array(valueOption)
	.max(25)
	.superRefine((options, context) => {
		uniqueNames(options, context, [], 'APPLICATION_COMMAND_OPTIONS_NAME_INVALID');
		const optional = options.findIndex(({ required }) => !required);
		const late = options.findIndex(({ required }, index) => required && optional >= 0 && index > optional);
		if (late >= 0)
			addFieldError(
				context,
				[late],
				'APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID',
				'Required options must be placed before non-required options',
			);
	});
const { required: _, ...named } = common;
const subcommand = z.object({ type: z.literal(Type.Subcommand), ...named, options: values.optional() });
const subcommands = z
	.array(subcommand)
	.max(25)
	.superRefine((all, context) => uniqueNames(all, context, [], 'APPLICATION_COMMAND_OPTIONS_NAME_INVALID'));
const group = z.object({ type: z.literal(Type.SubcommandGroup), ...named, options: subcommands });
const branches = z
	.array(z.discriminatedUnion('type', [subcommand, group]))
	.max(25)
	.superRefine((all, context) => uniqueNames(all, context, [], 'APPLICATION_COMMAND_OPTIONS_NAME_INVALID'));

const settings = {
	name_localizations: localized(z.string().min(1).max(32)),
	default_member_permissions: z.string().regex(/^\d+$/).nullish(),
	contexts: z.array(z.number().int().min(0).max(2)).nullish(),
	integration_types: z.array(z.number().int().min(0).max(1)).min(1).nullish(),
	nsfw: z.boolean().nullish(),
	dm_permission: z.boolean().nullish(),
};
const chatInput = z.object({
	...settings,
	type: z.literal(1).default(1),
	name: chatName,
	name_localizations: localized(chatName),
	description,
	description_localizations: localized(description),
	options: z.unknown().optional(),
});
const menu = z.object({
	...settings,
	type: z.union([z.literal(2), z.literal(3)]),
	name: z.string().min(1).max(32),
	description: z.literal('').optional(),
	options: z.array(z.never()).max(0).optional(),
});

/** The option of a command. */
export type Option = {
	type: Type;
	name: string;
	description: string;
	required?: boolean;
	choices?: { name: string; value: string | number }[];
	autocomplete?: boolean;
	min_value?: number;
	max_value?: number;
	min_length?: number;
	max_length?: number;
	file_types?: string[];
	channel_types?: ChannelType[];
	options?: Option[];
};
/** A command to register. */
export type Command = {
	type: 1 | 2 | 3;
	name: string;
	description: string;
	options?: Option[];
	default_member_permissions?: string | null;
	contexts?: number[] | null;
	integration_types?: number[] | null;
	nsfw?: boolean | null;
} & Record<string, unknown>;

const branched = (options: unknown) =>
	Array.isArray(options) && options.some((option: { type?: unknown }) => option.type === 1 || option.type === 2);

/** A command. Its options are either all subcommands, or none is. */
export const command = z
	.looseObject({ type: z.number().nullish(), options: z.unknown().optional() })
	.transform((made) => ({ ...made, type: made.type ?? 1 }))
	.superRefine((made, context) => {
		const schema =
			made.type === 1
				? chatInput.extend({ options: branched(made.options) ? branches.optional() : values.optional() })
				: menu;
		for (const issue of schema.safeParse(made).error?.issues ?? [])
			context.addIssue(issue as Parameters<typeof context.addIssue>[0]);
		if (length(made) > MAX_CHARACTERS)
			addFieldError(context, [], 'APPLICATION_COMMAND_TOO_LARGE', `Command exceeds maximum size (${MAX_CHARACTERS})`);
	}) as unknown as z.ZodType<Command>;

/** All commands of an application. */
export const commands = z.array(command).superRefine((all, context) => {
	for (const [index, { type, name }] of all.entries())
		if (all.findIndex((other) => other.type === type && other.name === name) < index)
			addFieldError(
				context,
				[index],
				'APPLICATION_COMMANDS_DUPLICATE_NAME',
				'Application command names must be unique',
			);
	for (const type of [1, 2, 3] as const)
		if (all.filter((one) => one.type === type).length > MAX_COMMANDS[type])
			addFieldError(context, [], 'BASE_TYPE_MAX_LENGTH', `At most ${MAX_COMMANDS[type]} commands of type ${type}`);
});

/** The number of characters in names, descriptions and values, each in its longest localization. */
function length(node: unknown): number {
	if (typeof node !== 'object' || node === null) return 0;
	const { name, description, value, name_localizations, description_localizations, options, choices } = node as Record<
		string,
		unknown
	>;
	const longest = (text: unknown, translations: unknown) =>
		Math.max(...[text, ...Object.values(translations ?? {})].map((one) => (typeof one === 'string' ? one.length : 0)));
	const children = [...(Array.isArray(options) ? options : []), ...(Array.isArray(choices) ? choices : [])];
	return (
		longest(name, name_localizations) +
		longest(description, description_localizations) +
		(typeof value === 'string' ? value.length : 0) +
		children.reduce((sum: number, child) => sum + length(child), 0)
	);
}
