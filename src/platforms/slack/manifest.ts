import type { webApi } from '@slack/bolt';
import { type CommandDescription, type Field, messageMenu } from '../../domain/command.ts';
import { translatorFor } from '../../i18n/translator.ts';

/** Slack's type. It is not used for the whole manifest, since it lacks newer scopes and events. */
type SlackManifest = webApi.AppsManifestCreateArguments['manifest'];

/** A manifest has one language. */
const english = translatorFor('en');

/** https://docs.slack.dev/reference/app-manifest */
const MAX_USAGE_HINT = 1000;

/** The bot's scopes, with the reason for each. https://docs.slack.dev/reference/scopes */
const SCOPES: Readonly<Record<string, string>> = {
	'app_mentions:read': 'receive mentions',
	'assistant:write': 'show in a thread that an answer is being written',
	'channels:history': 'read chat threads in public channels, and their pictures',
	'channels:read': 'show names of channels, and delete the history of a channel that is gone',
	'chat:write': 'answer',
	commands: 'receive slash commands and shortcuts',
	'files:read': 'read pictures that people upload',
	'files:write': 'post pictures',
	'groups:history': 'channels:history for private channels',
	'groups:read': 'channels:read for private channels',
	'im:history': 'read direct messages to the bot',
	'im:write': 'answer in a direct message what cannot be answered in its channel',
	'mpim:history': 'channels:history for group direct messages',
	'usergroups:read': 'apply caps and moderation to user groups',
	'users:read': 'recognize admins, and answer in the language of a person',
};

/** The scopes that every installation requests. */
export const BOT_SCOPES: readonly string[] = Object.keys(SCOPES);

/** Returns the scopes that an installation lacks. */
export const missingScopes = (granted: readonly string[]): string[] =>
	BOT_SCOPES.filter((scope) => !granted.includes(scope));

/** https://docs.slack.dev/reference/events */
const BOT_EVENTS: readonly string[] = [
	'app_home_opened',
	'app_mention',
	'app_uninstalled',
	'channel_deleted',
	'channel_id_changed',
	'channel_left',
	'group_deleted',
	'group_left',
	'message.channels',
	'message.groups',
	'message.im',
	'message.mpim',
	'tokens_revoked',
];

/** How Slack reaches Easel: by Socket Mode, or by HTTP for one workspace or for all that install it. */
export type ManifestAddresses = { by: 'socket' } | { by: 'http'; address: string; workspaces: 'one' | 'many' };

/**
 * Returns the manifest that the Slack app is created from. https://docs.slack.dev/reference/app-manifest
 *
 * @param reached `address` is the public address of the listener, such as `https://easel.example.com`
 */
export function manifestOf(commands: readonly CommandDescription[], reached: ManifestAddresses) {
	const at = (path: string) => (reached.by === 'http' ? new URL(path, reached.address).href : undefined);
	const events = at('/slack/events');
	const many = reached.by === 'http' && reached.workspaces === 'many';
	const groups = Map.groupBy(commands, ({ name }) => name.split(' ')[0] ?? name);
	const shortcuts = messageMenu(commands).map(({ button, name, description }) => ({
		type: 'message' as const,
		name: english(name),
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
				// Slack then sends the ids of channels, people and groups.
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
				// Slack requests the options of menus, such as user groups, at the second address.
				...(events !== undefined && { request_url: events, message_menu_options_url: events }),
			},
			org_deploy_enabled: many,
			socket_mode_enabled: reached.by === 'socket',
			token_rotation_enabled: many,
		},
	};
}

function abilitiesOf(commands: readonly CommandDescription[]): string {
	const offered = ['edit', 'compose'].filter((command) => commands.some(({ name }) => name === command));
	return new Intl.ListFormat('en-GB').format(['Makes', ...offered.map((verb) => `${verb}s`)]);
}

/**
 * Returns a command for the manifest. `limits set` and `limits show` are one command at Slack, `/limits`, whose text begins with `set`
 * or `show`.
 */
function slashCommand(name: string, members: readonly CommandDescription[]) {
	const [first] = members;
	if (members.length === 1 && first?.name === name) {
		const hint = usageOf(first.fields);
		const description = english.declared(first.description);
		return { command: `/${name}`, description, ...(hint && { usage_hint: hint }) };
	}
	const subcommands = members.map((member) => [member.name.slice(name.length + 1), usageOf(member.fields)] as const);
	const words = subcommands.map(([word]) => word).join(', ');
	// Slack shows the hint beside the text that is being typed, where it has to be short.
	const hint = subcommands.map(([word, usage]) => (usage ? `${word} …` : word)).join(' | ');
	const kind = members.every(({ moderators }) => moderators) ? 'For moderators' : 'One of';
	return { command: `/${name}`, description: `${kind}: ${words}`, usage_hint: hint.slice(0, MAX_USAGE_HINT) };
}

/** Returns the options of a command as people type them. A picture cannot be typed; the first text takes the rest. */
function usageOf(fields: readonly Field[]): string {
	const typed = fields.filter(({ kind }) => kind !== 'picture');
	const text = typed.find(({ kind }) => kind === 'text');
	const parts = typed.map((field) => {
		if (field.required) return placeholderOf(field);
		return field === text || isReference(field)
			? `[${placeholderOf(field)}]`
			: `[${field.name}:${placeholderOf(field)}]`;
	});
	return parts.join(' ');
}

const isReference = ({ kind }: Field) => kind === 'person' || kind === 'channel' || kind === 'role';

function placeholderOf(field: Field): string {
	if (field.kind === 'choice') return field.choices.length <= 4 ? field.choices.join('|') : field.name;
	if (field.kind === 'flag') return 'yes';
	if (field.kind === 'integer' && !field.required) return `${field.min}-${field.max}`;
	return isReference(field) ? `${field.kind === 'channel' ? '#' : '@'}${field.name}` : field.name;
}
