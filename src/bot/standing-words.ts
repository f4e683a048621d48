import type { Layer, LayerName } from '../usage/layers.ts';
import type { Refusal, Standing } from '../usage/ledger.ts';
import type { Channel } from './platform.ts';

/** Which cap is in the way, how far it is used, and when it starts anew. */
export function refusalWords({ refused, used }: Refusal, show: Pick<Channel, 'when'>): string {
	const { name, what, limit = 0, period, window } = refused;
	const anew = `A new ${period} starts ${show.when(window.ends)}.`;
	if (name === 'overage')
		return `The plan is used up, and beyond it this server has spent ${usd(used)} of ${usd(limit)} ${spans[period]}. ${anew}`;
	const verb = name === 'role' || name === 'member' ? 'have' : 'has';
	return `${subjects[name]} ${verb} used ${used} of ${limit} ${unit(what, limit)} ${spans[period]}. ${anew}`;
}

/** What is left, in a few words: of the cap that is nearest. */
export function leftWords(standings: readonly Standing[]): string {
	const capped = standings.filter(
		(one): one is Standing & { limit: number } => one.limit !== undefined && one.name !== 'overage',
	);
	if (capped.length === 0) {
		const today = standings.find(({ name, period }) => name === 'member' && period === 'day')?.used ?? 0;
		return `${today} ${today === 1 ? 'call' : 'calls'} today`;
	}
	const { name, period, limit, used } = capped.reduce((a, b) => (b.limit - b.used < a.limit - a.used ? b : a));
	return `${Math.max(0, limit - used)} of ${limit} left ${spans[period]}${owners[name]}`;
}

/** A line of /usage. */
export function standingWords(
	{ name, what, period, limit, used, window }: Standing,
	show: Pick<Channel, 'when'>,
): string {
	if (name === 'overage') return `Spent here beyond the plan: ${usd(used)} of ${usd(limit ?? 0)} ${spans[period]}`;
	const calls = limit === undefined ? `${used}` : `${used} of ${limit}, ${Math.max(0, limit - used)} left`;
	const title = what === 'chat' ? `${titles[name]}, chat turns` : titles[name];
	return `${title} ${spans[period]}: ${calls}; anew ${show.when(window.ends)}`;
}

/** What a cap counts: `1 call`, `20 chat turns`. */
export const unit = (what: Layer['what'], count: number) =>
	`${what === 'chat' ? 'chat turn' : 'call'}${count === 1 ? '' : 's'}`;

/** Mills as dollars. */
export const usd = (mills: number) => `${(mills / 1000).toFixed(mills % 10 === 0 ? 2 : 3)} USD`;

const spans = { day: 'today', month: 'this month' } as const satisfies Record<Layer['period'], string>;

const subjects = {
	plan: "This Easel's plan",
	overage: 'This server',
	server: 'This server',
	channel: 'This channel',
	role: 'You',
	member: 'You',
} as const satisfies Record<LayerName, string>;

const titles = { ...subjects, plan: 'The plan', role: 'You, by your role' } as const;

const owners = {
	plan: ' in the plan',
	overage: '',
	server: ' for this server',
	channel: ' in this channel',
	role: '',
	member: '',
} as const satisfies Record<LayerName, string>;
