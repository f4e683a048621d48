import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { h, html } from '../html.ts';
import { formatDate, t } from '../texts.ts';
import { type Block, type Inline, parse } from './markdown.ts';

/** Who can be mentioned, as `@easel`. */
export const MENTIONED = new Set(['@easel']);
const TIME: Intl.DateTimeFormatOptions = { dateStyle: 'medium', timeStyle: 'short' };

function renderInline(node: Inline): VNode | string {
	switch (node.kind) {
		case 'text':
			return node.text;
		case 'break':
			return html`<br />`;
		case 'time':
			return html`<time datetime=${node.at.toISOString()}>${formatDate(node.at, TIME)}</time>`;
		case 'mention':
			return MENTIONED.has(node.text.toLowerCase()) ? html`<span class="mention">${node.text}</span>` : node.text;
		case 'spoiler':
			return h(Spoiler, { children: node.children.map(renderInline) });
		case 'code':
			return html`<code>${node.text}</code>`;
		case 'link':
			return renderLink(node);
		default:
			return html`<${node.kind}>${node.children.map(renderInline)}<//>`;
	}
}

/** Text that is hidden until a person shows it. */
function Spoiler({ children }: { children: (VNode | string)[] }): VNode {
	const [isShown, setShown] = useState(false);
	if (isShown) return html`<span class="spoiler">${children}</span>`;
	return html`<button class="spoiler covered" type="button" aria-label=${t('sandbox.message.spoiler')} onClick=${() => setShown(true)}>
		<span aria-hidden="true">${children}</span>
	</button>`;
}

function renderLink({ url, host, children }: Extract<Inline, { kind: 'link' }>): VNode {
	const foreign = url.startsWith('#') ? {} : { target: '_blank', rel: 'noopener noreferrer nofollow' };
	const link = html`<a href=${url} ...${foreign}>${children.map(renderInline)}</a>`;
	// The text is not the address: shows the host that the link leads to.
	return textOf(children).includes(host) ? link : html`<span>${link}<span class="host"> (${host})</span></span>`;
}

function renderBlock(block: Block): VNode {
	switch (block.kind) {
		case 'paragraph':
			return html`<p>${block.children.map(renderInline)}</p>`;
		case 'heading':
			// Below the heading of the channel.
			return html`<${`h${block.level + 2}`}>${block.children.map(renderInline)}<//>`;
		case 'fence':
			return html`<pre><code>${block.text}</code></pre>`;
		case 'quote':
			return html`<blockquote>${block.children.map(renderBlock)}</blockquote>`;
		case 'rule':
			return html`<hr />`;
		case 'list': {
			const items = block.items.map(
				({ text, nested }) => html`<li>${text.map(renderInline)}${nested.map(renderBlock)}</li>`,
			);
			return block.ordered ? html`<ol start=${block.start}>${items}</ol>` : html`<ul>${items}</ul>`;
		}
	}
}

/** Renders Markdown. A text is never parsed as HTML. */
export const markdown = (text: string): VNode[] => parse(text).map(renderBlock);

/** Returns Markdown as plain text on one line, for names and previews. A text that was cut may have marks without an end. */
export const plainText = (text: string): string =>
	parse(text)
		.map(blockText)
		.join(' ')
		.replaceAll(/\*\*|~~|`+/g, '')
		.replaceAll(/\s+/g, ' ')
		.trim();

function blockText(block: Block): string {
	if (block.kind === 'list')
		return block.items.map(({ text, nested }) => [textOf(text), ...nested.map(blockText)].join(', ')).join(', ');
	if (block.kind === 'quote') return block.children.map(blockText).join('');
	if (block.kind === 'fence') return block.text;
	return block.kind === 'rule' ? '' : textOf(block.children);
}

const textOf = (nodes: readonly Inline[]): string =>
	nodes
		.map((node) => {
			if (node.kind === 'break') return '';
			// Names and previews hide it too.
			if (node.kind === 'spoiler') return '…';
			if (node.kind === 'time') return formatDate(node.at, TIME);
			const host = node.kind === 'link' && !textOf(node.children).includes(node.host) ? ` (${node.host})` : '';
			return 'text' in node ? node.text : textOf(node.children) + host;
		})
		.join('');
