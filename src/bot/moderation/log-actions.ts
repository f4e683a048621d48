import type { Reply } from '../../domain/reply.ts';
import type { Press } from '../../domain/requests.ts';
import { translatorFor } from '../../i18n/translator.ts';
import { blocking } from '../../usage/settings.ts';
import { privately } from '../declaration/command.ts';
import { picturesOf } from '../pictures/captions.ts';
import { readUpload } from '../pictures/read-upload.ts';
import type { Core } from '../services.ts';
import type { Action, LogEntry } from './log-entries.ts';
import { entryWords } from './log-messages.ts';

/**
 * The buttons under an entry of the moderators' log. What was done, and who did it, is then said in the entry. Returns what is
 * to be said instead, when nothing was done.
 */
export async function logPressed(core: Core, press: Press, action: Action, job: string): Promise<Reply | undefined> {
	const { person, channel } = press;
	const t = translatorFor(person.locale);
	if (!person.moderator) return privately(t('Only moderators can do that.'));
	const entry = await core.logEntries.find(job);
	const isOurs = entry?.place.platform === channel.place.platform && entry.place.server === channel.place.server;
	if (!entry || !isOurs) return privately(t('What this was about is no longer kept.'));

	const done = await deeds[action](core, entry, press);
	await core.logEntries.note(job, action, { by: { id: person.id }, done });
	const { language } = await core.settings.of(channel.place);
	const words = entryWords(translatorFor(language), entry, await core.logEntries.notes(job), channel);
	const post = await core.find(press.message);
	await post?.edit(words);
	return undefined;
}

/** What each does; false when it could not be done. */
const deeds: Readonly<Record<Action, (core: Core, entry: LogEntry, press: Press) => Promise<boolean>>> = {
	remove,
	hide,
	async block(core, { person }, press) {
		const { id, name } = press.person;
		await core.settings.change(press.channel.place, { id, name }, 'limits block', blocking(person.id));
		return true;
	},
};

/** Takes the result away, and what is kept of the request; that it was counted stays. */
async function remove(core: Core, { job, sent, place, person, ...entry }: LogEntry): Promise<boolean> {
	let done = true;
	for (const { handle } of sent) {
		try {
			const post = await core.find(handle);
			await post?.delete();
			// What only one person sees is out of reach after a while, and looks as if it were gone.
			if (!post && entry.private) done = false;
		} catch (error) {
			core.log.warn({ err: error, job }, 'A result could not be removed');
			done = false;
		}
	}
	await core.requests.forget(job);
	await core.recent.drop(place, person, job);
	await core.uncollected.remove(place, person, job);
	await core.shelf.drop(job);
	return done;
}

/** Posts the result's pictures, which the entry has, once more in their messages, covered. */
async function hide(core: Core, { job, sent, prompt, person }: LogEntry, { attached }: Press): Promise<boolean> {
	if (sent.reduce((sum, { count }) => sum + count, 0) !== attached.length) return false;
	const images = await Promise.all(attached.map((upload) => readUpload(core, upload)));
	const pictures = picturesOf(translatorFor(person.locale), images, prompt, true);
	try {
		let first = 0;
		for (const { handle, text, buttons, count } of sent) {
			const post = await core.find(handle);
			if (!post) return false;
			await post.edit({ text, buttons, pictures: pictures.slice(first, first + count) });
			first += count;
		}
		return true;
	} catch (error) {
		core.log.warn({ err: error, job }, 'A result could not be covered');
		return false;
	}
}
