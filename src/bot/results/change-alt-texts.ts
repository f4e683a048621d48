import type { Field } from '../../domain/command.ts';
import { isSameServer } from '../../domain/place.ts';
import type { ButtonPress, FormSubmission, Request } from '../../domain/platform.ts';
import { oneLine } from '../../domain/text.ts';
import type { Easel } from '../../easel.ts';
import { SentenceError } from '../../i18n/sentence-error.ts';
import { translatorFor } from '../../i18n/translator.ts';
import { suffixOf } from '../../jobs/fit-reply.ts';
import { altOf, MAX_ALT, parseResultSubject, type ResultSubject } from '../../requests/captions.ts';
import type { PictureRequest } from '../../requests/requests.ts';
import { type ActionHandler, type ActionResult, type SubmissionResult, say } from '../declaration/actions.ts';

/** Lets who asked for a result, or a moderator, correct what its alt texts say: in its messages, and wherever it is shown again. */
export const altAction = (easel: Easel): ActionHandler => ({
	press: (press, subject) => openForm(easel, press, parseResultSubject(subject)),
	submit: (submission, subject) => submitForm(easel, submission, parseResultSubject(subject)),
});

/** Opens a form with a text for each picture of the message. A result has four at most, and Discord's forms have room for five. */
async function openForm(easel: Easel, press: ButtonPress, { job, first }: ResultSubject): Promise<ActionResult> {
	const { attached, button, person } = press;
	const request = await changeable(easel, press, job);
	if (request instanceof SentenceError) return request;
	if (attached.length === 0) return new SentenceError('forms.noPicture');
	const t = translatorFor(person.locale);
	const indexes = attached.map((_, index) => first + index);
	const isOnly = first === 0 && attached.length === 1;
	await press.open({
		id: button,
		command: 'alt',
		title: t('buttons.alt'),
		fields: indexes.map(
			(index): Field => ({
				kind: 'text',
				name: fieldOf(index, isOnly),
				description: t('forms.alt.options.text', { number: isOnly ? 0 : index + 1 }),
				required: false,
				minLength: 0,
				maxLength: MAX_ALT,
				suggestions: [],
			}),
		),
		values: Object.fromEntries(indexes.map((index) => [fieldOf(index, isOnly), textOf(request, index)])),
	});
	return 'answered';
}

/** The name of a picture's field: its number, where there are several. */
const fieldOf = (index: number, isOnly: boolean) => (isOnly ? 'alt_text' : String(index + 1));

/** What an alt text says now, without the number of its picture. */
const textOf = ({ alts, prompt }: PictureRequest, index: number) => oneLine(alts?.[index] ?? prompt, MAX_ALT);

async function submitForm(
	easel: Easel,
	submission: FormSubmission,
	{ job, first }: ResultSubject,
): Promise<SubmissionResult> {
	const { attached = [], channel, options, person } = submission;
	const request = await changeable(easel, submission, job);
	if (request instanceof SentenceError) return request;
	const isOnly = first === 0 && attached.length === 1;
	const count = Math.max(request.alts?.length ?? request.count, first + attached.length);
	const alts = Array.from({ length: count }, (_, index) => request.alts?.[index] ?? null);
	const written: string[] = [];
	for (const index of attached.map((_, offset) => first + offset)) {
		const option = fieldOf(index, isOnly);
		const text = oneLine(String(options[option] ?? ''));
		if (text === textOf(request, index)) continue;
		if (text.length > MAX_ALT)
			return { refusal: new SentenceError('errors.option.length', { option, count: text.length, most: MAX_ALT }) };
		alts[index] = text || null;
		if (text) written.push(text);
	}
	const refusal =
		written.length > 0 && (await easel.policy.check('words', { channel, person, text: written.join('\n') }));
	if (refusal) return { refusal };
	await easel.requests.change(job, { ...request, alts });
	const isShown = await show(easel, job, { ...request, alts });
	return say(translatorFor(person.locale)(isShown ? 'forms.alt.done' : 'forms.alt.later'));
}

/** Returns the request of a result whose alt texts a person may change, or why they may not. */
async function changeable(
	{ requests }: Easel,
	{ channel, person }: Request,
	job: string,
): Promise<PictureRequest | SentenceError> {
	const request = await requests.find(job);
	if (!request) return new SentenceError('errors.expired.request');
	const isModerated = person.moderator && isSameServer(request.place, channel.place);
	return isModerated || request.person.id === person.id ? request : new SentenceError('forms.alt.errors.notYours');
}

/** Replaces the alt texts in the messages of a result. Returns whether all of them show the new ones. */
async function show({ platforms, log }: Easel, job: string, request: PictureRequest): Promise<boolean> {
	const { place, person, prompt, alts = [] } = request;
	const t = translatorFor(person.locale);
	const texts = alts.map((alt, index) => altOf(t, alt ?? prompt, index, alts.length));
	try {
		const shown: (boolean | undefined)[] = [];
		// Further messages have the pictures that did not fit into the first one.
		for (const index of texts.keys()) {
			const post = await platforms.find({ place, key: job + suffixOf(index) });
			if (post) shown.push(await post.describe?.(texts.slice(index)));
		}
		return shown.length > 0 && shown.every(Boolean);
	} catch (error) {
		log.warn({ err: error, job }, 'The alt texts of a message could not be changed');
		return false;
	}
}
