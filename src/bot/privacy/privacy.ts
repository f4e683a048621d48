import { existsSync } from 'node:fs';
import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import type { ChannelLimits, MessageHandle, Person, Place, ServerId } from '../../domain/channel.ts';
import { KeyedQueue } from '../../domain/queues.ts';
import type { Easel } from '../../easel.ts';
import { tryAndLog } from '../../log.ts';
import { Collection, DAY_MS, MINUTE_MS, membersOf } from '../../store/store.ts';
import { ERASURE_MS } from '../../usage/totals.ts';
import { type ActionHandler, reply } from '../declaration/actions.ts';
import { MemberRates } from '../moderation/policy.ts';
import { countData, erasePeople, eraseServer, exportData, isAmong, type Subject, subjectOf } from './personal-data.ts';

/** Looking for all data of a person reads the whole store, so people can ask for it only now and then. */
export const SCANS = { count: 1, seconds: 60 };

/** How long the button that confirms an erasure works. */
const CONFIRM_MINUTES = 10;

/** Where the limits of the channel are not known, as on a person's own page. */
const SMALL_FILE_BYTES = 8 * 2 ** 20;

/** An erasure that has begun. It is deleted when nothing is left to erase. */
type ErasureTask = Subject & {
	at: number;
	/** The process that works on it. */
	process: string;
	/** Messages of the bot that are still to be deleted. */
	handles: readonly MessageHandle[];
};

/** Keys are those of people. They outlast backups, so that an erasure is repeated in a restored store. */
export const erasureTasks = new Collection<ErasureTask>('erasures/task:', {
	owner: 'person',
	holds: 'an erasure that has not ended, with the messages to delete',
	lifetime: ERASURE_MS,
	until: 'until it ends',
	indexed: (key) => [{ index: TASKS, member: key.slice(key.indexOf(':') + 1) }],
	erasure: 'deleted',
	erasedBy: 'Privacy',
});

/** The index of the erasures that have not ended. */
const TASKS = 'tasks';

export const erasuresDone = new Collection<number>('erasures/done:', {
	owner: 'person',
	holds: 'when a person last erased their data',
	lifetime: ERASURE_MS,
	erasure: 'kept',
});

/**
 * Lets people see, export and erase what is kept about them. An erasure is stored before it begins, so that the next start finishes it
 * after a crash.
 */
export class Privacy {
	readonly #easel: Easel;
	/** The file that lists the erasures apart from the store. */
	readonly #file: string | undefined;
	/** Everything that reads whole collections, one after the other. */
	readonly #scans = new KeyedQueue();
	readonly #rates: MemberRates;
	readonly #erasing = new Set<string>();

	constructor(easel: Easel, file: string | undefined) {
		this.#easel = easel;
		this.#file = file;
		this.#rates = new MemberRates(easel.now);
	}

	/** Returns how long prompts, pictures, chats and names are kept. */
	get retentionDays(): number {
		return Math.round(this.#easel.retentionMs / DAY_MS);
	}

	/** Returns undefined when it is too soon: counting reads the whole store, so a person can do it once a minute. */
	count(person: Person, place: Place) {
		const subject = this.#subject(person, place);
		return this.#look(`show:${subject.key}`, () => countData(this.#easel, subject));
	}

	/**
	 * Returns a file that can be posted in a channel; undefined when it is too soon.
	 * @param limits of the channel
	 */
	export(person: Person, place: Place, limits?: ChannelLimits) {
		const subject = this.#subject(person, place);
		const maxBytes = Math.min(limits?.pictureBytes ?? SMALL_FILE_BYTES, limits?.messageBytes ?? SMALL_FILE_BYTES * 8);
		return this.#look(`export:${subject.key}`, () => exportData(this.#easel, subject, maxBytes));
	}

	async #look<Result>(what: string, work: () => Promise<Result>): Promise<Result | undefined> {
		return this.#rates.take(what, SCANS) > 0 ? undefined : this.#scans.run('', work);
	}

	/** Returns the subject of the button that erases everything, and how long the button works. */
	confirmation({ id }: Person): { subject: string; minutes: number } {
		const until = this.#easel.now() + CONFIRM_MINUTES * MINUTE_MS;
		return { subject: `${until.toString(36)}:${id}`, minutes: CONFIRM_MINUTES };
	}

