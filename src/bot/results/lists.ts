import { hash } from 'node:crypto';
import {
	type Button,
	type Channel,
	isPersonal,
	isSameServer,
	type Page,
	type Person,
	type Place,
	type Post,
	PREVIEW_NAME,
	type Reply,
	type ServerId,
	type Upload,
} from '../../domain/channel.ts';
import type { Job } from '../../domain/job.ts';
import type { ButtonPress, Origin } from '../../domain/platform.ts';
import { quoted } from '../../domain/text.ts';
import type { Easel } from '../../easel.ts';
import { SentenceError, translatorFor } from '../../i18n/translator.ts';
import { partlySaved } from '../../jobs/delivery.ts';
import { findFallback, postFitted, type Sent, shownPictures } from '../../jobs/posting.ts';
import { tryAndLog } from '../../log.ts';
import { thumbnail } from '../../pictures/fit.ts';
import {
	type HistoryEntry,
	isCovered,
	offeredTo,
	type PictureRequest,
	picturesOf,
	recentResultsPage,
	resultButtons,
	resultOf,
	sentenceOf,
	withdraw,
} from '../../requests/requests.ts';
import { withPosted } from '../../requests/uploads.ts';
import { changeJob } from '../../usage/jobs.ts';
import type { Settings } from '../../usage/settings.ts';
import {
	type ActionContext,
	type ActionHandler,
	type ActionHandlers,
	type ActionResult,
	actionButton,
	reply,
} from '../declaration/actions.ts';
import { privately } from '../declaration/command.ts';
import { isInEffect, notesOf } from '../moderation/moderation-log.ts';

/** A row of buttons on Discord. */
const PAGE_SIZE = 5;

/** The most pages that are looked through for one with a result: somebody may have deleted the messages of many. */
const MAX_PAGES = 5;

const MAX_SHOWN_PROMPT = 160;

/** A result in a list, with its message where that can be found. */
type ListedResult = HistoryEntry & { post?: Post };

/** Whose history to show, and from where: `from` is the position that the page before has ended with. */
type HistoryQuery = { member: string; from?: string };

/** Returns a page of a person's results in this server. Results whose messages are gone are left out. */
export async function historyPage(
	easel: Easel,
	reader: Person,
	channel: Page,
	{ member, from }: HistoryQuery,
): Promise<Reply> {
	const t = translatorFor(reader.locale);
	let results: ListedResult[] = [];
	let next = from;
	let pages = 0;
	do {
		const page = await recentResultsPage(easel, channel.place, { id: member }, PAGE_SIZE, next);
		const listed = await Promise.all(page.entries.map((entry) => listedResult(easel, entry)));
		results = listed.filter((result) => result !== undefined);
		next = page.next;
		pages++;
	} while (results.length === 0 && next !== undefined && pages < MAX_PAGES);
	const further: Button[] = [];
	if (from !== undefined) further.push(actionButton(t, 'newest', subjectOf({ member })));
	if (next !== undefined) further.push(actionButton(t, 'older', subjectOf({ member, from: next })));
	const isOwn = member === reader.id;
	const [whose, name] = isOwn ? ['own', ''] : ['other', channel.refer('person', member)];
	if (results.length === 0 && further.length === 0) return privately(t('history.none', { whose, name }));
	return resultList(easel, reader, channel, t('history.heading', { whose, name }), results, further);
}

async function listedResult({ platforms }: Easel, entry: HistoryEntry): Promise<ListedResult | undefined> {
	try {
		const post = await platforms.find(entry.handle);
		return post && { ...entry, post };
	} catch {
		// The platform is out of reach, or the bot may not read there any more: its link is missing then.
		return entry;
	}
}

/**
 * Returns the results that fit words best, as a list with buttons: the person's own, and public ones of the channel or thread. Results that
 * were deleted, removed or covered are not in it.
 *
 * @param query.own only the person's own results
 */
export async function foundResults(
	easel: Easel,
	person: Person,
	channel: Page,
	query: { words: string; own: boolean },
): Promise<Reply> {
	const { place } = channel;
	const t = translatorFor(person.locale);
	const refused = await easel.policy.check('search', { channel, person });
	if (refused) return privately(refused.messageIn(t));
	const words = quoted(query.words);
	const jobs = await easel.resultSearch.search(place, person, query.words, query.own);
	const settings = await easel.settings.get(place);
	const results: ListedResult[] = [];
	for (const job of jobs) {
		const result = await shownResult(easel, settings, job);
		if (result && results.push(result) === PAGE_SIZE) break;
	}
	if (results.length === 0) return privately(t('find.none', { words }));
	return resultList(easel, person, channel, t('find.heading', { words }), results);
}

/** Returns undefined for a result that is no longer shown, or is shown as a spoiler. */
async function shownResult(easel: Easel, settings: Settings, id: string): Promise<ListedResult | undefined> {
	const job = await easel.ledger.find(id);
	const result = job && resultOf(easel, job);
	if (!result || isCovered(result.request, settings, job.place) || isInEffect((await notesOf(easel, id)).hide))
		return undefined;
	const post = await easel.platforms.find(result.handle);
	return post && { ...result, post };
}

