import { MAX_ACTION_ID, type MessageHandle, type Person, type Upload } from '../../domain/channel.ts';
import type { Request } from '../../domain/platform.ts';
import { quoted } from '../../domain/text.ts';
import type { Easel } from '../../easel.ts';
import { SentenceError } from '../../i18n/translator.ts';
import { suffixOf } from '../../jobs/posting.ts';
import { type ActionHandlers, type ActionResult, actionButton, reply } from '../declaration/actions.ts';
import { privately } from '../declaration/command.ts';
import { forgetResult } from '../moderation/log-actions.ts';
import { findShown } from './about.ts';
import { onePictureAction } from './forms.ts';

/** The actions that make a result again, make one like it, and delete it. */
export const resultActions: ActionHandlers<'again' | 'vary' | 'delete' | 'confirmDelete'> = {
	again: {
		async press(press, job, { easel }) {
			// Errors have this button, too.
			const shown = press.attached.length > 0 ? press.message : undefined;
			return repeat(easel, press, job, shown, press.private);
		},
	},
	/** Edits a picture of a result by the words that it was made of, so that another one like it comes. */
	vary: onePictureAction(
		{ command: 'vary', title: 'buttons.vary', withPrivate: true },
		async ({ id, person, channel }, { job, first, picture: image, options }, { easel }) => {
			if (!image) return new SentenceError('forms.noPicture');
			const request = await easel.requests.find(job);
			if (!request) return new SentenceError('errors.expired.request');
			const { prompt, place } = request;
			const source = await sourceOf(easel, { place, key: job + suffixOf(first) }, request.private);
			return { invoke: { id, command: 'vary', options: { ...options, image, prompt }, person, channel, source } };
		},
	),
	/** Asks whether to delete a result: a press cannot be taken back. */
	delete: {
		async press({ message, person }, job, { easel, t }) {
			const found = await deletable(easel, person, job);
			if (found instanceof SentenceError) return found;
			const prompt = found.request ? `**${quoted(found.request.prompt)}**` : t('results.picture');
			const { key } = message;
			const from = key.startsWith(job) ? key.slice(job.length) : key;
			const subject = job.length + from.length > MAX_IDS ? job : `${job}/${from}`;
			const question = privately(t('results.delete.confirm', { prompt }));
			return { reply: { ...question, buttons: [actionButton(t, 'confirmDelete', subject)] } };
		},
	},
	/** Deletes the result's messages and what is kept of its request. The call stays counted. */
	confirmDelete: {
		async press({ channel, person }, subject, { easel, t }) {
			const [job = '', from = ''] = subject.split('/');
			const found = await deletable(easel, person, job);
			if (found instanceof SentenceError) return found;
			const remove = async (handle: MessageHandle) => (await easel.platforms.find(handle))?.delete();
			// A copy has a key of its own.
			await remove({ place: channel.place, key: from === '' || from.startsWith('.') ? job + from : from });
			if (found.request) {
				// Further messages have the pictures that did not fit into the first one.
				const { place, count } = found.request;
				for (let index = 0; index < count; index++) await remove({ place, key: job + suffixOf(index) });
				await forgetResult(easel, job, found.request);
			}
			return reply(t('results.delete.done'));
		},
	},
};

/** @param shown the message with the result, if there is one */
async function repeat(
	easel: Easel,
	{ id, person, channel }: Request,
	job: string,
	shown?: MessageHandle,
	isPrivate?: boolean,
): Promise<ActionResult> {
	const request = await easel.requests.find(job);
	if (!request) return new SentenceError('errors.expired.request');
	const options = await easel.requests.optionsOf(request);
	if (!options) return new SentenceError('errors.expired.upload');
	const source = shown && (await sourceOf(easel, shown, isPrivate || request.private));
	return { invoke: { id, command: request.command, options, person, channel, ...(source && { source }) } };
}

/** Repeats the request of pictures that words such as “another one” are about, as the button under them does. */
export async function repeatShown(easel: Easel, asking: Request, shown: readonly Upload[]): Promise<ActionResult> {
	const refused = await easel.policy.check('look', asking);
	if (refused) return refused;
	const found = await findShown(easel, asking, shown);
	if (!found) return new SentenceError('about.none').and('thread.instruction');
	return repeat(easel, asking, found.job, { place: found.request.place, key: found.job });
}

/** Returns the link of the message that a request comes from. Without it, the request is made all the same. */
async function sourceOf({ platforms }: Easel, message: MessageHandle, isPrivate = false): Promise<{ link?: string }> {
	const post = isPrivate ? undefined : await platforms.find(message).catch(() => undefined);
	return post?.link ? { link: post.link } : {};
}

/** With longer ones, a copy of the result for one person stays: they do not fit into the id of a button. */
const MAX_IDS = MAX_ACTION_ID - 'confirmDelete:1:/'.length;

/** Returns the request of a result that a person may delete, if it is still stored, or says why they may not. */
async function deletable({ requests }: Easel, { id, moderator }: Person, job: string) {
	const request = await requests.find(job);
	if (moderator || request?.person.id === id) return { request };
	return new SentenceError(request ? 'results.errors.notYours' : 'results.errors.requesterUnknown');
}
