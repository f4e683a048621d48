import type { Channel, Team, User } from '../model.ts';

/** A workspace, as in interactive payloads. */
export const renderTeam = ({ id, domain, enterprise }: Team) => ({
	id,
	domain,
	...(enterprise && { enterprise_id: enterprise.id, enterprise_name: enterprise.name }),
});

/** A person, as in interactive payloads. */
export const renderActor = ({ id, handle, team }: User) => ({
	id,
	username: handle,
	name: handle,
	team_id: team.id,
});

/** A person, as `users.info` returns them. */
export const renderUser = (user: User, withLocale: boolean) => ({
	id: user.id,
	team_id: user.team.id,
	name: user.handle,
	deleted: false,
	real_name: user.name,
	tz: user.timeZone ?? 'Europe/Berlin',
	profile: { real_name: user.name, display_name: user.bot ? '' : user.name, team: user.team.id },
	is_admin: user.admin,
	is_owner: user.owner,
	is_primary_owner: user.owner,
	is_restricted: user.guest,
	is_ultra_restricted: false,
	is_bot: user.bot,
	is_app_user: false,
	updated: 1_700_000_000,
	...(user.team.enterprise && {
		enterprise_user: {
			id: user.id,
			enterprise_id: user.team.enterprise.id,
			enterprise_name: user.team.enterprise.name,
			is_admin: user.admin,
			is_owner: user.owner,
			teams: [user.team.id],
		},
	}),
	...(withLocale && { locale: user.locale }),
});

export const renderChannel = (channel: Channel, viewer: User) => ({
	id: channel.id,
	...(channel.kind === 'im'
		? { user: [...channel.members].find((id) => id !== viewer.id) }
		: { name: channel.name, name_normalized: channel.name }),
	is_channel: channel.kind === 'public',
	is_group: false,
	is_im: channel.kind === 'im',
	is_mpim: false,
	is_private: channel.kind !== 'public',
	is_archived: channel.archived,
	is_member: channel.members.has(viewer.id),
	is_shared: false,
	is_ext_shared: false,
	context_team_id: channel.team.id,
	created: 1_700_000_000,
});

export const channelType = ({ kind }: Channel) => ({ public: 'channel', private: 'group', im: 'im' })[kind];

/** The name of a channel in slash commands. Those of group conversations begin with `mpdm-`. */
export const channelName = ({ kind, name }: Channel) => {
	if (kind === 'im') return 'directmessage';
	return kind === 'private' && !name.startsWith('mpdm-') ? 'privategroup' : name;
};
