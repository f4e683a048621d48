import type { ButtonPress } from '../../domain/requests.ts';
import { translatorFor } from '../../i18n/translator.ts';
import { historyPage, queryOf } from '../messages/history-page.ts';
import { shownPictures } from '../pictures/delivery-targets.ts';
import { withPosted } from '../pictures/inputs/read-upload.ts';
import type { BotServices } from '../services.ts';
import { type ActionHandlers, type ActionResult, say } from './action.ts';
import { maySee } from './may-see.ts';
import { postResult } from './post-result.ts';

/** The buttons of lists of results: one that shows each result, and those that turn the page. */
export const historyActions = (services: BotServices): ActionHandlers<'result' | 'older' | 'newest'> => ({
	result: { press: (press, job) => showResult(services, press, job) },
	older: { press: (press, subject) => turnPage(services, press, subject) },
	newest: { press: (press, subject) => turnPage(services, press, subject) },
});

/** Shows another page in the same message, or in a new one when that cannot be edited. */
async function turnPage(services: BotServices, press: ButtonPress, subject: string): Promise<ActionResult> {
	const { person, channel, message } = press;
	const query = queryOf(subject);
	if (query.member !== person.id && !person.moderator)
		return say(translatorFor(person.locale)('history.errors.moderators'));
	const page = await historyPage(services, person, channel, query);
	try {
		const post = await services.find(message);
		if (!post) return { say: page };
		await post.edit(page);
		return 'answered';
	} catch {
		return { say: page };
	}
}

/** Posts a result's pictures with its buttons, to the person alone. */
async function showResult(services: BotServices, press: ButtonPress, job: string): Promise<ActionResult> {
	const { person, channel, id } = press;
	const t = translatorFor(person.locale);
	const request = await services.requests.find(job);
	if (!request || !(await maySee(services, press, request))) return say(t('errors.expired.request'));
	const recent = await services.recentResults.find(request.place, request.person, job);
	const first = recent && (await services.find(recent.handle));
	const uploads = await shownPictures(services.find, { id: job, place: request.place }, first);
	if (uploads.length === 0) return say(t('history.gone'));
	await withPosted(services, { place: channel.place, person }, uploads, (images) =>
		postResult(services, { job, request, images, text: t('history.result') }, { person, channel, key: id }),
	);
	return 'answered';
}
