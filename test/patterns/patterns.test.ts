import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { sitesOf } from './find-patterns.ts';
import { judge } from './judge.ts';

/** Patterns that once were in this code. */
const EXPONENTIAL = [
	/^(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*>\s*)?(?:<!--.{0,200}?-->\s*|<!DOCTYPE svg[^>]*>\s*)*<svg[\s>]/is,
	/^(?:(?:please|make|turn|set|give|put|do|add|apply|use|with|and|to|in|into|on|it|this|that|the|a|an|its|is|be|of|all|whole|entire|picture|image|photo|scene|look|looks|style|filter|effect|version|colou?rs?|tones?|format|en|more|much|very|a lot|lot|a bit|bit|little|slightly|strongly|so|by|for|up|some|hazlo|rends-l[ae]|degrees?|°|around|mach|mache|machen|es|das|bild|ein|einen|etwas|viel|rends|l’image|image|la|le|un|une|en|haz|imagen|el|\d+ ?(?:%|x))(?:\s+|$))*$/u,
	/(?<![\p{L}\p{N}])(?:(?:turn(?:ed)?|spin|tilt(?:ed)?)(?:\s+(?:it|this|the|all|its|whole|entire|picture|image|photo|scene|das|bild|es|l’image|la|el|los|les|imagen))*(?:(?:\s+(?:by|to\s+the|to|the|about|um|nach|vers\s+la|à|hacia\s+la|a\s+la|left|right|links|rechts|gauche|droite|izquierda|derecha|(?:counter-?|anti-?)?clockwise|slightly|a\s+bit|a\s+little|(?<degrees>-?\d{1,3})(?:\.\d+)?(?:\s*(?:°|degrees?|deg|grad|degrés|grados))?))+)(?<=degrees|°|deg|wise|left|right|slightly|bit|little))(?![\p{L}\p{N}])/gu,
	/(?<![\p{L}\p{N}])(?:(?:crop|cut|trim|schneide|recadre|recorta)(?:\s+(?:it|this|the|all|its|whole|entire|picture|image|photo|scene|das|bild|es|l’image|la|el|los|les|imagen))*(?:\s+(?:to|into|as|as\s+a|a|in|zu|auf|en|au\s+format))*\s*(?:(?<width>\d{1,2}(?:\.\d+)?)\s*(?::|by|x)\s*(?<height>\d{1,2}(?:\.\d+)?)|(?<shape>square|portrait|landscape|widescreen|panorama|quadratisch|carré|cuadrado)))(?![\p{L}\p{N}])/gu,
	/^(?:a+)+$/,
].map(String);
const POLYNOMIAL = [
	/<title[^>]*>([^<]*)/i,
	/\\([!-/:-@[-`{-~])|\*\*((?:\\.|[^\\])+?)\*\*|`([^`\n]+)`|\[((?:\\.|[^\\\]])*)\]\(([^()\s]+)\)|(?<![\w*])\*(?=\S)((?:\\.|[^\\*\n])+)(?<=\S)\*(?![\w*])/g,
	/!?\[((?:[^[\]\\]|\\.)*)\]\([^()\s]*\)/g,
	/^[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/,
	/\[(?:[^\]\\]|\\.)*?(?:\[|&&|--|~~)/su,
	/\/+$/,
].map(String);
const LINEAR = [
	/^\d+$/,
	/<title[^<>]*>([^<]*)/i,
	/(?<!\/)\/+$/,
	/^(?:(?:please|make|and) )*$/,
	/[“„"«]([^“”„"«»]{1,200})[”“"»]/gu,
].map(String);

describe('a pattern', () => {
	test.each(EXPONENTIAL)('that is exponential is reported, with and without a bound (%#)', async (pattern) => {
		expect(await judge(pattern, undefined, 20_000)).toMatch(/exponential/);
		expect(await judge(pattern, 2000, 20_000)).not.toBe('');
	});

	test.each(POLYNOMIAL)('that is polynomial is reported, unless its texts are short (%#)', async (pattern) => {
		expect(await judge(pattern)).toMatch(/polynomial|slow/);
		expect(await judge(pattern, 300)).toBe('');
	});

	test.each(LINEAR)('that is linear passes (%#)', async (pattern) => {
		expect(await judge(pattern)).toBe('');
	});
});

describe('the patterns of a file', () => {
	test('are its literals and what makes patterns of strings, with the bounds beside them', () => {
		const text = `
/** Texts are short. Bounded: at most 1,500 characters. */
const A = [/a+/g, 'no /pattern/'];
function read(text: string) {
	const b = /b+/; // Bounded: at most 20 characters.
	// Bounded: at most 30 characters.
	const c = new RegExp(\`^\${text}$\`);
	return text.match('d+') ?? /e+/.exec(text);
}`;
		expect(sitesOf('a.ts', text)).toEqual([
			{ file: 'a.ts', line: 3, literal: '/a+/g', bound: 1500 },
			{ file: 'a.ts', line: 5, literal: '/b+/', bound: 20 },
			{ file: 'a.ts', line: 7, bound: 30 },
			{ file: 'a.ts', line: 8 },
			{ file: 'a.ts', line: 8, literal: '/e+/' },
		]);
	});
});

test('the check fails for exponential patterns, also for one that is put together, and for one that it does not see', async () => {
	const folder = mkdtempSync(join(tmpdir(), 'easel-patterns-'));
	mkdirSync(join(folder, 'src'));
	writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
	const lines = [
		'export const whole = /^(?:a+)+$/;',
		"export const built = new RegExp('^(?:' + ['b', 'bb'].join('|') + ')+$');",
		"export const later = (words: string[]) => new RegExp(words.join('|'));",
		"export const harmless = [/^a+$/, new RegExp('^c+$')];",
	];
	writeFileSync(join(folder, 'src', 'planted.ts'), lines.join('\n'));
	const check = promisify(execFile)(process.execPath, [resolve('test/patterns/main.ts')], { cwd: folder });
	const { code, stdout } = (await check.catch((error: { code: number; stdout: string }) => error)) as {
		code?: number;
		stdout: string;
	};
	rmSync(folder, { recursive: true });
	expect(code).toBe(1);
	expect(stdout.match(/^src\/planted\.ts:\d+: .{11}/gm)).toEqual([
		'src/planted.ts:1: exponential',
		'src/planted.ts:2: exponential',
		'src/planted.ts:3: no pattern ',
	]);
});
