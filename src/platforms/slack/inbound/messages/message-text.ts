import type { Installation } from '../../installation/installation.ts';
import type { People } from '../../people/people.ts';

/** Slack's markup: `<@U1|ada>`, `<#C1|general>`, `<!here>`, `<https://example.com|text>`. */
const MARKUP = /<([@#!]?)([^<>|\n]*)(?:\|([^<>\n]*))?>/g;

/** Returns the ids of the people that a text in Slack's markup mentions. */
export const mentionedIn = (text: string): string[] =>
	[...text.matchAll(/<@([A-Z0-9]+)(?:\|[^<>]*)?>/g)].map(([, id = '']) => id);

/** Returns a text without the mention of the bot that it begins with, as in “@Easel hello”. */
export const withoutMention = (text: string, { botUser }: Pick<Installation, 'botUser'>): string =>
	text.replace(/^\s*<@([A-Z0-9]+)(?:\|[^<>]*)?>[\s,:]*/, (mention, id) => (id === botUser ? '' : mention));

/** Returns the text of a message as its writer sees it, without the mention of the bot. */
export async function readableText(
	people: Pick<People, 'person'>,
	server: string,
	text: string,
	self: Pick<Installation, 'botUser'>,
): Promise<string> {
	const ids = [...new Set(mentionedIn(text))];
	const found = await Promise.all(ids.map(async (id) => [id, (await people.person(server, id)).name] as const));
	const names = new Map(found);
	return textOfMarkup(withoutMention(text, self), (id) => names.get(id) ?? id);
}

/**
 * Replaces Slack's markup: names in place of ids, addresses as typed, `<` in place of `&lt;`.
 * https://docs.slack.dev/messaging/formatting-message-text#retrieving-messages
 *
 * @param nameOf returns a person's name by their id
 */
export const textOfMarkup = (text: string, nameOf: (user: string) => string): string =>
	text
		.replace(MARKUP, (_, kind: string, target: string, label: string | undefined) => {
			switch (kind) {
				case '@':
					return `@${label || nameOf(target)}`;
				case '#':
					return `#${label || target}`;
				case '!':
					return specialMention(target, label);
				default:
					return link(target, label);
			}
		})
		.replaceAll('&lt;', '<')
		.replaceAll('&gt;', '>')
		.replaceAll('&amp;', '&');

function specialMention(target: string, label: string | undefined): string {
	if (target.startsWith('date^')) return label ?? '';
	return label ? `@${label.replace(/^@/, '')}` : `@${target.replace(/^subteam\^/, '')}`;
}

function link(target: string, label: string | undefined): string {
	const address = target.replace(/^mailto:/, '');
	return label && label !== address ? `[${label}](${target})` : address;
}
