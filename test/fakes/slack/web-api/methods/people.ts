import type { Channel, Json, Message, User } from '../../world/model.ts';
import { renderChannel, renderMessage, renderUser, repliesTo } from '../../world/render.ts';
import { channelOf } from '../content.ts';
import { refuse, wrong } from '../errors.ts';
import type { Call, Methods } from '../method.ts';

const READS = { public: 'channels:read', private: 'groups:read', im: 'im:read' } as const;
const HISTORY = { public: 'channels:history', private: 'groups:history', im: 'im:history' } as const;

function userOf({ slack, name, me }: Call, id: unknown): User {
	const user = me.team.users.get(String(id));
	if (user) return user;
	if (slack.world.userById(String(id))) slack.violate(`${name}: a workspace's token was used for a person of another`);
	throw refuse('user_not_found');
}

/** A channel that this token may know of, or read. */
function known(call: Call, scopes: typeof READS | typeof HISTORY, inside: boolean): Channel {
	const { slack, name, args, me } = call;
	const channel = channelOf(slack, me.team, args['channel'], name);
	const needed = scopes[channel.kind];
	if (!me.scopes.has(needed)) throw refuse('missing_scope', { needed, provided: [...me.scopes].join() });
	const member = channel.members.has(me.user.id);
	if (!member && channel.kind !== 'public') throw refuse('channel_not_found');
	if (!member && inside) throw refuse('not_in_channel');
	return channel;
}

/** One page of messages, the order kept. */
function page({ slack, args }: Call, all: readonly Message[]): Json {
	const { oldest = '0', latest = '9999999999.999999', inclusive, cursor, limit } = args as Record<string, string>;
	const within = all.filter(({ ts }) => (inclusive ? ts >= oldest && ts <= latest : ts > oldest && ts < latest));
	const count = Math.min(Number(limit ?? 100), 1000);
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

export const peopleMethods: Methods = {
	'users.info': {
		scopes: ['users:read'],
		tier: 4,
		args: ['user', 'include_locale'],
		required: ['user'],
		run: (call) => ({ user: renderUser(userOf(call, call.args['user']), call.args['include_locale'] === true) }),
	},

	'users.list': {
		scopes: ['users:read'],
		tier: 2,
		args: ['cursor', 'limit', 'include_locale'],
		run: ({ args, me }) => ({
			members: [...me.team.users.values()].map((user) => renderUser(user, args['include_locale'] === true)),
			response_metadata: { next_cursor: '' },
		}),
	},

	'usergroups.list': {
		scopes: ['usergroups:read'],
		tier: 2,
		args: ['include_count', 'include_disabled', 'include_users', 'team_id'],
		run({ args, me }) {
			// By a workspace's own token it is ignored.
			if (me.team.orgWide && args['team_id'] !== me.team.id)
				throw refuse(args['team_id'] === undefined ? 'missing_argument' : 'invalid_team');
			return {
				usergroups: [...me.team.groups.values()].map(({ id, handle, name, users }) => ({
					id,
					team_id: me.team.id,
					is_usergroup: true,
					name,
					handle,
					description: '',
					date_delete: 0,
					...(args['include_users'] === true && { users: [...users] }),
					...(args['include_count'] === true && { user_count: users.size }),
				})),
			};
		},
	},

	'usergroups.users.list': {
		scopes: ['usergroups:read'],
		tier: 2,
		args: ['usergroup', 'include_disabled'],
		required: ['usergroup'],
		run({ args, me }) {
			const group = me.team.groups.get(String(args['usergroup']));
			if (!group) throw refuse('no_such_subteam');
			return { users: [...group.users] };
		},
	},

	'conversations.info': {
		tier: 3,
		args: ['channel', 'include_locale', 'include_num_members'],
		required: ['channel'],
		run: (call) => ({ channel: renderChannel(known(call, READS, false), call.me.user) }),
	},

	'conversations.open': {
		scopes: ['im:write'],
		tier: 3,
		args: ['channel', 'users', 'return_im', 'prevent_creation'],
		run(call) {
			const { slack, args, me } = call;
			const named = String(args['users'] ?? '');
			if (!named || named.includes(',')) throw wrong('invalid_arguments', 'users: one person');
			const channel = slack.world.directMessages(userOf(call, named));
			return { channel: args['return_im'] === true ? renderChannel(channel, me.user) : { id: channel.id } };
		},
	},

	'conversations.join': {
		scopes: ['channels:join'],
		tier: 3,
		args: ['channel'],
		required: ['channel'],
		run({ slack, name, args, me }) {
			const channel = channelOf(slack, me.team, args['channel'], name);
			if (channel.kind === 'private') throw refuse('channel_not_found');
			if (channel.kind === 'im') throw refuse('method_not_supported_for_channel_type');
			if (channel.archived) throw refuse('is_archived');
			channel.members.add(me.user.id);
			return { channel: renderChannel(channel, me.user) };
		},
	},

	'conversations.history': {
		tier: 3,
		args: ['channel', ...PAGED],
		required: ['channel'],
		run(call) {
			const channel = known(call, HISTORY, true);
			const roots = [...channel.messages.values()].filter(
				({ only, threadTs, ts, broadcast }) => !only && (threadTs === undefined || threadTs === ts || broadcast),
			);
			return page(call, roots.toReversed());
		},
	},

	'conversations.replies': {
		tier: 3,
		args: ['channel', 'ts', ...PAGED],
		required: ['channel', 'ts'],
		run(call) {
			const channel = known(call, HISTORY, true);
			const root = channel.messages.get(String(call.args['ts']));
			if (!root || root.only) throw refuse('thread_not_found');
			const thread =
				root.threadTs === undefined || root.threadTs === root.ts ? [root, ...repliesTo(channel, root.ts)] : [root];
			return page(call, thread);
		},
	},
};
