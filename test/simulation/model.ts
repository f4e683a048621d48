import type { Job } from '../../src/domain/job.ts';
import type { Receipt } from '../../src/domain/receipt.ts';
import type { Change } from '../../src/store/store.ts';
import type { Plan } from '../../src/usage/layers.ts';
import type { Settings } from '../../src/usage/settings.ts';

/** A rule that was broken, by its number in the list of rules (rules.ts), and how. */
export type Violation = { rule: number; what: string };

/** A call that was taken from counters, as it was written down. */
export type Taken = {
	job: Job;
	/** How often; more than once is wrong. */
	times: number;
	/** It was written that the service may be asked. */
	sent: boolean;
	givenBack: boolean;
	/** The last that was written of its state. */
	state: Job['state'];
	/** Its process was taken for dead, and was not. */
	overtaken: boolean;
};

/**
 * What the counters must be, worked out again from what is seen going by, by other means than the ledger's own: its own calendar
 * and its own reading of the caps.
 */
export type Model = {
	taken: Map<string, Taken>;
	/** To be called at the moment a change is done. */
	see(change: Change): Violation[];
	/** What every counter must be. */
	counters(): Map<string, number>;
};

/** What a moderator can set, as far as it counts here. */
type Rules = Pick<
	Settings,
	'timeZone' | 'limits' | 'overageMills' | 'blocked' | 'allowedChannels' | 'allowedRoles' | 'bannedWords'
>;

/** What the model is told of the world outside of the store. */
export type Outside = {
	rolesOf(person: string): readonly string[];
	promptOf(job: string): string;
	/** Who writes just now; the function says whether they live. */
	writer(): (() => boolean) | undefined;
};

