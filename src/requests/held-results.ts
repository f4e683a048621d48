import type { Job } from '../domain/job.ts';
import { Collection, type Storage } from '../store/collection.ts';
import { idOfMember, membersOf, timedMember, timeKey } from '../store/pages.ts';
import type { Space } from '../store/store.ts';

/** What a review needs of a job, which forgets its person when it ends. */
type Reviewed = Pick<Job, 'id' | 'place' | 'person'>;

/** A finished request whose pictures nobody sees until a decision. Times are in Unix milliseconds. */
export type HeldResult = {
	job: Reviewed;
	/** When the review ends without a decision. */
	due: number;
	/** When a sweep has to look at it next. */
	checkAt: number;
	/** The channel in which moderators can decide; absent while it could not be posted to. */
	card?: string | undefined;
};

/** The end of a review. The first decision counts. */
export type Decision = {
	verdict: 'approved' | 'rejected';
	/** The moderator; absent when nobody has decided in time. */
	by?: { id: string };
	/** Why it was rejected, as the moderator wrote it. */
	reason?: string;
	/** The number of pictures that the decision is about. */
	pictures: number;
};

/** A review as it is stored. */
export type Review = { held?: HeldResult | undefined; decision?: Decision | undefined };

/** The index of the results in review, by the time at which a sweep has to look at them. */
const HELD = 'held';

export const heldResults = new Collection<HeldResult>('log/held:', {
	owner: 'person',
	holds: 'a result that waits for a review',
	lifetime: 'retention',
	until: 'until its review ends',
	// At once when it is decided, else when a sweep has to look at it.
	indexed: (_, { job, checkAt }) => [0, checkAt].map((at) => memberAt(at, job.id)),
	with: ({ job }) => [decisions.key(job.id), repeats.key(job.id)],
	erasure: 'deleted',
	group: 'log',
	ofCall: ({ id }) => id,
	peopleOf: (_, { job: { place, person } }) => [{ platform: place.platform, server: place.server, id: person.id }],
});

export const decisions = new Collection<Decision>('log/decision:', {
	owner: 'server',
	holds: 'how a review ended, with the moderator’s reason',
	lifetime: 'retention',
});

export const repeats = new Collection<true>('log/repeat:', {
	owner: 'server',
	holds: 'that a decision is to be shown once more',
	lifetime: 'retention',
	until: 'until it is shown',
});

/** Until a sweep posts a result to the log channel whose process has not done it. */
const FIRST_CHECK_MS = 60_000;

/** The results in review, and the decisions. A decision is kept as long as the entry of the log that shows it. */
export class HeldResults {
	readonly #storage: Storage;
	readonly #space: Space;
	readonly #now: () => number;

	constructor(storage: Storage, now: () => number) {
		this.#storage = storage;
		this.#space = heldResults.in(storage);
		this.#now = now;
	}

	/** Begins the review of a result. Doing it again changes nothing. */
	async hold({ id, place, person }: Reviewed, waitMs: number): Promise<void> {
		const now = this.#now();
		const held = { job: { id, place, person }, due: now + waitMs, checkAt: now + FIRST_CHECK_MS };
		await this.#space.commit({ once: heldResults.key(id), ...this.#stored(held) });
	}

	async find(job: string): Promise<Review> {
		const [held, decision] = await Promise.all([heldResults.get(this.#space, job), decisions.get(this.#space, job)]);
		return { held, decision };
	}

	/** Stores a decision. A sweep carries it out when this process does not. Returns false when there is one already. */
	async decide({ job: { id }, checkAt }: HeldResult, decision: Decision): Promise<boolean> {
		const result = await this.#space.commit({
			once: decisions.key(id),
			put: [decisions.put(this.#storage, id, decision)],
			index: [{ ...memberAt(0, id), ttlMs: this.#storage.retentionMs }],
			unindex: [memberAt(checkAt, id)],
		});
		return result === 'done';
	}

	/** Stores when a sweep looks at it next, and where moderators can decide. */
	async postpone(held: HeldResult, change: Partial<HeldResult>): Promise<void> {
		const stored = this.#stored({ ...held, ...change });
		const unindex = held.checkAt === change.checkAt ? [] : [memberAt(held.checkAt, held.job.id)];
		await this.#space.commit({ ...stored, unindex });
	}

	/** Has the decision about a result carried out once more, also when that is under way. */
	async repeat({ id, place, person }: Reviewed): Promise<void> {
		const now = this.#now();
		const { put, index } = this.#stored({ job: { id, place, person }, due: now, checkAt: now });
		await this.#space.commit({ put: [...put, repeats.put(this.#storage, id, true)], index });
	}

	/** Call it before a decision is carried out. */
	begin({ job }: HeldResult): Promise<void> {
		return repeats.delete(this.#space, job.id);
	}

	/** Ends the review once its decision has been carried out, unless it has to be carried out once more. */
	async finish(held: HeldResult): Promise<void> {
		const [key, repeat] = [heldResults.key(held.job.id), repeats.key(held.job.id)];
		const { unindex } = heldResults.removal(key, held);
		await this.#space.commit({ once: repeat, remove: [key, repeat], unindex });
	}

	/** Yields the reviews that a sweep has to look at now. */
	async *due(): AsyncGenerator<HeldResult & { decision?: Decision | undefined }> {
		for await (const member of membersOf(this.#space, HELD, { before: timeKey(this.#now() + 1) })) {
			const { held, decision } = await this.find(idOfMember(member));
			if (held) yield { ...held, decision };
			else await this.#space.commit({ unindex: [{ index: HELD, member }] });
		}
	}

	#stored(held: HeldResult) {
		const put = heldResults.put(this.#storage, held.job.id, held);
		return { put: [put], index: [{ ...memberAt(held.checkAt, held.job.id), ttlMs: put.ttlMs }] };
	}
}

const memberAt = (at: number, job: string) => ({ index: HELD, member: timedMember(at, job) });
