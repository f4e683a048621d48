import type { User } from '../../world/model.ts';
import { renderUser } from '../../world/render/people.ts';
import { slackError } from '../errors.ts';
import type { Call, Methods } from '../method.ts';

/** Returns a person of the workspace, or one with whom it shares a channel. Throws `user_not_found`. */
export function userOf({ slack, name, me }: Call, id: unknown): User {
	const user = me.team.users.get(String(id)) ?? slack.world.userById(String(id));
	const isSeen = (found: User) => [...me.team.channels.values()].some(({ members }) => members.has(found.id));
	if (user && (user.team === me.team || isSeen(user))) return user;
	if (user) slack.violate(`${name}: a workspace's token was used for a person of another`);
	throw slackError('user_not_found');
}

export const userMethods: Methods = {
	/** https://docs.slack.dev/reference/methods/users.info */
	'users.info': {
		scopes: ['users:read'],
		tier: 4,
		args: ['user', 'include_locale'],
		required: ['user'],
		run: (call) => ({ user: renderUser(userOf(call, call.args['user']), call.args['include_locale'] === true) }),
	},

	/** https://docs.slack.dev/reference/methods/users.list */
	'users.list': {
		scopes: ['users:read'],
		tier: 2,
		args: ['cursor', 'limit', 'include_locale'],
		run: ({ args, me }) => ({
			members: [...me.team.users.values()].map((user) => renderUser(user, args['include_locale'] === true)),
			response_metadata: { next_cursor: '' },
		}),
	},

	/** https://docs.slack.dev/reference/methods/usergroups.list */
	'usergroups.list': {
		scopes: ['usergroups:read'],
		tier: 2,
		args: ['include_count', 'include_disabled', 'include_users', 'team_id'],
		run({ args, me }) {
			// A workspace's own token ignores the argument.
			if (me.team.orgWide && args['team_id'] !== me.team.id)
				throw slackError(args['team_id'] === undefined ? 'missing_argument' : 'invalid_team');
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

	/** https://docs.slack.dev/reference/methods/usergroups.users.list */
	'usergroups.users.list': {
		scopes: ['usergroups:read'],
		tier: 2,
		args: ['usergroup', 'include_disabled'],
		required: ['usergroup'],
		run({ args, me }) {
			const group = me.team.groups.get(String(args['usergroup']));
			if (!group) throw slackError('no_such_subteam');
			return { users: [...group.users] };
		},
	},
};
