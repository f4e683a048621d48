import { callKindOf, type Debit, type Job } from '../domain/job.ts';
import type { SentenceError } from '../i18n/sentence-error.ts';
import type { LedgerOptions } from './caps.ts';
import { type CapReached, type Layer, operatorLayers, overageLayer, planLayer, serverLayers } from './caps.ts';
import { callMember, findJob, jobKey, OPEN_JOBS } from './jobs.ts';
import { type Settings, settingsGuard } from './settings.ts';
import { counterStep } from './windows.ts';

export type ReservationRequest = Pick<Job, 'id' | 'command' | 'what' | 'place' | 'person' | 'message'> & {
	/** Ids of the person's roles. */
	roles?: readonly string[];
	/** The settings that have allowed the request; read when they are missing. Once they have changed, they are read again. */
	settings?: Settings;
	/**
	 * Returns why settings refuse the request; undefined when they allow it. It is called with the settings that are in force when
	 * the call is reserved, in the same commit, so that no change of them is overtaken.
	 */
	checkPolicy?(settings: Settings): SentenceError | undefined;
};

/** Why a call is not reserved: a cap that is reached, or another rule of the server. */
export type Denial = CapReached | SentenceError;

/** Reserves one call; see `Ledger.reserve`. */
export async function reserve(
	options: LedgerOptions,
	request: ReservationRequest,
): Promise<Job | Denial | 'duplicate'> {
	const { settings: given, ...call } = request;
	for (let settings = given; ; settings = undefined) {
		const result = await tryReserve(options, call, settings ?? (await options.settings.get(request.place)));
		if (result !== 'outdated') return result;
	}
}

/** Makes one attempt; `'outdated'` when the settings have changed. */
async function tryReserve(
	options: LedgerOptions,
	{ roles, checkPolicy, ...request }: Omit<ReservationRequest, 'settings'>,
	settings: Settings,
): Promise<Job | Denial | 'duplicate' | 'outdated'> {
	const { space, plan, processId, now } = options;
	const at = now();
	const guard = settingsGuard(request.place, settings);
	const violation = checkPolicy?.(settings);
	if (violation) return (await findJob(space, request.id)) ? 'duplicate' : violation;

	const blank = { state: 'reserved', step: 0, debits: [], cost: 0, claims: 0 } as const;
	const job: Job = { ...request, ...blank, at, process: processId };
	const isPaid = callKindOf(request) === 'pictures';
	const included = isPaid ? planLayer(plan, at) : undefined;
	const own = [
		...(isPaid ? operatorLayers(plan.caps, request.place, request.person.id, at) : []),
		...serverLayers(settings, request.place, { id: request.person.id, roles }, at, request.what),
	];
	let result = await debit(options, job, included ? [included, ...own] : own, guard);
	// The plan is used up. Beyond it a call is paid for from what the server allows; without a price, nothing would limit the calls.
	if (included && result === included && settings.overageMills > 0 && plan.price > 0) {
		const overage = overageLayer(request.place, settings, at);
		result = await debit(options, { ...job, cost: plan.price }, [overage, ...own], guard);
	}
	if (typeof result === 'string' || 'state' in result) return result;
	// An earlier delivery of the same request may have reserved the job before the cap was reached.
	if (await findJob(space, job.id)) return 'duplicate';
	return { denied: result, used: (await space.keyv.get<number>(result.key)) ?? 0 };
}

/**
 * Takes one call from every layer and stores the job, in one commit.
 *
 * @returns the job with its debits, or the first layer whose cap is reached; `'outdated'` when the settings have changed since
 * they were read
 */
async function debit(
	{ space, now, retentionMs }: LedgerOptions,
	job: Job,
	layers: readonly Layer[],
	guard: ReturnType<typeof settingsGuard>,
): Promise<Job | Layer | 'duplicate' | 'outdated'> {
	const debits = layers.map(({ name, key }): Debit => [key, name === 'overage' ? job.cost : 1]);
	const debited: Job = { ...job, debits };
	const steps = debits.map((each, index) => counterStep(each, now(), retentionMs, layers[index]?.limit));
	const result = await space.commit({
		once: jobKey(job.id),
		add: [guard, ...steps],
		put: [{ key: jobKey(job.id), value: debited }],
		index: [{ index: OPEN_JOBS, member: job.id }, callMember(job, retentionMs)],
	});
	if (result === 'done') return debited;
	if (result === 'duplicate') return result;
	if (result.refused === guard.key) return 'outdated';
	return layers.find(({ key }) => key === result.refused) as Layer;
}
