import type { types } from '@slack/bolt';

type Style = NonNullable<types.RichTextText['style']>;

/** An escaped character, bold, code, a link, or italic. */
const MARKUP =
	/\\([!-/:-@[-`{-~])|\*\*((?:\\.|[^\\])+?)\*\*|`([^`\n]+)`|\[((?:\\.|[^\\[\]])*)\]\(([^()\s]+)\)|(?<![\w*])\*(?=\S)((?:\\.|[^\\*\n])+)(?<=\S)\*(?![\w*])/g;

/**
 * Returns the Markdown of a caption as rich text, for messages that cannot have Markdown blocks. Nothing in it becomes a mention.
 * https://docs.slack.dev/reference/block-kit/blocks/rich-text-block
 */
export const richTextOf = (markdown: string): types.RichTextBlock => ({
	type: 'rich_text',
	elements: [{ type: 'rich_text_section', elements: elementsOf(markdown, {}) }],
});

function elementsOf(markdown: string, style: Style): types.RichTextElement[] {
	const elements: types.RichTextElement[] = [];
	let plain = '';
	const flush = () => {
		if (plain !== '') elements.push({ type: 'text', text: plain, ...styled(style) });
		plain = '';
	};
	let end = 0;
	for (const match of markdown.matchAll(MARKUP)) {
		const [all, character, bold, code, label = '', url, italic] = match;
		plain += markdown.slice(end, match.index) + (character ?? '');
		end = match.index + all.length;
		if (character !== undefined) continue;
		flush();
		if (bold !== undefined) elements.push(...elementsOf(bold, { ...style, bold: true }));
		else if (italic !== undefined) elements.push(...elementsOf(italic, { ...style, italic: true }));
		else if (code !== undefined) elements.push({ type: 'text', text: code, style: { ...style, code: true } });
		else if (url !== undefined) elements.push({ type: 'link', url, text: unescaped(label) || url, ...styled(style) });
	}
	plain += markdown.slice(end);
	flush();
	return elements;
}

const styled = (style: Style) => (Object.keys(style).length > 0 ? { style } : {});

const unescaped = (markdown: string) => markdown.replace(/\\([!-/:-@[-`{-~])/g, '$1');
