import type { types } from '@slack/bolt';
import type { Button, Picture } from '../../../domain/channel.ts';
import { clip, oneLine } from '../../../domain/text.ts';

export type NamedKind = 'person' | 'channel' | 'role';

const SIGNS: Readonly<Record<NamedKind, string>> = { person: '@', channel: '#', role: '!subteam^' };

/** A mention in Slack's markup: its sign, the id, and the label that commands have. https://docs.slack.dev/messaging/formatting-message-text */
export const MENTION = /<(@|#|!subteam\^)([A-Z0-9]+)(?:\|([^<>\n]*))?>/g;

export const mention = (kind: NamedKind, id: string): string => `<${SIGNS[kind]}${id}>`;

export const kindOf = (sign: string): NamedKind =>
	sign === SIGNS.channel ? 'channel' : sign === SIGNS.role ? 'role' : 'person';

/** https://docs.slack.dev/messaging/formatting-message-text#escaping */
export const escaped = (text: string): string =>
	text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');

export const unescaped = (text: string): string =>
	text.replace(/&lt;/g, '<').replace(/&gt;/g, '>').replace(/&amp;/g, '&');

/** A picture in a message: the file that its block shows, and the title above it. */
export type Image = { file: string; alt: string; title?: string };

/** https://docs.slack.dev/reference/block-kit/blocks/image-block and …/block-elements/button-element */
const MAX_ALT = 2000;
const MAX_BUTTON_LABEL = 75;

/** The content of a message; `text` is for notifications and clients without blocks. */
export type MessageBlocks = { text: string; blocks: types.KnownBlock[] };

/** Enough for a notification. */
const MAX_FALLBACK = 500;

/** @param notify the id of a person whom a mention notifies: the text of such a message is one line without markup */
export function messageBlocksOf(
	text: string,
	images: readonly Image[],
	buttons: readonly Button[],
	notify?: string,
): MessageBlocks {
	const clean = text.toWellFormed();
	const blocks: types.KnownBlock[] = [];
	if (notify !== undefined) {
		// Markdown blocks have no mentions by id.
		blocks.push({ type: 'section', text: { type: 'mrkdwn', text: `<@${notify}> ${escaped(clean)}` } });
	} else if (clean.trim() !== '') blocks.push({ type: 'markdown', text: clean });
	blocks.push(...images.map(imageBlockOf));
	if (buttons.length > 0) blocks.push({ type: 'actions', elements: buttons.map(buttonOf) });
	const alts = images.map(({ alt }) => alt).join(', ');
	return { text: fallbackOf(clean) || escaped(clip(alts, MAX_FALLBACK)) || '…', blocks };
}

/** Returns blocks with Markdown as plain text, which Slack accepts whatever is in it. */
export const plainBlocksOf = (blocks: readonly types.KnownBlock[]): types.KnownBlock[] =>
	blocks.flatMap((block): types.KnownBlock[] => {
		if (block.type !== 'markdown') return [block];
		const pieces = block.text.match(PLAIN_PIECE) ?? [];
		return pieces.map((text) => ({ type: 'section', text: { type: 'plain_text', text, emoji: false } }));
	});

/** A section has at most 3,000 UTF-16 units. https://docs.slack.dev/reference/block-kit/blocks/section-block */
const PLAIN_PIECE = /[\s\S]{1,1500}/gu;

export const imageBlockOf = ({ file, alt, title }: Image): types.ImageBlock => ({
	type: 'image',
	slack_file: { id: file },
	alt_text: oneLine(alt || 'Picture', MAX_ALT),
	...(title && { title: plainText(title) }),
});

export const plainText = (text: string, max = Number.POSITIVE_INFINITY): types.PlainTextElement => ({
	type: 'plain_text',
	text: oneLine(text, max),
	emoji: true,
});

export const imagesIn = (blocks: readonly object[]): Image[] =>
	(blocks as readonly Partial<types.ImageBlock & { slack_file: { id?: string } }>[]).flatMap(
		({ type, slack_file, alt_text = '', title }) =>
			type === 'image' && slack_file?.id
				? [{ file: slack_file.id, alt: alt_text, ...(title && { title: title.text }) }]
				: [],
	);

const buttonOf = ({ id, label, kind }: Button): types.Button => ({
	type: 'button',
	text: plainText(label, MAX_BUTTON_LABEL),
	action_id: id,
	value: id,
	...(kind === 'danger' && { style: 'danger' }),
});

/**
 * Returns Markdown as plain text without mentions. Only `&`, `<` and `>` have a meaning there.
 * https://docs.slack.dev/messaging/formatting-message-text#escaping
 */
export const fallbackOf = (markdown: string): string => escaped(clip(withoutMarkup(markdown), MAX_FALLBACK));

export const withoutMarkup = (markdown: string): string =>
	markdown
		.replace(/```[\w+#.-]*\n?/g, '')
		.replace(/\\.|!?\[((?:[^[\]\\]|\\.)*)\]\([^()\s]*\)/g, (all, label?: string) => label ?? all)
		.replace(/^ {0,3}(?:#{1,6} |> ?)/gm, '')
		.replace(/\*\*|__|~~|(?<!\\)[*`]/g, '')
		.replace(/\\([!-/:-@[-`{-~])/g, '$1')
		.trim();

/** Whether a message can show a picture: PNG, JPEG and GIF. https://docs.slack.dev/reference/block-kit/blocks/image-block */
export const isShowable = ({ bytes }: Picture) =>
	/^(?:\x89PNG|\xff\xd8\xff|GIF8)/.test(Buffer.from(bytes.subarray(0, 4)).toString('latin1'));
