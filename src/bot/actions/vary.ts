import type { Upload } from '../../domain/reply.ts';
import type { ButtonPress, FormSubmission, Invocation } from '../../domain/requests.ts';
import { translatorFor } from '../../i18n/translator.ts';
import { suffixOf } from '../pictures/fit-reply.ts';
import { parseResultSubject, type ResultSubject } from '../pictures/result-subject.ts';
import type { BotServices } from '../services.ts';
import { type ActionHandler, type ActionResult, type SubmissionResult, say } from './action.ts';
import { type CommandDescriptions, chosenPicture, fieldsOf, pictureChoice, privateDefault } from './form-fields.ts';

/** Edits a picture of a result by the words that it was made of, so that another one like it comes. */
export const varyAction = (services: BotServices, commands: CommandDescriptions): ActionHandler => ({
	press: (press, subject) => vary(services, commands, press, parseResultSubject(subject)),
	submit: (submission, subject) => submitChoice(services, submission, parseResultSubject(subject)),
});

/** Opens a form to choose the picture where the message has several. */
async function vary(
	services: BotServices,
	commands: CommandDescriptions,
	press: ButtonPress,
	subject: ResultSubject,
): Promise<ActionResult> {
	const t = translatorFor(press.person.locale);
	const [picture, ...others] = press.attached;
	if (!picture) return say(t('forms.noPicture'));
	if (others.length === 0)
		return variationOf(services, { ...press, options: privateDefault(press).values }, subject, picture);
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
	services: BotServices,
	submission: FormSubmission,
	subject: ResultSubject,
): Promise<SubmissionResult> {
	const { which: _, ...options } = submission.options;
	const picture = chosenPicture(submission, subject.first);
	if (!picture) return { refused: translatorFor(submission.person.locale)('forms.noPicture') };
	return variationOf(services, { ...submission, options }, subject, picture);
}

type From = Pick<Invocation, 'id' | 'person' | 'channel'> & { options: Record<string, unknown> | undefined };

async function variationOf(
	{ requests, find }: BotServices,
	{ id, person, channel, options }: From,
	{ job, first }: ResultSubject,
	image: Upload,
): Promise<ActionResult> {
	const request = await requests.find(job);
	if (!request) return say(translatorFor(person.locale)('errors.expired.request'));
	const { prompt, place } = request;
	// A result without its link is varied all the same.
	const post = request.private ? undefined : await find({ place, key: job + suffixOf(first) }).catch(() => undefined);
	const source = post?.link ? { link: post.link } : {};
	return { invoke: { id, command: 'vary', options: { ...options, image, prompt }, person, channel, source } };
}
