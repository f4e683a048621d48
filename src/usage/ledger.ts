import { isSettled, type Job } from '../domain/job.ts';
import { type CallKind, callKindOf } from '../domain/limit.ts';
import type { Place } from '../domain/place.ts';
import type { CallOutcome, Debit, Receipt } from '../domain/receipt.ts';
import type { Space } from '../store/store.ts';
import { type Layer, type Member, overageLayer, type Plan, planLayer, serverLayers } from './layers.ts';
import type { CachedSettings, Settings, SettingsRepository } from './settings.ts';
import { windowsAt } from './windows.ts';

/** A cap in the way: which, how far it is used, when it starts anew. */
export type CapReached = { denied: Layer; used: number };

/** A cap, or another rule of the server, in a sentence. */
export type Denial = CapReached | { denied: string };

/** How far a layer is used. */
export type UsageStatus = Layer & { used: number };

type Request = Pick<Job, 'id' | 'command' | 'what' | 'place' | 'person' | 'answer'> & {
	roles?: readonly string[] | undefined;
	/** Why the server's rules do not allow it, if they don't. Asked of the very rules that are in force when the call is taken. */
	checkPolicy?(rules: Settings): string | undefined;
};

export type Ledger = {
	/**
	 * The only door in: takes the call from every layer that applies and writes the job down, in one step, or says which cap is in
	 * the way, or that this delivery has been here before. A turn of chat has caps of its own and does not touch the plan.
	 * Rejects with `StoreError`; then the request must be refused.
	 */
	reserve(request: Request): Promise<Job | Denial | 'duplicate'>;
	/** Whether this delivery has been here before. */
	has(id: string): Promise<boolean>;
	/** To be written before the service is asked; false when another process has ended the job meanwhile: do not ask. */
	markSent(job: Job): Promise<boolean>;
	/** Settles the call once, with its receipt; a second settlement changes nothing. Returns the job as it is then. */
	settle(job: Job, outcome: CallOutcome, pictures: number): Promise<Job>;
	/** The request has ended in an answer, or its pictures are kept for the person. */
	close(job: Job, state: 'delivered' | 'undeliverable'): Promise<void>;
	/** Takes an unfinished job over from a process that is gone, as it stands now; undefined when somebody else was quicker. */
	claim(job: Job): Promise<Job | undefined>;
	/** Requests that have not ended in an answer. */
	openJobs(): AsyncIterable<Job>;
	/** Every layer that applies to a member in a place, the widest first, and how far it is used. */
	usageStatus(place: Place, member: Member, what?: CallKind): Promise<UsageStatus[]>;
	/** A cap was set in the middle of its window: its counter starts with what the window has seen already. */
	backfillCounter(place: Place, layer: Layer): Promise<void>;
	/** Receipts of a server's calls for pictures. */
	receipts(place: Pick<Place, 'platform' | 'server'>): AsyncIterable<Receipt>;
	/** Counters that differ from what receipts and running jobs come to; none when all is right. Only exact while nothing runs. */
	verify(): Promise<{ key: string; counted: number; computed: number }[]>;
};

/** In place of a command, in the entry that a counter starts with. */
const OPENING = '';

/**
 * Whose a job is, once it has changed hands. Apart from the job, which whoever was taken for dead may still write, so that
 * neither of the two undoes what the other has written.
 */
type Owner = Pick<Job, 'process' | 'hands'>;

export type LedgerOptions = {
	space: Space;
	settings: SettingsRepository;
	plan: Plan;
	/** This process, by its lease. */
	processId: string;
	/** Unix milliseconds. */
	now: () => number;
};

