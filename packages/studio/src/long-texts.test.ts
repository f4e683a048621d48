import { afterAll, expect, it, vi } from 'vitest';

const patterns = new Map<string, RegExp>();

// Patterns of the vocabulary are made when their module is loaded, and some when a text is read.
vi.stubGlobal(
	'RegExp',
	new Proxy(RegExp, {
		construct(target, [source, flags]: [string, string?]) {
			const pattern = new target(source, flags);
			patterns.set(String(pattern), pattern);
			return pattern;
		},
	}),
);
vi.resetModules();
const { readInstruction } = await import('./language/read-instruction.ts');
const { readComposition } = await import('./language/read-composition.ts');
const { readPrompt } = await import('./language/read-prompt.ts');
const { reply } = await import('./chat/reply.ts');
await import('./moderations/moderations.ts');
afterAll(() => vi.unstubAllGlobals());

/** Returns the words and phrases that a pattern is made of. */
const phrasesOf = ({ source }: RegExp) => [
	...new Set(
		source
			.replaceAll(/\(\?<?[=!]|\(\?<\w+>|\(\?:|\\[pP]\{\w+\}/g, '|')
			.replaceAll(/\\s[+*]/g, ' ')
			.replaceAll(/\\d(?:\{[\d,]+\}|\+)?/g, '3')
			.match(/[\p{L}\d’'①⟦][\p{L}\d’'?⟧-]*(?: [\p{L}\d’'?-]+)*/gu)
			?.map((phrase) => phrase.replaceAll('?', '')) ?? [],
	),
];

const told = (text: string) => reply([{ role: 'user', text, images: 0 }]);
/** Returns the work of this thread, in seconds: a busy machine adds nothing to it. */
const seconds = (act: () => void) => {
	const before = process.threadCpuUsage();
	act();
	return process.threadCpuUsage(before).user / 1e6;
};
const ENDINGS = ['', ' zzz', '!'];

it('matches each phrase of each pattern, 25 times in a row, at once', () => {
	for (const text of ['put the fox on the left', 'make it 3 cats', 'use the style of image 2', 'image 1 in a corner']) {
		readInstruction(text);
		readComposition(text, 3);
	}
	expect(patterns.size).toBeGreaterThan(150);
	const slow: string[] = [];
	for (const pattern of [...patterns.values()]) {
		const phrases = phrasesOf(pattern);
		const plain = new RegExp(pattern.source, pattern.flags.replace('g', ''));
		for (const lead of ['', `${phrases[0]} `])
			for (const phrase of phrases)
				for (const ending of ENDINGS) {
					const text = lead + Array(25).fill(phrase).join(' ') + ending;
					if (seconds(() => plain.test(text)) > 0.2) slow.push(`${text}: ${pattern}`);
				}
		if (slow.length > 0) break;
	}
	expect(slow).toEqual([]);
}, 120_000);

it.each([
	'a bit',
	'a lot',
	'to the',
	'as a',
	'en image',
	'the',
	'and a',
	'make it',
	'image 1 and',
	'⟦0⟧',
	'"a"',
	"'a'",
	'write a',
	'with the text',
	'more than a little',
	'1',
	'#',
	'[',
	'    ',
	'\n',
	'の上に',
	'call me',
	'?',
	'draw',
])('reads %j to the longest text within seconds', (unit) => {
	for (const lead of ['blur it', 'turn it', 'cut a', 'put image 1', 'the fox of'])
		for (const ending of ENDINGS) {
			const long = (length: number) =>
				`${lead} ${`${unit} `.repeat(Math.ceil(length / unit.length))}`.slice(0, length - ending.length) + ending;
			expect(seconds(() => readInstruction(long(2000)))).toBeLessThan(2);
			expect(seconds(() => readComposition(long(2000), 3))).toBeLessThan(2);
			expect(seconds(() => readPrompt(long(4000), 0))).toBeLessThan(2);
			expect(seconds(() => told(long(100_000)))).toBeLessThan(2);
		}
});
