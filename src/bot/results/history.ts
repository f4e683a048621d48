import type { Button, Page, Reply } from '../../domain/channel.ts';
import type { Person } from '../../domain/place.ts';
import type { ButtonPress } from '../../domain/platform.ts';
import type { Easel } from '../../easel.ts';
import { translatorFor } from '../../i18n/translator.ts';
import { shownPictures } from '../../jobs/delivery-targets.ts';
import { withPosted } from '../../requests/read-upload.ts';
import { type ActionHandlers, type ActionResult, actionButton, say } from '../declaration/actions.ts';
import { privately } from '../declaration/command.ts';
import { type ListedResult, PAGE_SIZE, resultList } from './result-list.ts';
import { maySee, postResult } from './show-result.ts';

/** Whose history to show, and from where: `from` is the position that the page before has ended with. */
export type HistoryQuery = { member: string; from?: string };

/** Returns a page of a person's results in this server. Results whose messages are gone are left out. */
export async function historyPage(
	easel: Easel,
	reader: Person,
	channel: Page,
	{ member, from }: HistoryQuery,
): Promise<Reply> {
	const t = translatorFor(reader.locale);
	const { entries, next } = await easel.recentResults.page(channel.place, { id: member }, PAGE_SIZE, from);
	const listed = await Promise.all(entries.map((entry) => listedResult(easel, entry)));
	const results = listed.filter((result) => result !== undefined);
	const own = member === reader.id;
	const further: Button[] = [];
	if (from !== undefined) further.push(actionButton(t, 'newest', subjectOf({ member })));
	if (next !== undefined) further.push(actionButton(t, 'older', subjectOf({ member, from: next })));
	const name = own ? '' : channel.refer('person', member);
	const whose = own ? 'own' : 'other';
	if (results.length === 0 && further.length === 0) return privately(t('history.none', { whose, name }));
	return resultList(easel, t, reader, channel, t('history.heading', { whose, name }), results, further);
}

async function listedResult(
	{ platforms }: Easel,
	{ job, prompt, at, handle }: Awaited<ReturnType<Easel['recentResults']['page']>>['entries'][number],
): Promise<ListedResult | undefined> {
	try {
		const post = await platforms.find(handle);
		return post && { job, prompt, at, link: post.link, place: handle.place, pictures: post.pictures };
	} catch {
		// The platform is out of reach, or the bot may not read there any more: its link is missing then.
		return { job, prompt, at };
	}
}

/** The subject of a button that shows a page. */
const subjectOf = ({ member, from = '' }: HistoryQuery) => `${member}:${from}`;

/** Returns the query of a subject that `subjectOf` has made. */
function queryOf(subject: string): HistoryQuery {
	const at = subject.indexOf(':');
	const from = subject.slice(at + 1);
	return { member: subject.slice(0, at), from: from || undefined };
}

/** The buttons of lists of results: one that shows each result, and those that turn the page. */
export const historyActions = (easel: Easel): ActionHandlers<'result' | 'older' | 'newest'> => ({
	result: { press: (press, job) => showResult(easel, press, job) },
	older: { press: (press, subject) => turnPage(easel, press, subject) },
	newest: { press: (press, subject) => turnPage(easel, press, subject) },
});

/** Shows another page in the same message, or in a new one when that cannot be edited. */
async function turnPage(easel: Easel, press: ButtonPress, subject: string): Promise<ActionResult> {
	const { person, channel, message } = press;
	const query = queryOf(subject);
	if (query.member !== person.id && !person.moderator)
		return say(translatorFor(person.locale)('history.errors.moderators'));
	const page = await historyPage(easel, person, channel, query);
	try {
		const post = await easel.platforms.find(message);
		if (!post) return { say: page };
		await post.edit(page);
		return 'answered';
	} catch {
		return { say: page };
	}
}

/** Posts a result's pictures with its buttons, to the person alone. */
async function showResult(easel: Easel, press: ButtonPress, job: string): Promise<ActionResult> {
	const { person, channel, id } = press;
	const t = translatorFor(person.locale);
	const request = await easel.requests.find(job);
	if (!request || !(await maySee(easel, press, request))) return say(t('errors.expired.request'));
	const recent = await easel.recentResults.find(request.place, request.person, job);
	const first = recent && (await easel.platforms.find(recent.handle));
	const uploads = await shownPictures(easel.platforms.find, { id: job, place: request.place }, first);
	if (uploads.length === 0) return say(t('history.gone'));
	await withPosted(easel, { place: channel.place, person }, uploads, (images) =>
		postResult(easel, { job, request, images, text: t('history.result') }, { person, channel, key: id }),
	);
	return 'answered';
}
