import type { Limit, Period } from '../../domain/job.ts';
import type { Place } from '../../domain/place.ts';
import { SentenceError } from '../../i18n/sentence-error.ts';
import type { Zone } from './windows.ts';

/** Calls for pictures that a member may make beyond their cap in one window. */
export type Grant = {
	member: string;
	period: Period;
	/** The id of the window. */
	window: string;
	images: number;
};

/** The settings of a server, set by its moderators. */
export type Settings = {
	/** IANA name of the time zone in which the server's days and months begin. */
	timeZone: string;
	/** The zone that holds until the running month ends, after a change. Set by the repository. */
	previousZone?: Zone['previousZone'];
	carried?: Zone['carried'];
	limits: readonly Limit[];
	/** Those of past windows are removed by the next grant. */
	grants: readonly Grant[];
	/** The most that this server may spend beyond the plan in a month, in mills. */
	overageMills: number;
	/** The channel in which moderators are notified that a cap is nearly reached. */
	noticeChannel?: string;
	/** The language (BCP 47) of messages to moderators and to a whole channel; English by default. */
	language?: string;
	/** Seconds between two requests of one member. */
	cooldownSeconds: number;
	/** How many requests of one member run at the same time; further ones wait. */
	atOnce: number;
	/** Ids of members who cannot use the bot. */
	blocked: readonly string[];
	/** Ids of the channels in which the bot can be used. A thread counts as its channel. Empty: all channels. */
	allowedChannels: readonly string[];
	/** Ids of roles, of which a member needs one. Empty: no role is needed. */
	allowedRoles: readonly string[];
	/** Words and phrases that a prompt must not contain, as moderators wrote them. */
	bannedWords: readonly string[];
	/** The categories of the moderation model that are refused. Empty: all. */
	moderationCategories: readonly string[];
	/** What becomes of a request about which the moderation model does not answer in time. */
	unmoderated: 'allow' | 'refuse';
	/** The id of the role, or user group, whose members are moderators besides those of the platform. */
	moderatorRole?: string;
	/** The channel of the moderation log. */
	logChannel?: string;
	/** Ids of channels whose results, in their threads too, are posted as spoilers. */
	spoilerChannels: readonly string[];
	/** Ids of channels whose pictures, in their threads too, wait in the log channel until a moderator decides. */
	reviewChannels: readonly string[];
	/** How long a picture waits for a decision at most. */
	reviewHours: number;
	/** The end of a review without a decision. */
	undecided: 'reject' | 'show';
};

export const DEFAULT_SETTINGS: Settings = {
	timeZone: 'UTC',
	limits: [],
	grants: [],
	overageMills: 0,
	cooldownSeconds: 0,
	atOnce: 2,
	blocked: [],
	allowedChannels: [],
	allowedRoles: [],
	bannedWords: [],
	moderationCategories: [],
	unmoderated: 'allow',
	spoilerChannels: [],
	reviewChannels: [],
	reviewHours: 24,
	undecided: 'reject',
};

/** Returns an edit of settings that blocks a member. */
export const blockMember =
	(member: string) =>
	(settings: Settings): Settings => ({ ...settings, blocked: [...new Set([...settings.blocked, member])] });

/** Returns an edit of settings that unblocks a member. */
export const unblockMember =
	(member: string) =>
	(settings: Settings): Settings => ({ ...settings, blocked: settings.blocked.filter((id) => id !== member) });

/**
 * Returns an edit of settings that sets the channel of the moderation log.
 * @throws SentenceError when the pictures of that channel are reviewed, since everybody there would see them before
 */
export const setLogChannel =
	(channel: string) =>
	(settings: Settings): Settings => {
		if (settings.reviewChannels.includes(channel)) throw new SentenceError('limits.review.errors.isLog');
		return { ...settings, logChannel: channel };
	};

/** Returns the settings that differ between two versions, as they were before and are after. */
export function diffSettings(
	before: Settings,
	after: Settings,
): { before: Partial<Settings>; after: Partial<Settings> } {
	const names = (Object.keys({ ...before, ...after }) as (keyof Settings)[]).filter(
		(name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
	);
	const pick = (from: Settings) => Object.fromEntries(names.map((name) => [name, from[name]]));
	return { before: pick(before), after: pick(after) };
}

/** Tells whether results are posted as spoilers in a channel. They are when the settings could not be read. */
export const isSpoiler = (settings: Settings | undefined, { channel }: Place): boolean =>
	settings?.spoilerChannels.includes(channel) ?? true;

/** Tells whether pictures that are made in a place are reviewed. Direct messages are not: nobody else sees them. */
export const isReviewed = ({ reviewChannels }: Pick<Settings, 'reviewChannels'>, { channel, direct }: Place): boolean =>
	!direct && reviewChannels.includes(channel);
