import type { Channel, Json, Message } from '../../world/model.ts';
import { renderMessage, repliesTo } from '../../world/render/messages.ts';
import { renderChannel } from '../../world/render/people.ts';
import { channelOf } from '../content.ts';
import { misuse, slackError } from '../errors.ts';
import type { Call, Methods } from '../method.ts';
import { userOf } from './users.ts';

const READS = { public: 'channels:read', private: 'groups:read', im: 'im:read' } as const;
const HISTORY = { public: 'channels:history', private: 'groups:history', im: 'im:history' } as const;

/**
 * Returns a channel that the token may see.
 *
 * @param inside whether the bot must be a member
 */
function visibleChannel(call: Call, scopes: typeof READS | typeof HISTORY, inside: boolean): Channel {
	const { slack, name, args, me } = call;
	const channel = channelOf(slack, me.team, args['channel'], name);
	const needed = scopes[channel.kind];
	if (!me.scopes.has(needed)) throw slackError('missing_scope', { needed, provided: [...me.scopes].join() });
	const member = channel.members.has(me.user.id);
	if (!member && channel.kind !== 'public') throw slackError('channel_not_found');
	if (!member && inside) throw slackError('not_in_channel');
	return channel;
}

/** https://docs.slack.dev/changelog/2025/05/29/rate-limit-changes-for-non-marketplace-apps */
const UNLISTED_LIMIT = 15;

/** Returns one page of messages, in their order. */
function pageOf({ slack, args }: Call, all: readonly Message[]): Json {
	const { oldest = '0', latest = '9999999999.999999', inclusive, cursor, limit } = args as Record<string, string>;
	const within = all.filter(({ ts }) => (inclusive ? ts >= oldest && ts <= latest : ts > oldest && ts < latest));
	const count = Math.min(Number(limit ?? 100), slack.settings.unlisted ? UNLISTED_LIMIT : 1000);
	const from = cursor ? Number(Buffer.from(cursor, 'base64').toString()) : 0;
	const more = within.length > from + count;
	return {
		messages: within
			.slice(from, from + count)
			.map((message) => renderMessage(slack, message, args['include_all_metadata'] === true)),
		has_more: more,
		response_metadata: { next_cursor: more ? Buffer.from(String(from + count)).toString('base64') : '' },
	};
}

const PAGED = ['cursor', 'limit', 'oldest', 'latest', 'inclusive', 'include_all_metadata'];

export const conversationMethods: Methods = {
	/** https://docs.slack.dev/reference/methods/conversations.info */
	'conversations.info': {
		tier: 3,
		args: ['channel', 'include_locale', 'include_num_members'],
		required: ['channel'],
		run: (call) => ({ channel: renderChannel(visibleChannel(call, READS, false), call.me.user) }),
	},

	/** https://docs.slack.dev/reference/methods/conversations.open */
	'conversations.open': {
		scopes: ['im:write'],
		tier: 3,
		args: ['channel', 'users', 'return_im', 'prevent_creation'],
		run(call) {
			const { slack, args, me } = call;
			const named = String(args['users'] ?? '');
			if (!named || named.includes(',')) throw misuse('invalid_arguments', 'users: one person');
			const channel = slack.world.directMessages(userOf(call, named));
			return { channel: args['return_im'] === true ? renderChannel(channel, me.user) : { id: channel.id } };
		},
	},

	/** https://docs.slack.dev/reference/methods/conversations.join */
	'conversations.join': {
		scopes: ['channels:join'],
		tier: 3,
		args: ['channel'],
		required: ['channel'],
		run({ slack, name, args, me }) {
			const channel = channelOf(slack, me.team, args['channel'], name);
			if (channel.kind === 'private') throw slackError('channel_not_found');
			if (channel.kind === 'im') throw slackError('method_not_supported_for_channel_type');
			if (channel.archived) throw slackError('is_archived');
			channel.members.add(me.user.id);
			return { channel: renderChannel(channel, me.user) };
		},
	},

	/** https://docs.slack.dev/reference/methods/conversations.history */
	'conversations.history': {
		tier: 3,
		args: ['channel', ...PAGED],
		required: ['channel'],
		run(call) {
			const channel = visibleChannel(call, HISTORY, true);
			const roots = [...channel.messages.values()].filter(
				({ only, threadTs, ts, broadcast }) => !only && (threadTs === undefined || threadTs === ts || broadcast),
			);
			return pageOf(call, roots.toReversed());
		},
	},

	/** https://docs.slack.dev/reference/methods/conversations.replies */
	'conversations.replies': {
		tier: 3,
		args: ['channel', 'ts', ...PAGED],
		required: ['channel', 'ts'],
		run(call) {
			const channel = visibleChannel(call, HISTORY, true);
			const root = channel.messages.get(String(call.args['ts']));
			if (!root || root.only) throw slackError('thread_not_found');
			const thread =
				root.threadTs === undefined || root.threadTs === root.ts ? [root, ...repliesTo(channel, root.ts)] : [root];
			return pageOf(call, thread);
		},
	},
};
