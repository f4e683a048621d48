import type { CallWithRetry } from '../api/call-with-retry.ts';
import type { People } from '../inbound/people.ts';

/** What `Channel.refer` puts into a text: Slack's own way to write somebody, a channel or a user group. */
export const token = (kind: 'person' | 'channel' | 'role', id: string) =>
	`<${{ person: '@', channel: '#', role: '!subteam^' }[kind]}${id}>`;

const TOKEN = /<(@|#|!subteam\^)([A-Z0-9]{2,})(?:\|[^<>\n]*)?>/g;
/** What rings for many, and what is no Markdown. A zero-width space stands between its beginning and its end. */
const ALARM = /<(?=!(?:here|channel|everyone|subteam|date)\b)/g;

/** Channels are renamed now and then. */
const KEPT_MS = 3600_000;
const MOST_CHANNELS = 1000;

export type MentionNames = ReturnType<typeof createNames>;

/**
 * A text in which people, channels and groups are told by their names, so that none of them is rung for. Slack shows names that
 * it is given by id, but in its blocks of standard Markdown that is said nowhere; and a person would be notified.
 */
export function createNames({ call, people }: { call: CallWithRetry; people: People }) {
	const channels = new Map<string, { name: string | undefined; at: number }>();

	/** Undefined for channels that the bot may not look into. */
	async function channelName(server: string, id: string): Promise<string | undefined> {
		const known = channels.get(id);
		if (known && performance.now() - known.at < KEPT_MS) return known.name;
		const name = await call(server, 'conversations.info', (client) => client.conversations.info({ channel: id })).then(
			({ channel }) => channel?.name,
			() => undefined,
		);
		if (channels.size >= MOST_CHANNELS) channels.clear();
		channels.set(id, { name, at: performance.now() });
		return name;
	}

	async function nameOf(server: string, kind: string, id: string): Promise<string> {
		if (kind === '@') return `@${escaped((await people.person(server, id)).name)}`;
		if (kind === '#') {
			const name = await channelName(server, id);
			// https://docs.slack.dev/interactivity/deep-linking
			return name === undefined ? `[#${id}](https://slack.com/app_redirect?channel=${id})` : `#${escaped(name)}`;
		}
		const group = (await people.groups(server)).find((one) => one.id === id);
		return `@${escaped(group?.handle || id)}`;
	}

	return {
		/** The text as it can be shown. */
		async spelled(server: string, text: string): Promise<string> {
			const found = new Map<string, string>();
			for (const [whole, kind = '', id = ''] of text.matchAll(TOKEN))
				if (!found.has(whole)) found.set(whole, await nameOf(server, kind, id));
			return text.replace(TOKEN, (whole) => found.get(whole) ?? whole).replace(ALARM, '<\u200b');
		},
	};
}

/** A name as it is, whatever Markdown it may hold. */
export const escaped = (name: string) => name.replaceAll(/[\\*_~`|>#[\]()<]/g, '\\$&').replaceAll(/\s+/g, ' ');
