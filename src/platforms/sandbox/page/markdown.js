/**
 * A small, safe part of Markdown: bold, italic, strike, code, fences, headings, lists, quotes and links. Elements are made one
 * by one and text stays text, so nothing that a message says becomes markup; mentions stay words.
 */

/**
 * @typedef {{ kind: 'text', text: string } | { kind: 'code', text: string } | { kind: 'break' }
 *   | { kind: 'time', at: Date } | { kind: 'strong' | 'em' | 'del', children: Inline[] } | { kind: 'link', url: string, host: string, children: Inline[] }} Inline
 * @typedef {{ kind: 'paragraph', children: Inline[] } | { kind: 'heading', level: number, children: Inline[] }
 *   | { kind: 'fence', language: string, text: string } | { kind: 'quote', children: Block[] }
 *   | { kind: 'list', ordered: boolean, start: number, items: Inline[][] } | { kind: 'rule' }} Block
 */

const DEPTH = 6;
const ITEM = /^\s{0,3}(?:[-*+]|(\d{1,9})[.)])\s+(.*)$/;

/** @param {string} text @returns {Block[]} */
export function parse(text, depth = 0) {
	const lines = text.replaceAll('\r\n', '\n').split('\n');
	/** @type {Block[]} */
	const blocks = [];
	for (let index = 0; index < lines.length; ) {
		const line = lines[index];
		const fence = /^\s{0,3}(`{3,})\s*([\w+#.-]*)\s*$/.exec(line);
		const heading = /^(#{1,3})\s+(.*)$/.exec(line);
		if (fence) {
			const start = ++index;
			while (index < lines.length && !lines[index].trimStart().startsWith(fence[1])) index += 1;
			blocks.push({ kind: 'fence', language: fence[2], text: lines.slice(start, index).join('\n') });
			index += 1;
		} else if (heading) {
			blocks.push({ kind: 'heading', level: heading[1].length, children: inline(heading[2]) });
			index += 1;
		} else if (/^\s{0,3}(?:-{3,}|\*{3,}|_{3,})\s*$/.test(line)) {
			blocks.push({ kind: 'rule' });
			index += 1;
		} else if (/^\s{0,3}>/.test(line) && depth < DEPTH) {
			const start = index;
			while (index < lines.length && /^\s{0,3}>/.test(lines[index])) index += 1;
			const quoted = lines.slice(start, index).map((quote) => quote.replace(/^\s{0,3}>\s?/, ''));
			blocks.push({ kind: 'quote', children: parse(quoted.join('\n'), depth + 1) });
		} else if (ITEM.test(line)) {
			const first = /** @type {RegExpExecArray} */ (ITEM.exec(line))[1];
			const items = [];
			for (let item = ITEM.exec(line); item && (item[1] === undefined) === (first === undefined); ) {
				items.push(inline(item[2]));
				item = ITEM.exec(lines[++index] ?? '');
			}
			blocks.push({ kind: 'list', ordered: first !== undefined, start: Number(first ?? 1), items });
		} else if (line.trim() === '') {
			index += 1;
		} else {
			const start = index++;
			while (index < lines.length && lines[index].trim() !== '' && !startsBlock(lines[index])) index += 1;
			blocks.push({ kind: 'paragraph', children: inline(lines.slice(start, index).join('\n')) });
		}
	}
	return blocks;
}

/** @param {string} line */
const startsBlock = (line) => /^\s{0,3}(?:`{3}|>|#{1,3}\s)/.test(line) || ITEM.test(line);

/**
 * What can stand within a line, each tried in this order at the place where the scan stands. Those that hold other text are
 * not tried below `DEPTH`, so that no message can nest without end.
 * @type {{ pattern: RegExp, leaf?: true, make(found: RegExpExecArray, depth: number): Inline | undefined }[]}
 */
const RULES = [
	{ pattern: /\n/y, leaf: true, make: () => ({ kind: 'break' }) },
	{ pattern: /\\([\\`*_~[\]()#>.!|-])/y, leaf: true, make: ([, text]) => ({ kind: 'text', text }) },
	{
		pattern: /(`+)(?!`)((?:(?!\1).|\n)*?[^`])\1(?!`)/y,
		leaf: true,
		make: ([, , text]) => ({ kind: 'code', text: text.trim() || text }),
	},
	{
		pattern: /\*\*(?=\S)([\s\S]*?\S)\*\*(?!\*)/y,
		make: ([, text], depth) => ({ kind: 'strong', children: inline(text, depth) }),
	},
	{
		pattern: /\*(?=[^\s*])([^*\n]*[^\s*])\*(?!\*)|(?<![\p{L}\p{N}])_(?=[^\s_])([^_\n]*[^\s_])_(?![\p{L}\p{N}])/uy,
		make: ([, stars, lines], depth) => ({ kind: 'em', children: inline(stars ?? lines, depth) }),
	},
	{ pattern: /~~(?=\S)([\s\S]*?\S)~~/y, make: ([, text], depth) => ({ kind: 'del', children: inline(text, depth) }) },
	{
		pattern: /\[([^\]\n]{1,500})\]\((https?:\/\/[^\s)]{1,2000})\)/y,
		make: ([, text, address]) => link(address, inline(text, DEPTH)),
	},
	{
		pattern: /<t:(\d{1,11})>/y,
		leaf: true,
		make: ([, seconds]) => ({ kind: 'time', at: new Date(Number(seconds) * 1000) }),
	},
	{ pattern: /<(https?:\/\/[^\s<>]{1,2000})>/y, make: ([, address]) => link(address) },
	{ pattern: /https?:\/\/[^\s<>"'`*]{1,2000}[^\s<>"'`*.,:;!?)\]]/y, make: ([address]) => link(address) },
];
const SPECIAL = /[\\`*_~[h<\n]/g;

/** @param {string} text @param {number} [depth] @returns {Inline[]} */
function inline(text, depth = 0) {
	/** @type {Inline[]} */
	const nodes = [];
	let plain = '';
	for (let at = 0; at < text.length; ) {
		SPECIAL.lastIndex = at;
		const next = SPECIAL.exec(text)?.index ?? text.length;
		plain += text.slice(at, next);
		at = next;
		const found = firstRule(text, at, depth);
		if (found) {
			if (plain) nodes.push({ kind: 'text', text: plain });
			plain = '';
			nodes.push(found.node);
			at += found.length;
		} else if (at < text.length) plain += text[at++];
	}
	if (plain) nodes.push({ kind: 'text', text: plain });
	return nodes;
}

/** @param {string} text @param {number} at @param {number} depth */
function firstRule(text, at, depth) {
	for (const { pattern, leaf, make } of RULES) {
		if (depth >= DEPTH && !leaf) continue;
		pattern.lastIndex = at;
		const found = pattern.exec(text);
		const node = found && make(found, depth + 1);
		if (node) return { node, length: found[0].length };
	}
	return undefined;
}

/** @param {string} address @param {Inline[]} [children] @returns {Inline | undefined} */
function link(address, children = [{ kind: 'text', text: address }]) {
	const url = URL.parse(address);
	// A name before the host is only ever there to mislead.
	if (!url || url.username || url.password) return undefined;
	return { kind: 'link', url: url.href, host: url.host, children };
}

/** @param {Node | string} parent */
function append(parent, /** @type {(Node | string)[]} */ children) {
	/** @type {Element} */ (parent).append(...children);
	return /** @type {Element} */ (parent);
}

/** @param {Inline} node @returns {Node} */
function renderInline(node) {
	if (node.kind === 'text') return document.createTextNode(node.text);
	if (node.kind === 'break') return document.createElement('br');
	if (node.kind === 'time') return renderTime(node.at);
	if (node.kind === 'code') return append(document.createElement('code'), [node.text]);
	if (node.kind !== 'link') return append(document.createElement(node.kind), node.children.map(renderInline));
	const anchor = document.createElement('a');
	anchor.href = node.url;
	anchor.target = '_blank';
	anchor.rel = 'noopener noreferrer nofollow';
	append(anchor, node.children.map(renderInline));
	if (anchor.textContent?.includes(node.host)) return anchor;
	// Other words than the address: the host that it really leads to is told.
	const host = document.createElement('span');
	host.className = 'host';
	return append(document.createElement('span'), [anchor, append(host, [` (${node.host})`])]);
}

const TIME = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** @param {Date} at */
function renderTime(at) {
	const time = document.createElement('time');
	time.dateTime = at.toISOString();
	time.textContent = TIME.format(at);
	return time;
}

/** @param {Block} block @returns {Node} */
function renderBlock(block) {
	switch (block.kind) {
		case 'paragraph':
			return append(document.createElement('p'), block.children.map(renderInline));
		case 'heading': {
			// Below the room's own heading, whatever its level is in the message.
			return append(document.createElement(`h${block.level + 2}`), block.children.map(renderInline));
		}
		case 'fence':
			return append(document.createElement('pre'), [append(document.createElement('code'), [block.text])]);
		case 'quote':
			return append(document.createElement('blockquote'), block.children.map(renderBlock));
		case 'rule':
			return document.createElement('hr');
		case 'list': {
			const list = document.createElement(block.ordered ? 'ol' : 'ul');
			if (list instanceof HTMLOListElement) list.start = block.start;
			return append(
				list,
				block.items.map((item) => append(document.createElement('li'), item.map(renderInline))),
			);
		}
	}
}

/** @param {string} text @returns {Node[]} */
export const markdown = (text) => parse(text).map(renderBlock);
