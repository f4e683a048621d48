import type { Upload } from '../../domain/channel.ts';
import type { ButtonPress, FormSubmission, Request } from '../../domain/platform.ts';
import type { Easel } from '../../easel.ts';
import { translatorFor } from '../../i18n/translator.ts';
import { suffixOf } from '../../jobs/fit-reply.ts';
import type { PictureRequest } from '../../requests/requests.ts';
import { parseResultSubject, type ResultSubject } from '../../requests/result-subject.ts';
import {
	type ActionHandler,
	type ActionHandlers,
	type ActionResult,
	type SubmissionResult,
	say,
} from '../declaration/actions.ts';
import { forgetResult } from '../moderation/log-actions.ts';
import { type CommandDescriptions, chosenPicture, fieldsOf, pictureChoice, privateDefault } from './forms.ts';

/** The actions on results: making one again, and deleting one. The subject is the job. */
export const resultActions = (easel: Easel): ActionHandlers<'again' | 'delete'> => ({
	again: { press: (press, job) => again(easel, press, job) },
	delete: { press: (press, job) => deleteResult(easel, press, job) },
});

/** Invokes the same command with the same options, at the cost of the person who presses. */
async function again(
	{ requests, platforms }: Easel,
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
	const post = isPrivate || request.private ? undefined : await platforms.find(message).catch(() => undefined);
	return { invoke: { ...invocation, source: post?.link ? { link: post.link } : {} } };
}

/** Deletes the result's messages and what is kept of its request. The call stays counted. */
async function deleteResult(easel: Easel, { message, person }: ButtonPress, job: string): Promise<ActionResult> {
	const t = translatorFor(person.locale);
	const request = await easel.requests.find(job);
	if (request && request.person.id !== person.id && !person.moderator) return say(t('results.errors.notYours'));
	if (!request && !person.moderator) return say(t('results.errors.requesterUnknown'));
	const post = await easel.platforms.find(message);
	await post?.delete();
	if (!request) return 'answered';
	await deleteFurtherMessages(easel, request, job);
	await forgetResult(easel, job, request);
	return 'answered';
}

/** Deletes the messages with those pictures of a result that did not fit into its first. */
async function deleteFurtherMessages(
	{ platforms }: Easel,
	{ place, count }: PictureRequest,
	job: string,
): Promise<void> {
	for (let index = 0; count > 1 && index < count; index++) {
		const other = await platforms.find({ place, key: job + suffixOf(index) });
		await other?.delete();
	}
}

/** Edits a picture of a result by the words that it was made of, so that another one like it comes. */
export const varyAction = (easel: Easel, commands: CommandDescriptions): ActionHandler => ({
	press: (press, subject) => vary(easel, commands, press, parseResultSubject(subject)),
	submit: (submission, subject) => submitChoice(easel, submission, parseResultSubject(subject)),
});

/** Opens a form to choose the picture where the message has several. */
async function vary(
	easel: Easel,
	commands: CommandDescriptions,
	press: ButtonPress,
	subject: ResultSubject,
): Promise<ActionResult> {
	const t = translatorFor(press.person.locale);
	const [picture, ...others] = press.attached;
	if (!picture) return say(t('forms.noPicture'));
	if (others.length === 0)
		return variationOf(easel, { ...press, options: privateDefault(press).values }, subject, picture);
	await press.open({
		id: press.button,
		command: 'vary',
		title: t('buttons.vary'),
		fields: [pictureChoice(press, subject.first), ...fieldsOf(t, commands, 'vary', ['private'])],
		...privateDefault(press),
	});
	return 'answered';
}

async function submitChoice(
	easel: Easel,
	submission: FormSubmission,
	subject: ResultSubject,
): Promise<SubmissionResult> {
	const { which: _, ...options } = submission.options;
	const picture = chosenPicture(submission, subject.first);
	if (!picture) return { refused: translatorFor(submission.person.locale)('forms.noPicture') };
	return variationOf(easel, { ...submission, options }, subject, picture);
}

type From = Request & { options: Record<string, unknown> | undefined };

async function variationOf(
	{ requests, platforms }: Easel,
	{ id, person, channel, options }: From,
	{ job, first }: ResultSubject,
	image: Upload,
): Promise<ActionResult> {
	const request = await requests.find(job);
	if (!request) return say(translatorFor(person.locale)('errors.expired.request'));
	const { prompt, place } = request;
	// A result without its link is varied all the same.
	const post = request.private
		? undefined
		: await platforms.find({ place, key: job + suffixOf(first) }).catch(() => undefined);
	const source = post?.link ? { link: post.link } : {};
	return { invoke: { id, command: 'vary', options: { ...options, image, prompt }, person, channel, source } };
}
