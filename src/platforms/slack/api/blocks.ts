import type { types } from '@slack/bolt';
import type { Button } from '../../../domain/reply.ts';
import { clip } from '../../../domain/text.ts';
import { LIMITS, MAX_ALT, MAX_BUTTON_ID, MAX_BUTTON_LABEL, MAX_BUTTONS } from './limits.ts';
import type { Image } from './message-records.ts';

/** What a message says, and what stands below it. */
export type MessageBlocks = { text: string; blocks: types.KnownBlock[] };

/** Enough of a message for a notification, and for readers of no blocks. */
const MAX_FALLBACK = 500;

/** Throws `RangeError` for what Slack would not take, so that it is never sent. */
export function messageBlocksOf(text: string, images: readonly Image[], buttons: readonly Button[]): MessageBlocks {
	if (text.length > MOST_SPELLED)
		throw new RangeError(`A message has at most ${LIMITS.text} characters; this has ${text.length}`);
	if (images.length > LIMITS.pictures)
		throw new RangeError(`A message has at most ${LIMITS.pictures} pictures; this has ${images.length}`);
	if (buttons.length > MAX_BUTTONS) throw new RangeError(`A message has at most ${MAX_BUTTONS} buttons`);
	const clean = text.toWellFormed();
	const blocks: types.KnownBlock[] = [
		...(clean.trim() === '' ? [] : [{ type: 'markdown' as const, text: clean }]),
		...images.map(({ file, alt }) => ({
			type: 'image' as const,
			slack_file: { id: file },
			alt_text: clip(alt || 'Picture', MAX_ALT),
		})),
		...(buttons.length === 0 ? [] : [{ type: 'actions' as const, elements: buttons.map(buttonOf) }]),
	];
	return {
		text: fallbackOf(clean) || escaped(clip(images.map(({ alt }) => alt).join(', '), MAX_FALLBACK)) || '…',
		blocks,
	};
}

/** Names that take the place of ids may make a text a little longer. */
const MOST_SPELLED = LIMITS.text * 2;

function buttonOf({ id, label, kind }: Button): types.Button {
	if (id.length > MAX_BUTTON_ID) throw new RangeError(`A button's id has at most ${MAX_BUTTON_ID} characters: ${id}`);
	return {
		type: 'button',
		text: { type: 'plain_text', text: clip(label, MAX_BUTTON_LABEL), emoji: true },
		action_id: id,
		value: id,
		...(kind === 'danger' && { style: 'danger' }),
	};
}

/**
 * Markdown as plain words, in which nothing is a mention: `&`, `<` and `>` are the only characters that mean something there.
 * https://docs.slack.dev/messaging/formatting-message-text#escaping
 */
export function fallbackOf(markdown: string): string {
	const plain = markdown
		.replace(/```[\w+#.-]*\n?/g, '')
		.replace(/!?\[((?:[^[\]\\]|\\.)*)\]\([^()\s]*\)/g, '$1')
		.replace(/^ {0,3}(?:#{1,6} |> ?)/gm, '')
		.replace(/\*\*|__|~~|(?<!\\)[*`]/g, '')
		.replace(/\\([!-/:-@[-`{-~])/g, '$1')
		.trim();
	return escaped(clip(plain, MAX_FALLBACK));
}

const escaped = (text: string) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
