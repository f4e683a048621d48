import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createContext, Script } from 'node:vm';
import { check } from 'recheck';

/** How long a match may take, in milliseconds of its thread. */
const MAX_MS = 500;

/** Long enough for what is exponential, and short enough for anything else. */
const SHORT = 320;

/** Texts without a bound are tried at this length, where `recheck` does not know. */
const LONG = 65_000;

/** Longer patterns take `recheck` many seconds. Where the text is bounded, they are only tried. */
const MAX_ANALYSED = 150;
const MAX_ANALYSIS_MS = 1000;

/** Verdicts of another version of this file do not count. */
const VERSION = createHash('sha256')
	.update(readFileSync(import.meta.filename))
	.digest('hex')
	.slice(0, 8);
const CACHE = `node_modules/.cache/patterns-${VERSION}.json`;
const verdicts: Record<string, string> = existsSync(CACHE) ? JSON.parse(readFileSync(CACHE, 'utf8')) : {};

/** Keeps the verdicts, which take half a minute, for the next time. */
export function saveVerdicts(): void {
	mkdirSync('node_modules/.cache', { recursive: true });
	writeFileSync(CACHE, JSON.stringify(verdicts));
}

/**
 * Returns why a pattern takes too long, or `''`.
 *
 * @param pattern as a literal: `/a+/g`
 * @param bound the most characters that it is given; without one, it has to be linear
 * @param analysisMs how long `recheck` may take, which a busy machine makes longer
 */
export async function judge(pattern: string, bound?: number, analysisMs = MAX_ANALYSIS_MS): Promise<string> {
	const key = `${bound ?? ''} ${pattern}`;
	verdicts[key] ??= await faultOf(pattern, bound, analysisMs);
	return verdicts[key];
}

async function faultOf(literal: string, bound: number | undefined, timeout: number): Promise<string> {
	const end = literal.lastIndexOf('/');
	const [source, flags] = [literal.slice(1, end), literal.slice(end + 1)];
	if (!/[*+{]/.test(source)) return '';
	const pattern = new RegExp(source, flags);
	const phrases = phrasesOf(source);
	const units = [...SIGNS, ...phrases];
	const short = Math.min(bound ?? SHORT, SHORT);
	const exponential = slowUnit(pattern, units, short, phrases[0]);
	if (exponential !== undefined)
		return `exponential with ${JSON.stringify(exponential)} repeated to ${short} characters`;
	if (source.length <= MAX_ANALYSED || bound === undefined) {
		const found = await check(source, flags, { timeout });
		if (found.status === 'safe') return '';
		if (found.status === 'vulnerable') {
			const { pumps, suffix } = found.attack;
			const attack = (n: number) => pumps.map(({ prefix, pump }) => prefix + pump.repeat(n)).join('') + suffix;
			if (bound === undefined) return `${found.complexity.summary} with ${found.attack.pattern}`;
			const perTurn = Math.max(1, attack(1).length - attack(0).length);
			const text = attack(Math.floor(Math.max(0, bound - attack(0).length) / perTurn));
			return firstSlow(pattern, [text]) !== undefined
				? `${found.complexity.summary}, too slow for ${bound} characters`
				: '';
		}
	}
	const length = bound ?? LONG;
	const slow = slowUnit(pattern, units.slice(0, 30), length, phrases[0]);
	return slow === undefined ? '' : `slow with ${JSON.stringify(slow)} repeated to ${length} characters`;
}

/** Parts of texts that many patterns are made for. */
// biome-ignore format: a list of strings
const SIGNS = ['a', ' ', 'a ', '1', '\n', '-', '.', ',', '"', '(', '[', '<', '<!--', '--><!--', '`', '*', '_', '|', '\\', '(a', '[a', 'a.'];

/** Returns the words and phrases of a pattern. */
function phrasesOf(source: string): string[] {
	const plain = source
		.replaceAll(/\(\?<?[=!]|\(\?<\w+>|\(\?:|\\[pP]\{\w+\}/g, '|')
		.replaceAll(/\\s[+*]?\??/g, ' ')
		.replaceAll(/\\d(?:\{[\d,]+\}|[+*])?/g, '3');
	const phrases = plain.match(/[^\s|()[\]{}\\^$+*.?]+(?:(?: |\?)[^\s|()[\]{}\\^$+*.?]*)*/gu) ?? [];
	const words = new Set(phrases.map((phrase) => phrase.replaceAll('?', '').trim()).filter((phrase) => phrase !== ''));
	return [...words].flatMap((phrase) => [` ${phrase}`, phrase]);
}

/** Returns the unit that makes a slow text when it is repeated, with a phrase of the pattern before it or something else after it. */
function slowUnit(pattern: RegExp, units: readonly string[], length: number, lead = ''): string | undefined {
	const texts = units.flatMap((unit) => {
		const repeated = unit.repeat(Math.max(1, (length - 8) / unit.length));
		return [repeated, `${repeated} zzz`, `${lead.trim()}${repeated}!\n`];
	});
	const slow = firstSlow(pattern, texts);
	return slow === undefined ? undefined : units[Math.floor(slow / 3)];
}

const sandbox = createContext({ pattern: /^/, texts: [''], at: 0 });
const MATCH = new Script('for (; at < texts.length; at++) { pattern.lastIndex = 0; pattern.test(texts[at]); }');

/** Returns the index of the first text that takes too long. All together may take longer than one. */
function firstSlow(pattern: RegExp, texts: readonly string[]): number | undefined {
	Object.assign(sandbox, { pattern, texts, at: 0 });
	const from = () => Number(sandbox['at']);
	// Twice at the same text: once may be due to the texts before it.
	for (let stuck = 0, last = -1; isSlow(); last = from()) {
		stuck = from() === last ? stuck + 1 : 0;
		if (stuck === 2) return last;
	}
	return undefined;
}

/** Tells whether the rest of the texts takes too long: by the time of this thread, because other programs may keep the machine busy. */
function isSlow(): boolean {
	const spent = () => process.threadCpuUsage().user / 1000;
	for (let timeout = MAX_MS; ; timeout *= 2) {
		const before = spent();
		try {
			MATCH.runInContext(sandbox, { timeout });
			return false;
		} catch {
			if (spent() - before >= MAX_MS * 0.9) return true;
		}
	}
}
