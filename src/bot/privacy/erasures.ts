import type { MessageHandle } from '../../domain/place.ts';
import type { Platforms } from '../../domain/platform.ts';
import { type Log, tryAndLog } from '../../log.ts';
import { createOnce, membersOf } from '../../store/pages.ts';
import type { Space } from '../../store/store.ts';
import { ERASURE_MS } from '../../usage/erased-members.ts';
import type { Lease } from '../../usage/lease.ts';
import type { Ledger } from '../../usage/ledger.ts';
import type { Eraser } from './eraser.ts';
import type { ErasureList } from './erasure-list.ts';
import { isAmong, type Subject } from './subject.ts';

/** An erasure that has begun. It is deleted when nothing is left to erase. */
type ErasureTask = Subject & {
	/** Unix milliseconds. */
	at: number;
	/** The process that works on it. */
	process: string;
	/** Messages of the bot that are still to be deleted. */
	handles: readonly MessageHandle[];
};

type Parts = {
	/** The space `erasures`. */
	space: Space;
	eraser: Eraser;
	list: ErasureList;
	ledger: Ledger;
	lease: Lease;
	platforms: Platforms;
	/** Keeps track of work that no request waits for. */
	track(work: Promise<unknown>): void;
	/** Aborted when Easel stops: the next start deletes the remaining messages. */
	stopping: AbortSignal;
	log: Log;
	/** Returns Unix milliseconds. */
	now: () => number;
};

const TASKS = 'tasks';

/** Looking for all data of a person reads the whole store, so people can ask for it only now and then. */
const COOLDOWN_MS = 60_000;

/** Erases people's data at their request. An erasure is stored before it begins, so that the next start finishes it after a crash. */
export class Erasures {
	readonly #parts: Parts;
	readonly #running = new Map<string, Promise<void>>();

	constructor(parts: Parts) {
		this.#parts = parts;
	}

	/** Returns false when the person has asked for something that reads the whole store within the last minute. */
	mayScan({ key }: Subject, what: string): Promise<boolean> {
		return createOnce(this.#parts.space)(`recent:${what}:${key}`, COOLDOWN_MS);
	}

	/**
	 * Erases a person's data. Messages of the bot with it are deleted afterwards, as fast as the platform allows.
	 *
	 * @returns `busy` when a request of the person still runs: its end would write the data again
	 */
	async erase(subject: Subject): Promise<'erased' | 'busy'> {
		const { space, list, ledger, lease, now } = this.#parts;
		const is = isAmong([subject]);
		for await (const { place, person } of ledger.openJobs()) if (is({ ...place, id: person.id })) return 'busy';
		const at = now();
		const task: ErasureTask = { ...subject, at, process: lease.processId, handles: [] };
		await list.add({ key: subject.key, platform: subject.platform, at });
		await space.commit({
			put: [{ key: taskKey(task), value: task, ttlMs: ERASURE_MS }],
			index: [{ index: TASKS, member: subject.key }],
		});
		await this.#run(task);
		return 'erased';
	}

	/** Continues the erasures of processes that are gone, on the platforms that this process runs. */
	async resume(): Promise<void> {
		const { space, lease, platforms, log } = this.#parts;
		for await (const member of membersOf(space, TASKS)) {
			const task = await space.keyv.get<ErasureTask>(taskKey({ key: member }));
			if (!task) await space.commit({ unindex: [{ index: TASKS, member }] });
			else if (platforms.runs(task) && !this.#running.has(member) && (await this.#isFree(task, lease)))
				await tryAndLog(log, 'An erasure could not be finished', () =>
					this.#run({ ...task, process: lease.processId }),
				);
		}
	}

	/** Erases again, in a restored store, what was erased after its backup. It costs one read for each erasure while there is nothing to do. */
	async replay(): Promise<void> {
		const { space, eraser, list, now, log } = this.#parts;
		const listed = await list.read(now());
		const done = await space.keyv.getMany<number>(listed.map(doneKey));
		const missing = listed.filter(({ at }, index) => (done[index] ?? 0) < at);
		if (missing.length === 0) return;
		// The messages were deleted when the data was erased for the first time.
		await eraser.erase(missing, Math.max(...missing.map(({ at }) => at)), async () => {});
		for (const { key, at } of missing) await this.#noteDone({ key, at });
		log.info({ people: missing.length }, 'Data was erased again that a backup had brought back');
	}

	async #isFree({ process }: ErasureTask, { processId, hasExpired }: Parts['lease']): Promise<boolean> {
		return process === processId || hasExpired.call(this.#parts.lease, process);
	}

	/** Resolves once the data is erased; the messages are deleted after that. */
	async #run(task: ErasureTask): Promise<void> {
		const { space, eraser, track } = this.#parts;
		const { key, at } = task;
		let handles = task.handles;
		const save = () =>
			space.keyv.set(taskKey(task), { ...task, handles } satisfies ErasureTask, ERASURE_MS).then(() => {});
		const erased = eraser.erase([task], at, async (more) => {
			handles = [...handles, ...more];
			await save();
		});
		this.#running.set(key, erased);
		try {
			await erased;
			await this.#noteDone({ key, at });
		} catch (error) {
			this.#running.delete(key);
			throw error;
		}
		const deleted = this.#deleteMessages(handles).then((isComplete) => (isComplete ? this.#end(key) : undefined));
		track(deleted.finally(() => this.#running.delete(key)));
	}

	/** Returns false when Easel stops meanwhile. A message that cannot be deleted is left. */
	async #deleteMessages(handles: readonly MessageHandle[]): Promise<boolean> {
		const { platforms, stopping, log } = this.#parts;
		for (const handle of handles) {
			if (stopping.aborted) return false;
			await tryAndLog(log, 'A message could not be deleted', async () => (await platforms.find(handle))?.delete());
		}
		return true;
	}

	async #end(key: string): Promise<void> {
		await this.#parts.space.commit({ remove: [taskKey({ key })], unindex: [{ index: TASKS, member: key }] });
	}

	async #noteDone({ key, at }: { key: string; at: number }): Promise<void> {
		await this.#parts.space.keyv.set(doneKey({ key }), at, ERASURE_MS);
	}
}

const taskKey = ({ key }: Pick<Subject, 'key'>) => `task:${key}`;
const doneKey = ({ key }: Pick<Subject, 'key'>) => `done:${key}`;