export function createModel(plan: Plan, { rolesOf, promptOf, writer }: Outside): Model {
	const taken = new Map<string, Taken>();
	/** Whether a process lives, by its lease; and whose a job is. */
	const living = new Map<string, () => boolean>();
	const owners = new Map<string, string>();
	/** What is in force on each server. */
	const rules = new Map<string, Rules>();
	/** What a channel had seen when it got its cap. */
	const openings = new Map<string, number>();

	const rulesOf = (server: string) => rules.get(server) ?? UNSET;

	/** The counters of a call, by its own place and time. */
	function keysOf({ job }: Taken): { key: string; by: number; cap: (settings: Rules) => number | undefined }[] {
		const { platform, server, channel } = job.place;
		const zone = rulesOf(server).timeZone;
		const owner = `count:${platform}:${server}`;
		const keys = (['day', 'month'] as const).flatMap((period) => {
			const window = windowOf(job.at, zone, period);
			const channelKey = `${owner}:channel:${channel}:${window}`;
			const caps = (settings: Rules) => settings.limits.filter((limit) => limit.period === period);
			return [
				{ key: `${owner}:server:${window}`, by: 1, cap: (s: Rules) => lookUp(caps(s), 'server') },
				...(job.takings.some(({ key }) => key === channelKey)
					? [
							{
								key: channelKey,
								by: 1,
								cap: (s: Rules) => lookUp(caps(s), 'channel', channel) ?? lookUp(caps(s), 'channel'),
							},
						]
					: []),
				{
					key: `${owner}:member:${job.person.id}:${window}`,
					by: 1,
					cap: (s: Rules) => memberCap(caps(s), job.person.id, rolesOf(job.person.id)),
				},
			];
		});
		const month = windowOf(job.at, 'UTC', 'month');
		if (plan.imagesPerMonth === undefined) return keys;
		return job.cost === 0
			? [{ key: `count:plan:${month}`, by: 1, cap: () => plan.imagesPerMonth }, ...keys]
			: [{ key: `cost:${platform}:${server}:${month}`, by: plan.price, cap: (s: Rules) => s.overageMills }, ...keys];
	}

	function counters(): Map<string, number> {
		const sums = new Map(openings);
		for (const one of taken.values())
			if (!one.givenBack) for (const { key, by } of keysOf(one)) sums.set(key, (sums.get(key) ?? 0) + by * one.times);
		return sums;
	}

	function reserved(job: Job): Violation[] {
		const before = taken.get(job.id);
		const one = before ?? { job, times: 0, sent: false, givenBack: false, state: job.state, overtaken: false };
		one.times += 1;
		taken.set(job.id, one);
		owners.set(job.id, job.process);
		const why = refusal(rulesOf(job.place.server), job);
		const refused = why === undefined ? [] : [{ rule: 10, what: `${job.id} was let through, though ${why}` }];
		const sums = counters();
		return keysOf(one)
			.flatMap(({ key, cap }): Violation[] => {
				const most = cap(rulesOf(job.place.server)) ?? Number.POSITIVE_INFINITY;
				const used = sums.get(key) ?? 0;
				return used > most ? [{ rule: 1, what: `${job.id} was let through: ${key} is ${used} of ${most}` }] : [];
			})
			.concat(refused);
	}

	/** Which of the server's other rules refuses a call. */
	function refusal({ blocked, allowedChannels, allowedRoles, bannedWords }: Rules, { id, place, person }: Job) {
		if (blocked.includes(person.id)) return `${person.id} is blocked`;
		if (allowedChannels.length > 0 && !allowedChannels.includes(place.channel))
			return `${place.channel} is not allowed`;
		if (allowedRoles.length > 0 && !allowedRoles.some((role) => rolesOf(person.id).includes(role)))
			return `${person.id} has no role that may ask`;
		const banned = bannedWords.find((word) => promptOf(id).split(' ').includes(word));
		return banned === undefined ? undefined : `“${banned}” is banned`;
	}

	return {
		taken,
		counters,
		see({ once, add = [], put = [] }) {
			const violations: Violation[] = [];
			for (const { key, value } of put) {
				if (key.startsWith('settings:')) {
					const server = key.split(':')[2] ?? '';
					rules.set(server, (value as { settings: Rules }).settings);
				} else if (key.startsWith('receipt:')) {
					const receipt = value as Receipt;
					if (receipt.id.startsWith('opening:'))
						for (const { key: counter, by } of add) openings.set(counter, (openings.get(counter) ?? 0) + by);
					else if (receipt.outcome === 'failed') {
						const one = taken.get(receipt.id);
						if (one) one.givenBack = true;
					}
				} else if (key.startsWith('job:')) {
					const job = value as Job;
					if (once === key) violations.push(...reserved(job));
					const one = taken.get(job.id);
					if (one && job.state === 'sent') one.sent = true;
					if (one) one.state = job.state;
				} else if (key.startsWith('lease:')) {
					const lives = writer();
					if (lives) living.set(key.slice('lease:'.length), lives);
				} else if (key.startsWith('owner:')) {
					const id = key.slice('owner:'.length);
					const one = taken.get(id);
					const next = (value as Pick<Job, 'process'>).process;
					const before = owners.get(id);
					if (one && before !== next && before !== undefined && living.get(before)?.()) one.overtaken = true;
					owners.set(id, next);
				}
			}
			return violations;
		},
	};
}

const UNSET: Rules = {
	timeZone: 'UTC',
	limits: [],
	overageMills: 0,
	blocked: [],
	allowedChannels: [],
	allowedRoles: [],
	bannedWords: [],
};

const formats = new Map<string, Intl.DateTimeFormat>();

/** `2026-11-20` or `2026-11`, by the calendar of `Intl`. */
function windowOf(at: number, timeZone: string, period: 'day' | 'month'): string {
	const format =
		formats.get(timeZone) ??
		new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
	formats.set(timeZone, format);
	return format.format(at).slice(0, period === 'day' ? 10 : 7);
}

type Caps = Settings['limits'];

const lookUp = (caps: Caps, scope: string, target?: string) =>
	caps.find((cap) => cap.scope === scope && cap.target === target)?.images;

/** The best of their roles; besides, what is set for them alone; what is set for everybody, only where no role counts. */
function memberCap(caps: Caps, person: string, roles: readonly string[]): number | undefined {
	const byRole = caps
		.filter(({ scope, target }) => scope === 'role' && roles.includes(target ?? ''))
		.map((cap) => cap.images);
	const alone = lookUp(caps, 'member', person);
	if (byRole.length === 0) return alone ?? lookUp(caps, 'member');
	return Math.min(Math.max(...byRole), alone ?? Number.POSITIVE_INFINITY);
}