/** Returns a numbered list of results, with a button for each that shows it, and thumbnails where the channel shows them. */
async function resultList(
	easel: Easel,
	reader: Person,
	show: Page,
	heading: string,
	results: readonly ListedResult[],
	further: readonly Button[] = [],
): Promise<Reply> {
	const t = translatorFor(reader.locale);
	const lines = results.map(({ prompt, at, post }, index) => {
		const facts = [show.when(at), post?.link && t('history.open', { link: post.link })];
		return `${index + 1}. **${quoted(prompt, MAX_SHOWN_PROMPT)}** · ${facts.filter(Boolean).join(' · ')}`;
	});
	const buttons = results.map(({ job }, index) => ({ ...actionButton(t, 'result', job), label: String(index + 1) }));
	const list = { ...privately([heading, ...lines].join('\n')), buttons: [...buttons, ...further] };
	// Without any, those of the page before have to go as well.
	return show.limits?.previews ? { ...list, pictures: await thumbnailsOf(easel, reader, show.place, results) } : list;
}

/**
 * Returns a thumbnail of each listed result, as far as they can be read. What moderators have hidden has none, and those of channels with
 * hidden pictures are spoilers.
 */
async function thumbnailsOf(easel: Easel, reader: Person, server: Place, results: readonly ListedResult[]) {
	const { settings, log } = easel;
	const stored = await tryAndLog(log, 'The settings could not be read', () => settings.get(server));
	if (!stored) return [];
	const thumbnailOf = async ({ job, prompt, handle: { place }, post, request }: ListedResult, index: number) => {
		const [first] = (await post?.pictures?.()) ?? [];
		if (!first || isInEffect((await notesOf(easel, job)).hide)) return undefined;
		const requester = { place, person: reader };
		const bytes = await withPosted(easel, requester, [first], async ([image]) => image && thumbnail(image));
		const number = index + 1;
		const spoiler = isCovered(request, stored, place) ? (true as const) : undefined;
		return bytes && { name: `${PREVIEW_NAME}${number}.jpg`, bytes, alt: `${number}. ${prompt}`, number, spoiler };
	};
	const made = await Promise.all(
		results.map((each, index) => tryAndLog(log, 'A thumbnail could not be made', () => thumbnailOf(each, index))),
	);
	return made.filter((picture) => picture !== undefined);
}

const subjectOf = ({ member, from = '' }: HistoryQuery) => `${member}:${from}`;

function queryOf(subject: string): HistoryQuery {
	const at = subject.indexOf(':');
	return { member: subject.slice(0, at), from: subject.slice(at + 1) || undefined };
}

/** The buttons of lists of results: one that shows each result, and those that turn the page. */
export const listActions: ActionHandlers<'result' | 'older' | 'newest'> = {
	result: {
		async press(press, job, { easel, t }) {
			const { person, channel, id } = press;
			const request = await easel.requests.find(job);
			if (!request || !(await maySee(easel, press, request))) return new SentenceError('errors.expired.request');
			const uploads = await picturesShown(easel, job, request);
			if (uploads.length === 0) return new SentenceError('history.gone');
			await withPosted(easel, { place: channel.place, person }, uploads, (images) =>
				postResult(easel, { job, request, images, text: t('history.result') }, { person, channel, key: id }),
			);
			return 'answered';
		},
	},
	older: { press: turnPage },
	newest: { press: turnPage },
};

/** Shows another page in the same message, or in a new one when that cannot be edited. */
async function turnPage(
	{ person, channel, message }: ButtonPress,
	subject: string,
	{ easel }: ActionContext,
): Promise<ActionResult> {
	const query = queryOf(subject);
	if (query.member !== person.id && !person.moderator) return new SentenceError('history.errors.moderators');
	const page = await historyPage(easel, person, channel, query);
	try {
		const post = await easel.platforms.find(message);
		if (!post) return { reply: page };
		await post.edit(page);
		return 'answered';
	} catch {
		return { reply: page };
	}
}

/**
 * Tells whether a person may see a result: whoever asked, moderators of that server, and everybody for what is public in this channel,
 * or in one that every member sees.
 */
export async function maySee(
	{ platforms }: Easel,
	{ person, channel }: Origin,
	request: PictureRequest,
): Promise<boolean> {
	const { place } = request;
	if (!isSameServer(place, channel.place)) return false;
	if (request.person.id === person.id || (person.moderator && !isPersonal(place))) return true;
	if (request.private || place.direct) return false;
	if (place.channel === channel.place.channel)
		return place.thread === undefined || place.thread === channel.place.thread;
	const other = await platforms.open(place).catch(() => undefined);
	return (await other?.isVisibleToEveryone?.()) === true;
}

/** Returns the pictures of a result as its messages show them; none when they are gone. */
export async function picturesShown(
	{ ledger, platforms }: Easel,
	id: string,
	{ place }: PictureRequest,
): Promise<Upload[]> {
	const { shown } = (await ledger.find(id)) ?? {};
	return shownPictures(platforms.find, { id, place }, shown && (await platforms.find(shown)));
}