export function createLedger({ space, settings, plan, processId, now }: LedgerOptions): Ledger {
	const put = (job: Job) => ({ key: `job:${job.id}`, value: job });
	const find = (id: string) => space.keyv.get<Job>(`job:${id}`);
	const usedOf = async (key: string) => (await space.keyv.get<number>(key)) ?? 0;
	const receiptKey = ({ place, id }: Pick<Job, 'place' | 'id'>) => `receipt:${place.platform}:${place.server}:${id}`;

	/** One attempt to take a call from these layers. */
	async function take(
		job: Job,
		layers: readonly Layer[],
		by: (layer: Layer) => number,
		guard: CachedSettings['guard'],
	): Promise<Job | Layer | 'duplicate' | 'outdated'> {
		const taken = { ...job, takings: layers.map((layer) => ({ key: layer.key, by: by(layer) })) };
		const outcome = await space.commit({
			once: `job:${job.id}`,
			add: [
				guard,
				...layers.map((layer) => ({
					key: layer.key,
					by: by(layer),
					...(layer.limit !== undefined && { atMost: layer.limit }),
				})),
			],
			put: [put(taken), { key: `open:${job.id}`, value: true }],
		});
		if (outcome === 'done') return taken;
		if (outcome === 'duplicate') return outcome;
		if (outcome.refused === guard.key) return 'outdated';
		return layers.find(({ key }) => key === outcome.refused) as Layer;
	}

	/** One attempt to reserve by the rules as they were last read. */
	async function attempt({
		roles,
		checkPolicy,
		...request
	}: Request): Promise<Job | Denial | 'duplicate' | 'outdated'> {
		const at = now();
		const { settings: rules, guard } = await settings.cached(request.place);
		const refused = checkPolicy?.(rules);
		if (refused !== undefined) return (await find(request.id)) ? 'duplicate' : { denied: refused };
		const job: Job = { ...request, state: 'reserved', takings: [], cost: 0, at, process: processId, hands: 0 };
		const own = serverLayers(rules, request.place, { id: request.person.id, roles }, at, request.what);
		const included = callKindOf(request) === 'pictures' ? planLayer(plan, at) : undefined;
		let taken = await take(job, included ? [included, ...own] : own, () => 1, guard);
		if (included && taken === included) {
			// The plan is used up: beyond it a call costs, where the server allows it.
			const overage = overageLayer(request.place, rules, at);
			const beyond = { ...job, cost: plan.price };
			taken = await take(beyond, [overage, ...own], ({ name }) => (name === 'overage' ? plan.price : 1), guard);
			if (taken === overage && rules.overageMills === 0) taken = included;
		}
		if (typeof taken === 'string' || 'state' in taken) return taken;
		// The job may have been reserved by an earlier delivery that a cap would refuse now: it still is that delivery's.
		if (await find(job.id)) return 'duplicate';
		return { denied: taken, used: await usedOf(taken.key) };
	}

	/** Of pictures and of chat. */
	async function* receiptsOf({ platform, server }: Pick<Place, 'platform' | 'server'>) {
		for await (const [, receipt] of space.list(`receipt:${platform}:${server}:`))
			if ((receipt as Receipt).command !== OPENING) yield receipt as Receipt;
	}

	return {
		async reserve(request) {
			for (let tries = 1; ; tries++) {
				const outcome = await attempt(request);
				// What is held may be older than what allows it; what was read just now is not.
				const isOld = typeof outcome === 'object' && 'denied' in outcome && !('used' in outcome) && tries === 1;
				if (outcome !== 'outdated' && !isOld) return outcome;
				settings.invalidate(request.place);
			}
		},

		has: async (id) => (await find(id)) !== undefined,

		// `gate` is passed once: by sending, or by giving back what was not sent. So a process that was taken for dead and gave
		// its job up without knowing can't send it any more.
		async markSent(job) {
			const next: Job = { ...job, state: 'sent' };
			return (await space.commit({ once: `gate:${job.id}`, put: [put(next)] })) === 'done';
		},

		async settle(job, outcome, pictures) {
			const next: Job = { ...job, state: outcome, outcome, ...(outcome === 'failed' && { cost: 0 }) };
			const { id, command, what, place, person, takings, cost, at } = next;
			const by = { id: person.id, name: person.name };
			const receipt: Receipt = {
				id,
				command,
				...(what && { what }),
				place,
				person: by,
				outcome,
				pictures,
				cost,
				takings,
				at,
				settledAt: now(),
			};
			const settled = { key: receiptKey(job), value: receipt };
			const giveBack: Debit[] = outcome === 'failed' ? takings.map(({ key, by }) => ({ key, by: -by })) : [];
			const unsent = job.state === 'reserved';
			const done = await space.commit({
				once: unsent ? `gate:${id}` : settled.key,
				add: giveBack,
				put: [put(next), settled],
			});
			return done === 'done' ? next : ((await find(id)) ?? next);
		},

		async close(job, state) {
			const next: Job = { ...job, state };
			await space.commit({ once: `closed:${job.id}`, put: [put(next)], remove: [`open:${job.id}`] });
		},

		async claim(job) {
			const owner: Owner = { process: processId, hands: job.hands + 1 };
			const claimed = { once: `claim:${job.id}:${owner.hands}`, put: [{ key: `owner:${job.id}`, value: owner }] };
			if ((await space.commit(claimed)) !== 'done') return undefined;
			return { ...((await find(job.id)) ?? job), ...owner };
		},

		async *openJobs() {
			for await (const [key] of space.list('open:')) {
				const job = await find(key.slice('open:'.length));
				if (job) yield { ...job, ...(await space.keyv.get<Owner>(`owner:${job.id}`)) };
			}
		},

		async usageStatus(place, member, what = 'pictures') {
			const at = now();
			const rules = await settings.get(place);
			const included = what === 'pictures' ? planLayer(plan, at) : undefined;
			const layers = [
				...(included ? [included, overageLayer(place, rules, at)] : []),
				...serverLayers(rules, place, member, at, what),
			];
			return Promise.all(layers.map(async (layer) => ({ ...layer, used: await usedOf(layer.key) })));
		},

		async backfillCounter(place, layer) {
			const { timeZone } = await settings.get(place);
			const belongs = ({ at, place: where, ...counted }: Pick<Job, 'at' | 'place' | 'what'>) =>
				callKindOf(counted) === callKindOf(layer) &&
				where.channel === place.channel &&
				windowsAt(at, timeZone)[layer.period].id === layer.window.id;
			// In this order nothing that goes on meanwhile is missed: what comes now counts itself, what ends now has a receipt.
			const used = await usedOf(layer.key);
			const seen = new Set<string>();
			for await (const job of this.openJobs())
				if (job.place.server === place.server && belongs(job) && !isSettled(job)) seen.add(job.id);
			for await (const receipt of receiptsOf(place)) {
				if (receipt.outcome === 'failed') seen.delete(receipt.id);
				else if (belongs(receipt)) seen.add(receipt.id);
			}
			const missing = seen.size - used;
			if (missing <= 0) return;
			const at = now();
			const taking = { key: layer.key, by: missing };
			const opening: Receipt = {
				id: `opening:${layer.key}:${at}`,
				command: OPENING,
				place,
				person: { id: '', name: '' },
				outcome: 'succeeded',
				pictures: 0,
				cost: 0,
				takings: [taking],
				at,
				settledAt: at,
			};
			const key = receiptKey(opening);
			await space.commit({ once: key, add: [taking], put: [{ key, value: opening }] });
		},

		async *receipts(place) {
			for await (const receipt of receiptsOf(place)) if (callKindOf(receipt) === 'pictures') yield receipt;
		},

		async verify() {
			const computed = new Map<string, number>();
			const count = (takings: readonly Debit[]) => {
				for (const { key, by } of takings) computed.set(key, (computed.get(key) ?? 0) + by);
			};
			const settled = new Set<string>();
			for await (const [, value] of space.list('receipt:')) {
				const receipt = value as Receipt;
				settled.add(receipt.id);
				if (receipt.outcome !== 'failed') count(receipt.takings);
			}
			for await (const [, value] of space.list('job:')) {
				const job = value as Job;
				if (!settled.has(job.id)) count(job.takings);
			}
			const counted = new Map<string, number>();
			for (const prefix of ['count:', 'cost:', 'chat:'])
				for await (const [key, value] of space.list(prefix)) counted.set(key, value as number);
			return [...new Set([...counted.keys(), ...computed.keys()])]
				.map((key) => ({ key, counted: counted.get(key) ?? 0, computed: computed.get(key) ?? 0 }))
				.filter(({ counted, computed }) => counted !== computed);
		},
	};
}
