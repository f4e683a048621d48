import { type CallKind, callKindOf, type Limit, type Period, type Scope } from '../../domain/limit.ts';
import type { Person } from '../../domain/person.ts';
import { isPersonal, type Place } from '../../domain/place.ts';
import type { Settings } from '../settings/settings.ts';
import { serverWindows } from '../windows/carried-windows.ts';
import { type Window, windowsAt } from '../windows/windows.ts';

/**
 * The layers that a call is counted in, widest first: the deployment's plan, the money beyond it, the operator's caps, and the scopes
 * of a server.
 */
export type LayerName = 'plan' | 'overage' | 'operatorServer' | 'operatorMember' | Scope;

/** One counter that a call is taken from, with its cap where it has one. */
export type Layer = {
	name: LayerName;
	/** Absent for pictures. */
	what?: CallKind;
	/** The counter's key. A role's cap applies to each of its members, so it is counted on the member's own counter. */
	key: string;
	period: Period;
	/** The cap in calls or chat turns, and in mills for `overage`. Undefined when nothing caps the counter. */
	limit?: number;
	window: Window;
};

/** The deployment's plan: the calls included in a calendar month (UTC), and the price of a call beyond them, in mills. */
export type Plan = {
	imagesPerMonth?: number | undefined;
	price: number;
	/** The operator's caps, which protect the plan. */
	caps?: OperatorCaps | undefined;
};

/**
 * The operator's caps on calls for pictures, which protect the plan. They apply beside the caps of moderators, who can neither raise
 * them nor move their windows: their days and months begin in UTC, whatever time zone a server has.
 */
export type OperatorCaps = {
	/** For every server. */
	serverPerDay?: number | undefined;
	serverPerMonth?: number | undefined;
	/** For every person of a platform, over all servers and direct messages: who adds the bot to more servers gets no more calls. */
	memberPerDay?: number | undefined;
};

export type Member = Pick<Person, 'id'> & { roles?: readonly string[] | undefined };

/**
 * Returns the plan's layer, or undefined when no plan is configured. Its month is counted in UTC, because servers of all time
 * zones share it.
 */
export function planLayer({ imagesPerMonth }: Plan, at: number): Layer | undefined {
	if (imagesPerMonth === undefined) return undefined;
	const { month } = windowsAt(at, 'UTC');
	return { name: 'plan', key: `count:plan:${month.id}`, period: 'month', limit: imagesPerMonth, window: month };
}

/** Returns the layer of what a server spends beyond the plan, in mills and in the plan's month. */
export function overageLayer({ platform, server }: Place, { overageMills }: Settings, at: number): Layer {
	const { month } = windowsAt(at, 'UTC');
	const key = `cost:${platform}:${server}:${month.id}`;
	return { name: 'overage', key, period: 'month', limit: overageMills, window: month };
}

/**
 * Returns a server's own layers for a call, widest first.
 *
 * Server and member are always counted, because people see these figures; a channel is counted where it has a cap. Without a
 * server there is one member counter for the one person whose account it is, no matter who presses a button there.
 */
export function serverLayers(
	settings: Settings,
	place: Place,
	member: Member,
	at: number,
	what: CallKind = 'pictures',
): Layer[] {
	const windows = serverWindows(settings, at);
	const owner = `${what === 'chat' ? 'chat' : 'count'}:${place.platform}:${place.server}`;
	const limits = settings.limits.filter((limit) => callKindOf(limit) === what);
	const periods = (['day', 'month'] as const).map((period) => ({
		period,
		caps: limits.filter((limit) => limit.period === period),
	}));
	const layer = (name: Scope, key: string, period: Period, limit?: number): Layer => ({
		name,
		...(what === 'chat' && { what }),
		key: `${owner}:${key}:${windows[period].id}`,
		period,
		window: windows[period],
		...(limit !== undefined && { limit }),
	});

	if (isPersonal(place))
		return periods.map(({ period, caps }) => layer('member', 'member', period, capOf(caps, 'member')));
	return [
		...periods.map(({ period, caps }) => layer('server', 'server', period, capOf(caps, 'server'))),
		...periods.flatMap(({ period, caps }) => {
			const cap = capOf(caps, 'channel', place.channel) ?? capOf(caps, 'channel');
			return cap === undefined ? [] : [layer('channel', `channel:${place.channel}`, period, cap)];
		}),
		...periods.map(({ period, caps }) => {
			const { scope, cap } = memberCap(caps, member);
			const granted = what === 'pictures' ? grantedTo(settings, member, period, windows[period].id) : 0;
			return layer(scope, `member:${member.id}`, period, cap === undefined ? cap : cap + granted);
		}),
	];
}

/**
 * Returns the cap that applies to a member, and whether it comes from a role. The best of the member's roles counts. A cap for
 * this very member applies beside it. The default for all members applies only where no role has a cap, so that a role can
 * allow more than the default.
 */
function memberCap(caps: readonly Limit[], { id, roles = [] }: Member): { scope: 'role' | 'member'; cap?: number } {
	const byRole = caps
		.filter(({ scope, target }) => scope === 'role' && target !== undefined && roles.includes(target))
		.map(({ images }) => images);
	const best = byRole.length === 0 ? undefined : Math.max(...byRole);
	const own = capOf(caps, 'member', id) ?? (best === undefined ? capOf(caps, 'member') : undefined);
	// Both caps share one counter, so the tighter one is the one that can be reached.
	if (best !== undefined && (own === undefined || best <= own)) return { scope: 'role', cap: best };
	return { scope: 'member', ...(own !== undefined && { cap: own }) };
}

/** Returns how many calls moderators have granted a member beyond the cap in a window. */
export const grantedTo = ({ grants }: Settings, { id }: Member, period: Period, window: string): number =>
	grants.find((grant) => grant.member === id && grant.period === period && grant.window === window)?.images ?? 0;

const capOf = (caps: readonly Limit[], scope: Scope, target?: string) =>
	caps.find((limit) => limit.scope === scope && limit.target === target)?.images;
