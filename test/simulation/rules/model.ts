import type { Job, Period, Receipt, Unit } from '../../../src/domain/job.ts';
import type { Change } from '../../../src/store/store.ts';
import type { Plan } from '../../../src/usage/caps.ts';
import type { ObservedProcess } from './keeping.ts';
import {
	channelCap,
	type ModelSettings,
	memberCap,
	policyViolation,
	serverCap,
	UNSET,
	windowIdOf,
} from './model-caps.ts';

/** A rule that was broken, by its number in `RULES`, and how. */
export type Violation = { rule: number; description: string };

/** A call that was taken from counters, as it was stored. */
export type TrackedCall = {
	job: Job;
	/** What it counts in caps in money: what was reserved, then what was settled, in micro-USD. */
	usd: number;
	/** How often it was reserved. More than once is wrong. */
	reservations: number;
	/** Whether it was stored that the service may be called. */
	sent: boolean;
	refunded: boolean;
	/** The state that was stored last. */
	state: Job['state'];
	/** Whether it was claimed while its process was alive. */
	claimedWhileAlive: boolean;
	/** The answer that was stored last. */
	answer?: Job['answer'];
	/** Whether it stays open although its answer is posted. */
	isPosted: boolean;
	/** The counters that moderators have given it back to. */
	givenBack: Set<string>;
};

/** Inputs of the model from outside of the store. */
export type ModelEnvironment = {
	rolesOf(person: string): readonly string[];
	promptOf(job: string): string;
	/** Returns the process that is writing; undefined when no process is. */
	writer(): ObservedProcess | undefined;
	/** Returns the wall clock's time, in Unix milliseconds. */
	now(): number;
	/** Returns the most that a job may cost by the prices of the process that is writing, and what the service says that it has cost. */
	mostOf(job: string): number;
	costOf(job: string): number | undefined;
};

/** A lease as it is stored. */
type ObservedLease = {
	process: ObservedProcess;
	/** Unix milliseconds. */
	expiresAt: number;
	/** The number of the last change before which it had expired, by the clock of some machine. */
	lapsedAt: number;
};

/** The clocks of different machines disagree by up to this much. */
const CLOCK_SKEW_MS = 5000;

/** A counter that a call is taken from, and how its cap follows from the settings. */
type CountedLayer = { key: string; unit: Unit; cap: (settings: ModelSettings) => number | undefined };

/**
 * Computes from the commits what every counter must be, by other means than the ledger: with a calendar and a reading
 * of the caps of its own.
 */
export class Model {
	readonly calls = new Map<string, TrackedCall>();
	readonly #plan: Plan;
	readonly #environment: ModelEnvironment;
	/** By the id of their process. */
	readonly #leases = new Map<string, ObservedLease>();
	/** The owners of jobs, and the number of the change since which they are. */
	readonly #owners = new Map<string, { process: string; since: number }>();
	#changes = 0;
	readonly #settings = new Map<string, ModelSettings>();

	constructor(plan: Plan, environment: ModelEnvironment) {
		this.#plan = plan;
		this.#environment = environment;
	}

