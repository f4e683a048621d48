import { type ChannelType, ApplicationCommandOptionType as OptionType } from 'discord-api-types/v10';
import { isFile, type Options, type PictureFile } from '../../test-user.ts';
import type { Discord } from '../context.ts';
import { renderFile } from '../render/messages.ts';
import { renderActor, renderChannel, renderRole, renderUser } from '../render/objects.ts';
import { fileName } from '../schemas/messages.ts';
import { typeOf } from '../world/cdn.ts';
import type { Channel, StoredFile, User } from '../world/model.ts';
import { permissionsAt } from '../world/permissions.ts';

/** The `resolved` data of an interaction: the users, roles, channels and files that its values refer to by id. */
export class ResolvedData {
	readonly #discord: Discord;
	readonly #channel: Channel;
	readonly #user: User;
	readonly #kinds: Record<string, Record<string, unknown>> = {};

	/** @param user who sends the interaction, in this channel */
	constructor(discord: Discord, channel: Channel, user: User) {
		this.#discord = discord;
		this.#channel = channel;
		this.#user = user;
	}

	/** Returns the value as it is sent. A file is uploaded and becomes an id. */
	add(type: OptionType, value: Options[string]): string | number | boolean {
		if (isFile(value)) {
			const file = upload(this.#discord, this.#channel, value);
			this.#put('attachments', file.id, renderFile(this.#discord, file));
			return file.id;
		}
		if (typeof value === 'object') throw new Error('An option has one value');
		this.#addReference(type, String(value));
		return value;
	}

	/** Returns the type of a channel. */
	channelType(id: string): ChannelType | undefined {
		return this.#discord.world.channels.get(id)?.type;
	}

	/** Returns the property `resolved`, if there is anything in it. */
	data(): { resolved?: object } {
		return Object.keys(this.#kinds).length > 0 ? { resolved: this.#kinds } : {};
	}

	#addReference(type: OptionType, id: string): void {
		// Texts may mention users, too.
		const mentioned = type === OptionType.String ? [...id.matchAll(/<@!?(\d+)>/g)] : [];
		for (const [, user = ''] of mentioned) if (this.#discord.world.userById(user)) this.#addUser(user);
		if (type === OptionType.User) this.#addUser(id);
		if (type === OptionType.Role) this.#addRole(id);
		if (type === OptionType.Mentionable && this.#discord.world.userById(id)) this.#addUser(id);
		else if (type === OptionType.Mentionable) this.#addRole(id);
		if (type === OptionType.Channel) this.#addChannel(id);
	}

	#addUser(id: string): void {
		const { server } = this.#channel;
		const user = this.#discord.world.userById(id);
		if (!user) throw new Error(`There is no user with the id ${id}`);
		this.#put('users', id, renderUser(user));
		if (server?.members.has(id)) {
			const { user: _, ...member } = renderActor(server, user, this.#channel);
			this.#put('members', id, member);
		}
	}

	#addRole(id: string): void {
		const role = this.#channel.server?.roles.get(id);
		if (!role) throw new Error(`There is no role with the id ${id}`);
		this.#put('roles', id, renderRole(role, 0));
	}

	#addChannel(id: string): void {
		const channel = this.#discord.world.channels.get(id);
		if (!channel) throw new Error(`There is no channel with the id ${id}`);
		const permissions = String(permissionsAt(channel, this.#user));
		this.#put('channels', id, { ...renderChannel(channel), permissions });
	}

	#put(kind: string, id: string, object: unknown): void {
		this.#kinds[kind] ??= {};
		this.#kinds[kind][id] = object;
	}
}

/** Clients upload files to the CDN before they send the interaction. */
function upload(discord: Discord, channel: Channel, { name, bytes }: PictureFile): StoredFile {
	const storedName = fileName(name);
	const type = typeOf(bytes, storedName);
	const id = discord.snowflake();
	return discord.cdn.store({
		id,
		name: storedName,
		type,
		bytes,
		spoiler: false,
		channelId: channel.id,
		ephemeral: true,
	});
}
