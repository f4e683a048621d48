import { LRUCache } from 'lru-cache';
import { quoted } from '../../../domain/text.ts';
import type { CallWithRetry } from '../api/call-with-retry.ts';
import type { People } from '../people/people.ts';

/** Slack's markup for a mention of a person, a channel or a user group. `Channel.refer` puts it into texts. */
export const mention = (kind: 'person' | 'channel' | 'role', id: string): string =>
	`<${{ person: '@', channel: '#', role: '!subteam^' }[kind]}${id}>`;

const MENTION = /<(@|#|!subteam\^)([A-Z0-9]{2,})(?:\|[^<>\n]*)?>/g;
/** Markup that notifies many people, or that is not Markdown. A zero-width space after `<` disables it. */
const SPECIAL_MENTION = /<(?=!(?:here|channel|everyone|subteam|date)\b)/g;

/** Channels are renamed from time to time. */
const CHANNEL_NAME_TTL_MS = 3600_000;
const MAX_CHANNELS = 1000;

/** `name` is undefined for channels that the bot cannot see. */
type ChannelName = { name: string | undefined };

/**
 * Replaces mentions by names, so that they notify nobody. Slack's Markdown blocks do not document mentions by id, and a mention of a
 * person would notify them.
 */
export class MentionNames {
	readonly #call: CallWithRetry;
	readonly #people: Pick<People, 'person' | 'groups'>;
	readonly #channels: LRUCache<string, ChannelName, string>;

	constructor({ call, people }: { call: CallWithRetry; people: Pick<People, 'person' | 'groups'> }) {
		this.#call = call;
		this.#people = people;
		this.#channels = new LRUCache({
			max: MAX_CHANNELS,
			ttl: CHANNEL_NAME_TTL_MS,
			ignoreFetchAbort: true,
			fetchMethod: (id, _, { context }) => this.#fetchChannel(context, id),
		});
	}

	/** Returns a Markdown text with names in place of mentions. */
	async replaceMentions(server: string, text: string): Promise<string> {
		const names = new Map<string, string>();
		for (const [markup, kind = '', id = ''] of text.matchAll(MENTION))
			if (!names.has(markup)) names.set(markup, await this.#nameOf(server, kind, id));
		return text.replace(MENTION, (markup) => names.get(markup) ?? markup).replace(SPECIAL_MENTION, '<\u200b');
	}

	async #nameOf(server: string, kind: string, id: string): Promise<string> {
		if (kind === '@') return `@${quoted((await this.#people.person(server, id)).name)}`;
		if (kind === '#') {
			const { name } = await this.#channels.forceFetch(id, { context: server });
			// https://docs.slack.dev/interactivity/deep-linking
			return name === undefined ? `[#${id}](https://slack.com/app_redirect?channel=${id})` : `#${quoted(name)}`;
		}
		const group = (await this.#people.groups(server)).find((one) => one.id === id);
		return `@${quoted(group?.handle || id)}`;
	}

	#fetchChannel(server: string, id: string): Promise<ChannelName> {
		return this.#call(server, 'conversations.info', (client) => client.conversations.info({ channel: id })).then(
			({ channel }) => ({ name: channel?.name }),
			() => ({ name: undefined }),
		);
	}
}