	/** Observes a change at the moment it is committed. */
	observe({ once, put = [], remove = [] }: Change): Violation[] {
		const violations: Violation[] = [];
		this.#changes += 1;
		for (const key of remove)
			if (typeof key === 'string' && key.startsWith('lease:')) this.#leases.delete(key.slice('lease:'.length));
		for (const { space, key, value } of put) {
			if (space !== undefined) continue;
			if (key.startsWith('settings:'))
				this.#settings.set(key.split(':')[2] ?? '', (value as { settings: ModelSettings }).settings);
			else if (key.startsWith('job:')) violations.push(...this.#observeJob(value as Job, once === key));
			else if (key.startsWith('lease:'))
				this.#observeLease(key.slice('lease:'.length), (value as Pick<ObservedLease, 'expiresAt'>).expiresAt);
		}
		return violations;
	}

	/** Tells whether a job is a process's own. A job that no process has reserved is. */
	isOwnedBy(jobId: string, process: ObservedProcess): boolean {
		const owner = this.#owners.get(jobId);
		return owner === undefined || this.#leases.get(owner.process)?.process === process;
	}

	/** Tells whether the process that works on a job has ended. */
	isAbandoned(jobId: string): boolean {
		const owner = this.#owners.get(jobId);
		return owner !== undefined && this.#leases.get(owner.process)?.process.hasEnded !== false;
	}

	/** Tells whether a sentence is not the answer that is stored of a job, and its process has lost the job to another one. */
	isOutdated(jobId: string, process: ObservedProcess, text: string): boolean {
		const call = this.calls.get(jobId);
		if (!call?.answer || this.isOwnedBy(jobId, process)) return false;
		const isCaller = this.#leases.get(call.job.process)?.process === process;
		// A sentence is posted below the prompt that it is about.
		const said = text.replace(/^\*\*.*\*\*\n/, '');
		return isCaller && !(call.answer.kind === 'sentence' && call.answer.text === said);
	}

	/** Returns what every counter must be. */
	counters(): Map<string, number> {
		const sums = new Map<string, number>();
		for (const call of this.calls.values()) {
			if (call.refunded) continue;
			for (const { key, unit } of this.#layersOf(call.job)) {
				const by = unit === 'usd' ? call.usd : 1;
				if (!call.givenBack.has(key)) sums.set(key, (sums.get(key) ?? 0) + by * call.reservations);
			}
		}
		return sums;
	}

	#observeReceipt(receipt: Receipt): Violation[] {
		const { id, outcome, refundedAt, usd = 0 } = receipt;
		if (refundedAt !== undefined) this.#observeModeratorRefund(receipt, refundedAt);
		const call = this.calls.get(id);
		if (!call || refundedAt !== undefined) return [];
		if (outcome === 'failed') call.refunded = true;
		const said = this.#environment.costOf(id) ?? call.usd;
		// A process that takes the job over finds the pictures, and not what they cost.
		const mayBe =
			outcome === 'failed' ? [0] : [call.usd, ...(outcome === 'succeeded' ? [Math.min(call.usd, said)] : [])];
		const description = `${id} (${outcome}) is settled at ${usd}; ${call.usd} was reserved, and it cost ${said}`;
		const violations = mayBe.includes(usd) ? [] : [{ rule: 17, description }];
		call.usd = usd;
		return violations;
	}

	/** Moderators give back a call to the server's own counters of the day and month that run at the time of the refund. */
	#observeModeratorRefund({ id, place, outcome }: Receipt, refundedAt: number): void {
		const call = this.calls.get(id);
		if (!call || outcome !== 'unknown') return;
		const { timeZone } = this.#settings.get(place.server) ?? UNSET;
		for (const period of ['day', 'month'] as const) {
			const window = windowIdOf(refundedAt, timeZone, period);
			const owner = `${place.platform}:${place.server}:`;
			for (const { key } of this.#layersOf(call.job))
				if ([`count:${owner}`, `usd:${owner}`].some((own) => key.startsWith(own)) && key.endsWith(`:${window}`))
					call.givenBack.add(key);
		}
	}

