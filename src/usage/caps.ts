import { isPersonal, type Place, type ServerId } from '../domain/channel.ts';
import type { CallKind, CallOutcome, Limit, Period, PriceRow, Scope, Unit } from '../domain/job.ts';
import type { Easel } from '../easel.ts';
import { pagesOf } from '../store/store.ts';
import { MONTHS, serverMonthOf } from './jobs.ts';
import type { Settings } from './settings.ts';
import {
	callKindOf,
	counterKey,
	readCounters,
	serverWindows,
	type Window,
	type Windows,
	windowsAt,
} from './windows.ts';

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
	/** What it counts: `usd` is micro-USD. */
	unit: Unit;
	/** The cap, in the unit. Undefined when nothing caps the counter. */
	limit?: number;
	window: Window;
};

/** The deployment's plan: the calls included in a calendar month (UTC), and the price of a call beyond them, in mills. */
export type Plan = {
	imagesPerMonth?: number;
	price: number;
	/** What calls cost. With it every call has a price, also within the plan; without it, only calls beyond the plan. */
	prices?: readonly PriceRow[];
	caps?: OperatorCaps;
};

/**
 * The operator's caps on calls for pictures, which protect the plan. They apply beside the caps of moderators, who can neither raise
 * them nor move their windows: their days and months begin in UTC, whatever time zone a server has.
 */
export type OperatorCaps = {
	serverPerDay?: number;
	serverPerMonth?: number;
	/** For every person of a platform, over all servers and direct messages: who adds the bot to more servers gets no more calls. */
	memberPerDay?: number;
	/** The most that a server's month and a person's day may cost, in micro-USD. */
	serverUsdPerMonth?: number;
	memberUsdPerDay?: number;
};

export type Member = { id: string } & { roles?: readonly string[] };

/** What a layer counts: calls or their money, of a day or a month. */
type Counted = Pick<Layer, 'unit' | 'period' | 'what'>;

/** @param owner whose counter it is */
const layerOf = (
	windows: Windows,
	name: LayerName,
	owner: readonly string[],
	{ unit, period, what }: Counted,
	limit?: number,
): Layer => ({
	...{ name, what, unit, period, limit, window: windows[period] },
	key: counterKey(what === 'chat' ? what : unit === 'usd' ? unit : 'count', ...owner, windows[period].id),
});

/** Returns the plan's layer. Its month is counted in UTC, because servers of all time zones share it. */
const planLayer = ({ imagesPerMonth }: Plan, at: number): Layer =>
	layerOf(windowsAt(at, 'UTC'), 'plan', ['plan'], { unit: 'images', period: 'month' }, imagesPerMonth);

/** Returns the layer of what a server spends beyond the plan, in the plan's month. */
function overageLayer({ platform, server }: ServerId, { overageMills }: Settings, at: number): Layer {
	const counted = { unit: 'usd', period: 'month' } as const;
	const most = Math.round(overageMills * 1000);
	return layerOf(windowsAt(at, 'UTC'), 'overage', ['beyond', platform, server], counted, most);
}

/**
 * Returns the layers of the operator's caps for a call, widest first. They are counted also where there is no cap, so that a cap that is
 * set later holds for the whole window.
 */
function operatorLayers(caps: OperatorCaps, place: Place, personId: string, at: number): Layer[] {
	const { platform, server } = place;
	const windows = windowsAt(at, 'UTC');
	const ofMember = (unit: Unit, limit?: number) =>
		layerOf(windows, 'operatorMember', ['operator', 'member', platform, personId], { unit, period: 'day' }, limit);
	const ofServer = (period: Period, unit: Unit, limit?: number) =>
		layerOf(windows, 'operatorServer', ['operator', 'server', platform, server], { unit, period }, limit);
	const own = [ofMember('images', caps.memberPerDay), ofMember('usd', caps.memberUsdPerDay)];
	if (isPersonal(place)) return own;
	return [
		ofServer('day', 'images', caps.serverPerDay),
		ofServer('month', 'images', caps.serverPerMonth),
		ofServer('month', 'usd', caps.serverUsdPerMonth),
		...own,
	];
}

/**
 * Returns a server's own layers for a call, widest first; each is counted also without a cap, calls before money. Without a server there is one member counter
 * for the one person whose account it is, no matter who presses a button there.
 */
export function serverLayers(
	settings: Settings,
	place: Place,
	member: Member,
	at: number,
	what: CallKind = 'pictures',
): Layer[] {
	const windows = serverWindows(settings, at);
	const limits = settings.limits.filter((limit) => callKindOf(limit) === what);
	const units: readonly Unit[] = what === 'chat' ? ['images'] : ['images', 'usd'];
	const columns = units.flatMap((unit) =>
		(['day', 'month'] as const).map((period) => ({
			...{ unit, period, what: what === 'chat' ? what : undefined },
			caps: limits.flatMap((limit) => (limit.period === period ? { ...limit, most: limit[unit] } : [])),
		})),
	);
	const layer = (name: Scope, owner: string, counted: Counted, limit?: number) =>
		layerOf(windows, name, [place.platform, place.server, owner], counted, limit);

	if (isPersonal(place)) return columns.map((each) => layer('member', 'member', each, capOf(each.caps, 'member')));
	return [
		...columns.map((each) => layer('server', 'server', each, capOf(each.caps, 'server'))),
		...columns.map((each) => {
			const cap = capOf(each.caps, 'channel', place.channel) ?? capOf(each.caps, 'channel');
			return layer('channel', `channel:${settings.firstIds?.[place.channel] ?? place.channel}`, each, cap);
		}),
		...columns.map((each) => {
			const { scope, cap } = memberCap(each.caps, member);
			const granted = what === 'pictures' ? grantedTo(settings, member, windows[each.period].id, each.unit) : 0;
			return layer(scope, `member:${member.id}`, each, cap === undefined ? cap : cap + granted);
		}),
	];
}

