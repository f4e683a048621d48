import { type Ids, secret } from '../ids.ts';
import type { ChannelDescription, TeamDescription, UserDescription } from './descriptions.ts';
import type { Channel, Installation, StoredFile, Team, User, View } from './model.ts';

/** The state of workspaces, channels and people. Events about changes are sent elsewhere. */
export class World {
	readonly teams = new Map<string, Team>();
	readonly files = new Map<string, StoredFile>();
	readonly views = new Map<string, View>();
	/** The ids of people who have sent a request to the application, which may mention them. */
	readonly requesters = new Set<string>();
	readonly #ids: Ids;
	readonly #botName: string;
	readonly #scopes: readonly string[];
	/** Channels that the application joins when it is installed. */
	readonly #awaitingBot = new Set<Channel>();

	/**
	 * @param botName the name of the application's bot user
	 * @param scopes the scopes of installations, unless others are granted
	 */
	constructor(ids: Ids, botName: string, scopes: readonly string[]) {
		this.#ids = ids;
		this.#botName = botName;
		this.#scopes = scopes;
	}

	addTeam({ name = 'Workspace', ...description }: TeamDescription): Team {
		const team: Team = {
			id: this.#ids.next('T'),
			name,
			domain: name.toLowerCase().replace(/[^a-z0-9]+/g, '-'),
			...(description.enterprise && { enterprise: this.#enterprise(description.enterprise) }),
			orgWide: description.orgWide ?? false,
			users: new Map(),
			channels: new Map(),
			groups: new Map(),
		};
		this.teams.set(team.id, team);
		for (const [handle, user] of Object.entries(description.users ?? {})) this.addUser(team, handle, user);
		for (const channel of description.channels ?? ['general'])
			this.addChannel(team, typeof channel === 'string' ? { name: channel } : channel);
		for (const [handle, members] of Object.entries(description.groups ?? {})) {
			const id = this.#ids.next('S');
			const users = new Set(members.map((one) => memberOf(team, one).id));
			team.groups.set(id, { id, handle, name: handle, users });
		}
		return team;
	}

	addUser(team: Team, handle: string, description: UserDescription, bot = false): User {
		const { name = handle, locale = 'en-US', admin = false, owner = false, guest = false, app = false } = description;
		const id = this.#ids.next(team.enterprise ? 'W' : 'U');
		const user: User = {
			id,
			handle,
			name,
			locale,
			team,
			admin: admin || owner,
			owner,
			guest,
			bot: bot || app !== false,
		};
		if (app) user.app = { id: this.#ids.next('A'), bot: this.#ids.next('B'), isWorkflow: app === 'workflow' };
		team.users.set(id, user);
		return user;
	}

	addChannel(team: Team, description: ChannelDescription & { im?: boolean }): Channel {
		const everybody = [...team.users.values()].filter(({ bot, app, guest }) => (!bot || app) && !guest);
		const members = description.members?.map((handle) => memberOf(team, handle)) ?? everybody;
		const channel: Channel = {
			id: this.#ids.next(description.im ? 'D' : 'C'),
			name: description.name,
			kind: description.im ? 'im' : description.private ? 'private' : 'public',
			team,
			sharedWith: new Set(),
			members: new Set(members.map(({ id }) => id)),
			archived: description.archived ?? false,
			messages: new Map(),
		};
		const bot = team.installation?.user;
		if (description.bot ?? !description.private) {
			if (bot) channel.members.add(bot.id);
			else this.#awaitingBot.add(channel);
		}
		team.channels.set(channel.id, channel);
		return channel;
	}

	/** Shares a channel with another workspace, whose members and application join it. */
	share(channel: Channel, team: Team): void {
		channel.sharedWith.add(team);
		team.channels.set(channel.id, channel);
		for (const { id, guest } of team.users.values()) if (!guest) channel.members.add(id);
	}

	/** Installs the application in a workspace, with a new token. The first time, it joins the public channels. */
	install(team: Team, granted: readonly string[] = this.#scopes): Installation {
		const before = [...team.users.values()].find(({ bot, app }) => bot && !app);
		const user = before ?? this.addUser(team, `easel@${team.domain}`, { name: this.#botName }, true);
		const installation: Installation = {
			team,
			user,
			bot: team.installation?.bot ?? this.#ids.next('B'),
			token: secret('xoxb-'),
			scopes: new Set(granted),
			retired: new Map(),
		};
		team.installation = installation;
		for (const channel of team.channels.values()) if (this.#awaitingBot.delete(channel)) channel.members.add(user.id);
		return installation;
	}

	/** Returns a workspace by its name; by default the first one. */
	team(name?: string): Team {
		const found = [...this.teams.values()].find((team) => name === undefined || team.name === name);
		if (!found) throw new Error(`There is no workspace ${name}`);
		return found;
	}

	/** Returns a channel by its name or id; by default the first one of the workspace. */
	channel(name?: string, team: Team = this.team()): Channel {
		const all = name === undefined || team.channels.has(name) ? [...team.channels.values()] : this.#allChannels();
		const found = all.find((one) => name === undefined || one.name === name || one.id === name);
		if (!found) throw new Error(`There is no channel ${name}`);
		return found;
	}

	/** Returns a person by their handle, or as `ada@Other` in the workspace of that name. */
	person(handle: string): User {
		const found = this.#allUsers().find(
			(user) => user.handle === handle || `${user.handle}@${user.team.name}` === handle,
		);
		if (!found) throw new Error(`There is no person ${handle}`);
		return found;
	}

	/** Returns the installations in whose workspaces a channel is, and whose application is a member of it. */
	installationsIn({ team, sharedWith, members }: Channel): Installation[] {
		return [team, ...sharedWith].flatMap(({ installation }) =>
			installation && members.has(installation.user.id) ? [installation] : [],
		);
	}

	channelById(id: string): Channel | undefined {
		return this.#allChannels().find((channel) => channel.id === id);
	}

	userById(id: string): User | undefined {
		return this.#allUsers().find((user) => user.id === id);
	}

	/** Returns the direct messages between a person and the application. */
	directMessages(user: User): Channel {
		const bot = user.team.installation?.user;
		if (!bot) throw new Error('The application is not installed');
		const existing = [...user.team.channels.values()].find(
			({ kind, members }) => kind === 'im' && members.has(user.id) && members.has(bot.id),
		);
		return (
			existing ?? this.addChannel(user.team, { name: 'directmessage', im: true, members: [user.handle], bot: true })
		);
	}

	#enterprise(name: string) {
		const existing = [...this.teams.values()].find((team) => team.enterprise?.name === name)?.enterprise;
		return existing ?? { id: this.#ids.next('E'), name };
	}

	#allChannels(): Channel[] {
		return [...this.teams.values()].flatMap(({ channels }) => [...channels.values()]);
	}

	#allUsers(): User[] {
		return [...this.teams.values()].flatMap(({ users }) => [...users.values()]);
	}
}

function memberOf(team: Team, handle: string): User {
	const found = [...team.users.values()].find((user) => user.handle === handle);
	if (!found) throw new Error(`There is no person ${handle} in ${team.name}`);
	return found;
}
