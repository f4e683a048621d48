import type { Channel } from '../../domain/channel.ts';
import type { Person } from '../../domain/person.ts';
import type { Button, Reply } from '../../domain/reply.ts';
import { quoted } from '../../domain/text.ts';
import type { Translate } from '../../i18n/translator.ts';
import { actionButton } from '../declaration/actions.ts';
import { privately } from '../declaration/command.ts';
import type { BotServices } from '../services.ts';
import type { ListedResult } from './listed-result.ts';
import { thumbnailsOf } from './thumbnails.ts';

/** A row of buttons on Discord. */
export const PAGE_SIZE = 5;

const MAX_SHOWN_PROMPT = 160;

/** Returns a numbered list of results, with a button for each that shows it, and thumbnails where the channel shows them. */
export async function resultList(
	services: BotServices,
	t: Translate,
	reader: Pick<Person, 'id'>,
	show: Pick<Channel, 'when'> & Partial<Pick<Channel, 'limits'>>,
	heading: string,
	results: readonly ListedResult[],
	further: readonly Button[] = [],
): Promise<Reply> {
	const lines = results.map(({ prompt, at, link }, index) => {
		const facts = [show.when(at), link && t('history.open', { link })];
		return `${index + 1}. **${quoted(prompt, MAX_SHOWN_PROMPT)}** · ${facts.filter(Boolean).join(' · ')}`;
	});
	const buttons = results.map(({ job }, index) => ({ ...actionButton(t, 'result', job), label: String(index + 1) }));
	const pictures = await thumbnailsOf(services, reader, show, results);
	// Without any, those of the page before have to go as well.
	const shown = show.limits?.previews ? { pictures } : {};
	return { ...privately([heading, ...lines].join('\n')), ...shown, buttons: [...buttons, ...further] };
}
