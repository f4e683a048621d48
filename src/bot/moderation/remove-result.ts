import type { Place } from '../../domain/place.ts';
import { quoted } from '../../domain/text.ts';
import { translatorFor } from '../../i18n/translator.ts';
import { tryAndLog } from '../../log.ts';
import type { BotServices } from '../services.ts';
import type { LogEntry } from './log-entries.ts';

/** Deletes the result's messages and what is kept of it. The call stays counted. Returns false when a message is still there. */
export async function removeResult(services: BotServices, entry: LogEntry): Promise<boolean> {
	let done = true;
	for (const { handle } of entry.sent) {
		try {
			const post = await services.find(handle);
			await post?.delete();
			// A message that only one person sees cannot be found after a while, although it is still there.
			if (!post && entry.private) done = false;
		} catch (error) {
			services.log.warn({ err: error, job: entry.job }, 'A result could not be removed');
			done = false;
		}
	}
	await forgetResult(services, entry.job, entry);
	return done;
}

/**
 * Tells the person who asked that their result was removed, where it was, or in a direct message when only they saw it. The sentence
 * names the request for the person alone.
 */
export async function tellRequester(
	{ open, direct, log }: BotServices,
	{ job, person, place, prompt, ...entry }: LogEntry,
): Promise<void> {
	const t = translatorFor(person.locale);
	const isAlone = entry.private || place.direct;
	await tryAndLog(log, 'A person could not be told that their result was removed', async () => {
		const channel = entry.private ? await direct(place, person) : await open(place);
		const text = isAlone
			? t('removal.direct', { prompt: quoted(prompt) })
			: t('removal.channel', { member: channel?.refer('person', person.id) ?? '' });
		await channel?.post({ text }, `${job}.removed`);
	});
}

/** Deletes what is kept of a result: its request, its pictures and its mentions in lists. The call stays counted. */
export async function forgetResult(
	services: BotServices,
	job: string,
	{ place, person }: { place: Place; person: { id: string } },
): Promise<void> {
	await services.requests.forget(job);
	await services.recentResults.drop(place, person, job);
	await services.resultSearch.drop(place, job);
	await services.undeliveredResults.remove(place, person, job);
	await services.pictureStore.forget(job);
}
