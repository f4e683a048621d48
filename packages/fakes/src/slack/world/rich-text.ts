import type { Block, Json } from './model.ts';
import { unescaped } from './mrkdwn.ts';

const TOKENS = [
	/```(?<preformatted>[\s\S]*?)```/,
	/`(?<code>[^`\n]+)`/,
	/<@(?<user>\w+)(?:\|[^>]*)?>/,
	/<#(?<channel>\w+)(?:\|[^>]*)?>/,
	/<!subteam\^(?<group>\w+)(?:\|[^>]*)?>/,
	/<!(?<range>here|channel|everyone)>/,
	/<(?<url>[a-z]+:[^|>]+)(?:\|(?<label>[^>]*))?>/,
	/(?<![\w&])#(?<color>[0-9a-fA-F]{6})(?!\w)/,
	/:(?<emoji>[\w+'-]+):(?::skin-tone-(?<tone>\d):)?/,
	/(?<![\w*])\*(?<bold>[^*\n]+)\*(?![\w*])/,
	/(?<![\w_])_(?<italic>[^_\n]+)_(?![\w_])/,
];
const TOKEN = new RegExp(TOKENS.map(({ source }) => source).join('|'), 'g');

/** Returns the blocks that Slack's client makes of typed text. https://docs.slack.dev/reference/block-kit/blocks/rich-text-block */
export function richTextOf(mrkdwn: string): Block[] {
	const parts: Json[] = [];
	const inline = (element: Json) => {
		const last = parts.at(-1);
		if (last?.['type'] === 'rich_text_section') (last['elements'] as Json[]).push(element);
		else parts.push({ type: 'rich_text_section', elements: [element] });
	};
	const plain = (words: string, style?: string) => {
		if (words) inline({ type: 'text', text: unescaped(words), ...(style && { style: { [style]: true } }) });
	};
	let end = 0;
	for (const match of mrkdwn.matchAll(TOKEN)) {
		plain(mrkdwn.slice(end, match.index));
		end = match.index + match[0].length;
		const { preformatted, code, user, channel, group, range, url, label, color, emoji, tone, bold, italic } =
			match.groups ?? {};
		if (preformatted !== undefined)
			parts.push({
				type: 'rich_text_preformatted',
				elements: [{ type: 'text', text: unescaped(preformatted).replace(/^\n|\n$/g, '') }],
			});
		else if (code) plain(code, 'code');
		else if (bold) plain(bold, 'bold');
		else if (italic) plain(italic, 'italic');
		else if (user) inline({ type: 'user', user_id: user });
		else if (channel) inline({ type: 'channel', channel_id: channel });
		else if (group) inline({ type: 'usergroup', usergroup_id: group });
		else if (range) inline({ type: 'broadcast', range });
		else if (url) inline({ type: 'link', url: unescaped(url), ...(label && { text: unescaped(label) }) });
		else if (color) inline({ type: 'color', value: `#${color}` });
		else if (emoji) inline({ type: 'emoji', name: emoji, ...(tone && { skin_tone: Number(tone) }) });
	}
	plain(mrkdwn.slice(end));
	return [{ type: 'rich_text', block_id: 'words', elements: parts }];
}
