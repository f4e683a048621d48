import type { Job } from '../domain/job.ts';
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

/** Until a sweep posts a result to the log channel whose process has not done it. */
const FIRST_CHECK_MS = 60_000;

/** The results in review, and the decisions. A decision is kept as long as the entry of the log that shows it. */
export class HeldResults {
	readonly #space: Space;
	readonly #ttlMs: number;
	readonly #now: () => number;

	/** @param ttlMs how long a result is kept at most */
	constructor(space: Space, ttlMs: number, now: () => number) {
		this.#space = space;
		this.#ttlMs = ttlMs;
		this.#now = now;
	}

	/** Begins the review of a result. Doing it again changes nothing. */
	async hold({ id, place, person }: Reviewed, waitMs: number): Promise<void> {
		const now = this.#now();
		const held = { job: { id, place, person }, due: now + waitMs, checkAt: now + FIRST_CHECK_MS };
		await this.#space.commit({ once: heldKey(id), ...this.#stored(held) });
	}

	async find(job: string): Promise<Review> {
		const [held, decision] = await this.#space.keyv.getMany<HeldResult | Decision>([heldKey(job), decisionKey(job)]);
		return { held: held as HeldResult | undefined, decision: decision as Decision | undefined };
	}

	/** Stores a decision. A sweep carries it out when this process does not. Returns false when there is one already. */
	async decide({ job: { id }, checkAt }: HeldResult, decision: Decision): Promise<boolean> {
		const index = [{ index: HELD, member: timedMember(0, id), ttlMs: this.#ttlMs }];
		const put = [{ key: decisionKey(id), value: decision, ttlMs: this.#ttlMs }];
		const unindex = [{ index: HELD, member: timedMember(checkAt, id) }];
		return (await this.#space.commit({ once: decisionKey(id), put, index, unindex })) === 'done';
	}

	/** Stores when a sweep looks at it next, and where moderators can decide. */
	async postpone(held: HeldResult, change: Pick<HeldResult, 'checkAt' | 'card'>): Promise<void> {
		const stored = this.#stored({ ...held, ...change });
		const before = { index: HELD, member: timedMember(held.checkAt, held.job.id) };
		await this.#space.commit({ ...stored, unindex: held.checkAt === change.checkAt ? [] : [before] });
	}

	/** Has the decision about a result carried out once more, also when that is under way. */
	async repeat({ id, place, person }: Reviewed): Promise<void> {
		const now = this.#now();
		const { put, index } = this.#stored({ job: { id, place, person }, due: now, checkAt: now });
		const again = { key: repeatKey(id), value: true, ttlMs: this.#ttlMs };
		await this.#space.commit({ put: [...put, again], index });
	}

	/** Call it before a decision is carried out. */
	async begin({ job }: HeldResult): Promise<void> {
		await this.#space.commit({ remove: [repeatKey(job.id)] });
	}

	/** Ends the review once its decision has been carried out, unless it has to be carried out once more. */
	async finish(held: HeldResult): Promise<void> {
		const { id } = held.job;
		await this.#space.commit({ once: repeatKey(id), remove: [heldKey(id), repeatKey(id)], unindex: indexed(held) });
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
		const ttlMs = this.#ttlMs;
		const { id } = held.job;
		return {
			put: [{ key: heldKey(id), value: held, ttlMs }],
			index: [{ index: HELD, member: timedMember(held.checkAt, id), ttlMs }],
		};
	}
}

/** Returns where a result may be in the index: at once when it is decided, else when it has to be looked at. */
const indexed = ({ job, checkAt }: HeldResult) =>
	[0, checkAt].map((at) => ({ index: HELD, member: timedMember(at, job.id) }));

const repeatKey = (job: string) => `repeat:${job}`;
const heldKey = (job: string) => `held:${job}`;
const decisionKey = (job: string) => `decision:${job}`;
