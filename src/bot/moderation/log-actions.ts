import type { Reply } from '../../domain/reply.ts';
import type { ButtonPress } from '../../domain/requests.ts';
import { translatorFor } from '../../i18n/translator.ts';
import { blockMember } from '../../usage/settings.ts';
import { privately } from '../declaration/command.ts';
import { picturesOf } from '../pictures/captions.ts';
import { readUpload } from '../pictures/read-upload.ts';
import type { BotServices } from '../services.ts';
import type { Action, LogEntry } from './log-entries.ts';
import { logEntryMessage } from './log-messages.ts';

/**
 * The buttons under an entry of the moderators' log. What was done, and who did it, is then said in the entry. Returns what is
 * to be said instead, when nothing was done.
 */
export async function handleLogAction(
	services: BotServices,
	press: ButtonPress,
	action: Action,
	job: string,
): Promise<Reply | undefined> {
	const { person, channel } = press;
	const t = translatorFor(person.locale);
	if (!person.moderator) return privately(t('Only moderators can do that.'));
	const entry = await services.logEntries.find(job);
	const isOurs = entry?.place.platform === channel.place.platform && entry.place.server === channel.place.server;
	if (!entry || !isOurs) return privately(t('What this was about is no longer kept.'));

	const done = await deeds[action](services, entry, press);
	await services.logEntries.note(job, action, { by: { id: person.id }, done });
	const { language } = await services.settings.get(channel.place);
	const words = logEntryMessage(translatorFor(language), entry, await services.logEntries.notes(job), channel);
	const post = await services.find(press.message);
	await post?.edit(words);
	return undefined;
}

/** What each does; false when it could not be done. */
const deeds: Readonly<
	Record<Action, (services: BotServices, entry: LogEntry, press: ButtonPress) => Promise<boolean>>
> = {
	remove,
	hide,
	async block(services, { person }, press) {
		const { id, name } = press.person;
		await services.settings.change(press.channel.place, { id, name }, 'limits block', blockMember(person.id));
		return true;
	},
};

/** Takes the result away, and what is kept of the request; that it was counted stays. */
async function remove(services: BotServices, { job, sent, place, person, ...entry }: LogEntry): Promise<boolean> {
	let done = true;
	for (const { handle } of sent) {
		try {
			const post = await services.find(handle);
			await post?.delete();
			// What only one person sees is out of reach after a while, and looks as if it were gone.
			if (!post && entry.private) done = false;
		} catch (error) {
			services.log.warn({ err: error, job }, 'A result could not be removed');
			done = false;
		}
	}
	await services.requests.forget(job);
	await services.recentResults.drop(place, person, job);
	await services.undeliveredResults.remove(place, person, job);
	await services.pictureStore.drop(job);
	return done;
}

/** Posts the result's pictures, which the entry has, once more in their messages, covered. */
async function hide(
	services: BotServices,
	{ job, sent, prompt, person }: LogEntry,
	{ attached }: ButtonPress,
): Promise<boolean> {
	if (sent.reduce((sum, { count }) => sum + count, 0) !== attached.length) return false;
	const images = await Promise.all(attached.map((upload) => readUpload(services, upload)));
	const pictures = picturesOf(translatorFor(person.locale), images, prompt, true);
	try {
		let first = 0;
		for (const { handle, text, buttons, count } of sent) {
			const post = await services.find(handle);
			if (!post) return false;
			await post.edit({ text, buttons, pictures: pictures.slice(first, first + count) });
			first += count;
		}
		return true;
	} catch (error) {
		services.log.warn({ err: error, job }, 'A result could not be covered');
		return false;
	}
}