/** A cap of one unit; without `most`, it caps the other unit. */
type Cap = Pick<Limit, 'scope' | 'target'> & { most: number | undefined };

/**
 * Returns the cap that applies to a member, and whether it comes from a role. The best of the member's roles counts. A cap for
 * this very member applies beside it. The default for all members applies only where no role has a cap, so that a role can
 * allow more than the default.
 */
function memberCap(caps: readonly Cap[], { id, roles = [] }: Member): { scope: 'role' | 'member'; cap?: number } {
	const byRole = caps
		.filter(({ scope, target }) => scope === 'role' && target !== undefined && roles.includes(target))
		.flatMap(({ most }) => most ?? []);
	const best = byRole.length === 0 ? undefined : Math.max(...byRole);
	const own = capOf(caps, 'member', id) ?? (best === undefined ? capOf(caps, 'member') : undefined);
	// Both caps share one counter, so the tighter one is the one that can be reached.
	if (best !== undefined && (own === undefined || best <= own)) return { scope: 'role', cap: best };
	return { scope: 'member', cap: own };
}

/** Returns how many calls, or how much money, moderators have granted a member beyond the cap in a window. */
export const grantedTo = ({ grants }: Settings, { id }: Member, window: string, unit: Unit): number =>
	grants.find((grant) => grant.member === id && grant.window === window)?.[unit] ?? 0;

const capOf = (caps: readonly Cap[], scope: Scope, target?: string) =>
	caps.find((cap) => cap.scope === scope && cap.target === target)?.most;

/** Counts what happens to calls. Every method is called once for each event, by the process that has caused it. */
export type LedgerObserver = {
	settled(what: CallKind, outcome: CallOutcome): void;
	capReached(what: CallKind, scope: LayerName): void;
	/** A job of a process that is gone was claimed. */
	claimed(): void;
};

/** A layer, and how much of it is used, in its unit. */
export type UsageStatus = Layer & { used: number };

/** The first cap that a call would exceed, how much of it is used, and how much the call needs. */
export type CapReached = { denied: Layer; used: number; needed?: number };

/**
 * Returns all layers that a call is counted in, widest first. Pictures are taken from the plan and from the operator's caps; `overage` takes
 * the place of a plan that is used up.
 */
export function layersOf(
	plan: Plan,
	settings: Settings,
	place: Place,
	member: Member,
	at: number,
	what: CallKind = 'pictures',
): Layer[] {
	const own = serverLayers(settings, place, member, at, what);
	if (what === 'chat') return own;
	const included = planLayer(plan, at);
	return [
		...(included.limit === undefined ? [] : [included, overageLayer(place, settings, at)]),
		...operatorLayers(plan.caps ?? {}, place, member.id, at),
		...own,
	];
}

/**
 * Returns the layers that people see of a member's use in a place: each that has a cap, and server and member without one, of money only
 * where calls have prices.
 */
export async function usageStatus(
	{ store, plan, now }: Easel,
	settings: Settings,
	place: Place,
	member: Member,
	what?: CallKind,
): Promise<UsageStatus[]> {
	const layers = layersOf(plan, settings, place, member, now(), what).filter(
		({ name, unit, limit }) =>
			limit !== undefined || ((name === 'server' || name === 'member') && (unit === 'images' || plan.prices)),
	);
	const used = await readCounters(store.space('ledger'), layers);
	return layers.map((layer, index) => ({ ...layer, used: used[index] ?? 0 }));
}

/** The use of the running month (UTC) by all servers together. Amounts are in micro-USD. */
export type DeploymentUsage = {
	/** Absent without a plan. */
	plan?: { used: number; included: number };
	/** Spent beyond the plan, and the most that the servers with calls in this month may spend. */
	overage: { spent: number; allowed: number };
};

/** Adds up what all servers have used this month. Reads two entries of each server that has made calls in it. */
export async function deploymentUsage({ store, settings, plan, now }: Easel): Promise<DeploymentUsage> {
	const space = store.space('ledger');
	const at = now();
	const month = windowsAt(at, 'UTC').month.id;
	const overage = { spent: 0, allowed: 0 };
	const layerIn = async (member: string) => {
		const { server } = serverMonthOf(member);
		return overageLayer(server, await settings.get(server), at);
	};
	// The semicolon follows the colon in ASCII.
	for await (const members of pagesOf(space, MONTHS, { after: `${month}:`, before: `${month};` })) {
		const layers = await Promise.all(members.map(layerIn));
		for (const spent of await readCounters(space, layers)) overage.spent += spent;
		for (const { limit = 0 } of layers) overage.allowed += limit;
	}
	const layer = planLayer(plan, at);
	if (layer.limit === undefined) return { overage };
	const [used = 0] = await readCounters(space, [layer]);
	return { plan: { used, included: layer.limit }, overage };
}
