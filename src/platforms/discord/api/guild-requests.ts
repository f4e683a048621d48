import { type APIAutoModerationRule, type APIGuildMember, type REST, Routes } from 'discord.js';
import { ignoreMissing } from './missing.ts';

/** Returns undefined when the user, or the bot, is not a member of the server. */
export const getMember = (rest: REST, server: string, user: string) =>
	rest.get(Routes.guildMember(server, user)).catch(ignoreMissing) as Promise<APIGuildMember | undefined>;

export const leaveServer = (rest: REST, server: string) => rest.delete(Routes.userGuild(server)).catch(ignoreMissing);

/** Requires the Manage Server permission. */
export const listAutoModRules = (rest: REST, server: string, signal: AbortSignal) =>
	rest.get(Routes.guildAutoModerationRules(server), { signal }) as Promise<APIAutoModerationRule[]>;
