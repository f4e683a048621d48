import type { Channel, ChannelLimits, Picture } from '../../domain/channel.ts';
import type { Job } from '../../domain/job.ts';
import type { Place } from '../../domain/place.ts';
import type { Platforms } from '../../domain/platform.ts';
import { PlatformRefusedError } from '../../i18n/sentence-error.ts';
import { translatorFor } from '../../i18n/translator.ts';
import { type Log, tryAndLog } from '../../log.ts';
import { fitPicture } from '../../pictures/fit.ts';
import { isReviewed, type Settings } from '../../usage/settings/settings.ts';
import type { SettingsRepository } from '../../usage/settings/settings-repository.ts';
import { picturesOf } from '../pictures/captions.ts';
import type { PictureRequest } from '../repositories/requests.ts';
import type { LogEntries, LogEntry, SentMessage } from './log-entries.ts';
import { logEntryMessage, promptFile } from './log-messages.ts';

/** A result, as it was delivered. */
type DeliveredResult = {
	job: Job;
	request: PictureRequest;
	images: readonly Uint8Array[];
	/** Empty when it could not be posted. */
	sent: readonly SentMessage[];
	/** The channel or thread of the request. */
	from?: Channel | undefined;
	/** Read when they are missing. */
	settings?: Settings | undefined;
};

type Parts = {
	settings: SettingsRepository;
	entries: LogEntries;
	open: Platforms['open'];
	find: Platforms['find'];
	log: Log;
	/** Keeps track of work that no request waits for. */
	track(work: Promise<unknown>): void;
};

/** Bytes of pictures that may wait to be posted. Entries beyond that have no pictures, so that a slow platform does not fill the memory. */
const MAX_WAITING_BYTES = 64 * 2 ** 20;

/** Posts every result to the log channel that a server's moderators have set. */
export class ModerationLog {
	readonly #parts: Parts;
	#waitingBytes = 0;

	constructor(parts: Parts) {
		this.#parts = parts;
	}

	/** Records a result. Returns at once; failures are logged for the operator only. */
	record(result: DeliveredResult): void {
		const { log, track } = this.#parts;
		const bytes = result.images.reduce((sum, { length }) => sum + length, 0);
		const hasRoom = this.#waitingBytes === 0 || this.#waitingBytes + bytes <= MAX_WAITING_BYTES;
		const waiting = hasRoom ? bytes : 0;
		this.#waitingBytes += waiting;
		const work = this.#write(hasRoom ? result : { ...result, images: [] }, hasRoom)
			.catch((error: unknown) => log.warn({ err: error, job: result.job.id }, 'A picture is not in the log channel'))
			.finally(() => {
				this.#waitingBytes -= waiting;
			});
		track(work);
	}

	/**
	 * Shows a result in review to the moderators.
	 *
	 * @returns `gone` when the log channel is gone, or does not take the pictures; `visible` for a private result that every member would
	 * see there
	 */
	async present(result: DeliveredResult & { settings: Settings }): Promise<'posted' | 'gone' | 'visible'> {
		const { job, settings } = result;
		const channel = await this.#open(job.place, settings);
		if (!channel) return 'gone';
		if (await isForOthers(result, channel)) return 'visible';
		try {
			const entry = entryOf(result);
			await this.#post(channel, settings, entry, await this.#picturesOf(channel, settings, result));
			return 'posted';
		} catch (error) {
			if (!(error instanceof PlatformRefusedError)) throw error;
			this.#parts.log.warn({ err: error, job: job.id }, 'A picture in review could not be posted to the log channel');
			return 'gone';
		}
	}

