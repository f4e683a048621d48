import { actionButton, isAvailable } from '../bot/declaration/actions.ts';
import type { Command, RequestSummary } from '../bot/declaration/command.ts';
import { isUpload } from '../bot/declaration/options.ts';
import { remainingMessage } from '../bot/messages/usage-messages.ts';
import {
	type Button,
	encodeActionId,
	type MessageHandle,
	type Picture,
	type Place,
	parseActionId,
	type Requester,
	type ServerId,
	type Upload,
} from '../domain/channel.ts';
import type { Answer, Job, StoredRequest } from '../domain/job.ts';
import { inCode, oneLine, quoted } from '../domain/text.ts';
import type { Easel } from '../easel.ts';
import type { Translate } from '../i18n/translator.ts';
import { readMarks } from '../pictures/marks.ts';
import { sniff } from '../pictures/parts.ts';
import { type Space, timeKey } from '../store/store.ts';
import type { UsageStatus } from '../usage/caps.ts';
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

/** Slack allows 1,000 characters of alt text, Discord 1,024. https://docs.slack.dev/reference/methods/files.getUploadURLExternal/ */
export const MAX_ALT = 1000;

/** A description of what was drawn is shown to its end, where it names what was not understood. */
const MAX_SHOWN_REVISION = 700;

/** The longest part of a flag that a caption repeats. */
const MAX_FLAG = 40;

/**
 * Returns pictures to post: exactly the service's bytes, with file names and alt text.
 * @param alts what each picture shows, where it was described; the prompt by default
 */
export function picturesOf(
	t: Translate,
	images: readonly Uint8Array[],
	prompt: string,
	isSpoiler = false,
	alts: readonly (string | null | undefined)[] = [],
): Picture[] {
	const description = oneLine(prompt);
	return images.map((bytes, index) => {
		const count = images.length;
		return {
			name: `${fileName(description)}-${index + 1}.${endingOf(bytes)}`,
			bytes,
			alt: altOf(t, alts[index] ?? prompt, index, count),
			...(count > 1 && { number: index + 1 }),
			...(isSpoiler && { spoiler: true as const }),
		};
	});
}

/** Returns the alt text of the picture at this index among so many: the text, and the number of the picture where there are several. */
export function altOf(t: Translate, text: string, index: number, count: number): string {
	const number = count > 1 ? ` ${t('results.number', { index: index + 1, count })}` : '';
	return oneLine(text, MAX_ALT - number.length) + number;
}

/**
 * Returns the text above a result: the prompt, the person, the result that it repeats, the model, the size, how
 * its pictures are numbered, what is left of the nearest cap, and what the service says that it has drawn.
 */
export function caption(
	t: Translate,
	{ prompt, command, model, person, source, revisedPrompt, unknownFlags = [], ...request }: PictureRequest,
	images: readonly Uint8Array[],
	usage: readonly UsageStatus[],
): string {
	const size = images[0] && sniff(images[0]);
	const facts = [
		// Rules that draw, as the studio's, are no AI.
		t(isByRules(images) ? 'results.byRules' : 'results.alt', { name: quoted(person.name) }),
		source && sourceMessage(t, command, source),
		model && quoted(model),
		size && `${size.width} × ${size.height}`,
		images.length > 1 && t('results.order', { count: images.length }),
		usage.length > 0 && remainingMessage(t, usage),
	];
	const revised = revisedPrompt ? `\n${t('results.revised', { text: quoted(revisedPrompt, MAX_SHOWN_REVISION) })}` : '';
	const flags = unknownFlags.map((flag) => inCode(flag, MAX_FLAG)).join(' ');
	const unknown = flags ? `\n${t('results.unknownFlags', { flags })}` : '';
	return `**${quoted(prompt)}**\n${facts.filter(Boolean).join(' · ')}${revised}${unknown}${request.background ? `\n${backgroundMessage(t, request)}` : ''}`;
}

/** Returns the sentence about a background that should be transparent. Pictures that were fetched later were not looked at. */
export const backgroundMessage = (t: Translate, { made }: Pick<PictureRequest, 'made'>): string =>
	t(BACKGROUNDS[made?.background ?? 'mixed']);

const BACKGROUNDS = {
	native: 'results.background.native',
	keyed: 'results.background.keyed',
	kept: 'results.background.kept',
	mixed: 'results.background.mixed',
} as const;

/** Drawn, altered or composed, whatever those pictures were made by. */
const BY_RULES: ReadonlySet<string> = new Set(['algorithmicMedia', 'algorithmicallyEnhanced', 'composite']);

/** The studio names itself in its files; of other tools, nobody knows whether they have a model. */
function isByRules([first]: readonly Uint8Array[]): boolean {
	const { source = '', tool } = first ? readMarks(first) : {};
	return BY_RULES.has(source) && tool === 'Easel studio';
}

function sourceMessage(t: Translate, command: string, { link }: { link?: string }): string {
	if (command === 'vary') return link ? t('results.variedLink', { link }) : t('results.varied');
	return link ? t('results.repeatedLink', { link }) : t('results.repeated');
}

/** Returns the buttons under a result, without those that the service cannot carry out; that for alt texts where they are described. */
export const resultButtons = (t: Translate, job: string, { service, altTexts }: Easel): Button[] =>
	(['again', 'vary', 'edit', 'reference', 'download', 'alt', 'delete'] as const)
		.filter((action) => isAvailable(action, service.capabilities) && (action !== 'alt' || altTexts !== undefined))
		.map((action) => actionButton(t, action, job));

/** Returns the file ending of a picture's type. */
export const endingOf = (bytes: Uint8Array) =>
	(sniff(bytes)?.type ?? 'image/png').replace('image/', '').replace('jpeg', 'jpg');

/** Returns up to six words of a prompt, in characters that every file system allows. */
const fileName = (prompt: string) =>
	prompt
		.normalize('NFKD')
		.replace(/\p{M}/gu, '')
		.toLowerCase()
		.match(/[a-z0-9]+/g)
		?.slice(0, 6)
		.join('-')
		.slice(0, 60) || 'picture';

/** The pictures of a result that one of its messages shows, as the subject of that message's buttons. */
export type ResultSubject = {
	job: string;
	/** The index of the message's first picture in the whole result. */
	first: number;
};

/** Reads a subject: `job` under the message with the first picture, `job#2` under the one that begins with the third. */
export function parseResultSubject(subject: string): ResultSubject {
	const [job = '', first = '0'] = subject.split('#');
	return { job, first: Number(first) || 0 };
}

/** The actions that apply to a picture of their message, so that they have to know which pictures it shows. */
const OF_PICTURES: readonly (string | undefined)[] = ['edit', 'vary', 'reference', 'download', 'sticker', 'alt'];

/** Returns the buttons of a result for the message that begins with the picture at this index. */
export const buttonsFrom = (buttons: readonly Button[], first: number): Button[] =>
	buttons.map((button) => {
		const id = parseActionId(button.id);
		if (first === 0 || !id || !OF_PICTURES.includes(id.action)) return button;
		return { ...button, id: encodeActionId({ ...id, subject: `${id.subject}#${first}` }) };
	});
