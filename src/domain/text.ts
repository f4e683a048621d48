/** Control characters, ends of lines and paragraphs, and letters that are blank. */
const BLANK = /[\p{Cc}\p{Zl}\p{Zp}\u115f\u1160\u2800\u3164\uffa0\u{1d159}]+/gu;

/** A letter or mark of the scripts in which a joiner or non-joiner changes how the letters beside it are written. */
const JOINED = String.raw`[[\p{L}\p{M}]&&[\p{scx=Arab}\p{scx=Syrc}\p{scx=Nkoo}\p{scx=Mong}\p{scx=Deva}\p{scx=Beng}\p{scx=Guru}\p{scx=Gujr}\p{scx=Orya}\p{scx=Taml}\p{scx=Telu}\p{scx=Knda}\p{scx=Mlym}\p{scx=Sinh}\p{scx=Khmr}\p{scx=Mymr}\p{scx=Tibt}\p{scx=Java}\p{scx=Bali}]]`;

/**
 * Characters that have no width or change the direction of writing. `kept` are those that a text needs: in flags and other emoji, between
 * letters that join and after a virama, and for variants of ideographs. https://www.unicode.org/reports/tr44/#Default_Ignorable_Code_Point
 */
const INVISIBLE = new RegExp(
	`(?<kept>${[
		String.raw`\u{1f3f4}[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{3,6}\u{e007f}`,
		String.raw`(?<=\p{Extended_Pictographic})[\ufe0e\ufe0f]`,
		String.raw`(?<=[0-9#*])\ufe0f(?=\u20e3)`,
		String.raw`(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])\u200d(?=\p{Extended_Pictographic})`,
		String.raw`(?<=${JOINED})[\u200c\u200d](?=${JOINED})`,
		String.raw`(?<=[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca])[\u200c\u200d]`,
		String.raw`(?<=\p{Script=Han})[\ufe00-\ufe02\u{e0100}-\u{e01ef}]`,
		String.raw`(?<=[\p{L}&&\p{Script=Mong}])[\u180b-\u180d\u180f]`,
	].join('|')})|[\\p{Default_Ignorable_Code_Point}\\ufff9-\\ufffb\\u{13430}-\\u{1343f}]`,
	'gv',
);

/**
 * Returns a text as one line, of at most `max` UTF-16 units, that cannot reorder or hide its surroundings. It is empty where nothing of the
 * text is visible.
 */
export const oneLine = (text: string, max = Number.POSITIVE_INFINITY): string =>
	clip(text.replace(BLANK, ' ').replace(INVISIBLE, '$<kept>').replace(/\s+/g, ' ').trim(), max);

/** Enough of a text to recognise it by, in UTF-16 units. */
const MAX_QUOTED = 300;

/**
 * Returns a text of others as one line of Markdown that shows it as it is, for a message of ours: a prompt, a name, what a service says. It
 * makes no markup, no link with another name, and no mention. The characters are those that are markup within a line; the zero-width space
 * is for `<https://evil|bank>`, which Slack takes for a link. https://spec.commonmark.org/0.31.2/#backslash-escapes
 */
export const quoted = (text: string, max = MAX_QUOTED): string =>
	oneLine(text, max)
		.replace(/[\\`*_[\]<>|~]/g, '\\$&')
		.replace(/<(?=[a-z][a-z\d+.-]*:)/gi, '<\u200b');

/** Returns a text of others as one line for the inside of a code span, which has no escapes. */
export const inCode = (text: string, max = MAX_QUOTED): string => oneLine(text, max).replaceAll('`', 'ˋ');

/** Returns a text of at most `max` UTF-16 units, cut between two graphemes and then ended with `…`. Lone surrogates are replaced. */
export function clip(text: string, max: number): string {
	const whole = text.toWellFormed();
	if (whole.length <= max) return whole;
	let end = 0;
	for (const { index, segment } of new Intl.Segmenter().segment(whole)) {
		if (index + segment.length > max - 1) break;
		end = index + segment.length;
	}
	return `${whole.slice(0, end)}…`;
}

/** Characters that take two columns, and none. https://www.unicode.org/reports/tr11/ */
const WIDE =
	/[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\u3000-\u303e\uff01-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;
const NONE = /[\p{M}\p{Cf}]/u;

/** Returns how many columns a text takes in a font of one width. */
export function columnsOf(text: string): number {
	let columns = 0;
	for (const character of text) columns += NONE.test(character) ? 0 : WIDE.test(character) ? 2 : 1;
	return columns;
}

/** The service's limit for edits and compositions; for generation it is the bot's own. */
export const MAX_PROMPT_CHARACTERS = 2000;

/** Returns a size in megabytes with one decimal. Rounds up, so that a size over the limit never looks like the limit. */
export const megabytes = (bytes: number) => Math.ceil((bytes / 1024 / 1024) * 10) / 10;

/** Returns how many decimals an amount in micro-USD needs: 2, or up to 6 when it has parts of a cent. */
export const decimalsOf = (micros: number) => [2, 3, 4, 5].find((decimals) => micros % 10 ** (6 - decimals) === 0) ?? 6;

/** Formats micro-USD as dollars in a language: `30000` as `0.03`, `35000` as `0.035`. */
export const dollars = ({ language }: { language: string }, micros: number, decimals = decimalsOf(micros)) =>
	new Intl.NumberFormat(language, {
		minimumFractionDigits: decimals,
		maximumFractionDigits: decimals,
		useGrouping: false,
	}).format(micros / 1_000_000);

/**
 * The categories of the moderation API. A category with a slash is part of the one before the slash.
 * https://platform.openai.com/docs/api-reference/moderations
 */
export const MODERATION_CATEGORIES = ['harassment', 'hate', 'illicit', 'self-harm', 'sexual', 'violence'] as const;

/** Always refused, whatever categories a server has chosen. */
export const ALWAYS_REFUSED = 'sexual/minors';

/** Reads a list of categories that moderators write. Returns undefined for an unknown one; `all` is an empty list. */
export function readCategories(text: string): readonly string[] | undefined {
	const names = text
		.toLowerCase()
		.split(/[\s,;]+/)
		.filter(Boolean);
	if (names.length === 1 && names[0] === 'all') return [];
	const known = MODERATION_CATEGORIES.filter((category) => names.includes(category));
	return names.length > 0 && known.length === new Set(names).size ? known : undefined;
}

/** Returns a short code of an error, such as `ECONNREFUSED`, which contains nothing that anybody wrote. */
export function codeOf(error: unknown): string {
	for (let one: unknown = error; one instanceof Error; one = one.cause) {
		const { code } = one as { code?: unknown };
		if (typeof code === 'string' && /^[A-Z][A-Z0-9_]{2,60}$/.test(code)) return code;
		// https://nodejs.org/api/globals.html#class-aborterror
		if (one.name === 'AbortError' || one.name === 'TimeoutError') return 'TIMEOUT';
		// https://fetch.spec.whatwg.org/#port-blocking
		if (one.message === 'bad port') return 'BAD_PORT';
	}
	return error instanceof Error && /^[A-Za-z]{3,40}$/.test(error.name) ? error.name : 'unknown';
}

/** A remedy for a code of a connection that failed. */
export function connectionStep(code: string): string {
	if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
		return 'Check the name in the address, and that this machine can resolve names.';
	if (code === 'ECONNREFUSED') return 'Check host and port of the address, and that the other side runs.';
	if (/CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO/.test(code))
		return 'Check the certificate of the address; name a private issuer in NODE_EXTRA_CA_CERTS.';
	return 'Check the address, and that a firewall or proxy lets this machine through.';
}

/** Stands in for each mention of the bot. It is no character that people can send. */
export const OWN_MENTION = '\u0000';

/** A mention in marks of its own, such as bold ones. */
const AROUND = new RegExp(`([*_~|\`]{1,3})${OWN_MENTION}\\1`, 'g');

/**
 * Removes the mentions of the bot from a text, in which `OWN_MENTION` stands for each: “@Easel, hello” and “hello, @Easel?” become “hello”
 * and “hello?”.
 */
export function withoutOwnMentions(text: string): string {
	if (!text.includes(OWN_MENTION)) return text;
	const parts = text.replaceAll(AROUND, OWN_MENTION).split(OWN_MENTION);
	return parts.reduce((before, after) => {
		const left = before.trimEnd();
		const right = after.trimStart();
		if (left === '') return right.replace(/^(?:[,;!，：；！、]|:(?!\w+:)|[-–—](?=\s))\s*/, '');
		const goesOn = right === '' || /^[?!.…,;:。？！，、；：]/.test(right);
		return goesOn ? left.replace(/[,、]$/, '') + right : `${left}${joint(before, after)}${right}`;
	});
}

/**
 * Returns what a text says behind the last mention of the bot and the people named there, where others are spoken to before: “draw a fox” of
 * “@Björn look, @Easel draw a fox”. Undefined where the mention is in the middle of a sentence: “Why does @Easel draw foxes?”
 *
 * @param text with `OWN_MENTION` for each mention of the bot
 * @param people matches mentions of others at the beginning of a text
 */
export function wordsToBot(text: string, people: RegExp): string | undefined {
	const at = text.lastIndexOf(OWN_MENTION);
	const before = text.slice(0, Math.max(at, 0)).replace(people, '');
	const behind = text.slice(at + 1).trim();
	const words = behind.replace(people, '');
	const isAll = at <= 0 && words === behind;
	const isApart = SENTENCE_END.test(before.trimEnd()) || before.slice(before.trimEnd().length).includes('\n');
	return words && !isAll && isApart ? words : undefined;
}

/** The beginning of a text, or no letter and no mark that something begins with. */
const SENTENCE_END = /(?:^|[^\p{L}\p{N}\p{Ps}\p{Pi}"'*_~`])$/u;

/** The white space around a mention, of which a line break stays one. */
const joint = (before: string, after: string) =>
	before.slice(before.trimEnd().length).includes('\n') || after.slice(0, -after.trimStart().length).includes('\n')
		? '\n'
		: ' ';

/** Tells whether a word asks for help in any language: `?`, `--help`, `-h`, also with the signs of phones and of keyboards of East Asia. */
export const isHelpSign = (word: string): boolean => /^(?:\/?[?？]{1,3}|[-–—]{1,2}h(?:elp)?)$/i.test(word);
