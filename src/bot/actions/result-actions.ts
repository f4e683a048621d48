import type { ButtonPress } from '../../domain/requests.ts';
import { translatorFor } from '../../i18n/translator.ts';
import { suffixOf } from '../pictures/fit-reply.ts';
import { forgetResult } from '../repositories/forget-result.ts';
import type { PictureRequest } from '../repositories/requests.ts';
import type { BotServices } from '../services.ts';
import { type ActionHandlers, type ActionResult, say } from './action.ts';

/** The actions on results: making one again, and deleting one. The subject is the job. */
export const resultActions = (services: BotServices): ActionHandlers<'again' | 'delete'> => ({
	again: { press: (press, job) => again(services, press, job) },
	delete: { press: (press, job) => deleteResult(services, press, job) },
});

/** Invokes the same command with the same options, at the cost of the person who presses. */
async function again(
	{ requests, find }: BotServices,
	{ id, person, channel, message, attached, private: isPrivate }: ButtonPress,
	job: string,
): Promise<ActionResult> {
	const t = translatorFor(person.locale);
	const request = await requests.find(job);
	if (!request) return say(t('errors.expired.request'));
	const options = await requests.optionsOf(request);
	if (!options) return say(t('errors.expired.upload'));
	const invocation = { id, command: request.command, options, person, channel };
	// Errors have this button, too.
	if (attached.length === 0) return { invoke: invocation };
	// A result without its link is repeated all the same.
	const post = isPrivate || request.private ? undefined : await find(message).catch(() => undefined);
	return { invoke: { ...invocation, source: post?.link ? { link: post.link } : {} } };
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
	{ find }: BotServices,
	{ place, count }: PictureRequest,
	job: string,
): Promise<void> {
	for (let index = 0; count > 1 && index < count; index++) {
		const other = await find({ place, key: job + suffixOf(index) });
		await other?.delete();
	}
}
