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

type Make = (found: string[], depth: number) => Inline | undefined;
type Rule = readonly [pattern: RegExp, make: Make];

/** The rules of inline Markdown that contain no other text, and so can be nested below `MAX_DEPTH`. */
const LEAVES: readonly Rule[] = [
	[/\n/y, () => html`<br />`],
	[/\\([\\`*_~[\]()#>.!|-])/y, ([, text]) => text],
	[/(`+)(?!`)((?:(?!\1).|\n)*?[^`])\1(?!`)/y, ([, , text = '']) => html`<code>${text.trim() || text}</code>`],
	[
		/(?<![\p{L}\p{N}_])@[\p{L}\p{N}_]{1,40}/uy,
		([text = '']) => (MENTIONED.has(text.toLowerCase()) ? html`<span class="mention">${text}</span>` : text),
	],
	[/<t:(\d{1,11})>/y, ([, seconds]) => timeAt(new Date(Number(seconds) * 1000))],
];

const timeAt = (at: Date) => html`<time datetime=${at.toISOString()}>${formatDate(at, TIME)}</time>`;

/** Makes an element of the text between marks, which is the first group that was found. */
const marked =
	(name: string): Make =>
	([, first, second], depth) =>
		html`<${name}>${inline(first ?? second, depth)}<//>`;

/** To the web, to messages of the sandbox itself, and to its files, to download. */
const LINK =
	/\[([^\]\n]{1,500})\]\((https?:\/\/[^\s)]{1,2000}|#[\w.-]{1,100}\/\d{1,9}|\/sandbox\/files\/[^\s)]{1,1000}\?download)\)/y;
/** Parentheses belong to an address in pairs. */
const ADDRESS = /https?:\/\/(?:[^\s<>"'`*()]|\([^\s<>"'`*()]{0,200}\)){2,2000}(?<![.,:;!?\]])/y;

const CONTAINERS: readonly Rule[] = [
	[/\*\*(?=\S)([\s\S]*?\S)\*\*(?!\*)/y, marked('strong')],
	[/\*(?=[^\s*])([^*\n]*[^\s*])\*(?!\*)|(?<![\p{L}\p{N}])_(?=[^\s_])([^_\n]*[^\s_])_(?![\p{L}\p{N}])/uy, marked('em')],
	[/\|\|(?=\S)([\s\S]*?\S)\|\|/y, ([, text], depth) => h(Spoiler, { children: inline(text, depth) })],
	[/~~(?=\S)([\s\S]*?\S)~~/y, marked('del')],
	[LINK, ([, text, address = '']) => link(address, inline(text, MAX_DEPTH))],
	[/<(https?:\/\/[^\s<>]{1,2000})>/y, ([, address]) => link(address)],
	[ADDRESS, ([address]) => link(address)],
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

const RULES: readonly Rule[] = [...LEAVES, ...CONTAINERS];

function firstRule(text: string, at: number, depth: number) {
	for (const [pattern, make] of depth < MAX_DEPTH ? RULES : LEAVES) {
		pattern.lastIndex = at;
		const found = pattern.exec(text);
		const node = found && make(found, depth + 1);
		if (node) return { node, length: found[0].length };
	}
	return undefined;
}

/** Returns a link; to the web, with the host that it leads to where its text is not the address. */
function link(address = '', children: Inline[] = [address]): VNode | undefined {
	if (address.startsWith('#')) return html`<a href=${address}>${children}</a>`;
	if (address.startsWith('/')) return foreign(address, children);
	const url = URL.parse(address);
	// A user name before the host can only mislead.
	if (!url || url.username || url.password) return undefined;
	const anchor = foreign(url.href, children);
	const isNamed = textOf(children).includes(url.host);
	return isNamed ? anchor : html`<span>${anchor}<span class="host"> (${url.host})</span></span>`;
}

const foreign = (address: string, children: Inline[]) =>
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
