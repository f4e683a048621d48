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

/** What the library itself would have built: its setters check lengths, bounds and combinations, as does `toJSON`. */
type Builder = { toJSON(): unknown } & Record<string, unknown>;
type Json = Record<string, unknown> & { type?: number };

/** By their type in Discord's JSON. Those that are not here, the library does not check. */
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

/** Setters that are not called after their property. */
const SETTERS: Readonly<Record<string, string>> = { nsfw: 'setNSFW', url: 'setURL', choices: 'addChoices' };

/** What `@discordjs/builders` has against a request's body: commands, a form, a message's components. Undefined when nothing. */
export function builtWrong(json: unknown): string | undefined {
	const body = json as Json | Json[] | undefined;
	if (typeof body !== 'object' || body === null) return undefined;
	try {
		if (Array.isArray(body)) for (const command of body) buildCommand(command);
		else if ('data' in body) checkData(body['data'] as Json | undefined);
		else checkData(body);
		return undefined;
	} catch (error) {
		return `@discordjs/builders would not build this: ${sentence(error)}`;
	}
}

function checkData(data: Json | undefined): void {
	const components = (data?.['components'] ?? []) as Json[];
	if (components.length === 0) return;
	for (const component of components) buildComponent(component);
	if (!data || !('title' in data)) return;
	const { components: _, ...rest } = data;
	built(new ModalBuilder(), rest, false);
	new ModalBuilder(data as ConstructorParameters<typeof ModalBuilder>[0]).toJSON();
}

function buildComponent(component: Json): unknown {
	const { type, components, component: inner, ...rest } = component;
	for (const one of (components ?? []) as Json[]) buildComponent(one);
	if (inner) buildComponent(inner as Json);
	const Built = COMPONENTS[Number(type)];
	if (!Built) return undefined;
	const holds = components !== undefined || inner !== undefined;
	built(new Built(), rest, !holds);
	// What holds others is built whole from its JSON: those within have been looked at.
	return holds && (new (Built as new (data: Json) => Builder)(component) as Builder).toJSON();
}

function buildCommand({ type = 1, options, ...rest }: Json): void {
	if (type !== 1) {
		built(new ContextMenuCommandBuilder().setType(type as 3), rest);
		return;
	}
	const builder = new SlashCommandBuilder() as unknown as Builder;
	built(builder, rest, false);
	addOptions(builder, options);
	builder.toJSON();
}

function addOptions(builder: Builder, options: unknown): void {
	for (const { type, options: inner, ...rest } of (options ?? []) as Json[]) {
		const { of: Option, add } = OPTIONS[Number(type)] ?? {};
		if (!Option || !add) throw new Error(`there are no options of type ${type}`);
		const option = new Option() as Builder;
		built(option, rest, false);
		addOptions(option, inner);
		(builder[add] as (option: unknown) => unknown)(option);
	}
}

/** Gives a builder all of this by its setters. */
function built(made: unknown, fields: Json, whole = true): void {
	const builder = made as Builder;
	for (const [key, value] of Object.entries(fields)) {
		const name = SETTERS[key] ?? `set${key.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())}`;
		const set = builder[name];
		if (typeof set !== 'function') throw new Error(`${builder.constructor.name} has no ${key}`);
		const values = key === 'choices' && Array.isArray(value) ? value : [value];
		try {
			set.apply(builder, values);
		} catch (error) {
			throw new Error(`${key} ${JSON.stringify(value)?.slice(0, 100)}: ${sentence(error)}`);
		}
	}
	if (whole) builder.toJSON();
}

/** The library's validators put their complaints into one another. */
function sentence(error: unknown): string {
	const inner = error instanceof Error && 'errors' in error ? error.errors : undefined;
	if (Array.isArray(inner)) return inner.map((one) => sentence(Array.isArray(one) ? one[1] : one)).join('; ');
	return error instanceof Error ? error.message : String(error);
}
