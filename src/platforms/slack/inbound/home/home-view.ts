import type { types } from '@slack/bolt';
import type { HomeView } from '../../../../domain/platform.ts';
import { clip, oneLine } from '../../../../domain/text.ts';
import type { Translate } from '../../../../i18n/translator.ts';
import type { Image } from '../../api/blocks.ts';
import { MAX_ALT } from '../../api/limits.ts';

/** https://docs.slack.dev/reference/block-kit/blocks/section-block · https://docs.slack.dev/reference/block-kit/blocks/header-block */
const MAX_SECTION = 3000;
const MAX_HEADER = 150;
const MAX_PROMPT = 300;

/** A recent result with the pictures to show of it. */
export type HomeResult = Pick<HomeView['recent'][number], 'prompt' | 'at'> & { images: readonly Image[] };

/**
 * Returns the blocks of the home page.
 *
 * @param usage Markdown
 */
export function homeBlocks(t: Translate, usage: string, results: readonly HomeResult[]): types.KnownBlock[] {
	const date = new Intl.DateTimeFormat(t.language, { dateStyle: 'medium', timeZone: 'UTC' });
	return [
		header(t('slack.home.usage')),
		section(usage || '…'),
		...(results.length === 0 ? [] : [{ type: 'divider' as const }, header(t('slack.home.pictures'))]),
		...results.flatMap((result) => resultBlocks(t, result, date.format(result.at))),
	];
}

const resultBlocks = (t: Translate, { prompt, images }: HomeResult, date: string): types.KnownBlock[] => [
	...images.map(({ file, alt }) => ({
		type: 'image' as const,
		slack_file: { id: file },
		alt_text: oneLine(alt || prompt, MAX_ALT) || t('results.picture'),
	})),
	{
		type: 'context',
		elements: [{ type: 'plain_text', text: `${date} · ${oneLine(prompt, MAX_PROMPT)}`, emoji: false }],
	},
];

const header = (text: string): types.HeaderBlock => ({
	type: 'header',
	text: { type: 'plain_text', text: oneLine(text, MAX_HEADER), emoji: false },
});

/** Views have no Markdown blocks. `verbatim` keeps names from becoming mentions. */
const section = (markdown: string): types.SectionBlock => ({
	type: 'section',
	text: { type: 'mrkdwn', text: clip(mrkdwnOf(markdown), MAX_SECTION), verbatim: true },
});

/** Converts the Markdown of usage messages, which are lists with bold figures, to Slack's markup. */
const mrkdwnOf = (markdown: string): string =>
	markdown
		.replaceAll('&', '&amp;')
		.replaceAll('<', '&lt;')
		.replaceAll('>', '&gt;')
		.replace(/^- /gm, '• ')
		.replace(/\*\*(.+?)\*\*/g, '*$1*');
