import { type APIAutoModerationRule, ChannelType } from 'discord-api-types/v10';
import { FILE_BYTES } from './limits.ts';
import { bitsOf, type Permission } from './permissions.ts';
import type { Channel, Member, Role, Server, User } from './things.ts';

/** What is there, in few words. */
export type ServerDescription = {
	name?: string;
	/** The community's locale, `en-US` when not said. */
	locale?: string;
	channels?: readonly (string | ChannelDescription)[];
	/** What roles permit, by their names. */
	roles?: Readonly<Record<string, readonly Permission[]>>;
	/** By the handle that `user` takes. The same handle in two servers is the same person. */
	members?: Readonly<Record<string, MemberDescription>>;
	/** What the application's own role permits; `false`: it is not in this server, people brought it by themselves. */
	application?: readonly Permission[] | false;
	/** Bytes of one uploaded file: 10 MiB when not said. */
	fileBytes?: number;
	autoModeration?: readonly Partial<APIAutoModerationRule>[];
};

type Rules = Readonly<Record<string, readonly Permission[]>>;

export type ChannelDescription = {
	name: string;
	/** A text channel when not said. */
	type?: ChannelType;
	nsfw?: boolean;
	/** What everybody, or the application (`me`), a member or a role by its name is denied or allowed here. */
	deny?: Rules;
	allow?: Rules;
};

export type MemberDescription = {
	name?: string;
	/** The language of this person's client, `en-US` when not said. */
	locale?: string;
	/** Beyond those of the roles: they are given a role of their own. */
	permissions?: readonly Permission[];
	roles?: readonly string[];
	owner?: boolean;
};

export type World = ReturnType<typeof createWorld>;

const EVERYBODY: Permission[] = [
	'ViewChannel',
	'SendMessages',
	'SendMessagesInThreads',
	'EmbedLinks',
	'AttachFiles',
	'ReadMessageHistory',
	'CreatePublicThreads',
	'UseApplicationCommands',
	'AddReactions',
];
const APPLICATION: Permission[] = [...EVERYBODY, 'CreatePrivateThreads'];

/** A server where Ada moderates and Björn does not. */
export const ATELIER: ServerDescription = {
	name: 'Atelier',
	channels: ['general', { name: 'after-dark', nsfw: true }, 'gallery'],
	roles: { Painters: [], Apprentices: [] },
	members: {
		ada: { name: 'Ada', permissions: ['ManageGuild', 'ManageMessages'], roles: ['Painters'] },
		bjorn: { name: 'Björn', roles: ['Painters'] },
	},
};