	/**
	 * Erases a person's data. Messages of the bot with it are deleted afterwards, as fast as the platform allows.
	 *
	 * @returns `busy` when a request of the person still runs: its end would write the data again
	 */
	async erase(person: Person, place: Place): Promise<'erased' | 'busy'> {
		const { ledger, lease, now } = this.#easel;
		const subject = this.#subject(person, place);
		const is = isAmong([subject]);
		for await (const { place, person } of ledger.openJobs()) if (is({ ...place, id: person.id })) return 'busy';
		const { key, platform } = subject;
		const task: ErasureTask = { ...subject, at: now(), process: lease.processId, handles: [] };
		if (this.#file !== undefined) await listErasure(this.#file, { key, platform, at: task.at });
		await erasureTasks.in(this.#easel).commit(erasureTasks.replacing(this.#easel, key, task));
		await this.#run(task);
		return 'erased';
	}

	/** Continues the erasures of processes that are gone, on the platforms that this process runs. */
	async resume(): Promise<void> {
		const { lease, platforms, log } = this.#easel;
		const space = erasureTasks.in(this.#easel);
		for await (const member of membersOf(space, TASKS)) {
			const task = await erasureTasks.get(space, member);
			if (!task) await space.commit({ unindex: [{ index: TASKS, member }] });
			else if (platforms.runs(task) && !this.#erasing.has(member) && (await this.#isFree(task.process)))
				await tryAndLog(log, 'An erasure could not be finished', () =>
					this.#run({ ...task, process: lease.processId }),
				);
		}
	}

	/** Erases again, in a restored store, what was erased after its backup. It costs one read for each erasure while there is nothing to do. */
	async replay(): Promise<void> {
		const { now, log } = this.#easel;
		const listed = this.#file === undefined ? [] : await listedErasures(this.#file, now());
		const done = await erasuresDone.getMany(
			this.#easel,
			listed.map(({ key }) => key),
		);
		const missing = listed.filter(({ at }, index) => (done[index] ?? 0) < at);
		if (missing.length === 0) return;
		const before = Math.max(...missing.map(({ at }) => at));
		// The messages were deleted when the data was erased for the first time.
		await this.#scans.run('', () => erasePeople(this.#easel, missing, before, async () => {}));
		for (const { key, at } of missing) await erasuresDone.set(this.#easel, key, at);
		log.info({ people: missing.length }, 'Data was erased again that a backup had brought back');
	}

	eraseServer(server: ServerId): Promise<void> {
		return this.#scans.run('', () => eraseServer(this.#easel, server, this.#easel.now()));
	}

	async #isFree(process: string): Promise<boolean> {
		const { lease } = this.#easel;
		return process === lease.processId || lease.hasExpired(process);
	}

	/** Resolves once the data is erased; the messages are deleted after that. */
	async #run(task: ErasureTask): Promise<void> {
		const easel = this.#easel;
		const { key, at } = task;
		let handles = task.handles;
		this.#erasing.add(key);
		const erasing = this.#scans.run('', () =>
			erasePeople(easel, [task], at, async (more) => {
				handles = [...handles, ...more];
				await erasureTasks.set(easel, key, { ...task, handles });
			}),
		);
		try {
			await erasing;
			await erasuresDone.set(easel, key, at);
		} catch (error) {
			this.#erasing.delete(key);
			throw error;
		}
		easel.running.track(this.#deleteMessages({ ...task, handles }).finally(() => this.#erasing.delete(key)));
	}

	/** Ends the erasure after that, unless Easel stops meanwhile. A message that cannot be deleted is left. */
	async #deleteMessages(task: ErasureTask): Promise<void> {
		const { platforms, stopping, log } = this.#easel;
		for (const handle of task.handles) {
			if (stopping.aborted) return;
			await tryAndLog(log, 'A message could not be deleted', async () => (await platforms.find(handle))?.delete());
		}
		await erasureTasks.in(this.#easel).commit(erasureTasks.removal(erasureTasks.key(task.key), task));
	}

	#subject(person: { id: string }, place: Place) {
		return subjectOf(this.#easel.platforms.personRef(place, person));
	}
}

/** The button that confirms an erasure. The subject is a `confirmation`. */
export const eraseAction: ActionHandler = {
	async press({ person, channel }, confirmation, { easel: { privacy, now }, t }) {
		const [until = '', ...id] = confirmation.split(':');
		const isTheirs = id.join(':') === person.id;
		if (!isTheirs || Number.parseInt(until, 36) < now()) return reply(t('privacy.erase.expired'));
		const result = await privacy.erase(person, channel.place);
		return reply(t(result === 'busy' ? 'privacy.erase.busy' : 'privacy.erase.done'));
	},
};

/** An erasure, without the id of the person; see `personKey`. */
const line = z.object({
	key: z.string().regex(/^[0-9a-f]{64}$/),
	platform: z.string().min(1).max(40),
	at: z.number().int().positive(),
});

type ListedErasure = z.output<typeof line>;

/**
 * Lists an erasure that was asked for, as a line of JSON in a file apart from the store: a restored backup may be older than an erasure.
 * Files of several machines can be concatenated. Resolves once the line would survive the end of this process.
 */
async function listErasure(path: string, { key, platform, at }: ListedErasure): Promise<void> {
	await mkdir(dirname(path), { recursive: true });
	await appendFile(path, `${JSON.stringify({ key, platform, at })}\n`, { mode: 0o600, flush: true });
}

/**
 * Returns the latest erasure of each person that a backup can still contain. A line that was cut off is skipped.
 * @param now Unix milliseconds
 */
async function listedErasures(path: string, now: number): Promise<ListedErasure[]> {
	const text = existsSync(path) ? await readFile(path, 'utf8') : '';
	const all = text.split('\n').flatMap((each) => readLine(each) ?? []);
	const recent = all.filter(({ at }) => at >= now - ERASURE_MS).sort((one, other) => one.at - other.at);
	return [...new Map(recent.map((each) => [each.key, each])).values()];
}

function readLine(text: string): ListedErasure | undefined {
	try {
		return line.safeParse(JSON.parse(text)).data;
	} catch {
		return undefined;
	}
}
