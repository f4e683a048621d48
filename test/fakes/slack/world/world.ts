import { type Ids, secret } from '../ids.ts';
import type { Channel, Installation, StoredFile, Team, User, View } from './model.ts';

/** What is there, in few words. */
export type TeamDescription = {
	name?: string;
	/** The workspace belongs to an organisation (Enterprise Grid) of this name. */
	enterprise?: string;
	/** The application is installed for all of it; then this is its only workspace. */
	orgWide?: boolean;
	/** By the handle that `user` takes, which is unique among all workspaces. */
	users?: Readonly<Record<string, UserDescription>>;
	/** The application is in public ones, and in private ones only where `bot` says so. */
	channels?: readonly (string | ChannelDescription)[];
	/** User groups by their handle: who is in them. */
	groups?: Readonly<Record<string, readonly string[]>>;
	/** Whether the application is installed; with one workspace it is, when not said. */
	installed?: boolean;
};

export type UserDescription = { name?: string; locale?: string; admin?: boolean; owner?: boolean; guest?: boolean };
export type ChannelDescription = {
	name: string;
	private?: boolean;
	archived?: boolean;
	/** Handles; everybody when not said. */
	members?: readonly string[];
	bot?: boolean;
};

/** A workspace that Ada administers and where Björn is a member; both are painters. */
export const ATELIER: TeamDescription = {
	name: 'Atelier',
	users: { ada: { name: 'Ada', admin: true }, bjorn: { name: 'Björn' } },
	channels: ['general', 'gallery'],
	groups: { painters: ['ada', 'bjorn'], apprentices: [] },
};

export type World = ReturnType<typeof createWorld>;

/** Workspaces, channels and people. Holds what is; telling anybody of changes is `messages.ts` and others. */
export function createWorld(ids: Ids, botName: string, scopes: readonly string[]) {
	const teams = new Map<string, Team>();
	const files = new Map<string, StoredFile>();
	const views = new Map<string, View>();
	/** Channels that the application is brought into as soon as it is there. */
	const awaiting = new Set<Channel>();

	function addTeam({ name = 'Workspace', ...description }: TeamDescription): Team {
		const team: Team = {
			id: ids.next('T'),
			name,
			domain: name.toLowerCase().replace(/[^a-z0-9]+/g, '-'),
			...(description.enterprise && { enterprise: enterprise(description.enterprise) }),
			orgWide: description.orgWide ?? false,
			users: new Map(),
			channels: new Map(),
			groups: new Map(),
		};
		teams.set(team.id, team);
		for (const [handle, described] of Object.entries(description.users ?? {})) addUser(team, handle, described);
		for (const described of description.channels ?? ['general'])
			addChannel(team, typeof described === 'string' ? { name: described } : described);
		for (const [handle, members] of Object.entries(description.groups ?? {})) {
			const id = ids.next('S');
			team.groups.set(id, { id, handle, name: handle, users: new Set(members.map((one) => member(team, one).id)) });
		}
		return team;
	}

	const enterprise = (name: string) =>
		[...teams.values()].find((team) => team.enterprise?.name === name)?.enterprise ?? { id: ids.next('E'), name };

	function addUser(team: Team, handle: string, described: UserDescription, bot = false): User {
		const { name = handle, locale = 'en-US', admin = false, owner = false, guest = false } = described;
		const id = ids.next(team.enterprise ? 'W' : 'U');
		const user: User = { id, handle, name, locale, team, admin: admin || owner, owner, guest, bot };
		team.users.set(id, user);
		return user;
	}

	function addChannel(team: Team, described: ChannelDescription & { im?: boolean }): Channel {
		const everybody = [...team.users.values()].filter(({ bot, guest }) => !bot && !guest);
		const members = described.members?.map((handle) => member(team, handle)) ?? everybody;
		const channel: Channel = {
			id: ids.next(described.im ? 'D' : 'C'),
			name: described.name,
			kind: described.im ? 'im' : described.private ? 'private' : 'public',
			team,
			members: new Set(members.map(({ id }) => id)),
			archived: described.archived ?? false,
			messages: new Map(),
		};
		const bot = team.installation?.user;
		if (described.bot ?? !described.private) {
			if (bot) channel.members.add(bot.id);
			else awaiting.add(channel);
		}
		team.channels.set(channel.id, channel);
		return channel;
	}

	/** Brings the application into a workspace: with a new token, and into the public channels the first time. */
	function install(team: Team, granted: readonly string[] = scopes): Installation {
		const before = [...team.users.values()].find(({ bot }) => bot);
		const user = before ?? addUser(team, `easel@${team.domain}`, { name: botName }, true);
		const installation: Installation = {
			team,
			user,
			bot: team.installation?.bot ?? ids.next('B'),
			token: secret('xoxb-'),
			scopes: new Set(granted),
			retired: new Map(),
		};
		team.installation = installation;
		for (const channel of team.channels.values()) if (awaiting.delete(channel)) channel.members.add(user.id);
		return installation;
	}

	function member(team: Team, handle: string): User {
		const found = [...team.users.values()].find((user) => user.handle === handle);
		if (!found) throw new Error(`There is nobody called ${handle} in ${team.name}`);
		return found;
	}

	/** Also with a workspace behind it, as `ada@Other`, where several have somebody of this handle. */
	function person(handle: string): User {
		const everybody = [...teams.values()].flatMap(({ users }) => [...users.values()]);
		const found = everybody.find((user) => user.handle === handle || `${user.handle}@${user.team.name}` === handle);
		if (!found) throw new Error(`There is nobody called ${handle} here`);
		return found;
	}

	return {
		teams,
		files,
		views,
		addTeam,
		addUser,
		addChannel,
		install,
		person,
		/** A workspace by its name; the first one when not said. */
		team(name?: string): Team {
			const found = [...teams.values()].find((team) => name === undefined || team.name === name);
			if (!found) throw new Error(`There is no workspace ${name}`);
			return found;
		},
		/** A channel by its name or id; the first one when not said. */
		channel(name?: string, team: Team = [...teams.values()][0] as Team): Channel {
			const all = name === undefined || team.channels.has(name) ? [...team.channels.values()] : allChannels();
			const found = all.find((one) => name === undefined || one.name === name || one.id === name);
			if (!found) throw new Error(`There is no channel ${name}`);
			return found;
		},
		channelById: (id: string): Channel | undefined => allChannels().find((channel) => channel.id === id),
		userById: (id: string): User | undefined =>
			[...teams.values()].map(({ users }) => users.get(id)).find((user) => user !== undefined),
		/** The direct messages between a person and the application. */
		directMessages(user: User): Channel {
			const bot = user.team.installation?.user;
			if (!bot) throw new Error('The application is not installed');
			const there = [...user.team.channels.values()].find(
				({ kind, members }) => kind === 'im' && members.has(user.id) && members.has(bot.id),
			);
			return there ?? addChannel(user.team, { name: 'directmessage', im: true, members: [user.handle], bot: true });
		},
		/** Ids of those who asked the application for something: it may mention them. */
		requesters: new Set<string>(),
	};

	function allChannels(): Channel[] {
		return [...teams.values()].flatMap(({ channels }) => [...channels.values()]);
	}
}
