import { type Button, type Page, type Picture, type Post, PREVIEW_NAME, type Reply } from '../../domain/channel.ts';
import type { Place } from '../../domain/place.ts';
import { quoted } from '../../domain/text.ts';
import type { Easel } from '../../easel.ts';
import type { Translate } from '../../i18n/translator.ts';
import { tryAndLog } from '../../log.ts';
import { thumbnail } from '../../pictures/fit.ts';
import { withPosted } from '../../requests/read-upload.ts';
import { isSpoiler, type Settings } from '../../usage/settings/settings.ts';
import { actionButton } from '../declaration/actions.ts';
import { privately } from '../declaration/command.ts';
import { isInEffect } from '../moderation/log-entries.ts';
import type { HistoryEntry } from '../repositories/recent-results.ts';

/** A row of buttons on Discord. */
export const PAGE_SIZE = 5;

const MAX_SHOWN_PROMPT = 160;

/** Returns a numbered list of results, with a button for each that shows it, and thumbnails where the channel shows them. */
export async function resultList(
	easel: Easel,
	t: Translate,
	reader: { id: string },
	show: Page,
	heading: string,
	results: readonly ListedResult[],
	further: readonly Button[] = [],
): Promise<Reply> {
	const lines = results.map(({ prompt, at, link }, index) => {
		const facts = [show.when(at), link && t('history.open', { link })];
		return `${index + 1}. **${quoted(prompt, MAX_SHOWN_PROMPT)}** · ${facts.filter(Boolean).join(' · ')}`;
	});
	const buttons = results.map(({ job }, index) => ({ ...actionButton(t, 'result', job), label: String(index + 1) }));
	const pictures = await thumbnailsOf(easel, reader, show, results);
	// Without any, those of the page before have to go as well.
	const shown = show.limits?.previews ? { pictures } : {};
	return { ...privately([heading, ...lines].join('\n')), ...shown, buttons: [...buttons, ...further] };
}

/** A result in a list, with the address of its message where it has one, and its pictures where they can be read. */
export type ListedResult = Pick<HistoryEntry, 'job' | 'prompt' | 'at'> & {
	link?: string;
	place?: Place;
	pictures?: Post['pictures'];
};

/**
 * Returns a thumbnail of each listed result, as far as the channel can show them and they can be read. What moderators have hidden has
 * none, and those of channels with hidden pictures are spoilers.
 */
async function thumbnailsOf(
	easel: Easel,
	reader: { id: string },
	{ limits }: Page,
	results: readonly ListedResult[],
): Promise<Picture[]> {
	const place = results.find((result) => result.place)?.place;
	if (!limits?.previews || !place) return [];
	// They are all of one server.
	const settings = await tryAndLog(easel.log, 'The settings could not be read', () => easel.settings.get(place));
	if (!settings) return [];
	const made = await Promise.all(
		results.map((result, index) => thumbnailOf(easel, reader, settings, result, index + 1)),
	);
	return made.filter((picture) => picture !== undefined);
}

async function thumbnailOf(
	easel: Easel,
	person: { id: string },
	settings: Settings,
	{ job, prompt, pictures, place }: ListedResult,
	number: number,
): Promise<Picture | undefined> {
	const { logEntries, log } = easel;
	return tryAndLog(log, 'A thumbnail could not be made', async () => {
		const [first] = (await pictures?.()) ?? [];
		if (!first || !place || isInEffect((await logEntries.notes(job)).hide)) return undefined;
		const covered = isSpoiler(settings, place);
		const bytes = await withPosted(easel, { place, person }, [first], async ([image]) => image && thumbnail(image));
		if (!bytes) return undefined;
		const name = `${PREVIEW_NAME}${number}.jpg`;
		return { name, bytes, alt: `${number}. ${prompt}`, number, spoiler: covered ? true : undefined };
	});
}
