import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import type { MessageHandle } from '../../domain/place.ts';
import type { Easel } from '../../easel.ts';
import { tryAndLog } from '../../log.ts';
import { createOnce, membersOf } from '../../store/pages.ts';
import type { Space } from '../../store/store.ts';
import { ERASURE_MS } from '../../usage/erased-members.ts';
import type { Eraser } from './eraser.ts';
import { isAmong, type Subject } from './personal-data.ts';

/** An erasure that has begun. It is deleted when nothing is left to erase. */
type ErasureTask = Subject & {
	/** Unix milliseconds. */
	at: number;
	/** The process that works on it. */
	process: string;
	/** Messages of the bot that are still to be deleted. */
	handles: readonly MessageHandle[];
};

const TASKS = 'tasks';

/** Looking for all data of a person reads the whole store, so people can ask for it only now and then. */
const COOLDOWN_MS = 60_000;

/** Erases people's data at their request. An erasure is stored before it begins, so that the next start finishes it after a crash. */
export class Erasures {
	readonly #easel: Easel;
	readonly #eraser: Eraser;
	readonly #list: ErasureList;
	readonly #space: Space;
	readonly #running = new Set<string>();

	/** @param file lists the erasures apart from the store; see `ErasureList` */
	constructor(easel: Easel, eraser: Eraser, file: string | undefined) {
		this.#easel = easel;
		this.#eraser = eraser;
		this.#list = new ErasureList(file);
		this.#space = easel.store.space('erasures');
	}

	/** Returns false when the person has asked for something that reads the whole store within the last minute. */
	mayScan({ key }: Subject, what: string): Promise<boolean> {
		return createOnce(this.#space)(`recent:${what}:${key}`, COOLDOWN_MS);
	}

	/**
	 * Erases a person's data. Messages of the bot with it are deleted afterwards, as fast as the platform allows.
	 *
	 * @returns `busy` when a request of the person still runs: its end would write the data again
	 */
	async erase(subject: Subject): Promise<'erased' | 'busy'> {
		const { ledger, lease, now } = this.#easel;
		const is = isAmong([subject]);
		for await (const { place, person } of ledger.openJobs()) if (is({ ...place, id: person.id })) return 'busy';
		const at = now();
		const task: ErasureTask = { ...subject, at, process: lease.processId, handles: [] };
		await this.#list.add({ key: subject.key, platform: subject.platform, at });
		await this.#space.commit({
			put: [{ key: taskKey(task), value: task, ttlMs: ERASURE_MS }],
			index: [{ index: TASKS, member: subject.key }],
		});
		await this.#run(task);
		return 'erased';
	}

	/** Continues the erasures of processes that are gone, on the platforms that this process runs. */
	async resume(): Promise<void> {
		const { lease, platforms, log } = this.#easel;
		const space = this.#space;
		for await (const member of membersOf(space, TASKS)) {
			const task = await space.keyv.get<ErasureTask>(taskKey({ key: member }));
			if (!task) await space.commit({ unindex: [{ index: TASKS, member }] });
			else if (platforms.runs(task) && !this.#running.has(member) && (await this.#isFree(task.process)))
				await tryAndLog(log, 'An erasure could not be finished', () =>
					this.#run({ ...task, process: lease.processId }),
				);
		}
	}

	/** Erases again, in a restored store, what was erased after its backup. It costs one read for each erasure while there is nothing to do. */
	async replay(): Promise<void> {
		const { now, log } = this.#easel;
		const listed = await this.#list.read(now());
		const done = await this.#space.keyv.getMany<number>(listed.map(doneKey));
		const missing = listed.filter(({ at }, index) => (done[index] ?? 0) < at);
		if (missing.length === 0) return;
		// The messages were deleted when the data was erased for the first time.
		await this.#eraser.erase(missing, Math.max(...missing.map(({ at }) => at)), async () => {});
		for (const { key, at } of missing) await this.#noteDone({ key, at });
		log.info({ people: missing.length }, 'Data was erased again that a backup had brought back');
	}

	async #isFree(process: string): Promise<boolean> {
		const { lease } = this.#easel;
		return process === lease.processId || lease.hasExpired(process);
	}

	/** Resolves once the data is erased; the messages are deleted after that. */
	async #run(task: ErasureTask): Promise<void> {
		const { key, at } = task;
		let handles = task.handles;
		this.#running.add(key);
		try {
			await this.#eraser.erase([task], at, async (more) => {
				handles = [...handles, ...more];
				await this.#space.keyv.set(taskKey(task), { ...task, handles } satisfies ErasureTask, ERASURE_MS);
			});
			await this.#noteDone({ key, at });
		} catch (error) {
			this.#running.delete(key);
			throw error;
		}
		const deleted = this.#deleteMessages(handles).then((isComplete) => (isComplete ? this.#end(key) : undefined));
		this.#easel.running.track(deleted.finally(() => this.#running.delete(key)));
	}

	/** Returns false when Easel stops meanwhile. A message that cannot be deleted is left. */
	async #deleteMessages(handles: readonly MessageHandle[]): Promise<boolean> {
		const { platforms, stopping, log } = this.#easel;
		for (const handle of handles) {
			if (stopping.aborted) return false;
			await tryAndLog(log, 'A message could not be deleted', async () => (await platforms.find(handle))?.delete());
		}
		return true;
	}

	async #end(key: string): Promise<void> {
		await this.#space.commit({ remove: [taskKey({ key })], unindex: [{ index: TASKS, member: key }] });
	}

	async #noteDone({ key, at }: { key: string; at: number }): Promise<void> {
		await this.#space.keyv.set(doneKey({ key }), at, ERASURE_MS);
	}
}

const taskKey = ({ key }: { key: string }) => `task:${key}`;
const doneKey = ({ key }: { key: string }) => `done:${key}`;

/** An erasure, without the id of the person; see `personKey`. */
const line = z.object({
	key: z.string().regex(/^[0-9a-f]{64}$/),
	platform: z.string().min(1).max(40),
	/** Unix milliseconds. */
	at: z.number().int().positive(),
});

type ListedErasure = z.output<typeof line>;

/**
 * The erasures that were asked for, one line of JSON each, in a file apart from the store: a restored backup may be older than an
 * erasure. Files of several machines can be concatenated. Without a path nothing is listed.
 */
class ErasureList {
	readonly #path: string | undefined;

	constructor(path: string | undefined) {
		this.#path = path;
	}

	/** Resolves once the line would survive the end of this process. */
	async add({ key, platform, at }: ListedErasure): Promise<void> {
		if (this.#path === undefined) return;
		await mkdir(dirname(this.#path), { recursive: true });
		await appendFile(this.#path, `${JSON.stringify({ key, platform, at })}\n`, { mode: 0o600, flush: true });
	}

	/**
	 * Returns the latest erasure of each person that a backup can still contain. A line that was cut off is skipped.
	 * @param now Unix milliseconds
	 */
	async read(now: number): Promise<ListedErasure[]> {
		const text = this.#path === undefined ? '' : await readFile(this.#path, 'utf8').catch(absent);
		const latest = new Map<string, ListedErasure>();
		for (const each of text.split('\n')) {
			const erasure = parse(each);
			if (!erasure || erasure.at < now - ERASURE_MS) continue;
			if (erasure.at > (latest.get(erasure.key)?.at ?? 0)) latest.set(erasure.key, erasure);
		}
		return [...latest.values()];
	}
}

function parse(text: string): ListedErasure | undefined {
	try {
		return line.safeParse(JSON.parse(text)).data;
	} catch {
		return undefined;
	}
}

function absent(error: unknown): string {
	if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
	throw error;
}
