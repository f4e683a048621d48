import { uninstall } from '../../transport/oauth.ts';
import { channelOf } from '../content.ts';
import { misuse, slackError } from '../errors.ts';
import type { Methods } from '../method.ts';

/** Methods about the application itself, and the status of its answers. */
export const appMethods: Methods = {
	/** https://docs.slack.dev/reference/methods/auth.test */
	'auth.test': {
		tier: 'many',
		args: [],
		run: ({ me: { team, user, bot } }) => ({
			url: `https://${team.domain}.slack.com/`,
			team: team.name,
			user: user.handle,
			team_id: team.id,
			user_id: user.id,
			bot_id: bot,
			is_enterprise_install: team.orgWide,
			...(team.enterprise && { enterprise_id: team.enterprise.id }),
		}),
	},

	/** https://docs.slack.dev/reference/methods/auth.revoke */
	'auth.revoke': {
		tier: 3,
		args: ['test'],
		run({ slack, args, me }) {
			if (args['test'] !== true) uninstall(slack, me.team);
			return { revoked: args['test'] !== true };
		},
	},

	/** https://docs.slack.dev/reference/methods/apps.uninstall */
	'apps.uninstall': {
		tier: 3,
		args: ['client_id', 'client_secret'],
		required: ['client_id', 'client_secret'],
		run({ slack, args, me }) {
			if (args['client_id'] !== slack.clientId) throw slackError('invalid_client_id');
			if (args['client_secret'] !== slack.clientSecret) throw slackError('bad_client_secret');
			uninstall(slack, me.team);
		},
	},

	/** https://docs.slack.dev/reference/methods/bots.info */
	'bots.info': {
		scopes: ['users:read'],
		tier: 3,
		args: ['bot'],
		run({ slack, args, me: { bot, user, team } }) {
			const other = [...team.users.values()].find(({ app }) => app !== undefined && app.bot === args['bot']);
			if (args['bot'] !== undefined && args['bot'] !== bot && !other) throw slackError('bot_not_found');
			const { name, id, app } = other ?? user;
			return { bot: { id: app?.bot ?? bot, name, app_id: app?.id ?? slack.appId, user_id: id } };
		},
	},

	/** https://docs.slack.dev/reference/methods/team.info */
	'team.info': {
		scopes: ['team:read'],
		tier: 3,
		args: ['team'],
		run: ({ me: { team } }) => ({ team: { id: team.id, name: team.name, domain: team.domain } }),
	},

	/** https://docs.slack.dev/reference/methods/assistant.threads.setStatus */
	'assistant.threads.setStatus': {
		scopes: ['chat:write', 'assistant:write'],
		tier: 'many',
		args: ['channel_id', 'thread_ts', 'status', 'loading_messages', 'icon_emoji', 'icon_url', 'username'],
		required: ['channel_id', 'thread_ts'],
		run({ slack, name, args, me }) {
			const channel = channelOf(slack, me.team, args['channel_id'], name);
			if (!channel.members.has(me.user.id)) throw slackError('not_in_channel');
			if (!channel.messages.has(String(args['thread_ts']))) throw slackError('invalid_thread_ts');
			if (args['status'] === undefined) throw misuse('invalid_arguments', '[ERROR] missing required field: status');
		},
	},

	/** https://docs.slack.dev/reference/methods/assistant.threads.setSuggestedPrompts */
	'assistant.threads.setSuggestedPrompts': {
		scopes: ['assistant:write'],
		tier: 'many',
		args: ['channel_id', 'thread_ts', 'title', 'prompts'],
		required: ['channel_id', 'prompts'],
		run({ slack, name, args, me }) {
			const channel = channelOf(slack, me.team, args['channel_id'], name);
			if (channel.kind !== 'im') throw slackError('channel_not_found');
			const prompts = args['prompts'] as { title?: string; message?: string }[];
			if (!Array.isArray(prompts) || prompts.length > 4 || prompts.some(({ title, message }) => !title || !message))
				throw misuse('invalid_arguments', 'at most 4 prompts, each with title and message');
		},
	},
};
