import type { Person, Place } from '../bot/platform.ts';
import type { Space } from '../store/store.ts';
import type { Job, JobState } from './job.ts';
import { windowsAt } from './windows.ts';

/** How a call ended. Only `failed` is given back: the service surely did not do it. */
export type CallOutcome = 'succeeded' | 'failed' | 'unknown';

export type Ledger = {
	/**
	 * The only door in: counts the call and writes the job down, or says that this delivery has been here before.
	 * Rejects with `StoreError`; then the request must be refused.
	 */
	reserve(request: Omit<Job, 'state' | 'counters' | 'at'>): Promise<Job | 'duplicate'>;
	/** To be written before the service is asked. */
	sent(job: Job): Promise<Job>;
	/** Settles the call, once whatever happens: a second settlement changes nothing. */
	settle(job: Job, outcome: CallOutcome): Promise<Job>;
	/** The request has ended in an answer, or its pictures are kept for the person. */
	close(job: Job, state: 'delivered' | 'undeliverable'): Promise<Job>;
	/** Requests that have not ended in an answer. */
	open(): AsyncIterable<Job>;
	/** Calls counted for a person and for the whole server, and when the windows end (Unix milliseconds). */
	used(place: Place, person: Pick<Person, 'id'>): Promise<Usage>;
};

export type Usage = {
	person: { day: number; month: number };
	server: { day: number; month: number };
	resets: { day: number; month: number };
};

/** Days and months are UTC's for every server. */
const TIME_ZONE = 'UTC';

export function createLedger(space: Space, now: () => number): Ledger {
	const put = (job: Job) => ({ key: `job:${job.id}`, value: job });

	/** One journal entry, once: the step's own key makes a repetition a duplicate. */
	async function step(
		job: Job,
		state: JobState,
		extra: { add?: { key: string; by: number }[]; remove?: string[] } = {},
	) {
		const next = { ...job, state };
		await space.commit({ once: `step:${job.id}:${state}`, put: [put(next)], ...extra });
		return next;
	}

	return {
		async reserve(request) {
			const at = now();
			const job: Job = { ...request, state: 'reserved', at, counters: countersAt(at, request.place, request.person) };
			const outcome = await space.commit({
				once: `job:${job.id}`,
				add: job.counters.map((key) => ({ key, by: 1 })),
				put: [put(job), { key: `open:${job.id}`, value: true }],
			});
			return outcome === 'done' ? job : 'duplicate';
		},
		sent: (job) => step(job, 'sent'),
		async settle(job, outcome) {
			const next = { ...job, state: outcome };
			const giveBack = outcome === 'failed' ? job.counters.map((key) => ({ key, by: -1 })) : [];
			const done = await space.commit({ once: `step:${job.id}:settled`, add: giveBack, put: [put(next)] });
			return done === 'done' ? next : ((await space.keyv.get<Job>(`job:${job.id}`)) ?? next);
		},
		close: (job, state) => step(job, state, { remove: [`open:${job.id}`] }),
		async *open() {
			for await (const [key] of space.list('open:')) {
				const job = await space.keyv.get<Job>(`job:${key.slice('open:'.length)}`);
				if (job) yield job;
			}
		},
		async used(place, person) {
			const at = now();
			const keys = countersAt(at, place, person);
			const [personDay, personMonth, serverDay, serverMonth] = await Promise.all(
				keys.map(async (key) => (await space.keyv.get<number>(key)) ?? 0),
			);
			const { day, month } = windowsAt(at, TIME_ZONE);
			return {
				person: { day: personDay ?? 0, month: personMonth ?? 0 },
				server: { day: serverDay ?? 0, month: serverMonth ?? 0 },
				resets: { day: day.ends, month: month.ends },
			};
		},
	};
}

/** Member's day and month, server's day and month. */
function countersAt(at: number, { platform, server }: Place, person: Pick<Person, 'id'>): string[] {
	const { day, month } = windowsAt(at, TIME_ZONE);
	const owner = `count:${platform}:${server}`;
	return [`member:${person.id}:`, 'server:'].flatMap((layer) => [day, month].map(({ id }) => `${owner}:${layer}${id}`));
}
