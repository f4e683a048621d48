import type { Team } from './model.ts';

/**
 * Returns typed text as Slack stores it: escaped, with mentions in place of names and links in place of addresses.
 *
 * @param withNames whether mentions contain the name besides the id, as in slash commands
 */
export function toMrkdwn(text: string, team: Team, withNames = false): string {
	const links = escaped(text).replace(/https?:\/\/[^\s<>]+/g, (url) => `<${url}>`);
	const mentions = [
		...[...team.users.values()].map(({ name, id, handle }) => [
			`@${name}`,
			withNames ? `<@${id}|${handle}>` : `<@${id}>`,
		]),
		...[...team.groups.values()].map(({ handle, id }) => [`@${handle}`, `<!subteam^${id}|@${handle}>`]),
		...[...team.channels.values()].map(({ name, id, kind }) => (kind === 'im' ? [] : [`#${name}`, `<#${id}|${name}>`])),
	] as [string?, string?][];
	// The client completes names from a list, in any letter case.
	const named = new Map(mentions.flatMap(([name, id]) => (name && id ? [[name.toLowerCase(), id]] : [])));
	const names = [...named.keys()].toSorted((a, b) => b.length - a.length).map((name) => RegExp.escape(name));
	return names.length === 0
		? links
		: links.replace(new RegExp(names.join('|'), 'gi'), (name) => named.get(name.toLowerCase()) ?? name);
}

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
