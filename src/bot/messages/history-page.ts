import type { Channel } from '../../domain/channel.ts';
import type { Person } from '../../domain/person.ts';
import type { Button, Reply } from '../../domain/reply.ts';
import { translatorFor } from '../../i18n/translator.ts';
import { actionButton } from '../declaration/actions.ts';
import { privately } from '../declaration/command.ts';
import type { BotServices } from '../services.ts';
import { PAGE_SIZE, resultList } from './history-message.ts';
import type { ListedResult } from './listed-result.ts';

/** Whose history to show, and from where: `from` is the position that the page before has ended with. */
export type HistoryQuery = { member: string; from?: string | undefined };

/** Returns a page of a person's results in this server. Results whose messages are gone are left out. */
export async function historyPage(
	services: BotServices,
	reader: Person,
	channel: Pick<Channel, 'place' | 'when' | 'refer'> & Partial<Pick<Channel, 'limits'>>,
	{ member, from }: HistoryQuery,
): Promise<Reply> {
	const t = translatorFor(reader.locale);
	const { entries, next } = await services.recentResults.page(channel.place, { id: member }, PAGE_SIZE, from);
	const listed = await Promise.all(entries.map((entry) => listedResult(services, entry)));
	const results = listed.filter((result) => result !== undefined);
	const own = member === reader.id;
	const further: Button[] = [];
	if (from !== undefined) further.push(actionButton(t, 'newest', subjectOf({ member })));
	if (next !== undefined) further.push(actionButton(t, 'older', subjectOf({ member, from: next })));
	const name = own ? '' : channel.refer('person', member);
	const whose = own ? 'own' : 'other';
	if (results.length === 0 && further.length === 0) return privately(t('history.none', { whose, name }));
	return resultList(services, t, reader, channel, t('history.heading', { whose, name }), results, further);
}

async function listedResult(
	{ find }: BotServices,
	{ job, prompt, at, handle }: Awaited<ReturnType<BotServices['recentResults']['page']>>['entries'][number],
): Promise<ListedResult | undefined> {
	try {
		const post = await find(handle);
		return post && { job, prompt, at, link: post.link, place: handle.place, pictures: post.pictures };
	} catch {
		// The platform is out of reach, or the bot may not read there any more: its link is missing then.
		return { job, prompt, at };
	}
}

/** The subject of a button that shows a page. */
const subjectOf = ({ member, from = '' }: HistoryQuery) => `${member}:${from}`;

/** Returns the query of a subject that `subjectOf` has made. */
export function queryOf(subject: string): HistoryQuery {
	const at = subject.indexOf(':');
	const from = subject.slice(at + 1);
	return { member: subject.slice(0, at), ...(from !== '' && { from }) };
}