type ShownResult = {
	job: string;
	/** Undefined when it is no longer stored. */
	request: PictureRequest | undefined;
	images: readonly Uint8Array[];
	/** The text above the pictures. */
	text: string;
};

/**
 * Posts the pictures of a result with its buttons, to one person alone.
 * @param to.key the key of the first message
 */
async function postResult(
	easel: Easel,
	{ job, request, images, text }: ShownResult,
	{ person, channel, key }: { person: Person; channel: Channel; key: string },
): Promise<Sent> {
	const { settings, log } = easel;
	const t = translatorFor(person.locale);
	const stored = await tryAndLog(log, 'The settings could not be read', () => settings.get(channel.place));
	const prompt = request?.prompt ?? t('results.picture');
	const reply: Reply = {
		text,
		pictures: picturesOf(t, images, prompt, isCovered(request, stored, request?.place ?? channel.place), request?.alts),
		buttons: resultButtons(t, job, easel),
		visibility: 'private',
	};
	const sent: Sent = { messages: [], pictures: 0, smaller: [] };
	await postFitted(t, reply, channel, sent, (part, suffix) => channel.post(part, key + suffix));
	return sent;
}

export const collectAction: ActionHandler = {
	/** Posts the person's results, and sentences about errors, that could not be delivered before. */
	async press(press, _, { easel, t }) {
		const { channel, person } = press;
		const { pictureStore, log } = easel;
		let [posted, pending] = [0, 0];
		for (const [job, stored] of await offeredTo(easel, channel.place, person)) {
			const images = await pictureStore.kept(job);
			const shown = stored && (await countOf(easel, stored));
			// A sweep delivers what belongs to an open job: it would be shown twice.
			if (stored && (stored.state !== 'delivered' || shown === undefined)) {
				pending += 1;
				continue;
			}
			// They were posted before their offer took effect.
			const isShown = images.length > 0 && (shown ?? 0) >= images.length;
			const wasTaken = stored !== undefined && stored.claims > 0;
			if (!isShown && (await postUndelivered(easel, press, job, images, sentenceOf(stored), wasTaken))) posted += 1;
			// In this order: while the store refuses one of both, the pictures are not shown once more.
			await tryAndLog(log, 'Pictures that were shown are still kept', () => pictureStore.drop(job));
			await withdraw(easel, { id: job, place: channel.place, person });
		}
		if (posted > 0) return 'answered';
		return reply(t(pending > 0 ? 'undelivered.pending' : 'undelivered.none'));
	},
};

/** Returns how many results with pictures are offered to a person, and how many sentences. */
export async function countOffered(easel: Easel, place: ServerId, person: { id: string }) {
	const jobs = await offeredTo(easel, place, person);
	const answers = jobs.filter(([, job]) => sentenceOf(job)).length;
	return { pictures: jobs.length - answers, answers };
}

/** Returns how many pictures the answer of a job shows; undefined when the platform does not say. */
async function countOf({ platforms: { find }, log }: Easel, job: Job): Promise<number | undefined> {
	return tryAndLog(log, 'The messages of a result could not be read', async () => {
		const first = (await findFallback(find, job.message)) ?? (await find(job.message));
		return (await shownPictures(find, job, first)).length;
	});
}

/**
 * Returns false when nothing is kept of it any more.
 * @param wasTaken the process that made the call has ended, perhaps before it had kept all pictures
 */
async function postUndelivered(
	easel: Easel,
	{ channel, person, id }: ButtonPress,
	job: string,
	images: readonly Uint8Array[],
	answer: ReturnType<typeof sentenceOf>,
	wasTaken: boolean,
): Promise<boolean> {
	const t = translatorFor(person.locale);
	const request = await easel.requests.find(job);
	const key = `${id}.${shortened(job)}`;
	if (images.length === 0) {
		if (!answer) return false;
		const prompt = request ? [`**${quoted(request.prompt)}**`] : [];
		const text = [t('undelivered.here'), ...prompt, answer.text].join('\n');
		const buttons = answer.again ? [actionButton(t, 'again', job)] : [];
		await channel.post({ text, buttons, visibility: 'private' }, key);
		return true;
	}
	const part = wasTaken && request ? partlySaved(t, request, images.length) : undefined;
	const text = [t('undelivered.here'), part].filter(Boolean).join('\n');
	const result = { job, request, images, text };
	const { first, smaller } = await postResult(easel, result, { person, channel, key });
	// While the store fails, the pictures must not stay among those that are offered: they would be shown once more.
	await tryAndLog(easel.log, 'A result that was shown could not be remembered', async () => {
		await easel.pictureStore.keepOriginals(job, images, smaller);
		if (!first || !request) return;
		// They are shown to the person alone.
		const also = easel.resultSearch.adding(job, { ...request, private: true });
		await changeJob(easel.store.space('ledger'), job, () => ({ job: { shown: first.handle }, also }));
	});
	return true;
}

/**
 * Returns a part of a message's key that identifies the job: two whole ids are longer than a key may be. The job's position would
 * not do, because when the press is delivered again, the jobs that were collected are gone from the list.
 */
const shortened = (job: string) => hash('sha256', job).slice(0, 10);