	/** Shows in an entry what was done about it. Its pictures stay. Returns false when it is gone. */
	async redraw({ id, place }: Pick<Job, 'id' | 'place'>): Promise<boolean> {
		const { entries } = this.#parts;
		const settings = await this.#parts.settings.get(place);
		const [entry, channel] = await Promise.all([entries.find(id), this.#open(place, settings)]);
		return entry !== undefined && channel !== undefined && this.#redraw(channel, settings, entry);
	}

	async #redraw(channel: Channel, { language }: Settings, entry: LogEntry): Promise<boolean> {
		const { entries, find } = this.#parts;
		const post = await find({ place: channel.place, key: keyOf(entry) });
		await post?.edit(logEntryMessage(translatorFor(language), entry, await entries.notes(entry.job), channel));
		return post !== undefined;
	}

	/** Some platforms return the address of a message only when it is looked up. */
	async #withLink(result: DeliveredResult): Promise<DeliveredResult> {
		const { job, request, sent } = result;
		const [first, ...others] = sent;
		if (!first || first.link !== undefined || request.private || job.place.direct) return result;
		const post = await tryAndLog(this.#parts.log, 'The address of a result could not be read', () =>
			this.#parts.find(first.handle),
		);
		return { ...result, sent: [{ ...first, link: post?.link }, ...others] };
	}

	async #write(delivered: DeliveredResult, hasPictures: boolean): Promise<void> {
		const { entries, log } = this.#parts;
		const { job } = delivered;
		const settings = delivered.settings ?? (await this.#parts.settings.get(job.place));
		if (settings.logChannel === undefined) return;
		const result = await this.#withLink(delivered);
		const channel = await this.#open(job.place, settings);
		if (!channel) throw new Error('The log channel is gone');
		if (await isForOthers(result, channel))
			return this.#post(channel, settings, { ...entryOf(result), pictures: 0, without: 'visible to everyone' }, []);
		const entry: LogEntry = { ...entryOf(result), ...(!hasPictures && { without: 'too many' }) };
		const reviewed = isReviewed(settings, job.place) ? await entries.find(job.id) : undefined;
		if (reviewed) {
			const delivered = { ...entryOf(result), pictures: reviewed.pictures };
			await entries.save(delivered);
			if (await this.#redraw(channel, settings, delivered)) return;
		}
		try {
			await this.#post(channel, settings, entry, await this.#picturesOf(channel, settings, result));
		} catch (error) {
			if (result.images.length === 0) throw error;
			log.warn({ err: error, job: job.id }, 'Pictures could not be posted to the log channel');
			await this.#post(channel, settings, { ...entry, pictures: 0, without: 'not posted' }, []);
		}
	}

	async #open({ platform, server }: Place, { logChannel }: Settings): Promise<Channel | undefined> {
		return logChannel === undefined ? undefined : this.#parts.open({ platform, server, channel: logChannel });
	}

	async #picturesOf(
		channel: Channel,
		settings: Settings,
		{ job: { place }, request, images, from }: DeliveredResult,
	): Promise<Picture[]> {
		const isSpoiler = await this.#isSpoiler(settings, channel, place, from);
		return fitInto(channel.limits, picturesOf(translatorFor(settings.language), images, request.prompt, isSpoiler));
	}

	async #post(channel: Channel, { language }: Settings, entry: LogEntry, pictures: readonly Picture[]): Promise<void> {
		const { entries } = this.#parts;
		// Stored first, because the buttons of the message refer to it.
		await entries.save(entry);
		const message = logEntryMessage(translatorFor(language), entry, await entries.notes(entry.job), channel);
		const reply = { ...message, ...promptFile(entry, channel), ...(pictures.length > 0 && { pictures }) };
		await channel.post(reply, keyOf(entry));
	}

	/** Pictures from an age-restricted channel are spoilers, unless the log channel is age-restricted too. */
	async #isSpoiler(settings: Settings, channel: Channel, place: Place, from: Channel | undefined): Promise<boolean> {
		if (settings.spoilerChannels.includes(channel.place.channel)) return true;
		if (channel.ageRestricted) return false;
		const origin = from ?? (await this.#parts.open(place).catch(() => undefined));
		return origin?.ageRestricted === true;
	}
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
