import { quoted } from '../../../domain/text.ts';
import { translatorFor } from '../../../i18n/translator.ts';
import type { KnownPerson, NamedKind, People } from '../people/people.ts';

/** Slack's markup for a mention of a person, a channel or a user group. `Channel.refer` puts it into texts. */
export const mention = (kind: 'person' | 'channel' | 'role', id: string): string =>
	`<${{ person: '@', channel: '#', role: '!subteam^' }[kind]}${id}>`;

const MENTION = /<(@|#|!subteam\^)([A-Z0-9]{2,})(?:\|[^<>\n]*)?>/g;
/** Markup that notifies many people, or that is not Markdown. A zero-width space after `<` disables it. */
const SPECIAL_MENTION = /<(?=!(?:here|channel|everyone|subteam|date)\b)/g;

/**
 * Replaces mentions by names, so that they notify nobody. Slack's Markdown blocks do not document mentions by id, and a mention of a
 * person would notify them.
 */
export class MentionNames {
	readonly #people: Pick<People, 'nameOf'>;

	constructor({ people }: { people: Pick<People, 'nameOf'> }) {
		this.#people = people;
	}

	/** Returns a Markdown text with names in place of mentions. */
	async replaceMentions(server: string, text: string): Promise<string> {
		const names = new Map<string, string>();
		for (const [markup, kind = '', id = ''] of text.matchAll(MENTION))
			if (!names.has(markup)) names.set(markup, await this.#nameOf(server, kind, id));
		return text.replace(MENTION, (markup) => names.get(markup) ?? markup).replace(SPECIAL_MENTION, '<\u200b');
	}

	async #nameOf(server: string, sign: string, id: string): Promise<string> {
		const kind = KINDS[sign] ?? 'person';
		const name = await this.#people.nameOf(server, kind, id);
		// https://docs.slack.dev/interactivity/deep-linking
		if (kind === 'channel' && name === undefined) return `[#${id}](https://slack.com/app_redirect?channel=${id})`;
		return `${kind === 'channel' ? '#' : '@'}${quoted(name || id)}`;
	}
}

const KINDS: Readonly<Record<string, NamedKind>> = { '@': 'person', '#': 'channel', '!subteam^': 'role' };

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
