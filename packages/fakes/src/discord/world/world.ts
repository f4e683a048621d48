import { type APIAutoModerationRule, ChannelType } from 'discord-api-types/v10';
import { FILE_BYTES } from '../schemas/messages.ts';
import type { ChannelDescription, MemberDescription, ServerDescription } from './description.ts';
import type { Channel, Member, Role, Server, User } from './model.ts';
import { bitsOf, type Permission } from './permissions.ts';

const EVERYONE: Permission[] = [
	'ViewChannel',
	'SendMessages',
	'SendMessagesInThreads',
	'EmbedLinks',
	'AttachFiles',
	'ReadMessageHistory',
	'CreatePublicThreads',
	'UseApplicationCommands',
	'AddReactions',
	'UseExternalApps',
	'Connect',
];
const APPLICATION: Permission[] = [...EVERYONE, 'CreatePrivateThreads'];

/** The servers, channels and users. Changes are announced by `messages.ts` and `threads.ts`, not here. */
export class World {
	readonly servers = new Map<string, Server>();
	readonly channels = new Map<string, Channel>();
	/** By handle. */
	readonly people = new Map<string, User>();
	/** The application's user. */
	readonly me: User;
	/** The ids of users who have used the application: it may mention them. */
	readonly requesters = new Set<string>();
	readonly #snowflake: () => string;

	constructor(descriptions: readonly ServerDescription[], snowflake: () => string) {
		this.#snowflake = snowflake;
		this.me = this.#addUser('easel', { name: 'Easel' }, true);
		for (const description of descriptions) this.addServer(description);
	}

	/** Returns a server by its name; the first one by default. */
	server(name?: string): Server {
		return findByName([...this.servers.values()], name, 'server');
	}

	/** Returns a channel by its name or id; the first one of the first server by default. */
	channel(name?: string): Channel {
		const byId = name === undefined ? undefined : this.channels.get(name);
		return byId ?? findByName([...this.channels.values()], name, 'channel');
	}

	person(handle: string): User {
		const user = this.people.get(handle);
		if (!user) throw new Error(`There is no user ${handle}`);
		return user;
	}

	userById(id: string): User | undefined {
		return [...this.people.values()].find((user) => user.id === id);
	}

	/** Another application, which is a member of no server. */
	get otherApplication(): User {
		return this.#addUser('other-app', { name: 'Other app' }, true);
	}

	/** Returns the direct messages between a user and the application. */
	directMessages(user: User): Channel {
		const existing = [...this.channels.values()].find(({ recipients }) => recipients.includes(user));
		return existing ?? this.addChannel({ type: ChannelType.DM, name: '', recipients: [user, this.me] });
	}

	addServer(description: ServerDescription): Server {
		const id = this.#snowflake();
		const { application = APPLICATION } = description;
		const server: Server = {
			id,
			name: description.name ?? 'Server',
			locale: description.locale ?? 'en-US',
			ownerId: this.#snowflake(),
			roles: new Map(),
			members: new Map(),
			channels: new Map(),
			fileBytes: description.fileBytes ?? FILE_BYTES,
			features: description.features ?? [],
			withoutConnect: description.withoutConnect ?? 'all others',
			joined: typeof application === 'object',
			authorized: application !== false,
			autoModeration: [],
			commandRoles: new Map(),
		};
		this.servers.set(id, server);
		this.#addRole(server, '@everyone', EVERYONE, id);
		for (const [name, permissions] of Object.entries(description.roles ?? {})) this.#addRole(server, name, permissions);
		for (const [handle, member] of Object.entries(description.members ?? {})) this.addMember(server, handle, member);
		if (typeof application === 'object') {
			const role = this.#addRole(server, this.me.name, application);
			role.bot = this.me.id;
			server.members.set(this.me.id, { user: this.me, roles: [role.id] });
		}
		for (const channel of description.channels ?? ['general'])
			this.#addServerChannel(server, typeof channel === 'string' ? { name: channel } : channel);
		for (const rule of description.autoModeration ?? []) this.addAutoModRule(server, rule);
		return server;
	}

