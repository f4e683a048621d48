import { type CallKind, callKindOf, type Limit, type Period, type Scope } from '../domain/limit.ts';
import type { Person } from '../domain/person.ts';
import type { Place } from '../domain/place.ts';
import { isPersonal, type Settings } from './settings.ts';
import { type Window, windowsAt } from './windows.ts';

/** Where a refusal can come from, the widest first. */
export type LayerName = 'plan' | 'overage' | Scope;

/** One counter that a request is taken from, and its cap where there is one. */
export type Layer = {
	name: LayerName;
	/** Absent for pictures. */
	what?: CallKind;
	/** The counter's key. A role's cap holds for each of its members, so it is counted on the member's own counter. */
	key: string;
	period: Period;
	/** Calls, or turns; mills for `overage`. Nothing caps it where undefined. */
	limit?: number;
	window: Window;
};

/** The deployment's own plan: calls included in a calendar month (UTC), and the price of one beyond, in mills. */
export type Plan = { imagesPerMonth?: number | undefined; price: number };

export type Member = Pick<Person, 'id'> & { roles?: readonly string[] | undefined };

/** The plan's layer, where it is configured. Its month is UTC's: it is shared by servers of all time zones. */
export function planLayer({ imagesPerMonth }: Plan, at: number): Layer | undefined {
	if (imagesPerMonth === undefined) return undefined;
	const { month } = windowsAt(at, 'UTC');
	return { name: 'plan', key: `count:plan:${month.id}`, period: 'month', limit: imagesPerMonth, window: month };
}

/** What a server spends beyond the plan in the plan's month, in mills. */
export function overageLayer({ platform, server }: Place, { overageMills }: Settings, at: number): Layer {
	const { month } = windowsAt(at, 'UTC');
	const key = `cost:${platform}:${server}:${month.id}`;
	return { name: 'overage', key, period: 'month', limit: overageMills, window: month };
}

/**
 * A server's own layers for a request, the widest first. Server and member are always counted, since people see these
 * figures; a channel is counted where it has a cap.
 *
 * Where there is no server, but one person by themselves, there is one counter.
 *
 * A member's best role counts. A cap set for this very member holds beside it; the default for every member only where no
 * role has one, so that a role can allow more than everybody has.
 */
export function serverLayers(
	settings: Settings,
	place: Place,
	member: Member,
	at: number,
	what: CallKind = 'pictures',
): Layer[] {
	const windows = windowsAt(at, settings.timeZone);
	const owner = `${what === 'chat' ? 'chat' : 'count'}:${place.platform}:${place.server}`;
	const limits = settings.limits.filter((limit) => callKindOf(limit) === what);
	const periods = (['day', 'month'] as const).map((period) => ({
		period,
		caps: limits.filter((limit) => limit.period === period),
	}));
	const layers: Layer[] = [];
	const add = (name: Scope, key: string, period: Period, limit?: number) =>
		layers.push({
			name,
			...(what === 'chat' && { what }),
			key: `${owner}:${key}:${windows[period].id}`,
			period,
			window: windows[period],
			...(limit !== undefined && { limit }),
		});

	if (isPersonal(place)) {
		// Whoever presses a button there: it is counted to the one person whose account it is.
		for (const { period, caps } of periods) add('member', 'member', period, capOf(caps, 'member'));
		return layers;
	}
	for (const { period, caps } of periods) add('server', 'server', period, capOf(caps, 'server'));
	for (const { period, caps } of periods) {
		const cap = capOf(caps, 'channel', place.channel) ?? capOf(caps, 'channel');
		if (cap !== undefined) add('channel', `channel:${place.channel}`, period, cap);
	}
	for (const { period, caps } of periods) {
		const role = bestRole(caps, member);
		const own = capOf(caps, 'member', member.id) ?? (role === undefined ? capOf(caps, 'member') : undefined);
		// One counter, two caps: the tighter one is the one that can refuse.
		const tighter = role !== undefined && (own === undefined || role <= own) ? 'role' : 'member';
		add(tighter, `member:${member.id}`, period, tighter === 'role' ? role : own);
	}
	return layers;
}

const capOf = (caps: readonly Limit[], scope: Scope, target?: string) =>
	caps.find((limit) => limit.scope === scope && limit.target === target)?.images;

function bestRole(caps: readonly Limit[], { roles = [] }: Member): number | undefined {
	const own = caps.filter(({ scope, target }) => scope === 'role' && target !== undefined && roles.includes(target));
	return own.length === 0 ? undefined : Math.max(...own.map(({ images }) => images));
}
