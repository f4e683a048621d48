import {
	type APIApplicationCommandSubcommandOption,
	ApplicationCommandOptionType,
	ApplicationCommandType,
	ApplicationIntegrationType,
	InteractionContextType,
	PermissionFlagsBits,
	type RESTPostAPIApplicationCommandsJSONBody,
	type RESTPostAPIChatInputApplicationCommandsJSONBody,
} from 'discord.js';
import { type CommandDescription, messageMenu } from '../../../domain/command.ts';
import { clip } from '../../../domain/text.ts';
import { english, type Localize, localizedDescription, localizedName } from './localize.ts';
import { optionOf } from './option.ts';

/** https://docs.discord.com/developers/interactions/application-commands#application-command-object */
const MAX_DESCRIPTION = 100;

/** The commands' JSON for registration. `limits set` becomes the subcommand `set` of `limits`. */
export function commandsJson(
	commands: readonly CommandDescription[],
	localize: Localize = () => undefined,
): RESTPostAPIApplicationCommandsJSONBody[] {
	const groups = Map.groupBy(commands, ({ name }) => name.split(' ')[0] ?? name);
	const chatInput = [...groups].map(([name, members]) => chatInputCommand(name, members, localize));
	const menu = messageMenu(commands).map(({ name }) => {
		const name_localizations = localize((t) => t(name));
		return {
			type: ApplicationCommandType.Message as const,
			name: english(name),
			...availability(true),
			...(name_localizations && { name_localizations }),
		};
	});
	return [...chatInput, ...menu];
}

function chatInputCommand(
	name: string,
	members: readonly CommandDescription[],
	localize: Localize,
): RESTPostAPIChatInputApplicationCommandsJSONBody {
	const [first] = members;
	const single = members.length === 1 && first?.name === name ? first : undefined;
	const forModerators = members.every((member) => member.moderators);
	const subcommands = members.map((member) => member.name.slice(name.length + 1));
	// Discord shows the description of a group only in the server's settings, where a list of its subcommands is most useful.
	const description = single?.description ?? clip(`/${name} ${subcommands.join(', ')}`, MAX_DESCRIPTION);
	return {
		type: ApplicationCommandType.ChatInput,
		...localizedName(name, localize),
		...localizedDescription(description, localize),
		options: single
			? single.fields.map((field) => optionOf(field, localize))
			: members.map((member, index) => subcommand(member, subcommands[index] ?? '', localize)),
		...(forModerators && { default_member_permissions: String(PermissionFlagsBits.ManageGuild) }),
		...availability(members.every(({ direct }) => direct)),
	};
}

const subcommand = (
	{ description, fields }: CommandDescription,
	name: string,
	localize: Localize,
): APIApplicationCommandSubcommandOption => ({
	type: ApplicationCommandOptionType.Subcommand,
	...localizedName(name, localize),
	...localizedDescription(description, localize),
	options: fields.map((field) => optionOf(field, localize)),
});

/** Commands for direct messages are also available to users who install the bot for themselves. */
const availability = (direct: boolean) =>
	direct
		? {
				contexts: [InteractionContextType.Guild, InteractionContextType.BotDM, InteractionContextType.PrivateChannel],
				integration_types: [ApplicationIntegrationType.GuildInstall, ApplicationIntegrationType.UserInstall],
			}
		: {
				contexts: [InteractionContextType.Guild],
				integration_types: [ApplicationIntegrationType.GuildInstall],
			};
