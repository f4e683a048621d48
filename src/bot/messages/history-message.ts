import type { Channel } from '../../domain/channel.ts';
import type { Button, Reply } from '../../domain/reply.ts';
import type { Translate } from '../../i18n/translator.ts';
import { actionButton } from '../declaration/actions.ts';
import { privately } from '../declaration/command.ts';
import { quotedPrompt } from '../pictures/captions.ts';
import type { HistoryEntry } from '../repositories/recent-results.ts';

/** A row of buttons on Discord. */
export const PAGE_SIZE = 5;

const MAX_SHOWN_PROMPT = 160;

/** A result in a list, with the address of its message where it has one. */
export type ListedResult = Pick<HistoryEntry, 'job' | 'prompt' | 'at'> & { link?: string | undefined };

/** Returns a numbered list of results, with a button for each that shows it. */
export function resultList(
	t: Translate,
	show: Pick<Channel, 'when'>,
	heading: string,
	results: readonly ListedResult[],
	further: readonly Button[] = [],
): Reply {
	const lines = results.map(({ prompt, at, link }, index) => {
		const facts = [show.when(at), link && t('history.open', { link })];
		return `${index + 1}. **${quotedPrompt(prompt, MAX_SHOWN_PROMPT)}** · ${facts.filter(Boolean).join(' · ')}`;
	});
	const buttons = results.map(({ job }, index) => ({ ...actionButton(t, 'result', job), label: String(index + 1) }));
	return { ...privately([heading, ...lines].join('\n')), buttons: [...buttons, ...further] };
}
