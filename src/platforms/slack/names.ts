import type { Call } from './call.ts';
import type { Installations, People } from './parts.ts';

/** What `Channel.refer` puts into a text: Slack's own way to write somebody, a channel or a user group. */
export const token = (kind: 'person' | 'channel' | 'role', id: string) =>
	`<${{ person: '@', channel: '#', role: '!subteam^' }[kind]}${id}>`;

const TOKEN = /<(@|#|!subteam\^)([A-Z0-9]{2,})(?:\|[^<>\n]*)?>/g;
/** What rings for many, and what is no Markdown. A zero-width space stands between its beginning and its end. */
const ALARM = /<(?=!(?:here|channel|everyone|subteam|date)\b)/g;

export type Names = ReturnType<typeof createNames>;

/**
 * A text in which people, channels and groups are told by their names, so that none of them is rung for. Slack shows names that
 * it is given by id, but in its blocks of standard Markdown that is said nowhere; and a person would be notified.
 */
export function createNames({
	call,
	people,
	installations,
}: {
	call: Call;
	people: People;
	installations: Installations;
}) {
	/** Names of channels; who renames one may see the old name until the next start. */
	const channels = new Map<string, string>();

	async function channelName(server: string, id: string): Promise<string> {
		const known = channels.get(id);
		if (known !== undefined) return known;
		const scopes = (await installations.of(server))?.scopes ?? [];
		// Not a permission that is needed for anything else: without it a link has to do.
		if (!scopes.includes('channels:read')) return id;
		const name = await call(server, 'conversations.info', (client) => client.conversations.info({ channel: id })).then(
			({ channel }) => channel?.name ?? id,
			() => id,
		);
		channels.set(id, name);
		return name;
	}

	async function nameOf(server: string, kind: string, id: string): Promise<string> {
		if (kind === '@') return `@${escaped((await people.person(server, id)).name)}`;
		// https://docs.slack.dev/interactivity/deep-linking
		if (kind === '#')
			return `[#${escaped(await channelName(server, id))}](https://slack.com/app_redirect?channel=${id})`;
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
