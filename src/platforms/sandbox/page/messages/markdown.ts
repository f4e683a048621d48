import type { ComponentChildren, VNode } from 'preact';
import { useState } from 'preact/hooks';
import { h, html } from '../html.ts';
import { formatDate, t } from '../texts.ts';

type Inline = VNode | string;

/** Who can be mentioned, as `@easel`. */
export const MENTIONED = new Set(['@easel']);
const TIME: Intl.DateTimeFormatOptions = { dateStyle: 'medium', timeStyle: 'short' };
const MAX_DEPTH = 6;
const QUOTE = /^\s{0,3}>\s?/;
const ITEM = /^\s{0,3}(?:[-*+]|(\d{1,9})[.)])\s(.*)$/s;

/**
 * Renders a part of Markdown: bold, italic, strike, spoilers, code, fences, headings, lists, quotes, links and mentions. A text is never
 * parsed as HTML.
 */
export function markdown(text: string, depth = 0): VNode[] {
	const lines = text.replaceAll('\r\n', '\n').split('\n');
	/** The headings that there are, largest first: no level is left out for those who hear them. */
	const headings = [...new Set(text.match(/^#{1,3}(?=\s)/gm))].sort();
	const blocks: VNode[] = [];
	let index = 0;
	const takeWhile = (belongs: (line: string) => unknown): string[] => {
		const start = index;
		while (index < lines.length && belongs(lines[index] ?? '')) index += 1;
		return lines.slice(start, index);
	};
	/** Takes an item of a list, with what is indented below it. */
	const takeItem = ([, , words = '']: RegExpExecArray, inside: number): VNode => {
		index += 1;
		const nested = takeWhile((each) => depth < MAX_DEPTH && each.trim() && indentOf(each) >= inside);
		const bare = nested.map((each) => each.slice(Math.min(indentOf(each), indentOf(nested[0]))));
		return html`<li>${inline(words.trimStart())}${markdown(bare.join('\n'), depth + 1)}</li>`;
	};
	while (index < lines.length) {
		const line = lines[index] ?? '';
		const [, fence] = /^\s{0,3}(`{3,})[^`]*$/.exec(line) ?? [];
		const [, marks, title = ''] = /^(#{1,3})\s(.*)$/s.exec(line) ?? [];
		const first = ITEM.exec(line);
		if (fence) {
			index += 1;
			const code = takeWhile((each) => !each.trimStart().startsWith(fence));
			// It may be scrolled sideways.
			blocks.push(html`<pre tabindex="0"><code>${code.join('\n')}</code></pre>`);
			index += 1;
		} else if (marks) {
			// Below the heading of the channel.
			const name = `h${3 + headings.indexOf(marks)}`;
			blocks.push(html`<${name} class="heading-${marks.length}">${inline(title.trimStart())}<//>`);
			index += 1;
		} else if (/^\s{0,3}(?:-{3,}|\*{3,}|_{3,})\s*$/.test(line)) {
			blocks.push(html`<hr />`);
			index += 1;
		} else if (QUOTE.test(line) && depth < MAX_DEPTH) {
			const quoted = takeWhile((each) => QUOTE.test(each)).map((each) => each.replace(QUOTE, ''));
			blocks.push(html`<blockquote>${markdown(quoted.join('\n'), depth + 1)}</blockquote>`);
		} else if (first) {
			const [, number] = first;
			const items: VNode[] = [];
			for (let item: typeof first | null = first; item && !item[1] === !number; item = ITEM.exec(lines[index] ?? ''))
				items.push(takeItem(item, indentOf(line) + 2));
			blocks.push(number ? html`<ol start=${Number(number)}>${items}</ol>` : html`<ul>${items}</ul>`);
		} else {
			index += 1;
			const more = takeWhile((each) => line.trim() && each.trim() && !startsBlock(each));
			if (line.trim()) blocks.push(html`<p>${inline([line, ...more].join('\n'))}</p>`);
		}
	}
	return blocks;
}

const indentOf = (line = '') => line.length - line.trimStart().length;

const startsBlock = (line: string) => /^\s{0,3}(?:`{3}|>|#{1,3}\s)/.test(line) || ITEM.test(line);

type Rule = { pattern: RegExp; isLeaf?: boolean; make(found: string[], depth: number): Inline | undefined };

const leaf = (pattern: RegExp, make: Rule['make']): Rule => ({ pattern, isLeaf: true, make });

/** Text between marks, which is the first group that was found. */
const marked = (pattern: RegExp, name: string): Rule => ({
	pattern,
	make: ([, first, second], depth) => html`<${name}>${inline(first ?? second, depth)}<//>`,
});

/**
 * The rules of inline Markdown, tried in this order at each position. Rules that contain other text are not tried below `MAX_DEPTH`,
 * which limits the nesting.
 */
const RULES: readonly Rule[] = [
	leaf(/\n/y, () => html`<br />`),
	leaf(/\\([\\`*_~[\]()#>.!|-])/y, ([, text]) => text),
	leaf(/(`+)(?!`)((?:(?!\1).|\n)*?[^`])\1(?!`)/y, ([, , text = '']) => html`<code>${text.trim() || text}</code>`),
	marked(/\*\*(?=\S)([\s\S]*?\S)\*\*(?!\*)/y, 'strong'),
	marked(/\*(?=[^\s*])([^*\n]*[^\s*])\*(?!\*)|(?<![\p{L}\p{N}])_(?=[^\s_])([^_\n]*[^\s_])_(?![\p{L}\p{N}])/uy, 'em'),
	{
		pattern: /\|\|(?=\S)([\s\S]*?\S)\|\|/y,
		make: ([, text], depth) => h(Spoiler, { children: inline(text, depth) }),
	},
	leaf(/(?<![\p{L}\p{N}_])@[\p{L}\p{N}_]{1,40}/uy, ([text = '']) =>
		MENTIONED.has(text.toLowerCase()) ? html`<span class="mention">${text}</span>` : text,
	),
	marked(/~~(?=\S)([\s\S]*?\S)~~/y, 'del'),
	{
		// To the web, to messages of the sandbox itself, and to its files, to download.
		pattern:
			/\[([^\]\n]{1,500})\]\((https?:\/\/[^\s)]{1,2000}|#[\w.-]{1,100}\/\d{1,9}|\/sandbox\/files\/[^\s)]{1,1000}\?download)\)/y,
		make: ([, text, address = '']) => {
			const words = inline(text, MAX_DEPTH);
			if (address.startsWith('#')) return html`<a href=${address}>${words}</a>`;
			return address.startsWith('/') ? foreign(address, words) : link(address, words);
		},
	},
	leaf(/<t:(\d{1,11})>/y, ([, seconds]) => {
		const at = new Date(Number(seconds) * 1000);
		return html`<time datetime=${at.toISOString()}>${formatDate(at, TIME)}</time>`;
	}),
	{ pattern: /<(https?:\/\/[^\s<>]{1,2000})>/y, make: ([, address]) => link(address) },
	// Parentheses belong to an address in pairs.
	{
		pattern: /https?:\/\/(?:[^\s<>"'`*()]|\([^\s<>"'`*()]{0,200}\)){2,2000}(?<![.,:;!?\]])/y,
		make: ([address]) => link(address),
	},
];
const SPECIAL = /[\\`*_~[h<\n@|]/g;

function inline(text = '', depth = 0): Inline[] {
	const nodes: Inline[] = [];
	let end = 0;
	for (const { index } of text.matchAll(SPECIAL)) {
		const found = index >= end && firstRule(text, index, depth);
		if (!found) continue;
		nodes.push(text.slice(end, index), found.node);
		end = index + found.length;
	}
	return [...nodes, text.slice(end)];
}

function firstRule(text: string, at: number, depth: number) {
	for (const { pattern, isLeaf, make } of RULES) {
		if (depth >= MAX_DEPTH && !isLeaf) continue;
		pattern.lastIndex = at;
		const found = pattern.exec(text);
		const node = found && make(found, depth + 1);
		if (node) return { node, length: found[0].length };
	}
	return undefined;
}

/** Returns a link to the web, with the host that it leads to where its text is not the address. */
function link(address = '', children: Inline[] = [address]): VNode | undefined {
	const url = URL.parse(address);
	// A user name before the host can only mislead.
	if (!url || url.username || url.password) return undefined;
	const anchor = foreign(url.href, children);
	return textOf(children).includes(url.host)
		? anchor
		: html`<span>${anchor}<span class="host"> (${url.host})</span></span>`;
}

const foreign = (address: string | undefined, children: Inline[]) =>
	html`<a href=${address} target="_blank" rel="noopener noreferrer nofollow">${children}</a>`;

function Spoiler({ children }: { children: Inline[] }): VNode {
	const [isShown, setShown] = useState(false);
	const show = ({ currentTarget }: { currentTarget: HTMLElement }) => {
		// The button goes.
		currentTarget.closest<HTMLElement>('.message')?.focus({ preventScroll: true });
		setShown(true);
	};
	if (isShown) return html`<span class="spoiler">${children}</span>`;
	return html`<button class="spoiler covered" type="button" aria-label=${t('sandbox.message.spoiler')} onClick=${show}>
		<span aria-hidden="true">${children}</span>
	</button>`;
}

/** Returns Markdown as plain text on one line, for names and previews. A text that was cut may have marks without an end. */
export const plainText = (text: string): string =>
	markdown(text)
		.map(textOf)
		.join(' ')
		.replaceAll(/\*\*|~~|`+/g, '')
		.replaceAll(/\s+/g, ' ')
		.trim();

/** Returns the words of what was rendered. Hidden ones stay hidden. */
function textOf(node: ComponentChildren): string {
	if (Array.isArray(node)) return node.map(textOf).join('');
	if (typeof node !== 'object' || !node || !('props' in node)) return String(node ?? '');
	const { type, props } = node;
	const children = props.children as ComponentChildren;
	if (type === Spoiler) return '…';
	if (type === 'ul' || type === 'ol') return [children].flat().map(textOf).join(', ');
	if (type !== 'li') return textOf(children);
	const [words, nested] = children as [Inline[], VNode[]];
	return [textOf(words), ...nested.map(textOf)].join(', ');
}
