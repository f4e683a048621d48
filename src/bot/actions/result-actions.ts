import { hash } from 'node:crypto';
import type { Reply } from '../../domain/reply.ts';
import type { ButtonPress } from '../../domain/requests.ts';
import { translatorFor } from '../../i18n/translator.ts';
import { tryAndLog } from '../messages/try-and-log.ts';
import { picturesOf, resultButtons } from '../pictures/captions.ts';
import { fitReply, suffixOf } from '../pictures/fit-reply.ts';
import { isSpoiler } from '../pictures/spoilers.ts';
import { forgetResult } from '../repositories/forget-result.ts';
import type { PictureRequest } from '../repositories/requests.ts';
import type { BotServices } from '../services.ts';
import { type ActionHandlers, type ActionResult, say } from './action.ts';

/** The actions on results: making one again, deleting one, and collecting those that could not be delivered. */
export const resultActions = (services: BotServices): ActionHandlers<'again' | 'delete' | 'collect'> => ({
	again: { press: (press, job) => again(services, press, job) },
	delete: { press: (press, job) => deleteResult(services, press, job) },
	collect: { press: (press) => collect(services, press) },
});

/** Invokes the same command with the same options, at the cost of the person who presses. */
async function again(
	{ requests }: Pick<BotServices, 'requests'>,
	{ id, person, channel }: ButtonPress,
	job: string,
): Promise<ActionResult> {
	const t = translatorFor(person.locale);
	const request = await requests.find(job);
	if (!request) return say(t('errors.expired.request'));
	const options = await requests.optionsOf(request);
	if (!options) return say(t('errors.expired.upload'));
	return { invoke: { id, command: request.command, options, person, channel } };
}

/** Deletes the result's messages and what is kept of its request. The call stays counted. */
async function deleteResult(
	services: BotServices,
	{ message, person }: ButtonPress,
	job: string,
): Promise<ActionResult> {
	const t = translatorFor(person.locale);
	const request = await services.requests.find(job);
	if (request && request.person.id !== person.id && !person.moderator) return say(t('results.errors.notYours'));
	if (!request && !person.moderator) return say(t('results.errors.requesterUnknown'));
	const post = await services.find(message);
	await post?.delete();
	if (!request) return 'answered';
	await deleteFurtherMessages(services, request, job);
	await forgetResult(services, job, request);
	return 'answered';
}

/** Deletes the messages with those pictures of a result that did not fit into its first. */
async function deleteFurtherMessages(
	{ find }: Pick<BotServices, 'find'>,
	{ place, count }: PictureRequest,
	job: string,
): Promise<void> {
	for (let index = 0; count > 1 && index < count; index++) {
		const other = await find({ place, key: job + suffixOf(index) });
		await other?.delete();
	}
}

/** Posts the person's results that could not be delivered when they were made. */
async function collect(services: BotServices, { channel, person, id }: ButtonPress): Promise<ActionResult> {
	const t = translatorFor(person.locale);
	const jobs = await services.undeliveredResults.jobs(channel.place, person);
	const settings = await tryAndLog(services.log, 'The settings could not be read', () =>
		services.settings.get(channel.place),
	);
	for (const job of jobs) {
		const [images, request] = await Promise.all([services.pictureStore.kept(job), services.requests.find(job)]);
		const prompt = request?.prompt ?? t('results.picture');
		const reply: Reply = {
			text: t('undelivered.here'),
			pictures: picturesOf(t, images, prompt, isSpoiler(settings, request?.place ?? channel.place)),
			buttons: resultButtons(t, job, services.service.capabilities),
			visibility: 'private',
		};
		if (images.length > 0)
			for (const part of await fitReply(t, reply, channel.limits, channel.place)) {
				const { handle } = await channel.post(part.reply, `${id}.${shortened(job)}${part.suffix}`);
				if (part.first === 0)
					await services.recentResults.add(channel.place, person, job, { handle, prompt, at: Date.now() });
			}
		await services.undeliveredResults.remove(channel.place, person, job);
		await services.pictureStore.drop(job);
	}
	return jobs.length === 0 ? say(t('undelivered.none')) : 'answered';
}

/**
 * Returns a part of a message's key that stands for the job: two whole ids are longer than a key may be. The job's position would
 * not do, because when the press is delivered again, the jobs that were collected are gone from the list.
 */
const shortened = (job: string) => hash('sha256', job).slice(0, 10);
