/** The properties of an application's manifest that the fake uses. https://docs.slack.dev/reference/app-manifest */
export type Manifest = {
	display_information?: { name: string };
	features?: {
		app_home?: { home_tab_enabled?: boolean; messages_tab_enabled?: boolean; messages_tab_read_only_enabled?: boolean };
		bot_user?: { display_name: string };
		slash_commands?: readonly { command: string; should_escape?: boolean }[];
		shortcuts?: readonly { name: string; callback_id: string; type: 'message' | 'global' }[];
		agent_view?: unknown;
		assistant_view?: unknown;
	};
	oauth_config?: {
		redirect_urls?: readonly string[];
		scopes?: { bot?: readonly string[] };
		token_management_enabled?: boolean;
	};
	settings?: {
		event_subscriptions?: { bot_events?: readonly string[] };
		socket_mode_enabled?: boolean;
		token_rotation_enabled?: boolean;
	};
};

/** An application with commands, shortcuts, a home page and all scopes that tests need. */
export const ATELIER_APP: Manifest = {
	display_information: { name: 'Easel' },
	features: {
		app_home: { home_tab_enabled: true, messages_tab_enabled: true, messages_tab_read_only_enabled: false },
		bot_user: { display_name: 'Easel' },
		slash_commands: ['imagine', 'edit', 'compose', 'chat', 'usage', 'models', 'privacy', 'limits'].map((name) => ({
			command: `/${name}`,
			should_escape: true,
		})),
		shortcuts: [
			{ name: 'Edit image', callback_id: 'edit:1:menu', type: 'message' },
			{ name: 'Compose images', callback_id: 'compose:1:menu', type: 'message' },
		],
		agent_view: {},
	},
	oauth_config: {
		scopes: {
			bot: [
				...['app_mentions:read', 'assistant:write', 'channels:history', 'channels:join', 'channels:read', 'chat:write'],
				...[
					'commands',
					'files:read',
					'files:write',
					'groups:history',
					'groups:read',
					'im:history',
					'im:read',
					'im:write',
				],
				...['mpim:history', 'reactions:write', 'usergroups:read', 'users:read'],
			],
		},
	},
	settings: {
		event_subscriptions: {
			bot_events: [
				...['app_home_opened', 'app_mention', 'app_uninstalled', 'message.channels', 'message.groups', 'message.im'],
				...['tokens_revoked'],
			],
		},
	},
};
