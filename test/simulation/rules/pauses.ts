import type { Job } from '../../../src/domain/job.ts';
import type { Change, Space, Store } from '../../../src/store/store.ts';
import type { Violation } from './model.ts';

/** The entry that says until when paid calls are paused, in Unix milliseconds. */
const PAUSED = 'until';

/** The clocks of processes differ by this much at most, also after a jump back. */
const MARGIN_MS = 10_000;

/** Before all steps. */
const FAULTED = Number.NEGATIVE_INFINITY;

/** Observes pauses of paid calls, and what each delivery has read of them. */
export class Pauses {
	readonly #execution: () => object | undefined;
	#steps = 0;
	#current: { until: number; since: number } | undefined;
	/** The number of the first step at which a delivery has read whether there is a pause; before all others when that met a fault. */
	readonly #reads = new WeakMap<object, number>();

	/** @param execution returns the delivery that runs, each time that it is delivered another object */
	constructor(execution: () => object | undefined) {
		this.#execution = execution;
	}

	/** Returns the store with pauses and their reading observed. */
	observe(store: Store): Store {
		const space = this.#observeSpace(store.space('pause'));
		return { ...store, space: (name) => (name === 'pause' ? space : store.space(name)) };
	}

	/** Records a call that met a fault. One that could not read whether there is a pause may go on. */
	addFault(call: string): void {
		if (call === `get pause ${PAUSED}`) this.#setRead(FAULTED);
	}

	/**
	 * Checks a change at the moment it allows a call. A process that has read before the pause began cannot know of it.
	 * @param now the wall clock's time, in Unix milliseconds
	 */
	check({ put = [] }: Change, now: number): Violation[] {
		const job = put.find(({ key }) => key.startsWith('job:'));
		const { state, claims = 0 } = (job?.value ?? {}) as Partial<Job>;
		const execution = this.#execution();
		// It waits in line from here on, so that it has to look once more.
		if (state === 'reserved' && execution) this.#reads.delete(execution);
		// A process that takes a job over does not send it.
		if (!job || state !== 'sent' || claims > 0) return [];
		const { until, since } = this.#current ?? { until: 0, since: 0 };
		if (until <= now + MARGIN_MS) return [];
		const read = execution && this.#reads.get(execution);
		if (read !== undefined && read < since) return [];
		const found = read === undefined ? 'was not looked up' : 'was read';
		return [{ rule: 16, description: `${job.key} is sent, although there is a pause, which ${found}` }];
	}

	#observeSpace(space: Space): Space {
		const keyv = new Proxy(space.keyv, {
			get: (target, property) => {
				if (property !== 'get') return Reflect.get(target, property);
				return (key: string) => {
					if (key === PAUSED) this.#setRead(this.#steps++);
					return target.get(key);
				};
			},
		});
		const commit: Space['commit'] = async (change) => {
			const result = await space.commit(change);
			const pause = change.put?.find(({ key }) => key === PAUSED);
			if (pause && result === 'done') this.#current = { until: pause.value as number, since: this.#steps++ };
			return result;
		};
		return { ...space, keyv, commit };
	}

	/** The first one counts: a call that met a fault may take effect all the same, and late. */
	#setRead(step: number): void {
		const execution = this.#execution();
		if (execution) this.#reads.set(execution, Math.min(step, this.#reads.get(execution) ?? step));
	}
}
