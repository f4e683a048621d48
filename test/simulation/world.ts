import type { Decision, Job, PriceRow } from '../../src/domain/job.ts';
import { createStore } from '../../src/store/open-store.ts';
import { openMemory } from '../../src/store/sqlite.ts';
import type { Change, Store } from '../../src/store/store.ts';
import { VirtualClock } from './engine/clock.ts';
import { createFaults, type Faults } from './engine/faults.ts';
import type { SimulatedProcess } from './engine/process.ts';
import { createRandom, type Random } from './engine/random.ts';
import { VirtualRuntime } from './engine/runtime.ts';
import { Trace } from './engine/trace.ts';
import { createPlatformState, type PlatformState, type SendObserver, type VisibleMessage } from './fakes/platform.ts';
import { FakeService, pictureIdOf } from './fakes/service.ts';
import type { CommitObserver } from './fakes/store.ts';
import { LOG_CHANNEL, PEOPLE, REVIEWED_CHANNEL } from './fixtures.ts';
import { deliveryOfAnswer, deliveryOfLogEntry } from './rules/final-state.ts';
import { Keeping } from './rules/keeping.ts';
import { STOPPED } from './rules/messages.ts';
import { Model, type Violation } from './rules/model.ts';
import { Pauses } from './rules/pauses.ts';
import { createScenario, type Scenario } from './scenario.ts';

const NO_ROLES: readonly string[] = [];

/** Everything outside of the processes: time, store, platform and service, and the model that watches them. */
export class World {
	readonly random: Random;
	/** Draws deliveries, restarts and clock skews. */
	readonly chance: Random;
	readonly scenario: Scenario;
	readonly clock: VirtualClock;
	readonly runtime: VirtualRuntime<SimulatedProcess>;
	readonly faults: Faults;
	readonly trace: Trace;
	readonly store: Store;
	readonly keeping: Keeping;
	readonly pauses: Pauses;
	readonly platform: PlatformState;
	readonly service: FakeService;
	readonly model: Model;
	/** Prompts by delivery, which jobs do not contain. */
	readonly prompts = new Map<string, string>();
	/** Options by delivery. */
	readonly options = new Map<string, Record<string, unknown>>();
	/** The prices that processes have. */
	readonly tables = new Map<SimulatedProcess, readonly PriceRow[]>();
	/** Decisions of reviews, by job. */
	readonly decisions = new Map<string, Decision>();
	readonly violations: Violation[] = [];

	constructor(seed: number) {
		this.random = createRandom(String(seed));
		this.chance = this.random.fork('chance');
		this.scenario = createScenario(this.random.fork('scenario'));
		this.clock = new VirtualClock(this.scenario.start);
		this.runtime = new VirtualRuntime(this.clock);
		this.faults = createFaults(this.random.fork('faults'));
		this.trace = new Trace(this.clock);
		const { clock, runtime, faults, trace, scenario } = this;
		const writer = () => runtime.current()?.process;
		this.keeping = new Keeping(writer);
		this.pauses = new Pauses(() => runtime.current());
		const store = createStore(openMemory());
		this.store = this.pauses.observe(this.keeping.observe(store));
		this.platform = createPlatformState({
			picturesPerMessage: scenario.picturesPerMessage,
			withoutDirectMessages: scenario.withoutDirectMessages,
			onMessage: (message) => {
				this.#checkReview(message);
				void this.#checkLogEntry(message);
			},
		});
		this.service = new FakeService({
			clock,
			runtime,
			faults,
			trace,
			random: this.random.fork('service'),
			costs: scenario.prices && this.random.fork('costs'),
			onAccept: (delivery) => this.#checkAcceptance(delivery),
			// A process that is killed at this very moment has not received them.
			onReceive: (delivery, process) =>
				void clock.schedule(0, () => process.hasEnded || this.keeping.received.set(delivery, process)),
		});
		this.model = new Model(scenario.plan, {
			rolesOf: (id) => PEOPLE.find((person) => person.id === id)?.roles ?? NO_ROLES,
			promptOf: (id) => this.prompts.get(id) ?? '',
			writer,
			now: () => clock.wall,
			mostOf: (id) => this.#mostOf(id),
			costOf: (id) => this.service.record.costs.get(id),
		});
	}

