import type { ButtonPress } from '../../domain/platform.ts';
import { quoted } from '../../domain/text.ts';
import type { Easel } from '../../easel.ts';
import { translatorFor } from '../../i18n/translator.ts';
import { tryAndLog } from '../../log.ts';
import { picturesOf } from '../../requests/captions.ts';
import { withPosted } from '../../requests/read-upload.ts';
import { dropRecentResult } from '../../requests/recent-results.ts';
import { blockMember, setLogChannel, unblockMember } from '../../usage/settings.ts';
import { type ActionHandlers, type ActionName, type ActionResult, actionButton, say } from '../declaration/actions.ts';
import { isEntryOf, type LogAction, type LogEntry } from './log-entries.ts';
import { logEntryMessage } from './moderation-log.ts';

export type LogActionName = LogAction | 'confirmRemove' | 'cancelRemove' | 'unblock' | 'uncover' | 'useLog';

/** The actions on entries of the moderation log. The subject is the job. What cannot be undone asks once more. */
export const logActions = (services: Easel): ActionHandlers<LogActionName> => ({
	useLog: { press: (press, channel) => useLog(services, press, channel) },
	remove: {
		press: (press, job) => withEntry(services, press, job, (entry) => redraw(services, press, entry, CONFIRMATION)),
	},
	cancelRemove: { press: (press, job) => withEntry(services, press, job, (entry) => redraw(services, press, entry)) },
	confirmRemove: {
		press: (press, job) =>
			takeAction(services, press, job, 'remove', async (entry) => {
				if (!(await removeResult(services, entry))) return false;
				await tellRequester(services, entry);
				return true;
			}),
	},
	hide: {
		press: (press, job) => takeAction(services, press, job, 'hide', (entry) => hide(services, entry, press, true)),
	},
	uncover: {
		press: (press, job) => undo(services, press, job, 'hide', (entry) => hide(services, entry, press, false)),
	},
	block: { press: (press, job) => takeAction(services, press, job, 'block', (entry) => block(services, entry, press)) },
	unblock: { press: (press, job) => undo(services, press, job, 'block', (entry) => unblock(services, entry, press)) },
});

const CONFIRMATION = ['confirmRemove', 'cancelRemove'] as const;

async function withEntry(
	{ logEntries }: Easel,
	{ person, channel }: ButtonPress,
	job: string,
	work: (entry: LogEntry) => Promise<void>,
): Promise<ActionResult> {
	const entry = await logEntries.find(job);
	if (!entry || !isEntryOf(channel.place, entry)) return say(translatorFor(person.locale)('log.expired'));
	await work(entry);
	return 'answered';
}

/**
 * Carries out an action on an entry, and shows in the entry who did it and whether it succeeded.
 *
 * @param work resolves to false when it could not be done
 */
const takeAction = (
	services: Easel,
	press: ButtonPress,
	job: string,
	action: LogAction,
	work: (entry: LogEntry) => Promise<boolean>,
): Promise<ActionResult> =>
	withEntry(services, press, job, async (entry) => {
		const done = await work(entry);
		await services.logEntries.note(job, action, { by: { id: press.person.id }, done });
		await redraw(services, press, entry);
	});

/** Undoes an action on an entry, and shows in the entry who did that. */
const undo = (
	services: Easel,
	press: ButtonPress,
	job: string,
	action: LogAction,
	work: (entry: LogEntry) => Promise<boolean>,
): Promise<ActionResult> =>
	withEntry(services, press, job, async (entry) => {
		const note = (await services.logEntries.notes(job))[action];
		if (note && (await work(entry)))
			await services.logEntries.note(job, action, { ...note, undoneBy: { id: press.person.id } });
		await redraw(services, press, entry);
	});

/**
 * Edits the message of an entry. Pictures of a result that was removed are covered there.
 *
 * @param buttons instead of those for what can be done
 */
