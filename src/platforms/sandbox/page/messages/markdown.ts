/** Parses a part of Markdown: bold, italic, strike, spoilers, code, fences, headings, lists, quotes, links and mentions. */

export type Inline =
	| { kind: 'text' | 'code' | 'mention'; text: string }
	| { kind: 'break' }
	| { kind: 'time'; at: Date }
	| { kind: 'strong' | 'em' | 'del' | 'spoiler'; children: Inline[] }
	| { kind: 'link'; url: string; host: string; children: Inline[] };
export type Block =
	| { kind: 'paragraph'; children: Inline[] }
	| { kind: 'heading'; level: number; children: Inline[] }
	| { kind: 'fence'; language: string; text: string }
	| { kind: 'quote'; children: Block[] }
	| { kind: 'list'; ordered: boolean; start: number; items: { text: Inline[]; nested: Block[] }[] }
	| { kind: 'rule' };

const MAX_DEPTH = 6;
const ITEM = /^\s{0,3}(?:[-*+]|(\d{1,9})[.)])\s(.*)$/s;

export function parse(text: string, depth = 0): Block[] {
	const lines = text.replaceAll('\r\n', '\n').split('\n');
	const blocks: Block[] = [];
	for (let index = 0; index < lines.length; ) {
		const line = lines[index] ?? '';
		const fence = /^\s{0,3}(`{3,})([^`]*)$/.exec(line);
		const heading = /^(#{1,3})\s(.*)$/s.exec(line);
		if (fence) {
			const start = ++index;
			while (index < lines.length && !lines[index]?.trimStart().startsWith(fence[1] ?? '')) index += 1;
			blocks.push({ kind: 'fence', language: fence[2]?.trim() ?? '', text: lines.slice(start, index).join('\n') });
			index += 1;
		} else if (heading) {
			blocks.push({ kind: 'heading', level: heading[1]?.length ?? 1, children: inline(heading[2]?.trimStart()) });
			index += 1;
		} else if (/^\s{0,3}(?:-{3,}|\*{3,}|_{3,})\s*$/.test(line)) {
			blocks.push({ kind: 'rule' });
			index += 1;
		} else if (/^\s{0,3}>/.test(line) && depth < MAX_DEPTH) {
			const start = index;
			while (index < lines.length && /^\s{0,3}>/.test(lines[index] ?? '')) index += 1;
			const quoted = lines.slice(start, index).map((quote) => quote.replace(/^\s{0,3}>\s?/, ''));
			blocks.push({ kind: 'quote', children: parse(quoted.join('\n'), depth + 1) });
		} else if (ITEM.test(line)) {
			const first = ITEM.exec(line)?.[1];
			const items: { text: Inline[]; nested: Block[] }[] = [];
			const inside = indentOf(line) + 2;
			for (let item = ITEM.exec(line); item && (item[1] === undefined) === (first === undefined); ) {
				const start = ++index;
				while (depth < MAX_DEPTH && lines[index]?.trim() && indentOf(lines[index]) >= inside) index += 1;
				const nested = lines
					.slice(start, index)
					.map((each) => each.slice(Math.min(indentOf(each), indentOf(lines[start]))));
				items.push({
					text: inline(item[2]?.trimStart()),
					nested: nested.length > 0 ? parse(nested.join('\n'), depth + 1) : [],
				});
				item = ITEM.exec(lines[index] ?? '');
			}
			blocks.push({ kind: 'list', ordered: first !== undefined, start: Number(first ?? 1), items });
		} else if (line.trim() === '') {
			index += 1;
		} else {
			const start = index++;
			while (index < lines.length && lines[index]?.trim() && !startsBlock(lines[index] ?? '')) index += 1;
			blocks.push({ kind: 'paragraph', children: inline(lines.slice(start, index).join('\n')) });
		}
	}
	return blocks;
}

const indentOf = (line = '') => line.length - line.trimStart().length;

