import type { Page, Reply } from '../../domain/channel.ts';
import type { Person } from '../../domain/place.ts';
import { quoted } from '../../domain/text.ts';
import { translatorFor } from '../../i18n/translator.ts';
import { isSpoiler, type Settings } from '../../usage/settings/settings.ts';
import { privately } from '../declaration/command.ts';
import { isInEffect } from '../moderation/log-entries.ts';
import { type ListedResult, PAGE_SIZE, resultList } from '../results/result-list.ts';
import type { BotServices } from '../services.ts';

/**
 * Returns the results that fit words best, as a list with buttons. Results that were deleted, removed or covered are not in it.
 *
 * @param query.own only the person's own results
 */
export async function foundResults(
	services: BotServices,
	person: Person,
	channel: Page,
	query: { words: string; own: boolean },
): Promise<Reply> {
	const { place } = channel;
	const t = translatorFor(person.locale);
	const refused = await services.policy.checkSearch({ channel, person });
	if (refused !== undefined) return privately(refused);
	const words = quoted(query.words);
	const jobs = await services.resultSearch.search(place, person, query.words, query.own);
	const settings = await services.settings.get(place);
	const results: ListedResult[] = [];
	for (const job of jobs) {
		const result = await shownResult(services, settings, job);
		if (result && results.push(result) === PAGE_SIZE) break;
	}
	if (results.length === 0) return privately(t('find.none', { words }));
	return resultList(services, t, person, channel, t('find.heading', { words }), results);
}

/** Returns undefined for a result that is no longer shown, or is shown as a spoiler. */
async function shownResult(services: BotServices, settings: Settings, job: string): Promise<ListedResult | undefined> {
	const request = await services.requests.find(job);
	if (!request) return undefined;
	const { place, person } = request;
	if (isSpoiler(settings, place) || isInEffect((await services.logEntries.notes(job)).hide)) return undefined;
	const recent = await services.recentResults.find(place, person, job);
	const post = recent && (await services.find(recent.handle));
	return post && { job, prompt: recent.prompt, at: recent.at, link: post.link, place, pictures: post.pictures };
}
