import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { COMMANDS } from '../../../../test/fakes/inbox.ts';

type Node = { kind: string; text?: string; url?: string; host?: string; children?: Node[]; items?: Node[][] };
type Raw = {
	commandIn(text: string, commands: typeof COMMANDS): { command: (typeof COMMANDS)[number]; rest: string } | undefined;
	optionsIn(command: unknown, rest: string, directory: unknown): { options: Record<string, unknown>; problem?: string };
	wordsFor(command: unknown, options: Record<string, unknown>): string;
};

/** The page's modules are plain JavaScript for browsers; these two touch no document until something is rendered. */
const load = (name: string) => import(`../page/${name}.js`);
const { parse } = (await load('markdown')) as { parse(text: string): Node[] };
const { commandIn, optionsIn, wordsFor } = (await load('raw')) as Raw;

describe('a command as typed', () => {
	const directory = {
		people: [{ id: 'bjorn', name: 'Björn' }],
		channels: [{ id: 'c-1', name: 'gallery' }],
		roles: [{ id: 'r-1', name: 'Painters' }],
	};
	const read = (text: string) => {
		const found = commandIn(text, COMMANDS);
		return found && { command: found.command.name, ...optionsIn(found.command, found.rest, directory) };
	};

	test.each([
		['/imagine a red fox in the snow', 'imagine', { prompt: 'a red fox in the snow' }],
		[
			'/imagine a fox size:1536x1024 n:2 private:true',
			'imagine',
			{ prompt: 'a fox', size: '1536x1024', n: 2, private: true },
		],
		['/IMAGINE size:512x512 a  fox', 'imagine', { prompt: 'a fox', size: '512x512' }],
		['/imagine prompt:"a fox: red" model:BETA', 'imagine', { prompt: 'a fox: red', model: 'beta' }],
		['/imagine time: noon, mood:calm', 'imagine', { prompt: 'time: noon, mood:calm' }],
		['/imagine a https://x.test fox', 'imagine', { prompt: 'a https://x.test fox' }],
		['/imagine one\ntwo', 'imagine', { prompt: 'one\ntwo' }],
		['/imagine', 'imagine', {}],
		['/imagine size:', 'imagine', {}],
		['/imagine a fox n: ', 'imagine', { prompt: 'a fox' }],
		['/imagine a note: ', 'imagine', { prompt: 'a note:' }],
		['/edit image:x make it blue', 'edit', { prompt: 'image:x make it blue' }],
		['/usage @björn', 'usage', { member: 'bjorn' }],
		[
			'/limits set scope:server images:20 channel:#gallery role:@painters',
			'limits set',
			{ scope: 'server', images: 20, channel: 'c-1', role: 'r-1' },
		],
		['/limits set server images:0', 'limits set', { scope: 'server', images: 0 }],
		['/limits set server 100', 'limits set', { scope: 'server', images: 100 }],
		['/models', 'models', {}],
	])('%s', (text, command, options) => {
		expect(read(text)).toEqual({ command, options });
	});

	test.each([
		['/imagine a fox n:two', '“two” is no value for n: a whole number from 1 to 4.'],
		['/imagine a fox private:maybe', '“maybe” is no value for private: true or false.'],
		['/limits set scope:planet', '“planet” is no value for scope: server, channel, role, member.'],
		['/usage nobody', '“nobody” is no value for member: a name here.'],
		['/models now', '/models takes no words.'],
	])('%s: %s', (text, problem) => {
		expect(read(text)?.problem).toBe(problem);
	});

	test('is written as it is read', () => {
		const options = fc.record(
			{
				prompt: fc.stringMatching(/^[a-z,.!]{1,9}( [a-z,.!]{1,9}){0,4}$/),
				size: fc.constantFrom('512x512', '1024x1536', 'as you like'),
				n: fc.integer({ min: 1, max: 4 }),
				model: fc.constantFrom('alpha-image', 'beta'),
				private: fc.boolean(),
			},
			{ requiredKeys: ['prompt'] },
		);
		const imagine = COMMANDS.find(({ name }) => name === 'imagine');
		fc.assert(
			fc.property(options, (given) => {
				expect(read(wordsFor(imagine, given))).toEqual({ command: 'imagine', options: given });
			}),
		);
	});

	test.each(['imagine a fox', '/imagined', '/limits', 'say /imagine', '/'])('%s is none', (text) => {
		expect(read(text)).toBeUndefined();
	});
});

describe('markdown', () => {
	const shape = (nodes: Node[]): unknown[] =>
		nodes.map((node) =>
			node.children
				? [node.kind, ...shape(node.children)]
				: node.items
					? [node.kind, ...node.items.map(shape)]
					: (node.text ?? node.kind),
		);

	test.each<[string, unknown[]]>([
		[
			'**bold** and *it* and _it_ and ~~no~~',
			[['paragraph', ['strong', 'bold'], ' and ', ['em', 'it'], ' and ', ['em', 'it'], ' and ', ['del', 'no']]],
		],
		['**bold *and it***', [['paragraph', ['strong', 'bold ', ['em', 'and it']]]]],
		['snake_case_name 2*3*4 \\*as is\\*', [['paragraph', 'snake_case_name 2', ['em', '3'], '4 ', '*', 'as is', '*']]],
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
	])('%s', (text, expected) => {
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
				for (const item of node.items ?? []) walk(item);
			}
		};
		walk(parse(text));
		return found;
	};

	test('links lead only to the web, and name their host', () => {
		expect(links('[bank](https://evil.test/x) https://a.test/b, <http://c.test>')).toMatchObject([
			{ url: 'https://evil.test/x', host: 'evil.test' },
			{ url: 'https://a.test/b', host: 'a.test' },
			{ url: 'http://c.test/', host: 'c.test' },
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

	test('every text parses, and every link is of the web', () => {
		const pieces = fc.constantFrom(
			'*',
			'**',
			'_',
			'`',
			'```',
			'~~',
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

	test('hostile texts take no time to speak of', () => {
		for (const piece of ['*', '**a', '_a', '`', '[', '>', '> > ', '~~a ', '[a](http', '`a``', '<http://'])
			expect(parse(piece.repeat(Math.floor(12_000 / piece.length))).length).toBeGreaterThan(0);
	});
});