const startsBlock = (line: string) => /^\s{0,3}(?:`{3}|>|#{1,3}\s)/.test(line) || ITEM.test(line);

/**
 * The rules of inline Markdown, tried in this order at each position. Rules that contain other text are not tried below `MAX_DEPTH`,
 * which limits the nesting.
 */
const RULES: readonly { pattern: RegExp; leaf?: true; make(found: string[], depth: number): Inline | undefined }[] = [
	{ pattern: /\n/y, leaf: true, make: () => ({ kind: 'break' }) },
	{ pattern: /\\([\\`*_~[\]()#>.!|-])/y, leaf: true, make: ([, text = '']) => ({ kind: 'text', text }) },
	{
		pattern: /(`+)(?!`)((?:(?!\1).|\n)*?[^`])\1(?!`)/y,
		leaf: true,
		make: ([, , text = '']) => ({ kind: 'code', text: text.trim() || text }),
	},
	{
		pattern: /\*\*(?=\S)([\s\S]*?\S)\*\*(?!\*)/y,
		make: ([, text], depth) => ({ kind: 'strong', children: inline(text, depth) }),
	},
	{
		pattern: /\*(?=[^\s*])([^*\n]*[^\s*])\*(?!\*)|(?<![\p{L}\p{N}])_(?=[^\s_])([^_\n]*[^\s_])_(?![\p{L}\p{N}])/uy,
		make: ([, stars, lines], depth) => ({ kind: 'em', children: inline(stars ?? lines, depth) }),
	},
	{
		pattern: /\|\|(?=\S)([\s\S]*?\S)\|\|/y,
		make: ([, text], depth) => ({ kind: 'spoiler', children: inline(text, depth) }),
	},
	{
		pattern: /(?<![\p{L}\p{N}_])@[\p{L}\p{N}_]{1,40}/uy,
		leaf: true,
		make: ([text = '']) => ({ kind: 'mention', text }),
	},
	{ pattern: /~~(?=\S)([\s\S]*?\S)~~/y, make: ([, text], depth) => ({ kind: 'del', children: inline(text, depth) }) },
	{
		pattern: /\[([^\]\n]{1,500})\]\((https?:\/\/[^\s)]{1,2000})\)/y,
		make: ([, text, address]) => link(address, inline(text, MAX_DEPTH)),
	},
	{
		// Files of the sandbox itself, to download, and its messages.
		pattern: /\[([^\]\n]{1,500})\]\((\/sandbox\/files\/[^\s)]{1,1000}\?download|#[\w.-]{1,100}\/\d{1,9})\)/y,
		make: ([, text, url = '']) => ({ kind: 'link', url, host: '', children: inline(text, MAX_DEPTH) }),
	},
	{
		pattern: /<t:(\d{1,11})>/y,
		leaf: true,
		make: ([, seconds]) => ({ kind: 'time', at: new Date(Number(seconds) * 1000) }),
	},
	{ pattern: /<(https?:\/\/[^\s<>]{1,2000})>/y, make: ([, address]) => link(address) },
	{ pattern: /https?:\/\/[^\s<>"'`*]{1,2000}[^\s<>"'`*.,:;!?)\]]/y, make: ([address]) => link(address) },
];
const SPECIAL = /[\\`*_~[h<\n@|]/g;

function inline(text = '', depth = 0): Inline[] {
	const nodes: Inline[] = [];
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

function firstRule(text: string, at: number, depth: number) {
	for (const { pattern, leaf, make } of RULES) {
		if (depth >= MAX_DEPTH && !leaf) continue;
		pattern.lastIndex = at;
		const found = pattern.exec(text);
		const node = found && make(found, depth + 1);
		if (node) return { node, length: found[0].length };
	}
	return undefined;
}

function link(address = '', children: Inline[] = [{ kind: 'text', text: address }]): Inline | undefined {
	const url = URL.parse(address);
	// A user name before the host can only mislead.
	if (!url || url.username || url.password) return undefined;
	return { kind: 'link', url: url.href, host: url.host, children };
}
