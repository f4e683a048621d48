import fc from 'fast-check';
import { expect, test } from 'vitest';

type Node = {
	kind: string;
	text?: string;
	url?: string;
	host?: string;
	children?: Node[];
	items?: { text: Node[]; nested: Node[] }[];
};

type Rendered = { type: unknown; props: Record<string, string | undefined> & { children?: unknown } };

/** The modules of the page are for browsers. This one needs no document. */
const path = './page/messages/markdown.ts';
const { markdown, plainText } = (await import(path)) as {
	markdown(text: string): Rendered[];
	plainText(text: string): string;
};

/** What elements stand for; others contain other text, such as `strong`. */
const KINDS: Readonly<Record<string, string>> = {
	p: 'paragraph',
	br: 'break',
	hr: 'rule',
	blockquote: 'quote',
	h3: 'heading',
};

const parse = (text: string): Node[] => markdown(text).map(nodeOf);

const listOf = (children: unknown): unknown[] => (children === undefined ? [] : [children].flat());

/** Returns what was rendered as the Markdown says it. */
function nodeOf(rendered: unknown): Node {
	if (typeof rendered === 'string') return { kind: 'text', text: rendered };
	const { type, props } = rendered as Rendered;
	const children = listOf(props.children).filter((child) => child !== '');
	if (typeof type !== 'string') return { kind: 'spoiler', children: children.map(nodeOf) };
	if (type === 'code') return { kind: 'code', text: String(props.children) };
	if (type === 'pre') return { kind: 'fence', text: nodeOf(children[0]).text ?? '' };
	// A link with the host that it leads to.
	if (type === 'span') return nodeOf(children[0]);
	if (type === 'a') {
		const [url, host] = [props['href'] ?? '', URL.parse(props['href'] ?? '')?.host ?? ''];
		return { kind: 'link', url, host, children: children.map(nodeOf) };
	}
	if (type === 'br' || type === 'hr') return { kind: KINDS[type] ?? '' };
	if (type !== 'ul' && type !== 'ol') return { kind: KINDS[type] ?? type, children: children.map(nodeOf) };
	const items = children.map((item) => {
		const [text, nested] = (item as Rendered).props.children as [unknown[], unknown[]];
		return { text: text.filter((child) => child !== '').map(nodeOf), nested: nested.map(nodeOf) };
	});
	return { kind: 'list', items };
}

const shape = (nodes: Node[]): unknown[] =>
	nodes.map((node) =>
		node.children
			? [node.kind, ...shape(node.children)]
			: node.items
				? [node.kind, ...node.items.map(({ text, nested }) => [...shape(text), ...shape(nested)])]
				: (node.text ?? node.kind),
	);

test.each<[string, unknown[]]>([
	[
		'**bold** and *it* and _it_ and ~~no~~',
		[['paragraph', ['strong', 'bold'], ' and ', ['em', 'it'], ' and ', ['em', 'it'], ' and ', ['del', 'no']]],
	],
	['**bold *and it***', [['paragraph', ['strong', 'bold ', ['em', 'and it']]]]],
	['snake_case_name 2*3*4 \\*as is\\*', [['paragraph', 'snake_case_name 2', ['em', '3'], '4 ', '*', 'as is', '*']]],
	[
		'say ||it *now*|| to @Ada, not a@b.test',
		[['paragraph', 'say ', ['spoiler', 'it ', ['em', 'now']], ' to ', '@Ada', ', not a@b.test']],
	],
	['- a\n  - b\n    1. c\n- d', [['list', ['a', ['list', ['b', ['list', ['c']]]]], ['d']]]],
	['[a message](#general/12)', [['paragraph', ['link', 'a message']]]],
	['`**code**`', [['paragraph', '**code**']]],
	['```js\n**x**\n```\nafter', ['**x**', ['paragraph', 'after']]],
	['```\nnever closed', ['never closed']],
	[
		'# One\ntext\n> quoted\n> more',
		[
			['heading', 'One'],
			['paragraph', 'text'],
			['quote', ['paragraph', 'quoted', 'break', 'more']],
		],
	],
	[
		'- a\n- **b**\n1. c',
		[
			['list', ['a'], [['strong', 'b']]],
			['list', ['c']],
		],
	],
	['<script>alert(1)</script> @everyone <@123>', [['paragraph', '<script>alert(1)</script> @everyone <@123>']]],
	['---', ['rule']],
])('parses %s', (text, expected) => {
	const merge = (nodes: unknown[]): unknown[] =>
		nodes.reduce<unknown[]>((all, node) => {
			const last = all.at(-1);
			if (
				typeof node === 'string' &&
				typeof last === 'string' &&
				all.length > 1 &&
				node !== 'break' &&
				last !== 'break'
			)
				all[all.length - 1] = last + node;
			else all.push(Array.isArray(node) ? merge(node) : node);
			return all;
		}, []);
	expect(merge(shape(parse(text)))).toEqual(merge(expected));
});

const links = (text: string): Node[] => {
	const found: Node[] = [];
	const walk = (nodes: Node[]) => {
		for (const node of nodes) {
			if (node.kind === 'link') found.push(node);
			walk(node.children ?? []);
			for (const { text, nested } of node.items ?? []) walk([...text, ...nested]);
		}
	};
	walk(parse(text));
	return found;
};

test('links only to the web, and names the host', () => {
	expect(links('[bank](https://evil.test/x) https://a.test/b_(c), (<http://c.test>, https://d.test/)')).toMatchObject([
		{ url: 'https://evil.test/x', host: 'evil.test' },
		{ url: 'https://a.test/b_(c)', host: 'a.test' },
		{ url: 'http://c.test/', host: 'c.test' },
		{ url: 'https://d.test/', host: 'd.test' },
	]);
	for (const text of [
		'[x](javascript:alert(1))',
		'[x](data:text/html,x)',
		'[x](//evil.test)',
		'https://bank.test@evil.test/',
		'[x](vbscript:x)',
	])
		expect(links(text).filter(({ host }) => host !== 'bank.test')).toEqual([]);
});

test('parses any text, with links only to the web', () => {
	const pieces = fc.constantFrom(
		'*',
		'**',
		'_',
		'`',
		'```',
		'~~',
		'||',
		'@',
		'  ',
		'[',
		'](',
		')',
		'<',
		'>',
		'\n',
		'- ',
		'1. ',
		'# ',
		'\\',
		'https://a.test',
		'javascript:',
		' ',
		'word',
	);
	fc.assert(
		fc.property(fc.array(pieces, { maxLength: 80 }), (parts) => {
			for (const { url } of links(parts.join(''))) expect(url).toMatch(/^https?:\/\//);
		}),
		{ numRuns: 300 },
	);
});

test('parses hostile texts without delay', () => {
	for (const piece of [
		'*',
		'**a',
		'_a',
		'`',
		'[',
		'>',
		'> > ',
		'~~a ',
		'||a ',
		'@',
		'  - a\n    ',
		'[a](http',
		'`a``',
		'<http://',
	])
		expect(parse(piece.repeat(Math.floor(12_000 / piece.length))).length).toBeGreaterThan(0);
});

test.each([
	['**bold** and `code`, ~~no~~', 'bold and code, no'],
	['- a\n  - b\n- c', 'a, b, c'],
	['# One\ntext\n> quoted', 'One text quoted'],
	['see ||it|| at [bank](https://evil.test/x)', 'see … at bank (evil.test)'],
	['**cut', 'cut'],
])('reads %j as plain text', (text, plain) => {
	expect(plainText(text)).toBe(plain);
});
