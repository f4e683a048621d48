import type { Job, Period } from '../../../src/domain/job.ts';
import type { Settings } from '../../../src/usage/settings.ts';

/** The settings that decide which calls are reserved. */
export type ModelSettings = Pick<
	Settings,
	'timeZone' | 'limits' | 'grants' | 'overageMills' | 'blocked' | 'allowedChannels' | 'allowedRoles' | 'bannedWords'
>;

export const UNSET: ModelSettings = {
	timeZone: 'UTC',
	limits: [],
	grants: [],
	overageMills: 0,
	blocked: [],
	allowedChannels: [],
	allowedRoles: [],
	bannedWords: [],
};

type Limits = Settings['limits'];

const formats = new Map<string, Intl.DateTimeFormat>();

/** Returns the id of a window, `2026-11-20` or `2026-11`, by the calendar of `Intl`. */
export function windowIdOf(at: number, timeZone: string, period: Period): string {
	const format =
		formats.get(timeZone) ??
		new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
	formats.set(timeZone, format);
	return format.format(at).slice(0, period === 'day' ? 10 : 7);
}

export const serverCap = (settings: ModelSettings, period: Period): number | undefined =>
	lookUp(limitsOf(settings, period), 'server');

export function channelCap(settings: ModelSettings, period: Period, channel: string): number | undefined {
	const limits = limitsOf(settings, period);
	return lookUp(limits, 'channel', channel) ?? lookUp(limits, 'channel');
}

/** Returns the member's cap, and what moderators have granted beyond it in a window. */
export function memberCap(
	settings: ModelSettings,
	period: Period,
	member: string,
	roles: readonly string[],
	window: string,
): number | undefined {
	const grants = settings.grants.filter((each) => each.member === member && each.window === window);
	const cap = capWithoutGrants(settings, period, member, roles);
	return cap === undefined ? undefined : grants.reduce((sum, { images }) => sum + images, cap);
}

/**
 * The best cap of the member's roles, and the member's own cap beside it. The default for members applies only without
 * roles.
 */
function capWithoutGrants(
	settings: ModelSettings,
	period: Period,
	member: string,
	roles: readonly string[],
): number | undefined {
	const limits = limitsOf(settings, period);
	const byRole = limits
		.filter(({ scope, target }) => scope === 'role' && roles.includes(target ?? ''))
		.map((limit) => limit.images);
	const own = lookUp(limits, 'member', member);
	if (byRole.length === 0) return own ?? lookUp(limits, 'member');
	return Math.min(Math.max(...byRole), own ?? Number.POSITIVE_INFINITY);
}

/** Returns why a server's policy denies a call, apart from its caps. */
export function policyViolation(
	{ blocked, allowedChannels, allowedRoles, bannedWords }: ModelSettings,
	{ place, person }: Job,
	roles: readonly string[],
	prompt: string,
): string | undefined {
	if (blocked.includes(person.id)) return `${person.id} is blocked`;
	if (allowedChannels.length > 0 && !allowedChannels.includes(place.channel)) return `${place.channel} is not allowed`;
	if (allowedRoles.length > 0 && !allowedRoles.some((role) => roles.includes(role)))
		return `${person.id} has no allowed role`;
	const banned = bannedWords.find((word) => prompt.split(' ').includes(word));
	return banned === undefined ? undefined : `“${banned}” is banned`;
}

const limitsOf = ({ limits }: ModelSettings, period: Period): Limits =>
	limits.filter((limit) => limit.period === period);

const lookUp = (limits: Limits, scope: string, target?: string) =>
	limits.find((limit) => limit.scope === scope && limit.target === target)?.images;
