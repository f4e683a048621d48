import type { Team } from './model.ts';

/**
 * Returns typed text as Slack stores it: escaped, with mentions in place of names and links in place of addresses.
 *
 * @param withNames whether mentions contain the name besides the id, as in slash commands. Those of private channels have an empty one
 */
export function toMrkdwn(text: string, team: Team, withNames = false): string {
	const links = escaped(withShortcodes(text))
		.replace(/https?:\/\/[^\s<>]+/g, (url) => `<${url}>`)
		.replace(/(?<![\w.])[\w.]+@[\w.]+\.\w+/g, (address) => `<mailto:${address}|${address}>`)
		.replace(/\+\d[\d ]{6,}\d/g, (number) => `<tel:${number.replaceAll(' ', '')}|${number}>`)
		.replace(/@(here|channel|everyone)\b/g, '<!$1>');
	const labelled = (markup: string, label: string) => (withNames ? `<${markup}|${label}>` : `<${markup}>`);
	const mentions = [
		...[...team.users.values()].map(({ name, id, handle }) => [`@${name}`, labelled(`@${id}`, handle)]),
		...[...team.groups.values()].map(({ handle, id }) => [`@${handle}`, labelled(`!subteam^${id}`, `@${handle}`)]),
		...[...team.channels.values()].map(({ name, id, kind }) =>
			kind === 'im' ? [] : [`#${name}`, labelled(`#${id}`, kind === 'private' ? '' : name)],
		),
	] as [string?, string?][];
	// The client completes names from a list, in any letter case.
	const named = new Map(mentions.flatMap(([name, id]) => (name && id ? [[name.toLowerCase(), id]] : [])));
	const names = [...named.keys()].toSorted((a, b) => b.length - a.length).map((name) => RegExp.escape(name));
	return names.length === 0
		? links
		: links.replace(new RegExp(names.join('|'), 'gi'), (name) => named.get(name.toLowerCase()) ?? name);
}

/** Some of Slack's names. Skin tones are names of their own. https://github.com/iamcal/emoji-data */
const SHORTCODES: Readonly<Record<string, string>> = {
	...{ '🦊': 'fox_face', '❄️': 'snowflake', '👋': 'wave', '🤷‍♂️': 'man-shrugging', '🌙': 'crescent_moon', '🅱️': 'b' },
	...{ '👍': '+1', '🇩🇪': 'flag-de', '❤️': 'heart', '🏻': 'skin-tone-2', '🏼': 'skin-tone-3', '🏽': 'skin-tone-4' },
	...{ '🏾': 'skin-tone-5', '🏿': 'skin-tone-6' },
};
const EMOJI = /\p{RI}{2}|(?![#*\d])\p{Emoji}(\p{Emoji_Modifier})?\ufe0f?(?:\u200d\p{Emoji}\ufe0f?)*/gu;

/** Slack's clients send emoji by their names. */
const withShortcodes = (text: string): string =>
	text.replace(EMOJI, (emoji, tone: string | undefined) => {
		const name = SHORTCODES[tone ? emoji.replace(tone, '') : emoji];
		return name ? `:${name}:${tone ? `:${SHORTCODES[tone]}:` : ''}` : emoji;
	});

export const escaped = (text: string): string =>
	text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

export const unescaped = (text: string): string =>
	text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');

/** Returns Slack's markup as Markdown. */
export function toMarkdown(mrkdwn: string, team: Team): string {
	return mrkdwn
		.split(/(```[\s\S]*?```|`[^`\n]+`)/)
		.map((part, index) => (index % 2 === 1 ? unescaped(part) : unescaped(styled(named(part, team)))))
		.join('');
}

/** A link to a channel, which looks like a mention of it. https://docs.slack.dev/interactivity/deep-linking */
const CHANNEL_LINK = /\[(#[^\]]+)\]\(https:\/\/slack\.com\/app_redirect\?channel=\w+\)/g;

/** Returns Markdown with names in place of mentions. */
export function visibleMarkdown(markdown: string, team: Team): string {
	return markdown
		.split(/(```[\s\S]*?```|`[^`\n]+`)/)
		.map((part, index) => (index % 2 === 1 ? part : unescaped(named(part, team)).replace(CHANNEL_LINK, '$1')))
		.join('');
}

const styled = (text: string) =>
	text
		.replace(/(?<![\w*])\*(?=\S)([^*\n]+?)(?<=\S)\*(?![\w*])/g, '**$1**')
		.replace(/(?<![\w_])_(?=\S)([^_\n]+?)(?<=\S)_(?![\w_])/g, '*$1*')
		.replace(/(?<![\w~])~(?=\S)([^~\n]+?)(?<=\S)~(?![\w~])/g, '~~$1~~');

const named = (text: string, team: Team) =>
	text
		.replace(/<@(\w+)(?:\|[^>]*)?>/g, (all, id) => (team.users.has(id) ? `@${team.users.get(id)?.name}` : all))
		.replace(/<#(\w+)(?:\|[^>]*)?>/g, (all, id) => (team.channels.has(id) ? `#${team.channels.get(id)?.name}` : all))
		.replace(/<!subteam\^(\w+)(?:\|[^>]*)?>/g, (all, id) =>
			team.groups.has(id) ? `@${team.groups.get(id)?.handle}` : all,
		)
		.replace(/<!date\^[^|>]*\|([^>]*)>/g, '$1')
		.replace(/<(https?:[^|>]+)\|([^>]*)>/g, '[$2]($1)')
		.replace(/<((?:https?|mailto):[^|>]+)>/g, '$1');
