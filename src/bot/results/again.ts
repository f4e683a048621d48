import type { MessageHandle } from '../../domain/place.ts';
import type { ButtonPress, Request } from '../../domain/platform.ts';
import type { Easel } from '../../easel.ts';
import { translatorFor } from '../../i18n/translator.ts';
import { suffixOf } from '../../jobs/fit-reply.ts';
import { type ActionHandlers, type ActionResult, say } from '../declaration/actions.ts';
import { forgetResult } from '../moderation/log-actions.ts';
import { type ChosenPicture, onePictureAction } from './forms.ts';

/** The actions that make a result again, make one like it, and delete it. */
export const resultActions = (easel: Easel): ActionHandlers<'again' | 'vary' | 'delete'> => ({
	again: { press: (press, job) => again(easel, press, job) },
	vary: onePictureAction(easel, { command: 'vary', title: 'buttons.vary', withPrivate: true }, (request, chosen) =>
		vary(easel, request, chosen),
	),
	delete: { press: (press, job) => deleteResult(easel, press, job) },
});

/** Invokes the same command with the same options, at the cost of the person who presses. */
async function again(easel: Easel, press: ButtonPress, job: string): Promise<ActionResult> {
	const { id, person, channel, message, attached } = press;
	const t = translatorFor(person.locale);
	const request = await easel.requests.find(job);
	if (!request) return say(t('errors.expired.request'));
	const options = await easel.requests.optionsOf(request);
	if (!options) return say(t('errors.expired.upload'));
	const invocation = { id, command: request.command, options, person, channel };
	// Errors have this button, too.
	if (attached.length === 0) return { invoke: invocation };
	const source = await sourceOf(easel, message, press.private || request.private);
	return { invoke: { ...invocation, source } };
}

/** Edits a picture of a result by the words that it was made of, so that another one like it comes. */
async function vary(
	easel: Easel,
	{ id, person, channel }: Request,
	{ job, first, picture: image, options }: ChosenPicture,
): Promise<ActionResult> {
	const t = translatorFor(person.locale);
	if (!image) return say(t('forms.noPicture'));
	const request = await easel.requests.find(job);
	if (!request) return say(t('errors.expired.request'));
	const { prompt, place } = request;
	const source = await sourceOf(easel, { place, key: job + suffixOf(first) }, request.private);
	return { invoke: { id, command: 'vary', options: { ...options, image, prompt }, person, channel, source } };
}

/** Returns the link of the message that a request comes from. Without it, the request is made all the same. */
async function sourceOf({ platforms }: Easel, message: MessageHandle, isPrivate = false): Promise<{ link?: string }> {
	const post = isPrivate ? undefined : await platforms.find(message).catch(() => undefined);
	return post?.link ? { link: post.link } : {};
}

/** Deletes the result's messages and what is kept of its request. The call stays counted. */
async function deleteResult(easel: Easel, { message, person }: ButtonPress, job: string): Promise<ActionResult> {
	const t = translatorFor(person.locale);
	const request = await easel.requests.find(job);
	if (request && request.person.id !== person.id && !person.moderator) return say(t('results.errors.notYours'));
	if (!request && !person.moderator) return say(t('results.errors.requesterUnknown'));
	const remove = async (handle: MessageHandle) => (await easel.platforms.find(handle))?.delete();
	await remove(message);
	if (!request) return 'answered';
	// Those with the pictures that did not fit into its first message.
	const { place, count } = request;
	for (let index = 0; count > 1 && index < count; index++) await remove({ place, key: job + suffixOf(index) });
	await forgetResult(easel, job, request);
	return 'answered';
}
