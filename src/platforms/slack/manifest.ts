import type { webApi } from '@slack/bolt';
import type { CommandDescription, Field } from '../../domain/command.ts';
import { messageMenu } from '../../domain/message-menu.ts';

/** As Slack's own typings have it, which know scopes and events less well than the parts that are held to them. */
type SlackManifest = webApi.AppsManifestCreateArguments['manifest'];

/** What the bot may do, and what for. https://docs.slack.dev/reference/scopes */
const SCOPES: Readonly<Record<string, string>> = {
	'app_mentions:read': 'be asked by its name',
	'assistant:write': "Slack's own stop button, and the sign that an answer is coming",
	'channels:history': 'chat threads in public channels, and pictures in them',
	'channels:read': 'names of channels, and to forget what was said in one that is gone',
	'chat:write': 'answer',
	commands: 'be asked by commands and from the menu of a message',
	'files:read': 'the pictures that people bring',
	'files:write': 'post pictures',
	'groups:history': 'as channels:history, in private channels',
	'groups:read': 'as channels:read, of private channels',
	'im:history': 'direct messages to the bot',
	'im:write': 'answer in a direct message what cannot be answered where it was asked',
	'mpim:history': 'as channels:history, in messages to several',
	'usergroups:read': 'caps and moderators by user group',
	'users:read': 'who is an admin, and in what language to answer',
};

/** What every installation is asked for. */
export const BOT_SCOPES: readonly string[] = Object.keys(SCOPES);

/** https://docs.slack.dev/reference/events */
const BOT_EVENTS = [
	'agent_session_stopped',
	'app_home_opened',
	'app_mention',
	'app_uninstalled',
	'channel_deleted',
	'channel_left',
	'group_deleted',
	'group_left',
	'message.channels',
	'message.groups',
	'message.im',
	'message.mpim',
	'tokens_revoked',
];

/** https://docs.slack.dev/reference/app-manifest */
const MAX_USAGE_HINT = 1000;

/** How Slack reaches Easel: by Socket Mode, or at an address; there for one workspace, or for all that install it. */
export type ManifestAddresses = { by: 'socket' } | { by: 'http'; address: string; workspaces: 'one' | 'many' };

/**
 * The app as Slack takes it, made from the commands. https://docs.slack.dev/reference/app-manifest
 * @param reached `address`: `https://easel.example.com`, where the listener is reached from outside
 */
export function manifestOf(commands: readonly CommandDescription[], reached: ManifestAddresses) {
	const at = (path: string) => (reached.by === 'http' ? new URL(path, reached.address).href : undefined);
	const events = at('/slack/events');
	const many = reached.by === 'http' && reached.workspaces === 'many';
	const groups = Map.groupBy(commands, ({ name }) => name.split(' ')[0] ?? name);
	const shortcuts = messageMenu(commands).map(({ button, name, description }) => ({
		type: 'message' as const,
		name,
		callback_id: button,
		description,
	}));
	const abilities = abilitiesOf(commands);
	return {
		display_information: {
			name: 'Easel',
			description: `${abilities} pictures, with caps that hold.`,
			background_color: '#1f2a44',
		} satisfies SlackManifest['display_information'],
		features: {
			app_home: { home_tab_enabled: true, messages_tab_enabled: true, messages_tab_read_only_enabled: false },
			bot_user: { display_name: 'easel', always_online: true },
			...(shortcuts.length > 0 && { shortcuts }),
			slash_commands: [...groups].map(([name, members]) => ({
				...slashCommand(name, members),
				// Channels, people and groups then come by their ids.
				should_escape: true,
				...(events !== undefined && { url: events }),
			})),
			agent_view: {
				agent_description: `${abilities} pictures from words, and talks in threads.`,
				suggested_prompts: [
					{ title: 'Draw a picture', message: 'Draw a lighthouse at dusk in watercolours' },
					{ title: 'Find a better prompt', message: 'Help me to describe a picture of a market in the rain' },
				],
			},
		} satisfies SlackManifest['features'],
		oauth_config: {
			...(many && { redirect_urls: [at('/slack/oauth_redirect') ?? ''] }),
			scopes: { bot: [...BOT_SCOPES] },
		},
		settings: {
			event_subscriptions: { ...(events !== undefined && { request_url: events }), bot_events: [...BOT_EVENTS] },
			interactivity: {
				is_enabled: true,
				// The second is where user groups are asked for, in forms.
				...(events !== undefined && { request_url: events, message_menu_options_url: events }),
			},
			org_deploy_enabled: many,
			socket_mode_enabled: reached.by === 'socket',
			token_rotation_enabled: many,
		},
	};
}

function abilitiesOf(commands: readonly CommandDescription[]): string {
	const offers = (command: string) => commands.some(({ name }) => name === command);
	const verbs = ['Makes', ...(offers('edit') ? ['edits'] : []), ...(offers('compose') ? ['composes'] : [])];
	return new Intl.ListFormat('en-GB').format(verbs);
}

/** `limits set`, `limits show` and so on are one command at Slack, and their names the first word after it. */
function slashCommand(name: string, members: readonly CommandDescription[]) {
	const [first] = members;
	if (members.length === 1 && first?.name === name) {
		const hint = usageOf(first.fields);
		return { command: `/${name}`, description: first.description, ...(hint && { usage_hint: hint }) };
	}
	const subcommands = members.map((member) => [member.name.slice(name.length + 1), usageOf(member.fields)] as const);
	const words = subcommands.map(([word]) => word).join(', ');
	// Slack shows it beside what is being typed: all of it is no help there.
	const hint = subcommands.map(([word, usage]) => (usage ? `${word} …` : word)).join(' | ');
	return {
		command: `/${name}`,
		description: `${groupDescription(members)}: ${words}`,
		usage_hint: hint.slice(0, MAX_USAGE_HINT),
	};
}

const groupDescription = (members: readonly CommandDescription[]) =>
	members.every(({ moderators }) => moderators) ? 'For moderators' : 'One of';

/** What can be written after a command, as `readSlashText` reads it: pictures can't, and the first text takes all that is left. */
function usageOf(fields: readonly Field[]): string {
	const written = fields.filter(({ kind }) => kind !== 'picture');
	const text = written.find(({ kind }) => kind === 'text');
	const parts = written.map((field) => {
		if (field.required) return writtenAs(field);
		return field === text || isReference(field) ? `[${writtenAs(field)}]` : `[${field.name}:${writtenAs(field)}]`;
	});
	return parts.join(' ');
}

const isReference = ({ kind }: Field) => kind === 'person' || kind === 'channel' || kind === 'role';

function writtenAs(field: Field): string {
	if (field.kind === 'choice') return field.choices.length <= 4 ? field.choices.join('|') : field.name;
	if (field.kind === 'flag') return 'yes';
	if (field.kind === 'integer' && !field.required) return `${field.min}-${field.max}`;
	return isReference(field) ? `${field.kind === 'channel' ? '#' : '@'}${field.name}` : field.name;
}