async function redraw(
	services: Easel,
	{ channel, message, attached, person }: ButtonPress,
	entry: LogEntry,
	buttons?: readonly ActionName[],
): Promise<void> {
	const { language } = await services.settings.get(channel.place);
	const t = translatorFor(language);
	const notes = await services.logEntries.notes(entry.job);
	const reply = logEntryMessage(t, entry, notes, channel);
	const post = await services.platforms.find(message);
	const covered = notes.remove?.done ? attached : [];
	await withPosted(services, { place: channel.place, person }, covered, async (images) =>
		post?.edit({
			...reply,
			...(buttons && { buttons: buttons.map((action) => actionButton(t, action, entry.job)) }),
			...(images.length > 0 && { pictures: picturesOf(t, images, entry.prompt, true) }),
		}),
	);
}

/** Sets the channel of the log, although every member can see it. */
async function useLog(
	{ settings }: Easel,
	{ person, channel: { place, refer } }: ButtonPress,
	channel: string,
): Promise<ActionResult> {
	await settings.change(place, { id: person.id, name: person.name }, 'limits settings', setLogChannel(channel));
	return say(translatorFor(person.locale)('limits.rules.log', { channel: refer('channel', channel) }));
}

/** Blocks the person who asked, and rejects their pictures if they are in review. */
async function block(
	{ settings, reviews }: Easel,
	{ person, job }: LogEntry,
	{ person: { id, name }, channel }: ButtonPress,
): Promise<boolean> {
	await settings.change(channel.place, { id, name }, 'limits block', blockMember(person.id));
	await reviews.decide(job, { verdict: 'rejected', by: { id } });
	return true;
}

async function unblock(
	{ settings }: Easel,
	{ person }: LogEntry,
	{ person: { id, name }, channel }: ButtonPress,
): Promise<boolean> {
	await settings.change(channel.place, { id, name }, 'limits unblock', unblockMember(person.id));
	return true;
}

/** Edits the result's pictures, from the entry, into the result's messages again: as spoilers, or uncovered. */
async function hide(
	services: Easel,
	{ job, sent, prompt, person }: LogEntry,
	{ attached, channel, person: moderator }: ButtonPress,
	isSpoiler: boolean,
): Promise<boolean> {
	if (sent.reduce((sum, { count }) => sum + count, 0) !== attached.length) return false;
	return withPosted(services, { place: channel.place, person: moderator }, attached, async (images) => {
		const pictures = picturesOf(translatorFor(person.locale), images, prompt, isSpoiler);
		try {
			let first = 0;
			for (const { handle, text, buttons, count } of sent) {
				const post = await services.platforms.find(handle);
				if (!post) return false;
				await post.edit({ text, buttons, pictures: pictures.slice(first, first + count) });
				first += count;
			}
			return true;
		} catch (error) {
			services.log.warn({ err: error, job }, 'A result could not be hidden or uncovered');
			return false;
		}
	});
}

/** Deletes the result's messages and what is stored of it. The call stays counted. Returns false when a message is still there. */
async function removeResult(services: Easel, entry: LogEntry): Promise<boolean> {
	let done = true;
	for (const { handle } of entry.sent) {
		try {
			const post = await services.platforms.find(handle);
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
async function tellRequester(
	{ platforms, log }: Easel,
	{ job, person, place, prompt, ...entry }: LogEntry,
): Promise<void> {
	const t = translatorFor(person.locale);
	const isAlone = entry.private || place.direct;
	await tryAndLog(log, 'A person could not be told that their result was removed', async () => {
		const channel = await (entry.private ? platforms.direct(place, person) : platforms.open(place));
		const text = isAlone
			? t('removal.direct', { prompt: quoted(prompt) })
			: t('removal.channel', { member: channel?.refer('person', person.id) ?? '' });
		await channel?.post({ text }, `${job}.removed`);
	});
}

/** Deletes what is stored of a result: its request, its pictures and its mentions in lists. The call stays counted. */
export async function forgetResult(
	services: Easel,
	job: string,
	{ place, person }: Pick<LogEntry, 'place' | 'person'>,
): Promise<void> {
	await services.requests.forget(job);
	await dropRecentResult(services, place, person, job);
	await services.resultSearch.drop(place, job);
	await services.undeliveredResults.remove(place, person, job);
	await services.pictureStore.forget(job);
}
