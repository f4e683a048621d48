import { randomUUID } from 'node:crypto';
import type {
	Button,
	Channel,
	ChannelLimits,
	MessageHandle,
	Picture,
	Place,
	Reply,
	Requester,
	Show,
} from '../../domain/channel.ts';
import type { Review } from '../../domain/job.ts';
import { quoted } from '../../domain/text.ts';
import type { Easel } from '../../easel.ts';
import {
	type MessageId,
	PlatformRefusedError,
	type Translate,
	translatorFor,
	type Values,
} from '../../i18n/translator.ts';
import { tryAndLog } from '../../log.ts';
import { fitPicture } from '../../pictures/fit.ts';
import { isCovered, type PictureRequest, picturesOf } from '../../requests/requests.ts';
import { Collection } from '../../store/store.ts';
import { isReviewed, type Settings } from '../../usage/settings.ts';
import { type ActionName, actionButton } from '../declaration/actions.ts';

/** A message of a result, with everything that is needed to post it again with its pictures hidden. */
export type SentMessage = {
	handle: MessageHandle;
	/** Markdown. */
	text: string;
	buttons: readonly Button[];
	/** The number of the result's pictures that it shows. */
	count: number;
	/** See `Post.link`. */
	link?: string;
};

/** A result in the moderation log. */
export type LogEntry = {
	job: string;
	command: string;
	prompt: string;
	person: Requester;
	/** The channel or thread of the request. */
	place: Place;
	/** Only the person who asked sees it. */
	private: boolean;
	/** Empty when it could not be posted. */
	sent: readonly SentMessage[];
	/** The number of pictures that the entry shows. */
	pictures: number;
	/** Why the entry shows no pictures. */
	without?: 'too many' | 'not posted' | 'visible to everyone';
};

/** The actions that a moderator can take on an entry. */
const LOG_ACTIONS = ['remove', 'block', 'hide'] as const satisfies readonly ActionName[];
export type LogAction = (typeof LOG_ACTIONS)[number];

/** An action that a moderator took, whether it succeeded, else why not, and who has undone it since. */
export type Note = {
	by: { id: string };
	done: boolean;
	reason?: { id: MessageId; values?: Values | undefined };
	undoneBy?: { id: string };
};

/** Tells whether an action has been taken and not been undone. */
export const isInEffect = (note: Note | undefined): boolean => note?.done === true && !note.undoneBy;
export type Notes = Partial<Record<LogAction, Note>> & { review?: Review };

export const logEntries = new Collection<LogEntry>('log/entry:', {
	owner: 'person',
	holds: 'an entry of the moderation log, with its prompt',
	lifetime: 'retention',
	with: ({ job }) => LOG_ACTIONS.map((action) => logNotes.key({ job, action })),
	erasure: 'deleted',
	group: 'log',
	ofCall: ({ id }) => id,
	peopleOf: (_, { place: { platform, server }, person: { id } }) => [{ platform, server, id }],
});

/** Each action has an entry of its own, so that two at the same time are both kept. */
export const logNotes = new Collection<Note, { job: string; action: LogAction }>('log/note:', {
	owner: 'server',
	holds: 'what a moderator did',
	lifetime: 'retention',
	key: ({ job, action }) => `${action}:${job}`,
});

/** Returns the actions that were taken on an entry, and its review. */
export async function notesOf(easel: Easel, job: string): Promise<Notes> {
	const ids = LOG_ACTIONS.map((action) => ({ job, action }));
	const notes = await logNotes.getMany(easel, ids);
	const taken = Object.fromEntries(LOG_ACTIONS.map((action, index) => [action, notes[index]]));
	return { ...taken, review: (await easel.ledger.find(job))?.review };
}

/** A result, as it was delivered. */
export type DeliveredResult = {
	job: { id: string; command: string; place: Place; person: Requester };
	request: PictureRequest;
	images: readonly Uint8Array[];
	/** Empty when it could not be posted. */
	sent: readonly SentMessage[];
	/** The channel or thread of the request. */
	from?: Channel;
	settings: Settings;
};

/** Bytes of pictures that may wait to be posted. Entries beyond that have no pictures, so that a slow platform does not fill the memory. */
const MAX_WAITING_BYTES = 64 * 2 ** 20;

