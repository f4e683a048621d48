import type { APIAutoModerationRule, ChannelType } from 'discord-api-types/v10';
import type { Permission } from './permissions.ts';

/** A server, its channels and its members. */
export type ServerDescription = {
	name?: string;
	/** The preferred locale, `en-US` by default. */
	locale?: string;
	/** `general` by default. */
	channels?: readonly (string | ChannelDescription)[];
	/** The permissions of roles, by their names. */
	roles?: PermissionsByName;
	/** By the handle that `DiscordFake.user` takes. The same handle in two servers is the same user. */
	members?: Readonly<Record<string, MemberDescription>>;
	/**
	 * The permissions of the application's own role; `commands only` when the server has authorized its commands without the bot, `false`
	 * when the server has not installed the application. https://docs.discord.com/developers/resources/application#installation-context
	 */
	application?: readonly Permission[] | 'commands only' | false;
	/** The upload limit of a file in bytes, 20 MiB by default. */
	fileBytes?: number;
	/** What boosts have unlocked beside the tier, such as `MAX_FILE_SIZE_100_MB`. */
	features?: readonly string[];
	/**
	 * The permissions that are left in a voice channel without *Connect*. Discord says that others are denied with it, but not which, nor
	 * whether that applies to applications. https://docs.discord.com/developers/topics/permissions#implicit-permissions
	 */
	withoutConnect?: 'all others' | 'view only';
	autoModeration?: readonly Partial<APIAutoModerationRule>[];
};

type PermissionsByName = Readonly<Record<string, readonly Permission[]>>;

export type ChannelDescription = {
	name: string;
	/** A text channel by default. */
	type?: ChannelType;
	nsfw?: boolean;
	/** Of a forum. `moderated`: only members with *Manage Threads* can set it. */
	tags?: readonly { name: string; moderated?: boolean }[];
	/** Every post of the forum needs a tag. */
	requiresTag?: boolean;
	/** Permission overwrites, by the name of a role, the handle of a member, `me` for the application, or `everyone`. */
	deny?: PermissionsByName;
	allow?: PermissionsByName;
};

export type MemberDescription = {
	name?: string;
	/** The locale of the user's client, `en-US` by default. */
	locale?: string;
	/** Granted by a role of their own, beside those of `roles`. */
	permissions?: readonly Permission[];
	roles?: readonly string[];
	owner?: boolean;
	/** They have joined by an invite of a guest. https://docs.discord.com/developers/resources/guild#guild-member-object-guild-member-flags */
	guest?: boolean;
	/** It is the bot of another application. */
	app?: boolean;
	/** The upload limit of a file by the user's own subscription, in bytes: 20 MiB by default, or the server's where that is lower. */
	fileBytes?: number;
};

/** The default server. Ada is a moderator, Björn is not. */
export const ATELIER: ServerDescription = {
	name: 'Atelier',
	channels: ['general', { name: 'after-dark', nsfw: true }, 'gallery'],
	roles: { Painters: [], Apprentices: [] },
	members: {
		ada: { name: 'Ada', permissions: ['ManageGuild', 'ManageMessages'], roles: ['Painters'] },
		bjorn: { name: 'Björn', roles: ['Painters'] },
	},
};