	#observeJob(job: Job, isReservation: boolean): Violation[] {
		const violations = isReservation ? this.#observeReservation(job) : [];
		const call = this.calls.get(job.id);
		if (!call) return violations;
		if (!isReservation) violations.push(...this.#observeOwner(call, job.process));
		if (job.state === 'sent' && job.claims === 0) call.sent = true;
		if (job.answer) call.answer = job.answer;
		call.state = job.state;
		call.isPosted = job.isPosted === true;
		if (job.outcome !== undefined) violations.push(...this.#observeReceipt(job as Receipt));
		return violations;
	}

	#observeReservation(job: Job): Violation[] {
		const call = this.calls.get(job.id) ?? {
			job,
			usd: job.usd ?? 0,
			reservations: 0,
			sent: false,
			refunded: false,
			state: job.state,
			claimedWhileAlive: false,
			isPosted: false,
			givenBack: new Set(),
		};
		call.reservations += 1;
		this.calls.set(job.id, call);
		this.#owners.set(job.id, { process: job.process, since: this.#changes });

		const settings = this.#settingsOf(job);
		const { rolesOf, promptOf } = this.#environment;
		const denial = policyViolation(settings, job, rolesOf(job.person.id), promptOf(job.id));
		const counters = this.counters();
		const exceeded = this.#layersOf(call.job).flatMap(({ key, unit, cap }): Violation[] => {
			const max = cap(settings) ?? Number.POSITIVE_INFINITY;
			const used = counters.get(key) ?? 0;
			const description = `${job.id} was reserved, and ${key} is ${used} of ${max}`;
			return used > max ? [{ rule: unit === 'usd' ? 17 : 1, description }] : [];
		});
		const most = this.#mostOf(job);
		if (most !== call.usd)
			exceeded.push({ rule: 17, description: `${job.id} may cost ${most}, and ${call.usd} was reserved` });
		if (denial === undefined) return exceeded;
		return [...exceeded, { rule: 10, description: `${job.id} was reserved, although ${denial}` }];
	}

	#observeLease(processId: string, expiresAt: number): void {
		const process = this.#environment.writer();
		if (!process) return;
		const previous = this.#leases.get(processId);
		const lapsedAt = previous && this.#hasLapsed(previous) ? this.#changes : (previous?.lapsedAt ?? 0);
		this.#leases.set(processId, { process, expiresAt, lapsedAt });
	}

	/**
	 * Observes who works on a job. What has ended may be taken by any process, and the process that has made the call may take back what
	 * was taken from it: it has its pictures.
	 */
	#observeOwner(call: TrackedCall, processId: string): Violation[] {
		const { id, process: caller } = call.job;
		const previous = this.#owners.get(id);
		if (!previous || previous.process === processId) return [];
		this.#owners.set(id, { process: processId, since: this.#changes });
		const lease = this.#leases.get(previous.process);
		if (!lease || lease.process.hasEnded) return [];
		call.claimedWhileAlive = true;
		const mayTake = call.state === 'delivered' || processId === caller || call.isPosted;
		if (mayTake || this.#hasLapsed(lease) || lease.lapsedAt >= previous.since) return [];
		return [{ rule: 13, description: `${id} was claimed from a process that held its lease` }];
	}

	#hasLapsed({ expiresAt }: ObservedLease): boolean {
		return this.#environment.now() >= expiresAt - CLOCK_SKEW_MS;
	}

	/** Without prices, only calls beyond the plan cost something. */
	#mostOf(job: Job): number {
		const most = this.#environment.mostOf(job.id);
		return job.quote === undefined && isBeyond(job) ? this.#plan.price * 1000 : most;
	}

	#settingsOf({ place }: Job): ModelSettings {
		return this.#settings.get(place.server) ?? UNSET;
	}

	/** The operator's caps are the same in all servers, and their windows those of UTC. */
	#operatorLayersOf({ place: { platform, server }, person, at }: Job): CountedLayer[] {
		const { serverPerDay, serverPerMonth, memberPerDay, serverUsdPerMonth, memberUsdPerDay } = this.#plan.caps ?? {};
		const layer = (key: string, period: Period, cap: number | undefined, unit: Unit = 'images'): CountedLayer[] => {
			const window = windowIdOf(at, 'UTC', period);
			return [{ key: `${KINDS[unit]}:operator:${key}:${window}`, unit, cap: () => cap }];
		};
		return [
			...layer(`server:${platform}:${server}`, 'day', serverPerDay),
			...layer(`server:${platform}:${server}`, 'month', serverPerMonth),
			...layer(`member:${platform}:${person.id}`, 'day', memberPerDay),
			...layer(`server:${platform}:${server}`, 'month', serverUsdPerMonth, 'usd'),
			...layer(`member:${platform}:${person.id}`, 'day', memberUsdPerDay, 'usd'),
		];
	}

	/** Returns the layers of a call by its own place and time. */
	#layersOf(job: Job): CountedLayer[] {
		const { platform, server, channel } = job.place;
		const { timeZone } = this.#settingsOf(job);
		const columns = (['images', 'usd'] as const).flatMap((unit) =>
			(['day', 'month'] as const).map((period) => ({ unit, period })),
		);
		const own = columns.flatMap(({ unit, period }): CountedLayer[] => {
			const owner = `${KINDS[unit]}:${platform}:${server}`;
			const window = windowIdOf(job.at, timeZone, period);
			const member = job.person.id;
			const roles = this.#environment.rolesOf(member);
			return [
				{ key: `${owner}:server:${window}`, unit, cap: (settings) => serverCap(settings, period, unit) },
				{
					key: `${owner}:channel:${channel}:${window}`,
					unit,
					cap: (settings) => channelCap(settings, period, unit, channel),
				},
				{
					key: `${owner}:member:${member}:${window}`,
					unit,
					cap: (settings) => memberCap(settings, period, unit, member, roles, window),
				},
			];
		});
		// A call that costs nothing is in no counter of money, so that no cap in money denies it.
		const isFree = (job.usd ?? 0) === 0;
		const layers = [...own, ...this.#operatorLayersOf(job)].filter(({ unit }) => unit === 'images' || !isFree);
		const { imagesPerMonth } = this.#plan;
		if (imagesPerMonth === undefined) return layers;
		const month = windowIdOf(job.at, 'UTC', 'month');
		const key = `usd:beyond:${platform}:${server}:${month}`;
		return isBeyond(job)
			? [{ key, unit: 'usd', cap: ({ overageMills }) => overageMills * 1000 }, ...layers]
			: [{ key: `count:plan:${month}`, unit: 'images', cap: () => imagesPerMonth }, ...layers];
	}
}

const KINDS = { images: 'count', usd: 'usd' };

/** Tells whether a call was reserved beyond the plan. */
const isBeyond = ({ debits }: Job): boolean => debits.some(([key]) => key.startsWith('usd:beyond:'));