	/** Returns the most that a call costs by the table of the process that reserves it: that of the dearest row where no quality is asked for. */
	#mostOf(id: string): number {
		const { quality, n = 1 } = (this.options.get(id) ?? {}) as { quality?: string; n?: number };
		const process = this.runtime.current()?.process;
		const rows = (process && this.tables.get(process)) ?? [];
		const prices = rows.filter((row) => quality === undefined || row.quality === quality);
		return Math.max(0, ...prices.map(({ usd_per_picture: price = 0 }) => price)) * n;
	}

	report(violations: readonly Violation[]): void {
		for (const violation of violations) {
			this.violations.push(violation);
			this.trace.add('!', `rule ${violation.rule}: ${violation.description}`);
		}
	}

	/** Makes a commit, and checks it at that moment. */
	readonly observe: CommitObserver = async (space, change, commit) => {
		const result = await commit();
		if (space !== 'ledger' || result !== 'done') return result;
		this.#observeDecisions(change);
		this.report(this.model.observe(change));
		this.report(this.pauses.check(change, this.clock.wall));
		for (const { key, field, by } of change.add ?? []) {
			if (by >= 0) continue;
			const entry = await this.store.space('ledger').keyv.get<number | Record<string, number>>(key);
			const value = (typeof entry === 'object' ? entry[field ?? ''] : entry) ?? 0;
			if (value < 0) this.report([{ rule: 6, description: `${key} is ${value}` }]);
		}
		return result;
	};

	/** Checks a message at the moment at which a process sends it. */
	readonly observeSending: SendObserver = (process, key, { text, pictures = [] }) => {
		for (const { bytes } of pictures) {
			const { delivery } = pictureIdOf(bytes);
			// A sweep is not part of the delivery that has asked for them.
			if (this.runtime.current()?.delivery === delivery) this.keeping.posted.add(delivery);
		}
		const shown = this.platform.messages.get(key)?.text ?? '';
		// A status that came after the answer, or the same answer, may be replaced.
		const isReplaced =
			shown !== '' && !shown.includes('…') && shown !== text && pictures.length === 0 && STOPPED.test(text);
		if (isReplaced && this.model.isOutdated(deliveryOfAnswer(key), process, text))
			this.report([
				{
					rule: 7,
					description: `${process.name} replaces the answer of a job that another process has answered, ${key}`,
				},
			]);
		if (!text.includes('…') || this.model.isOwnedBy(key, process)) return;
		this.report([{ rule: 12, description: `${process.name} sends ${JSON.stringify(text)} for ${key}` }]);
	};

	#checkAcceptance(delivery: string): void {
		if ((this.service.record.accepted.get(delivery) ?? 0) > 1)
			this.report([{ rule: 2, description: `${delivery} was accepted by the service again` }]);
	}

	/** Tells whether the pictures of a job have to be reviewed. */
	readonly isReviewed = (job: string): boolean =>
		this.scenario.review !== undefined && this.model.calls.get(job)?.job.place.channel === REVIEWED_CHANNEL;

	#observeDecisions({ put = [] }: Change): void {
		for (const { key, value } of put) {
			const decision = key.startsWith('job:') ? (value as Job).review?.decision : undefined;
			if (decision) this.decisions.set(key.slice('job:'.length), decision);
		}
	}

	/** Checks a message with pictures at the moment it becomes visible. */
	#checkReview({ key, place, pictures }: VisibleMessage): void {
		if (place.channel === LOG_CHANNEL) return;
		for (const { delivery, index } of pictures) {
			const decision = this.decisions.get(delivery);
			const isApproved = decision?.verdict === 'approved' && index < decision.pictures;
			if (this.isReviewed(delivery) && !isApproved)
				this.report([{ rule: 15, description: `${key} shows ${delivery}#${index}, which was not approved` }]);
		}
	}

	/** Checks an entry of the moderation log at the moment it becomes visible. */
	async #checkLogEntry({ key, place, buttons }: VisibleMessage): Promise<void> {
		if (place.channel !== LOG_CHANNEL || buttons.length === 0) return;
		const id = deliveryOfLogEntry(buttons);
		const isShown = [...this.platform.messages.values()].some(
			(message) => message.place.channel !== LOG_CHANNEL && message.pictures.some(({ delivery }) => delivery === id),
		);
		if (
			isShown ||
			this.decisions.get(id)?.verdict === 'rejected' ||
			(await this.store.space('pictures').files.get(`kept:${id}:0`))
		)
			return;
		this.report([{ rule: 9, description: `${key} reports what is neither delivered nor kept` }]);
	}
}