/** Servers, channels and people. Holds what is; telling anybody of changes is `messages.ts` and `threads.ts`. */
export function createWorld(descriptions: readonly ServerDescription[], snowflake: () => string) {
	const servers = new Map<string, Server>();
	const channels = new Map<string, Channel>();
	const people = new Map<string, User>();
	const me = person('easel', { name: 'Easel' }, true);

	function person(handle: string, { name, locale }: MemberDescription, bot = false): User {
		const known = people.get(handle);
		if (known) return known;
		const user: User = {
			id: snowflake(),
			handle,
			name: name ?? handle,
			locale: locale ?? 'en-US',
			bot,
			closed: false,
			installed: false,
		};
		people.set(handle, user);
		return user;
	}

	function addChannel(made: Partial<Channel> & Pick<Channel, 'type' | 'name'>): Channel {
		const channel: Channel = {
			id: snowflake(),
			nsfw: made.parent?.nsfw ?? false,
			recipients: [],
			overwrites: new Map(),
			private: false,
			archived: false,
			locked: false,
			autoArchive: 1440,
			slowMode: 0,
			threadMembers: new Set(),
			messages: new Map(),
			typing: new Map(),
			...made,
		};
		channels.set(channel.id, channel);
		channel.server?.channels.set(channel.id, channel);
		return channel;
	}

	function addRole(server: Server, name: string, permissions: readonly Permission[], id = snowflake()): Role {
		const role = { id, name, permissions: bitsOf(permissions) };
		server.roles.set(id, role);
		return role;
	}

	function addMember(server: Server, handle: string, description: MemberDescription): Member {
		const user = person(handle, description);
		const roles = (description.roles ?? []).map((name) => roleNamed(server, name).id);
		if (description.permissions) roles.push(addRole(server, handle, description.permissions).id);
		const member = { user, roles };
		server.members.set(user.id, member);
		if (description.owner) server.ownerId = user.id;
		return member;
	}

	function addServer(description: ServerDescription): Server {
		const id = snowflake();
		const server: Server = {
			id,
			name: description.name ?? 'Server',
			locale: description.locale ?? 'en-US',
			ownerId: snowflake(),
			roles: new Map(),
			members: new Map(),
			channels: new Map(),
			fileBytes: description.fileBytes ?? FILE_BYTES,
			joined: description.application !== false,
			autoModeration: [],
		};
		servers.set(id, server);
		addRole(server, '@everyone', EVERYBODY, id);
		for (const [name, permissions] of Object.entries(description.roles ?? {})) addRole(server, name, permissions);
		for (const [handle, member] of Object.entries(description.members ?? {})) addMember(server, handle, member);
		if (server.joined) {
			const role = addRole(server, me.name, description.application || APPLICATION);
			server.members.set(me.id, { user: me, roles: [role.id] });
		}
		for (const named of description.channels ?? ['general']) {
			const described: ChannelDescription = typeof named === 'string' ? { name: named } : named;
			const { name, type = ChannelType.GuildText, nsfw = false, deny = {}, allow = {} } = described;
			const channel = addChannel({ type, name, nsfw, server });
			for (const [who, permissions] of Object.entries(deny)) rule(channel, who, 'deny', permissions);
			for (const [who, permissions] of Object.entries(allow)) rule(channel, who, 'allow', permissions);
		}
		for (const partial of description.autoModeration ?? []) addAutoModeration(server, partial);
		return server;
	}

	/** A rule that blocks messages with words, where nothing else is said. */
	function addAutoModeration(server: Server, partial: Partial<APIAutoModerationRule>): APIAutoModerationRule {
		const rule = {
			id: snowflake(),
			guild_id: server.id,
			name: 'Words',
			creator_id: server.ownerId,
			event_type: 1,
			trigger_type: 1,
			trigger_metadata: {},
			actions: [{ type: 1, metadata: {} }],
			enabled: true,
			exempt_roles: [],
			exempt_channels: [],
			...partial,
		} as APIAutoModerationRule;
		server.autoModeration.push(rule);
		return rule;
	}

	/** Allows or denies from now on. `who`: `everyone`, `me` for the application, a member's handle or a role's name. */
	function rule(channel: Channel, who: string, how: 'allow' | 'deny', permissions: readonly Permission[]): void {
		const { server } = channel;
		if (!server) throw new Error('Direct messages have no permissions');
		const id =
			who === 'everyone' ? server.id : who === 'me' ? me.id : (people.get(who)?.id ?? roleNamed(server, who).id);
		const before = channel.overwrites.get(id) ?? { allow: 0n, deny: 0n };
		const bits = bitsOf(permissions);
		channel.overwrites.set(id, { allow: before.allow & ~bits, deny: before.deny & ~bits, [how]: before[how] | bits });
	}

	for (const description of descriptions) addServer(description);

	return {
		servers,
		channels,
		people,
		/** The application's own user. */
		me,
		/** Ids of those who asked the application for something: it may mention them. */
		asked: new Set<string>(),
		addServer,
		addChannel,
		addMember,
		addAutoModeration,
		rule,
		/** A server by its name; the first one when not said. */
		server: (name?: string): Server => found([...servers.values()], name, 'server'),
		/** A channel by its name or id; the first server's first one when not said. */
		channel: (name?: string): Channel =>
			(name !== undefined && channels.get(name)) || found([...channels.values()], name, 'channel'),
		person: (handle: string): User => {
			const user = people.get(handle);
			if (!user) throw new Error(`There is nobody called ${handle} here`);
			return user;
		},
		userById: (id: string): User | undefined => [...people.values()].find((user) => user.id === id),
		/** The direct messages between a person and the application. */
		directMessages(user: User): Channel {
			const there = [...channels.values()].find(({ recipients }) => recipients.includes(user));
			return there ?? addChannel({ type: ChannelType.DM, name: '', recipients: [user, me] });
		},
	};
}

function found<Named extends { name: string }>(all: readonly Named[], name: string | undefined, what: string): Named {
	const one = name === undefined ? all[0] : all.find((each) => each.name === name);
	if (!one) throw new Error(`There is no ${what} ${name ?? ''}`);
	return one;
}

const roleNamed = (server: Server, name: string): Role => found([...server.roles.values()], name, 'role');
