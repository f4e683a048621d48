import type { Command, RequestSummary } from '../bot/declaration/command.ts';
import { isUpload } from '../bot/declaration/options.ts';
import type { Upload } from '../domain/channel.ts';
import type { Answer, Job, StoredRequest } from '../domain/job.ts';
import type { MessageHandle, Place, Requester, ServerId } from '../domain/place.ts';
import { oneLine } from '../domain/text.ts';
import type { Easel } from '../easel.ts';
import { type Space, timeKey } from '../store/store.ts';
import { changeJob, findJob, jobKey, latestCallsOf } from '../usage/jobs.ts';
import { isSpoiler, type Settings } from '../usage/settings.ts';
import type { PictureStore } from './picture-store.ts';

/** A request for pictures. Its summary is not stored: the command derives it from the options. */
export type PictureRequest = StoredRequest & RequestSummary & { command: string; person: Requester; place: Place };

/** The requests behind results, by job. */
export class PictureRequests {
	readonly #ledger: Space;
	readonly #pictureStore: PictureStore;
	readonly #commands: readonly Command[];

	/** @param ledger the space of the jobs */
	constructor(ledger: Space, pictureStore: PictureStore, commands: readonly Command[]) {
		this.#ledger = ledger;
		this.#pictureStore = pictureStore;
		this.#commands = commands;
	}