	addChannel(properties: Partial<Channel> & Pick<Channel, 'type' | 'name'>): Channel {
		const channel: Channel = {
			id: this.#snowflake(),
			nsfw: properties.parent?.nsfw ?? false,
			recipients: [],
			overwrites: new Map(),
			private: false,
			archived: false,
			locked: false,
			autoArchive: 1440,
			slowMode: 0,
			tags: [],
			requiresTag: false,
			appliedTags: [],
			threadMembers: new Set(),
			messages: new Map(),
			nonces: new Map(),
			typing: new Map(),
			...properties,
		};
		this.channels.set(channel.id, channel);
		channel.server?.channels.set(channel.id, channel);
		return channel;
	}

	addMember(server: Server, handle: string, description: MemberDescription): Member {
		const user = this.#addUser(handle, description, description.app);
		const roles = (description.roles ?? []).map((name) => roleNamed(server, name).id);
		if (description.permissions) roles.push(this.#addRole(server, handle, description.permissions).id);
		const member = { user, roles, guest: description.guest ?? false };
		server.members.set(user.id, member);
		if (description.owner) server.ownerId = user.id;
		return member;
	}

	/** Adds an AutoMod rule; by default one that blocks messages by keywords. */
	addAutoModRule(server: Server, properties: Partial<APIAutoModerationRule>): APIAutoModerationRule {
		const rule = {
			id: this.#snowflake(),
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
			...properties,
		} as APIAutoModerationRule;
		server.autoModeration.push(rule);
		return rule;
	}

	/**
	 * Adds to the permission overwrites of a channel.
	 *
	 * @param target `everyone`, `me` for the application, the handle of a member, or the name of a role
	 */
	overwrite(channel: Channel, target: string, effect: 'allow' | 'deny', permissions: readonly Permission[]): void {
		const { server } = channel;
		if (!server) throw new Error('Direct messages have no permission overwrites');
		const id = this.#overwriteId(server, target);
		const { allow, deny } = channel.overwrites.get(id) ?? { allow: 0n, deny: 0n };
		const bits = bitsOf(permissions);
		const cleared = { allow: allow & ~bits, deny: deny & ~bits };
		channel.overwrites.set(id, { ...cleared, [effect]: (effect === 'allow' ? allow : deny) | bits });
	}

	/**
	 * Opens a command to a role, as an admin does in the integration settings of a server.
	 * https://docs.discord.com/developers/interactions/application-commands#permissions
	 */
	openCommand(server: Server, command: string, role: string): void {
		const roles = server.commandRoles.get(command) ?? [];
		server.commandRoles.set(command, [...roles, roleNamed(server, role).id]);
	}

	#overwriteId(server: Server, target: string): string {
		if (target === 'everyone') return server.id;
		if (target === 'me') return this.me.id;
		return this.people.get(target)?.id ?? roleNamed(server, target).id;
	}

	/** Returns the user with this handle, who is added unless they exist. */
	#addUser(handle: string, { name, locale, fileBytes = 0 }: MemberDescription, bot = false): User {
		const existing = this.people.get(handle);
		if (existing) return existing;
		const user: User = {
			id: this.#snowflake(),
			handle,
			name: name ?? handle,
			locale: locale ?? 'en-US',
			bot,
			blocksDirectMessages: false,
			installed: false,
			fileBytes,
		};
		this.people.set(handle, user);
		return user;
	}

	#addRole(server: Server, name: string, permissions: readonly Permission[], id = this.#snowflake()): Role {
		const role = { id, name, permissions: bitsOf(permissions) };
		server.roles.set(id, role);
		return role;
	}

	#addServerChannel(server: Server, description: ChannelDescription): void {
		const { name, type = ChannelType.GuildText, nsfw = false, deny = {}, allow = {} } = description;
		const { requiresTag = false } = description;
		const tags = (description.tags ?? []).map((tag) => ({ id: this.#snowflake(), moderated: false, ...tag }));
		const channel = this.addChannel({ type, name, nsfw, server, tags, requiresTag });
		for (const [target, permissions] of Object.entries(deny)) this.overwrite(channel, target, 'deny', permissions);
		for (const [target, permissions] of Object.entries(allow)) this.overwrite(channel, target, 'allow', permissions);
	}
}

function findByName<Named extends { name: string }>(
	all: readonly Named[],
	name: string | undefined,
	kind: string,
): Named {
	const found = name === undefined ? all[0] : all.find((one) => one.name === name);
	if (!found) throw new Error(`There is no ${kind} ${name ?? ''}`);
	return found;
}

const roleNamed = (server: Server, name: string): Role => findByName([...server.roles.values()], name, 'role');
