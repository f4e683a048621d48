import type { Channel } from '../../domain/channel.ts';
import type { Person } from '../../domain/person.ts';
import { type Picture, PREVIEW_NAME } from '../../domain/reply.ts';
import { thumbnail } from '../../pictures/fit.ts';
import type { Settings } from '../../usage/settings/settings.ts';
import { isInEffect } from '../moderation/log-entries.ts';
import { withPosted } from '../pictures/inputs/read-upload.ts';
import { isSpoiler } from '../pictures/spoilers.ts';
import type { BotServices } from '../services.ts';
import type { ListedResult } from './listed-result.ts';
import { tryAndLog } from './try-and-log.ts';

/**
 * Returns a thumbnail of each listed result, as far as the channel can show them and they can be read. What moderators have hidden has
 * none, and those of channels with hidden pictures are spoilers.
 */
export async function thumbnailsOf(
	services: BotServices,
	reader: Pick<Person, 'id'>,
	{ limits }: Partial<Pick<Channel, 'limits'>>,
	results: readonly ListedResult[],
): Promise<Picture[]> {
	const place = results.find((result) => result.place)?.place;
	if (!limits?.previews || !place) return [];
	// They are all of one server.
	const settings = await tryAndLog(services.log, 'The settings could not be read', () => services.settings.get(place));
	if (!settings) return [];
	const made = await Promise.all(
		results.map((result, index) => thumbnailOf(services, reader, settings, result, index + 1)),
	);
	return made.filter((picture) => picture !== undefined);
}

async function thumbnailOf(
	services: BotServices,
	person: Pick<Person, 'id'>,
	settings: Settings,
	{ job, prompt, pictures, place }: ListedResult,
	number: number,
): Promise<Picture | undefined> {
	const { logEntries, log } = services;
	return tryAndLog(log, 'A thumbnail could not be made', async () => {
		const [first] = (await pictures?.()) ?? [];
		if (!first || !place || isInEffect((await logEntries.notes(job)).hide)) return undefined;
		const covered = isSpoiler(settings, place);
		const bytes = await withPosted(services, { place, person }, [first], async ([image]) => image && thumbnail(image));
		if (!bytes) return undefined;
		const name = `${PREVIEW_NAME}${number}.jpg`;
		return { name, bytes, alt: `${number}. ${prompt}`, number, ...(covered && { spoiler: true as const }) };
	});
}
