import type { Job, Period, Unit } from '../../../src/domain/job.ts';
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

export const serverCap = (settings: ModelSettings, period: Period, unit: Unit): number | undefined =>
	lookUp(limitsOf(settings, period), unit, 'server');

export function channelCap(settings: ModelSettings, period: Period, unit: Unit, channel: string): number | undefined {
	const limits = limitsOf(settings, period);
	return lookUp(limits, unit, 'channel', channel) ?? lookUp(limits, unit, 'channel');
}

/** Returns the member's cap, and what moderators have granted beyond it in a window. */
export function memberCap(
	settings: ModelSettings,
	period: Period,
	unit: Unit,
	member: string,
	roles: readonly string[],
	window: string,
): number | undefined {
	const grants = settings.grants.filter((each) => each.member === member && each.window === window);
	const cap = capWithoutGrants(settings, period, unit, member, roles);
	return cap === undefined ? undefined : grants.reduce((sum, { [unit]: granted = 0 }) => sum + granted, cap);
}

/**
 * The best cap of the member's roles, and the member's own cap beside it. The default for members applies only without
 * roles.
 */
function capWithoutGrants(
	settings: ModelSettings,
	period: Period,
	unit: Unit,
	member: string,
	roles: readonly string[],
): number | undefined {
	const limits = limitsOf(settings, period);
	const byRole = limits
		.filter(({ scope, target }) => scope === 'role' && roles.includes(target ?? ''))
		.flatMap((limit) => limit[unit] ?? []);
	const own = lookUp(limits, unit, 'member', member);
	if (byRole.length === 0) return own ?? lookUp(limits, unit, 'member');
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

const lookUp = (limits: Limits, unit: Unit, scope: string, target?: string) =>
	limits.find((limit) => limit.scope === scope && limit.target === target)?.[unit];
