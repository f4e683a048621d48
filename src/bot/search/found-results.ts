import type { Page, Reply } from '../../domain/channel.ts';
import type { Person } from '../../domain/place.ts';
import { quoted } from '../../domain/text.ts';
import type { Easel } from '../../easel.ts';
import { translatorFor } from '../../i18n/translator.ts';
import { isSpoiler, type Settings } from '../../usage/settings/settings.ts';
import { privately } from '../declaration/command.ts';
import { isInEffect } from '../moderation/log-entries.ts';
import { type ListedResult, PAGE_SIZE, resultList } from '../results/result-list.ts';

/**
 * Returns the results that fit words best, as a list with buttons. Results that were deleted, removed or covered are not in it.
 *
 * @param query.own only the person's own results
 */
export async function foundResults(
	easel: Easel,
	person: Person,
	channel: Page,
	query: { words: string; own: boolean },
): Promise<Reply> {
	const { place } = channel;
	const t = translatorFor(person.locale);
	const refused = await easel.policy.checkSearch({ channel, person });
	if (refused !== undefined) return privately(refused);
	const words = quoted(query.words);
	const jobs = await easel.resultSearch.search(place, person, query.words, query.own);
	const settings = await easel.settings.get(place);
	const results: ListedResult[] = [];
	for (const job of jobs) {
		const result = await shownResult(easel, settings, job);
		if (result && results.push(result) === PAGE_SIZE) break;
	}
	if (results.length === 0) return privately(t('find.none', { words }));
	return resultList(easel, t, person, channel, t('find.heading', { words }), results);
}

/** Returns undefined for a result that is no longer shown, or is shown as a spoiler. */
async function shownResult(easel: Easel, settings: Settings, job: string): Promise<ListedResult | undefined> {
	const request = await easel.requests.find(job);
	if (!request) return undefined;
	const { place, person } = request;
	if (isSpoiler(settings, place) || isInEffect((await easel.logEntries.notes(job)).hide)) return undefined;
	const recent = await easel.recentResults.find(place, person, job);
	const post = recent && (await easel.platforms.find(recent.handle));
	return post && { job, prompt: recent.prompt, at: recent.at, link: post.link, place, pictures: post.pictures };
}