/** Posts every result to the log channel that a server's moderators have set. */
export class ModerationLog {
	readonly #easel: Easel;
	#waitingBytes = 0;

	constructor(easel: Easel) {
		this.#easel = easel;
	}

	/** Records a result. Returns at once; failures are logged for the operator only. */
	record(result: DeliveredResult): void {
		const { log, running } = this.#easel;
		const bytes = result.images.reduce((sum, { length }) => sum + length, 0);
		const hasRoom = this.#waitingBytes === 0 || this.#waitingBytes + bytes <= MAX_WAITING_BYTES;
		const waiting = hasRoom ? bytes : 0;
		this.#waitingBytes += waiting;
		const work = this.#write(hasRoom ? result : { ...result, images: [] }, hasRoom ? undefined : 'too many')
			.catch((error: unknown) => log.warn({ err: error, job: result.job.id }, 'A picture is not in the log channel'))
			.finally(() => {
				this.#waitingBytes -= waiting;
			});
		running.track(work);
	}

	/**
	 * Tells the moderators that a member has asked to undress somebody in a picture. It does not repeat the words, and names the member only
	 * where moderators alone see it. Returns at once; failures are logged for the operator only.
	 */
	tellRefused(settings: Settings, place: Place, person: { id: string }, command: string): void {
		const { log, running } = this.#easel;
		const tell = async () => {
			const channel = await this.#open(place, settings);
			if (!channel) return;
			const isPublic = (await channel.isVisibleToEveryone?.().catch(() => undefined)) ?? false;
			const t = translatorFor(settings.language);
			const member = isPublic ? '' : channel.refer('person', person.id);
			const where = place.direct ? t('log.direct') : channel.refer('channel', place.thread ?? place.channel);
			const text = t('log.intimate', { member: member || t('log.somebody'), command: `/${command}`, where });
			await channel.post({ text }, `intimate.${randomUUID()}`);
		};
		running.track(
			tell().catch((error: unknown) => log.warn({ err: error }, 'A refused request is not in the log channel')),
		);
	}

	/**
	 * Shows a result in review to the moderators.
	 *
	 * @returns `gone` when the log channel is gone, or does not take the pictures; `visible` for a private result that every member would
	 * see there
	 */
	async present(result: DeliveredResult): Promise<'posted' | 'gone' | 'visible'> {
		const { job, settings } = result;
		const channel = await this.#open(job.place, settings);
		if (!channel) return 'gone';
		if (await isForOthers(result, channel)) return 'visible';
		try {
			await this.#post(channel, result, entryOf(result));
			return 'posted';
		} catch (error) {
			if (!(error instanceof PlatformRefusedError)) throw error;
			this.#easel.log.warn({ err: error, job: job.id }, 'A picture in review could not be posted to the log channel');
			return 'gone';
		}
	}

