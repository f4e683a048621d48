/** `<@U1|ada>`, `<#C1|general>`, `<!here>`, `<https://example.com|text>`: Slack's own markup. */
const MARKUP = /<([@#!]?)([^<>|\n]*)(?:\|([^<>\n]*))?>/g;

/** The people who are mentioned in what Slack has of a message. */
export const mentionedIn = (text: string): string[] =>
	[...text.matchAll(/<@([A-Z0-9]+)(?:\|[^<>]*)?>/g)].map(([, id = '']) => id);

/**
 * What somebody wrote, as they wrote it: names instead of ids, addresses as they are, and `<` where Slack has `&lt;`.
 * https://docs.slack.dev/messaging/formatting-message-text#retrieving-messages
 * @param nameOf a person's, by their id
 */
export function writtenIn(text: string, nameOf: (user: string) => string): string {
	return text
		.replace(MARKUP, (_, kind: string, target: string, label: string | undefined) => {
			switch (kind) {
				case '@':
					return `@${label || nameOf(target)}`;
				case '#':
					return `#${label || target}`;
				case '!':
					if (target.startsWith('date^')) return label ?? '';
					return label ? `@${label.replace(/^@/, '')}` : `@${target.replace(/^subteam\^/, '')}`;
				default: {
					const address = target.replace(/^mailto:/, '');
					return label && label !== address ? `[${label}](${target})` : address;
				}
			}
		})
		.replaceAll('&lt;', '<')
		.replaceAll('&gt;', '>')
		.replaceAll('&amp;', '&');
}
