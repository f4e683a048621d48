import type { ButtonPress } from '../../domain/requests.ts';
import { translatorFor } from '../../i18n/translator.ts';
import { blockMember, setLogChannel } from '../../usage/settings/settings.ts';
import { type ActionHandlers, type ActionResult, say } from '../actions/action.ts';
import { picturesOf } from '../pictures/captions.ts';
import { readUpload } from '../pictures/inputs/read-upload.ts';
import { forgetResult } from '../repositories/forget-result.ts';
import type { BotServices } from '../services.ts';
import { isEntryOf, type LogAction, type LogEntry } from './log-entries.ts';
import { logEntryMessage } from './log-messages.ts';
import type { ReviewDecisions } from './review/review-decisions.ts';

type LogServices = { decisions: Pick<ReviewDecisions, 'decide'> } & Pick<
	BotServices,
	| 'logEntries'
	| 'settings'
	| 'find'
	| 'requests'
	| 'recentResults'
	| 'undeliveredResults'
	| 'pictureStore'
	| 'log'
	| 'stopping'
>;

/** The actions on entries of the moderation log. The subject is the job. */
export const logActions = (services: LogServices): ActionHandlers<LogAction | 'useLog'> => ({
	useLog: { press: (press, channel) => useLog(services, press, channel) },
	remove: { press: (press, job) => act(services, press, job, 'remove', (entry) => removeResult(services, entry)) },
	hide: { press: (press, job) => act(services, press, job, 'hide', (entry) => hidePictures(services, entry, press)) },
	block: { press: (press, job) => act(services, press, job, 'block', (entry) => block(services, entry, press)) },
});

/**
 * Carries out an action on an entry, and shows in the entry who did it and whether it succeeded.
 *
 * @param work resolves to false when it could not be done
 */
async function act(
	services: LogServices,
	{ person, channel, message }: ButtonPress,
	job: string,
	action: LogAction,
	work: (entry: LogEntry) => Promise<boolean>,
): Promise<ActionResult> {
	const entry = await services.logEntries.find(job);
	if (!entry || !isEntryOf(channel.place, entry)) return say(translatorFor(person.locale)('log.expired'));

	const done = await work(entry);
	await services.logEntries.note(job, action, { by: { id: person.id }, done });
	const { language } = await services.settings.get(channel.place);
	const notes = await services.logEntries.notes(job);
	const post = await services.find(message);
	await post?.edit(logEntryMessage(translatorFor(language), entry, notes, channel));
	return 'answered';
}

/** Sets the channel of the log, although every member can see it. */
async function useLog(
	{ settings }: Pick<LogServices, 'settings'>,
	{ person, channel: { place, refer } }: ButtonPress,
	channel: string,
): Promise<ActionResult> {
	await settings.change(place, { id: person.id, name: person.name }, 'limits settings', setLogChannel(channel));
	return say(translatorFor(person.locale)('limits.rules.log', { channel: refer('channel', channel) }));
}

/** Blocks the person who asked, and rejects their pictures if they are in review. */
async function block(
	{ settings, decisions }: Pick<LogServices, 'settings' | 'decisions'>,
	{ person, job }: LogEntry,
	{ person: { id, name }, channel }: ButtonPress,
): Promise<boolean> {
	await settings.change(channel.place, { id, name }, 'limits block', blockMember(person.id));
	await decisions.decide(job, { verdict: 'rejected', by: { id } });
	return true;
}

/** Deletes the result's messages and what is kept of it. The call stays counted. */
async function removeResult(services: LogServices, entry: LogEntry): Promise<boolean> {
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

/** Hides the result's pictures: edits them, from the entry, into the result's messages again, as spoilers. */
async function hidePictures(
	services: Pick<BotServices, 'find' | 'log' | 'stopping'>,
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
		services.log.warn({ err: error, job }, 'A result could not be hidden');
		return false;
	}
}