	/** Shows in an entry what was done about it. Its pictures stay. Returns false when it is gone. */
	async redraw({ id, place }: { id: string; place: Place }): Promise<boolean> {
		const set = await this.#easel.settings.get(place);
		const [entry, channel] = await Promise.all([logEntries.get(this.#easel, id), this.#open(place, set)]);
		return entry !== undefined && channel !== undefined && editEntry(this.#easel, channel, entry);
	}

	async #write(result: DeliveredResult, without: LogEntry['without']): Promise<void> {
		const { log } = this.#easel;
		const { job, settings } = result;
		if (settings.logChannel === undefined) return;
		const entry = entryOf({ ...result, sent: await this.#withLink(result) });
		const channel = await this.#open(job.place, settings);
		if (!channel) throw new Error('The log channel is gone');
		if (await isForOthers(result, channel))
			return this.#post(channel, result, { ...entry, without: 'visible to everyone' });
		const reviewed = isReviewed(settings, job.place) ? await logEntries.get(this.#easel, job.id) : undefined;
		if (reviewed) {
			const shown = { ...entry, pictures: reviewed.pictures };
			await logEntries.set(this.#easel, shown.job, shown);
			if (await editEntry(this.#easel, channel, shown)) return;
		}
		try {
			await this.#post(channel, result, { ...entry, without });
		} catch (error) {
			if (result.images.length === 0) throw error;
			log.warn({ err: error, job: job.id }, 'Pictures could not be posted to the log channel');
			await this.#post(channel, result, { ...entry, without: 'not posted' });
		}
	}

	async #open({ platform, server }: Place, { logChannel }: Settings): Promise<Channel | undefined> {
		return logChannel === undefined ? undefined : this.#easel.platforms.open({ platform, server, channel: logChannel });
	}

	/** Some platforms return the address of a message only when it is looked up. */
	async #withLink({ job, request, sent }: DeliveredResult): Promise<readonly SentMessage[]> {
		const { log, platforms } = this.#easel;
		const [first, ...others] = sent;
		if (!first || first.link !== undefined || request.private || job.place.direct) return sent;
		const message = 'The address of a result could not be read';
		const post = await tryAndLog(log, message, () => platforms.find(first.handle));
		return [{ ...first, link: post?.link }, ...others];
	}

	async #post(channel: Channel, result: DeliveredResult, shown: LogEntry): Promise<void> {
		const t = translatorFor(result.settings.language);
		const images = shown.without ? [] : result.images;
		const entry = { ...shown, pictures: images.length };
		const isSpoiler = images.length > 0 && (await this.#isSpoiler(channel, result));
		const pictures = await fitInto(channel.limits, picturesOf(t, images, entry.prompt, isSpoiler));
		// Stored first, because the buttons of the message refer to it.
		await logEntries.set(this.#easel, entry.job, entry);
		const message = logEntryMessage(t, entry, await notesOf(this.#easel, entry.job), channel);
		const reply = { ...message, ...promptFile(entry, channel), ...(pictures.length > 0 && { pictures }) };
		await channel.post(reply, keyOf(entry));
	}

	/** Pictures from an age-restricted channel are spoilers, unless the log channel is age-restricted too. */
	async #isSpoiler(channel: Channel, { settings, request, job: { place }, from }: DeliveredResult): Promise<boolean> {
		if (isCovered(request, settings, channel.place)) return true;
		if (channel.ageRestricted) return false;
		const origin = from ?? (await this.#easel.platforms.open(place).catch(() => undefined));
		return origin?.ageRestricted === true;
	}
}

/**
 * Edits the message of an entry by what was done about it. Returns false when it is gone.
 *
 * @param more what it shows besides, or instead
 * @param message where it is, when that is known
 */
export async function editEntry(
	easel: Easel,
	channel: Channel,
	entry: LogEntry,
	more: (t: Translate) => Partial<Reply> = () => ({}),
	message: MessageHandle = { place: channel.place, key: keyOf(entry) },
): Promise<boolean> {
	const { language } = await easel.settings.get(channel.place);
	const t = translatorFor(language);
	const post = await easel.platforms.find(message);
	const notes = await notesOf(easel, entry.job);
	await post?.edit({ ...logEntryMessage(t, entry, notes, channel), ...more(t) });
	return post !== undefined;
}

/** The key of an entry's message is derived from the job's, so that a result has one entry even if it is recorded again. */
const keyOf = ({ job }: LogEntry) => `log.${job}`;

const entryOf = ({ job, request, images, sent }: DeliveredResult): LogEntry => ({
	job: job.id,
	command: job.command,
	prompt: request.prompt,
	person: job.person,
	place: job.place,
	sent,
	private: request.private,
	pictures: images.length,
});

/** Tells whether a result that one person sees would be seen by others in the log channel. It is when that is not known. */
async function isForOthers({ job, request }: DeliveredResult, channel: Channel): Promise<boolean> {
	if (!request.private && !job.place.direct) return false;
	if (!channel.isVisibleToEveryone) return false;
	return (await channel.isVisibleToEveryone().catch(() => undefined)) ?? true;
}

/** Makes pictures smaller where that is necessary to fit all of them into one message. */
function fitInto(
	{ pictureBytes, messageBytes = Number.POSITIVE_INFINITY }: ChannelLimits,
	pictures: readonly Picture[],
): Promise<Picture[]> {
	const max = Math.min(pictureBytes, messageBytes / pictures.length);
	return Promise.all(
		pictures.map(async (picture) => ({ ...picture, bytes: (await fitPicture(picture.bytes, max)).bytes })),
	);
}

/** The room that an entry needs beside the prompt, in UTF-16 units. */
const OTHER_TEXT = 900;

/** Enough of a reason to recognise it by, in UTF-16 units. */
const MAX_SHOWN_REASON = 100;

/** Returns how much of a prompt an entry shows: what fits even if every character has to be escaped. */
const maxPrompt = ({ limits }: Channel) => Math.max(100, Math.floor((limits.text - OTHER_TEXT) / 2));

const WITHOUT = {
	'visible to everyone': 'log.visible',
	'too many': 'log.tooMany',
	'not posted': 'log.notPosted',
} as const satisfies Record<NonNullable<LogEntry['without']>, MessageId>;

/** Of an action that failed, where nothing is known that a person could do about it. */
const UNKNOWN_REASON: NonNullable<Note['reason']> = { id: 'log.later' };

/** What is said of an action that succeeded, and of one that did not. */
const NOTES = {
	remove: ['log.removed', 'log.notRemoved'],
	block: ['log.blocked', 'log.blocked'],
	hide: ['log.hidden', 'log.notHidden'],
} as const satisfies Record<LogAction, readonly [MessageId, MessageId]>;

function logEntryMessage(t: Translate, entry: LogEntry, notes: Notes, channel: Channel): Reply {
	const { command, person, place, prompt, sent } = entry;
	const member = channel.refer('person', person.id);
	const link = sent.find((one) => one.link !== undefined)?.link;
	const where = place.direct
		? t('log.direct')
		: t('log.channel', { channel: channel.refer('channel', place.thread ?? place.channel) });
	const facts = [
		where,
		link && t('log.link', { link }),
		entry.private && t('log.private'),
		sent.length === 0 && !notes.review && t('log.undelivered'),
		entry.without && t(WITHOUT[entry.without]),
	];
	const taken = LOG_ACTIONS.flatMap((action) => {
		const { by, done, undoneBy, reason = UNKNOWN_REASON } = notes[action] ?? {};
		if (!by) return [];
		const values = { member, moderator: channel.refer('person', by.id), reason: t(reason.id, reason.values) };
		const sentence = t(NOTES[action][done ? 0 : 1], values);
		return undoneBy ? `${sentence} ${t('log.undone', { moderator: channel.refer('person', undoneBy.id) })}` : sentence;
	});
	const states = [...(notes.review ? [reviewSentence(t, notes.review, channel)] : []), ...taken];
	const shown = hidesPrompt(entry) ? t('log.hiddenPrompt') : quoted(prompt, maxPrompt(channel));
	const title = t('log.entry', { command: `/${command}`, member, prompt: shown });
	return {
		text: [title, facts.filter(Boolean).join(' · '), ...states.map((state) => `**${state}**`)].join('\n'),
		buttons: entryButtons(t, entry, notes),
	};
}

const hidesPrompt = ({ without }: LogEntry) => without === 'visible to everyone';

const promptFile = (entry: LogEntry, channel: Channel): { files?: Reply['files'] } =>
	entry.prompt.length <= maxPrompt(channel) || hidesPrompt(entry)
		? {}
		: { files: [{ name: 'prompt.txt', bytes: Buffer.from(entry.prompt) }] };

function reviewSentence(t: Translate, { due, decision }: Review, { refer, when }: Show) {
	if (!decision) return t('log.review.waiting', { until: when(due) });
	const { verdict, by, reason } = decision;
	if (!by) return t('log.review.undecided', { verdict });
	const moderator = refer('person', by.id);
	if (verdict === 'approved') return t('log.review.approved', { moderator });
	return reason
		? t('log.review.rejectedWhy', { moderator, reason: quoted(reason, MAX_SHOWN_REASON) })
		: t('log.review.rejected', { moderator });
}

/** Returns the buttons for what can still be done. Pictures that nobody sees, or that were removed, cannot be removed or hidden. */
function entryButtons(t: Translate, { job, pictures, sent }: LogEntry, notes: Notes): Button[] {
	const { remove, block, hide, review } = notes;
	const canHide = pictures > 0 && sent.length > 0 && !remove?.done;
	const canRemove = !remove?.done && (sent.length > 0 || !review);
	const isWaiting = review && !review.decision;
	const actions: ActionName[] = [
		...(isWaiting ? (['approve', 'reject'] as const) : []),
		...(canRemove ? (['remove'] as const) : []),
		isInEffect(block) ? 'unblock' : 'block',
		...(canHide ? [isInEffect(hide) ? ('uncover' as const) : ('hide' as const)] : []),
	];
	return actions.map((action) => actionButton(t, action, job));
}