	/** Stores what has changed of a request. What was deleted stays deleted. */
	async change(id: string, request: PictureRequest): Promise<void> {
		await changeJob(this.#ledger, id, (job) => job.request && { job: { request: storedOf(request) } });
	}

	async find(id: string): Promise<PictureRequest | undefined> {
		const job = await findJob(this.#ledger, id);
		return job && this.of(job);
	}

	/** Returns the request of a job; undefined once it is deleted. */
	of({ command, person, place, request }: Job): PictureRequest | undefined {
		return request && { ...request, command, person, place, ...this.#summaryOf(command, request) };
	}

	/** Returns the options to invoke the same command again; undefined when a picture is no longer kept. */
	async optionsOf({ options, inputs, covered, person }: PictureRequest): Promise<Record<string, unknown> | undefined> {
		const pictures: [string, Upload][] = [];
		for (const [name, input] of Object.entries(inputs)) {
			if (!(await this.#pictureStore.input(input))) return undefined;
			// Read again when it is needed: the request may wait, and its pictures would take up memory meanwhile.
			const poster = async () => ({ person: person.id });
			pictures.push([name, { name, covered, poster, read: () => this.#read(input) }]);
		}
		return { ...options, ...Object.fromEntries(pictures) };
	}

	async #read(input: string): Promise<Uint8Array> {
		const bytes = await this.#pictureStore.input(input);
		if (!bytes) throw new Error('A picture of a request is no longer kept');
		return bytes;
	}

	/** Deletes a request, and with it its result from all lists. */
	async forget(id: string): Promise<void> {
		await changeJob(this.#ledger, id, ({ request }) => request && { job: { request: undefined, shown: undefined } });
	}

	/** A request of a command that no longer exists shows none of its options, and its result stays private. */
	#summaryOf(command: string, { options }: StoredRequest): RequestSummary {
		const declared = this.#commands.find(({ name }) => name === command);
		return declared?.makes === 'pictures' ? declared.request(options) : { prompt: command, private: true, count: 1 };
	}
}

/** Returns a request as it is stored. */
export function storedOf(request: PictureRequest): StoredRequest {
	const { options, inputs, covered, source, unknownFlags, revisedPrompt, alts, made, missing, unfetched } = request;
	return { options, inputs, covered, source, unknownFlags, revisedPrompt, alts, made, missing, unfetched };
}

/** Separates pictures from the other options. Options without a value are left out. */
export function separateUploads(all: Readonly<Record<string, unknown>>) {
	const entries = Object.entries(all).filter(([, value]) => value !== undefined);
	return {
		options: Object.fromEntries(entries.filter(([, value]) => !isUpload(value))),
		uploads: entries.filter((entry): entry is [string, Upload] => isUpload(entry[1])),
	};
}

/** Tells whether the pictures of a request are covered, by their channel's settings or because they are made of one that is. */
export const isCovered = (request: StoredRequest | undefined, settings: Settings | undefined, place: Place): boolean =>
	request?.covered === true || isSpoiler(settings, place);

/** The results that a person's own page shows. */
const MAX_HOME_RESULTS = 6;

/** How many pages of calls are read for these, so that who chats a lot is not read whole at each message. */
const MAX_HOME_PAGES = 4;

/** Enough of a prompt to recognise it by, in UTF-16 units. */
const MAX_PROMPT = 300;

/** A result in a person's history. */
export type HistoryEntry = { job: string; handle: MessageHandle; prompt: string; at: number; request: PictureRequest };

/** A page of a person's history, and the position of the next one where there is one. */
export type HistoryPage = { entries: readonly HistoryEntry[]; next: string | undefined };

/** What lists of results are read by. */
type Results = Pick<Easel, 'store' | 'retentionMs' | 'requests'>;

/** Returns what lists show of a job; undefined when its pictures are not posted, or were deleted. */
export function resultOf({ requests }: Results, job: Job): HistoryEntry | undefined {
	const [request, handle] = [requests.of(job), job.shown];
	if (!request || !handle) return undefined;
	return { job: job.id, handle, prompt: oneLine(request.prompt, MAX_PROMPT), at: job.at, request };
}

/** Returns the latest results of a person in a server, newest first, as far as they are among the latest calls. */
export async function latestResults(easel: Results, place: Place, person: { id: string }) {
	return (await recentResultsPage(easel, place, person, MAX_HOME_RESULTS, undefined, MAX_HOME_PAGES)).entries;
}

/**
 * Returns results of a person in a server, newest first.
 * @param from `next` of the page before
 * @param pages how many pages of calls are read at most
 */
export async function recentResultsPage(
	easel: Results,
	place: Place,
	person: { id: string },
	limit: number,
	from?: string,
	pages = Number.POSITIVE_INFINITY,
): Promise<HistoryPage> {
	const ledger = easel.store.space('ledger');
	const after = timeKey(Date.now() - easel.retentionMs);
	const entries: HistoryEntry[] = [];
	let last: string | undefined;
	let read = 0;
	for await (const calls of latestCallsOf(ledger, place, person.id, { after, before: from })) {
		const jobs = calls.length === 0 ? [] : await ledger.keyv.getMany<Job>(calls.map(({ id }) => jobKey(id)));
		for (const [index, { position }] of calls.entries()) {
			const result = jobs[index] && resultOf(easel, jobs[index]);
			if (!result) continue;
			if (entries.length === limit) return { entries, next: last };
			entries.push(result);
			last = position;
		}
		if (++read >= pages) break;
	}
	return { entries, next: undefined };
}

/** More than a person can have asked for while nothing could be delivered. */
const MAX_OFFERED = 1000;

/** A job whose answer could not be posted. `/usage` offers it to its person: its pictures, or else the sentence that ended it. */
type Offer = { id: string; place: ServerId; person: { id: string } };

const offerOf = ({ id: member, place: { platform, server }, person }: Offer) => {
	return { index: `${platform}/${server}/${person.id}`, member };
};

export async function offer({ store, retentionMs: ttlMs }: Easel, job: Offer): Promise<void> {
	await store.space('waiting').commit({ index: [{ ...offerOf(job), ttlMs }] });
}

export async function withdraw({ store }: Easel, job: Offer): Promise<void> {
	await store.space('waiting').commit({ unindex: [offerOf(job)] });
}

/** Returns the ids of what is offered to a person, and their jobs, which may have expired. */
export async function offeredTo(
	{ store }: { store: Easel['store'] },
	place: ServerId,
	person: { id: string },
): Promise<[id: string, job: Job | undefined][]> {
	const { index } = offerOf({ id: '', place, person });
	const ids = await store.space('waiting').members(index, { limit: MAX_OFFERED });
	const jobs = ids.length === 0 ? [] : await store.space('ledger').keyv.getMany<Job>(ids.map(jobKey));
	return ids.map((id, at) => [id, jobs[at]]);
}

/** Returns the sentence that ended a job; undefined for one that made pictures. */
export const sentenceOf = (job: Job | undefined): Extract<Answer, { kind: 'sentence' }> | undefined =>
	job?.answer?.kind === 'sentence' ? job.answer : undefined;
