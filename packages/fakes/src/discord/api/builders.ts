import {
	ActionRowBuilder,
	ButtonBuilder,
	ChannelSelectMenuBuilder,
	CheckboxBuilder,
	CheckboxGroupBuilder,
	ContextMenuCommandBuilder,
	FileUploadBuilder,
	LabelBuilder,
	MentionableSelectMenuBuilder,
	ModalBuilder,
	RadioGroupBuilder,
	RoleSelectMenuBuilder,
	SlashCommandAttachmentOption,
	SlashCommandBooleanOption,
	SlashCommandBuilder,
	SlashCommandChannelOption,
	SlashCommandIntegerOption,
	SlashCommandMentionableOption,
	SlashCommandNumberOption,
	SlashCommandRoleOption,
	SlashCommandStringOption,
	SlashCommandSubcommandBuilder,
	SlashCommandSubcommandGroupBuilder,
	SlashCommandUserOption,
	StringSelectMenuBuilder,
	TextDisplayBuilder,
	TextInputBuilder,
	UserSelectMenuBuilder,
} from 'discord.js';

/** A builder of the library. Its setters and `toJSON` check lengths, ranges and combinations. */
type Builder = { toJSON(): unknown } & Record<string, unknown>;
type Json = Record<string, unknown> & { type?: number };

/** By the type of the component. The library checks no other types. */
const COMPONENTS: Readonly<Record<number, new () => unknown>> = {
	1: ActionRowBuilder,
	2: ButtonBuilder,
	3: StringSelectMenuBuilder,
	4: TextInputBuilder,
	5: UserSelectMenuBuilder,
	6: RoleSelectMenuBuilder,
	7: MentionableSelectMenuBuilder,
	8: ChannelSelectMenuBuilder,
	10: TextDisplayBuilder,
	18: LabelBuilder,
	19: FileUploadBuilder,
	21: RadioGroupBuilder,
	22: CheckboxGroupBuilder,
	23: CheckboxBuilder,
};

const OPTIONS: Readonly<Record<number, { of: new () => unknown; add: string }>> = {
	1: { of: SlashCommandSubcommandBuilder, add: 'addSubcommand' },
	2: { of: SlashCommandSubcommandGroupBuilder, add: 'addSubcommandGroup' },
	3: { of: SlashCommandStringOption, add: 'addStringOption' },
	4: { of: SlashCommandIntegerOption, add: 'addIntegerOption' },
	5: { of: SlashCommandBooleanOption, add: 'addBooleanOption' },
	6: { of: SlashCommandUserOption, add: 'addUserOption' },
	7: { of: SlashCommandChannelOption, add: 'addChannelOption' },
	8: { of: SlashCommandRoleOption, add: 'addRoleOption' },
	9: { of: SlashCommandMentionableOption, add: 'addMentionableOption' },
	10: { of: SlashCommandNumberOption, add: 'addNumberOption' },
	11: { of: SlashCommandAttachmentOption, add: 'addAttachmentOption' },
};

/** Setters with another name than their property. */
const SETTERS: Readonly<Record<string, string>> = { nsfw: 'setNSFW', url: 'setURL' };

/** Returns the error of `@discordjs/builders` for a request's commands, modal or components; undefined when it would build them. */
export function findBuilderError(json: unknown): string | undefined {
	const body = json as Json | Json[] | undefined;
	if (typeof body !== 'object' || body === null) return undefined;
	try {
		if (Array.isArray(body)) buildCommands(body);
		else if ('data' in body) checkData(body['data'] as Json | undefined);
		else checkData(body);
		return undefined;
	} catch (error) {
		return `@discordjs/builders would not build this: ${messageOf(error)}`;
	}
}

/** Commands that were built once, as JSON: a bot registers the same ones at each start. */
const built = new Set<string>();

function buildCommands(commands: readonly Json[]): void {
	for (const command of commands) {
		const json = JSON.stringify(command);
		if (!built.has(json)) buildCommand(command);
		built.add(json);
	}
}

function checkData(data: Json | undefined): void {
	const components = (data?.['components'] ?? []) as Json[];
	if (components.length === 0) return;
	for (const component of components) buildComponent(component);
	if (!data || !('title' in data)) return;
	const { components: _, ...rest } = data;
	applySetters(new ModalBuilder(), rest, false);
	new ModalBuilder(data as ConstructorParameters<typeof ModalBuilder>[0]).toJSON();
}

function buildComponent(component: Json): unknown {
	const { type, components, component: inner, ...rest } = component;
	for (const one of (components ?? []) as Json[]) buildComponent(one);
	if (inner) buildComponent(inner as Json);
	const Built = COMPONENTS[Number(type)];
	if (!Built) return undefined;
	const isContainer = components !== undefined || inner !== undefined;
	applySetters(new Built(), rest, !isContainer);
	// A container is built from its whole JSON; the components in it were checked above.
	return isContainer && (new (Built as new (data: Json) => Builder)(component) as Builder).toJSON();
}

function buildCommand({ type = 1, options, ...rest }: Json): void {
	if (type !== 1) {
		applySetters(new ContextMenuCommandBuilder().setType(type as 3), rest);
		return;
	}
	const builder = new SlashCommandBuilder() as unknown as Builder;
	applySetters(builder, rest, false);
	addOptions(builder, options);
	builder.toJSON();
}

function addOptions(builder: Builder, options: unknown): void {
	for (const { type, options: inner, ...rest } of (options ?? []) as Json[]) {
		const { of: Option, add } = OPTIONS[Number(type)] ?? {};
		if (!Option || !add) throw new Error(`unknown option type ${type}`);
		const option = new Option() as Builder;
		applySetters(option, rest, false);
		addOptions(option, inner);
		(builder[add] as (option: unknown) => unknown)(option);
	}
}

/** Calls the setter of the builder for each field, or for a list the method that adds its values. */
function applySetters(made: unknown, fields: Json, whole = true): void {
	const builder = made as Builder;
	for (const [key, value] of Object.entries(fields)) {
		const name = key.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
		const add = Array.isArray(value) ? builder[`add${name}`] : undefined;
		const set = builder[SETTERS[key] ?? `set${name}`] ?? add;
		if (typeof set !== 'function') throw new Error(`${builder.constructor.name} has no ${key}`);
		const values = set === add && Array.isArray(value) ? value : [value];
		try {
			set.apply(builder, values);
		} catch (error) {
			throw new Error(`${key} ${JSON.stringify(value)?.slice(0, 100)}: ${messageOf(error)}`);
		}
	}
	if (whole) builder.toJSON();
}

/** The messages of an error. The library's validators nest them. */
function messageOf(error: unknown): string {
	const inner = error instanceof Error && 'errors' in error ? error.errors : undefined;
	if (Array.isArray(inner)) return inner.map((one) => messageOf(Array.isArray(one) ? one[1] : one)).join('; ');
	return error instanceof Error ? error.message : String(error);
}
