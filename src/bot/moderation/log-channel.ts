import type { Channel, ChannelLimits } from '../../domain/channel.ts';
import type { Job } from '../../domain/job.ts';
import type { Place } from '../../domain/place.ts';
import type { Picture } from '../../domain/reply.ts';
import { translatorFor } from '../../i18n/translator.ts';
import type { Log } from '../../log.ts';
import { fitPicture } from '../../pictures/fit.ts';
import type { Settings } from '../../usage/settings.ts';
import type { SettingsRepository } from '../../usage/settings-repository.ts';
import { picturesOf } from '../pictures/captions.ts';
import type { PictureRequest } from '../repositories/requests.ts';
import type { LogEntries, LogEntry, SentMessage } from './log-entries.ts';
import { logEntryMessage, promptFile } from './log-messages.ts';

/** A result, as it was delivered. */
type Made = {
	job: Job;
	request: PictureRequest;
	images: readonly Uint8Array[];
	sent: readonly SentMessage[];
	from?: Channel | undefined;
	/** Read when they are missing. */
	settings?: Settings | undefined;
};

/** Pictures that wait for the log at once, in bytes; entries beyond that come without, so that a slow log fills no memory. */
const WAITING_BYTES = 64 * 2 ** 20;

/** Tells the moderators' log of a result. Nobody waits for it, and what fails there is for the operator's log alone. */
export type ModerationLog = (made: Made) => void;

type Parts = {
	settings: SettingsRepository;
	entries: LogEntries;
	open(place: Place): Promise<Channel | undefined>;
	log: Log;
	/** Told of work that nobody waits for. */
	track(work: Promise<unknown>): void;
};

export function createModerationLog({ settings, entries, open, log, track }: Parts): ModerationLog {
	let waiting = 0;

	/** The message's key comes from the job's, so that there is one however often this is tried. */
	async function write({ job, request, images, sent, from, ...made }: Made, hasPictures: boolean): Promise<void> {
		const { place, person } = job;
		const rules = made.settings ?? (await settings.get(place));
		if (rules.logChannel === undefined) return;
		const { platform, server } = place;
		const channel = await open({ platform, server, channel: rules.logChannel });
		if (!channel) throw new Error('The log channel is gone');
		const t = translatorFor(rules.language);
		const entry: LogEntry = {
			job: job.id,
			command: job.command,
			prompt: request.prompt,
			person,
			place,
			sent,
			private: request.private,
			pictures: images.length,
			...(!hasPictures && { without: 'too many' }),
		};
		const pictures = picturesOf(t, images, entry.prompt, await isCovered(rules, channel, place, from));

		async function post(to: Channel, what: LogEntry, shown: readonly Picture[]) {
			// What the buttons stand for is there before they are.
			await entries.save(what);
			const words = logEntryMessage(t, what, await entries.notes(job.id), to);
			await to.post(
				{ ...words, ...promptFile(what, to), ...(shown.length > 0 && { pictures: shown }) },
				`log.${job.id}`,
			);
		}

		try {
			const shown = pictures.map((picture) => fitted(picture, pictures.length, channel.limits));
			await post(channel, entry, await Promise.all(shown));
		} catch (error) {
			if (pictures.length === 0) throw error;
			log.warn({ err: error, job: job.id }, 'Pictures could not be posted to the log channel');
			await post(channel, { ...entry, pictures: 0, without: 'not posted' }, []);
		}
	}

	/** What is for adults stays covered, unless the log is for adults as well. */
	async function isCovered(rules: Settings, channel: Channel, place: Place, from: Channel | undefined) {
		if (rules.spoilerChannels.includes(channel.place.channel)) return true;
		if (channel.ageRestricted) return false;
		const origin = from ?? (await open(place).catch(() => undefined));
		return origin?.ageRestricted === true;
	}

	return (made) => {
		const bytes = made.images.reduce((sum, { length }) => sum + length, 0);
		const hasPictures = waiting === 0 || waiting + bytes <= WAITING_BYTES;
		if (hasPictures) waiting += bytes;
		const work = write(hasPictures ? made : { ...made, images: [] }, hasPictures)
			.catch((error: unknown) => log.warn({ err: error, job: made.job.id }, 'A picture is not in the log channel'))
			.finally(() => {
				if (hasPictures) waiting -= bytes;
			});
		track(work);
	};
}

/** All pictures of an entry are in its one message, made smaller where they have to be. */
async function fitted(
	picture: Picture,
	count: number,
	{ pictureBytes, messageBytes }: ChannelLimits,
): Promise<Picture> {
	const most = Math.min(pictureBytes, (messageBytes ?? Number.POSITIVE_INFINITY) / count);
	return { ...picture, bytes: (await fitPicture(picture.bytes, most)).bytes };
}
