/** What a text can mention. */
export type NamedKind = 'person' | 'channel' | 'role';

const SIGNS: Readonly<Record<NamedKind, string>> = { person: '@', channel: '#', role: '!subteam^' };

/** A mention in Slack's markup: its sign, the id, and the label that commands have. https://docs.slack.dev/messaging/formatting-message-text */
export const MENTION = /<(@|#|!subteam\^)([A-Z0-9]+)(?:\|([^<>\n]*))?>/g;

/** Returns the mention of a person, a channel or a user group. `Channel.refer` puts it into texts. */
export const mention = (kind: NamedKind, id: string): string => `<${SIGNS[kind]}${id}>`;

/** Returns what a mention with this sign names. */
export const kindOf = (sign: string): NamedKind =>
	sign === SIGNS.channel ? 'channel' : sign === SIGNS.role ? 'role' : 'person';

/** https://docs.slack.dev/messaging/formatting-message-text#escaping */
export const escaped = (text: string): string =>
	text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');

export const unescaped = (text: string): string =>
	text.replace(/&lt;/g, '<').replace(/&gt;/g, '>').replace(/&amp;/g, '&');
