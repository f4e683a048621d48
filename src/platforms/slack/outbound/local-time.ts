import { translatorFor } from '../../../i18n/translator.ts';
import type { KnownPerson } from '../people/people.ts';

/**
 * Returns a point in time as text in the language and time zone of the person who asked, with the zone's name; in English and UTC for
 * an unknown person. Slack's own date markup, which every reader sees in their zone, does not work in Markdown blocks.
 *
 * @param at Unix milliseconds
 */
export function localTime(at: number, known: KnownPerson | undefined): string {
	const { person, timeZone = 'UTC' } = known ?? {};
	const format = new Intl.DateTimeFormat(translatorFor(person?.locale).language, {
		day: 'numeric',
		month: 'short',
		year: 'numeric',
		hour: 'numeric',
		minute: '2-digit',
		timeZone,
		timeZoneName: 'short',
	});
	return format.format(at);
}
