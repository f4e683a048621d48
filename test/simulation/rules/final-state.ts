import { hash } from 'node:crypto';
import type { Button } from '../../../src/domain/channel.ts';
import type { Decision, Job, Receipt } from '../../../src/domain/job.ts';
import { offeredTo, sentenceOf } from '../../../src/requests/requests.ts';
import { membersOf, type Store } from '../../../src/store/store.ts';
import { OPEN_JOBS } from '../../../src/usage/jobs.ts';
import type { PlatformState, VisibleMessage } from '../fakes/platform.ts';
import type { PictureId, ServiceRecord } from '../fakes/service.ts';
import { LOG_CHANNEL, PEOPLE, placeOf, SERVERS } from '../fixtures.ts';
import type { Keeping } from './keeping.ts';
import type { Model } from './model.ts';

/** What the final state is read from. */
type Observed = {
	store: Store;
	model: Model;
	service: { record: ServiceRecord };
	platform: PlatformState;
	keeping: Keeping;
	decisions: ReadonlyMap<string, Decision>;
	isReviewed(job: string): boolean;
};

/** Everything that the rules compare at the end of a run. */
export class FinalState {
	readonly model: Model;
	readonly service: ServiceRecord;
	readonly platform: PlatformState;
	readonly keeping: Keeping;
	/** The entries of the ledger. */
	readonly entries: ReadonlyMap<string, unknown>;
	readonly openJobs: readonly string[];
	readonly receipts: ReadonlyMap<string, Receipt>;
	/** Jobs whose pictures are kept, and jobs that `/usage` offers, with their sentence where there is one. */
	readonly #kept: ReadonlySet<string>;
	readonly #offered: ReadonlyMap<string, string | undefined>;
	/** Jobs with a review. */
	readonly #held: ReadonlySet<string>;
	readonly decisions: ReadonlyMap<string, Decision>;
	readonly #isReviewed: (job: string) => boolean;

	static async read({
		store,
		model,
		service,
		platform,
		keeping,
		decisions,
		isReviewed,
	}: Observed): Promise<FinalState> {
		const ledger = store.space('ledger');
		const entries = new Map(await Array.fromAsync(ledger.list('')));
		const openJobs = await Array.fromAsync(membersOf(ledger, OPEN_JOBS));
		const names = await store.space('pictures').files.names('kept:');
		const lists = SERVERS.flatMap((server) =>
			PEOPLE.map((person) => offeredTo({ store }, placeOf(server, LOG_CHANNEL), person)),
		);
		const jobs = (await Promise.all(lists)).flat();
		const offered = new Map(jobs.map(([id, job]) => [id, sentenceOf(job)?.text]));
		const kept = new Set(names.map((name) => name.split(':')[1] ?? ''));
		const reviews = [...entries].filter(
			([key, value]) => key.startsWith('job:') && (value as Job).review !== undefined,
		);
		const held = new Set(reviews.map(([key]) => key.slice('job:'.length)));
		const stored = { entries, openJobs, kept, offered, held, decisions, isReviewed };
		return new FinalState(stored, model, service.record, platform, keeping);
	}

	private constructor(
		stored: {
			entries: Map<string, unknown>;
			openJobs: string[];
			kept: Set<string>;
			offered: Map<string, string | undefined>;
			held: Set<string>;
			decisions: ReadonlyMap<string, Decision>;
			isReviewed(job: string): boolean;
		},
		model: Model,
		service: ServiceRecord,
		platform: PlatformState,
		keeping: Keeping,
	) {
		this.model = model;
		this.service = service;
		this.platform = platform;
		this.keeping = keeping;
		this.entries = stored.entries;
		this.openJobs = stored.openJobs;
		this.#kept = stored.kept;
		this.#offered = stored.offered;
		this.#held = stored.held;
		this.decisions = stored.decisions;
		this.#isReviewed = stored.isReviewed;
		const jobs = [...stored.entries].flatMap(([key, value]) => (key.startsWith('job:') ? [value as Receipt] : []));
		this.receipts = new Map(jobs.flatMap((job) => (job.settledAt === undefined ? [] : [[job.id, job]])));
	}

