import { isSameServer, type Place } from '../../domain/channel.ts';
import type { ButtonPress } from '../../domain/platform.ts';
import { quoted } from '../../domain/text.ts';
import type { Easel } from '../../easel.ts';
import { PlatformRefusedError, SentenceError, type Translate, translatorFor } from '../../i18n/translator.ts';
import { tryAndLog } from '../../log.ts';
import { picturesOf, withdraw } from '../../requests/requests.ts';
import { withPosted } from '../../requests/uploads.ts';
import { blockMember, setLogChannel, unblockMember } from '../../usage/settings.ts';
import {
	type ActionHandler,
	type ActionHandlers,
	type ActionName,
	type ActionResult,
	actionButton,
	reply,
} from '../declaration/actions.ts';
import { editEntry, type LogAction, type LogEntry, logEntries, logNotes, notesOf } from './moderation-log.ts';

type LogActionName = LogAction | 'confirmRemove' | 'cancelRemove' | 'unblock' | 'uncover' | 'useLog';

/** Does something about an entry. Resolves to `done`, or to why it could not be done. */
type Work = (easel: Easel, entry: LogEntry, press: ButtonPress) => Promise<'done' | SentenceError>;

/** The actions on entries of the moderation log. The subject is the job. What cannot be undone asks once more. */
export const logActions: ActionHandlers<LogActionName> = {
	/** Sets the channel of the log, although every member can see it. */
	useLog: {
		async press({ person, channel: { place, refer } }, channel, { easel, t }) {
			await easel.settings.change(place, person, 'limits settings', setLogChannel(channel));
			return reply(t('limits.rules.log', { channel: refer('channel', channel) }));
		},
	},
	remove: { press: (press, job, { easel }) => redraw(easel, press, job, ['confirmRemove', 'cancelRemove']) },
	cancelRemove: { press: (press, job, { easel }) => redraw(easel, press, job) },
	confirmRemove: actionOn('remove', removeResult),
	hide: actionOn('hide', (easel, entry, press) => editPictures(easel, entry, press, true)),
	uncover: undoing('hide', (easel, entry, press) => editPictures(easel, entry, press, false)),
	/** Blocks the person who asked, and rejects their pictures if they are in review. */
	block: actionOn('block', async ({ settings, reviews }, { person, job }, { person: by, channel }) => {
		await settings.change(channel.place, by, 'limits block', blockMember(person.id));
		await reviews.decide(job, { verdict: 'rejected', by: { id: by.id } });
		return 'done';
	}),
	unblock: undoing('block', async ({ settings }, { person }, { person: by, channel }) => {
		await settings.change(channel.place, by, 'limits unblock', unblockMember(person.id));
		return 'done';
	}),
};

/** The handler records who did it, and whether it succeeded. */
function actionOn(action: LogAction, work: Work): ActionHandler {
	return {
		press: (press, job, { easel }) =>
			withEntry(easel, press, job, async (entry) => {
				const result = await work(easel, entry, press);
				const by = { id: press.person.id };
				const outcome =
					result === 'done' ? { done: true } : { done: false, reason: { id: result.id, values: result.values } };
				await logNotes.set(easel, { job, action }, { by, ...outcome });
			}),
	};
}

function undoing(action: LogAction, work: Work): ActionHandler {
	return {
		press: (press, job, { easel }) =>
			withEntry(easel, press, job, async (entry) => {
				const note = (await notesOf(easel, job))[action];
				if (note && (await work(easel, entry, press)) === 'done')
					await logNotes.set(easel, { job, action }, { ...note, undoneBy: { id: press.person.id } });
			}),
	};
}

/** Shows an entry with other buttons than those for what can be done, or with these again. */
const redraw = (easel: Easel, press: ButtonPress, job: string, buttons?: readonly ActionName[]) =>
	withEntry(easel, press, job, async () => {}, buttons);

/** Does something about an entry, and shows it there. Pictures of a result that was removed are covered. */
async function withEntry(
	easel: Easel,
	press: ButtonPress,
	job: string,
	work: (entry: LogEntry) => Promise<void>,
	buttons?: readonly ActionName[],
): Promise<ActionResult> {
	const { person, channel, message, attached } = press;
	const entry = await logEntries.get(easel, job);
	if (!entry || !isSameServer(channel.place, entry.place)) return new SentenceError('log.expired');
	await work(entry);
	const { remove } = await notesOf(easel, job);
	await withPosted(easel, { place: channel.place, person }, remove?.done ? attached : [], (images) => {
		const more = (t: Translate) => ({
			...(buttons && { buttons: buttons.map((action) => actionButton(t, action, job)) }),
			...(images.length > 0 && { pictures: picturesOf(t, images, entry.prompt, true) }),
		});
		return editEntry(easel, channel, entry, more, message);
	});
	return 'answered';
}

/** Edits the result's pictures, from the entry, into the result's messages again: as spoilers, or uncovered. */
async function editPictures(
	easel: Easel,
	{ job, sent, prompt, person }: LogEntry,
	{ attached, channel, person: moderator }: ButtonPress,
	isSpoiler: boolean,
): ReturnType<Work> {
	if (sent.reduce((sum, { count }) => sum + count, 0) !== attached.length) return new SentenceError('log.noPictures');
	return withPosted(easel, { place: channel.place, person: moderator }, attached, async (images) => {
		const pictures = picturesOf(translatorFor(person.locale), images, prompt, isSpoiler);
		try {
			let first = 0;
			for (const { handle, text, buttons, count } of sent) {
				const post = await easel.platforms.find(handle);
				if (!post) return new SentenceError('log.gone');
				await post.edit({ text, buttons, pictures: pictures.slice(first, first + count) });
				first += count;
			}
			return 'done';
		} catch (error) {
			easel.log.warn({ err: error, job }, 'A result could not be hidden or uncovered');
			return reasonOf(error);
		}
	});
}

/** Deletes the result's messages and what is stored of it, and tells the person who asked. The call stays counted. */
async function removeResult(easel: Easel, entry: LogEntry): ReturnType<Work> {
	let result: 'done' | SentenceError = 'done';
	for (const { handle } of entry.sent) {
		try {
			const post = await easel.platforms.find(handle);
			await post?.delete();
			// A message that only one person sees cannot be found after a while, although it is still there.
			if (!post && entry.private) result = new SentenceError('log.unreachable');
		} catch (error) {
			easel.log.warn({ err: error, job: entry.job }, 'A result could not be removed');
			result = reasonOf(error);
		}
	}
	await forgetResult(easel, entry.job, entry);
	if (result === 'done') await tellRequester(easel, entry);
	return result;
}

/** Returns what a person can do about a failed action; trying again where the platform does not say it. */
const reasonOf = (error: unknown) => (error instanceof PlatformRefusedError ? error : new SentenceError('log.later'));

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
	easel: Easel,
	job: string,
	{ place, person }: { place: Place; person: { id: string } },
): Promise<void> {
	await easel.requests.forget(job);
	await easel.resultSearch.drop(place, job);
	await withdraw(easel, { id: job, place, person });
	await easel.pictureStore.forget(job);
}