	/** Returns the messages outside of the moderation log. */
	messages(): VisibleMessage[] {
		return [...this.platform.messages.values()].filter(({ place }) => place.channel !== LOG_CHANNEL);
	}

	/** Returns the messages of the moderation log, without answers to moderators who press there. */
	logEntries(): VisibleMessage[] {
		return [...this.platform.messages.values()].filter(
			({ place, buttons }) => place.channel === LOG_CHANNEL && buttons.length > 0,
		);
	}

	answersTo(id: string): VisibleMessage[] {
		return answerKeysOf(id).flatMap((key) => this.platform.messages.get(key) ?? []);
	}

	/** Tells whether the last post or edit of an answer had no effect. */
	wasRejected(id: string): boolean {
		return answerKeysOf(id).some((key) => this.platform.rejected.has(key));
	}

	/** Tells whether a job's pictures are kept and `/usage` offers them. */
	isOffered(id: string): boolean {
		return this.#kept.has(id) && this.#offered.has(id);
	}

	/** Tells whether a job's pictures are kept for a decision. */
	isInReview(id: string): boolean {
		return this.#kept.has(id) && this.#held.has(id) && !this.decisions.has(id);
	}

	/** Tells whether a process that received a job's pictures may not have posted them: they went to a review, or could not. */
	mayBeUnposted(id: string): boolean {
		return this.decisions.has(id) || this.isInReview(id) || (this.#isReviewed(id) && this.keeping.wasFaulted(id));
	}

	/** Tells whether a picture must not be shown: it is in review, was rejected, or came after the decision. */
	isWithheld({ delivery, index }: PictureId): boolean {
		const decision = this.decisions.get(delivery);
		if (!decision) return this.isInReview(delivery);
		return decision.verdict === 'rejected' || index >= decision.pictures;
	}

	/** Returns the sentences that tell a person about a job: its answers, and what `/usage` offers or has shown. */
	textsAbout(id: string): string[] {
		const offered = this.#offered.get(id);
		const collected = this.messages().filter(({ key }) => isCollected(id, key));
		return [
			...[...this.answersTo(id), ...collected].map(({ text }) => text),
			...(offered === undefined ? [] : [offered]),
		];
	}

	isShown({ delivery, index }: PictureId): boolean {
		return (this.timesShown(delivery)[index] ?? 0) > 0;
	}

	/** Returns how often each picture of a job is shown. */
	timesShown(id: string): number[] {
		const shown = this.messages().flatMap(({ pictures }) => pictures.filter(({ delivery }) => delivery === id));
		return Array.from(
			{ length: this.service.pictures.get(id) ?? 0 },
			(_, index) => shown.filter((picture) => picture.index === index).length,
		);
	}
}

/** The keys that the answer to a delivery may have: the status message, a new message, and a direct message. */
export const answerKeysOf = (id: string): string[] => [id, `${id}.2`, `${id}.direct`];

/** Returns the delivery that a message with this key answers. */
export const deliveryOfAnswer = (key: string): string => key.replace(/\.(2|direct)$/, '');

/** Tells whether collecting the answer to a delivery has posted a message. */
const isCollected = (id: string, key: string): boolean => key.endsWith(`.${hash('sha256', id).slice(0, 10)}`);

/** Tells whether a message is about a delivery: an answer to it, a further message of one, or the first one that collects it. */
export const isAbout = (id: string, key: string): boolean =>
	key === id || key.startsWith(`${id}.`) || isCollected(id, key);

/** Returns the delivery that an entry of the moderation log is about. */
export const deliveryOfLogEntry = (buttons: readonly Button[]): string => buttons[0]?.id.split(':')[2] ?? '';
