import {
	CHINESE,
	chineseOf,
	type Drawn,
	hasAny,
	JAPANESE,
	LANGUAGES,
	type List,
	type Lists,
	lengthAt,
	lengthBefore,
	type Word,
	wordsOf,
} from './lists.ts';
import { beginsWith, MAX_BEFORE, PlainRequest, skip, withoutLead } from './spaced.ts';
import {
	chineseDrawnIn,
	isChineseChange,
	isChineseQuestion,
	isChineseTalk,
	isJapaneseChange,
	isJapaneseRemoval,
	isOnly,
	isSaidInJapanese,
	japaneseDrawnIn,
	suggestsInJapanese,
} from './unspaced.ts';

/** A text in marks as a whole, such as bold. Code is not: it may be what somebody quotes. */
const MARKED = /^([*_~]{1,3})(?=\S)([^*_~]+)\1$/;

/** What "draw this" stands before, and the quotation that it stands behind. */
const FOLLOWED = /^([^:：\n]{1,100})(?:[:：]|\n(?=>))(.+)$/s;
const BEHIND = /^(>.+)\n([^>\n]{1,100})$/s;

/** The marks of quotations and of blocks of code. */
const BLOCK_MARKS = /^>{1,3} ?|```/gm;

/** The longest text whose end asks for what is told before, in UTF-16 units. */
const MAX_TOLD = 400;
/** Shorter parts before a request tell nothing of it: “Nice one!” */
const MIN_TOLD_WORDS = 4;
/** A part as long as that in a language without spaces. */
const LONG_IN_CHINESE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]{6}/u;
/** What a title such as “Logo:” stands before is longer than “done”, in UTF-16 units. */
const MIN_TITLED = 6;
/** Where a sentence ends, also where the next one begins with a small letter. */
const SENTENCE_END = /(?<=[.!?…])\s+|(?<=[。！？])/;
/** “Let me ask: draw a fox” */
const AFTER_COLON = /^([^:：\n]{1,100}[:：])(?!\/)([^:：\n]+)$/;
/** “My cat as a king, can you draw it?” */
const AFTER_COMMA = /^(.+[,，、])([^,，、]{1,60})$/s;

/** Returns the prompt in words that ask for a picture, such as "please draw a fox" or “I want a logo for my bakery”. */
export function promptIn(text: string): string | undefined {
	const [, head = '', follows = ''] = FOLLOWED.exec(text) ?? [];
	const [, cited = '', tail = ''] = BEHIND.exec(text) ?? [];
	const [before, behindIt] = [drawnIn(head), drawnIn(tail)];
	const quoted = (before?.isThis && follows) || (behindIt?.isThis && cited);
	// “Logo please: a bakery called Crumb”
	const prompt = quoted || promptOf(text.replace(MARKED, '$2')) || (before && `${before.prompt}: ${follows.trim()}`);
	return (prompt || promptAtEnd(text) || titledIn(head, text))?.replace(BLOCK_MARKS, '').trim() || undefined;
}

/** “Profile picture: an angry goose”, “new picture: a goose” */
function titledIn(head: string, text: string): string | undefined {
	const [words, follows] = [wordsOf(head), text.slice(head.length + 1).trim()];
	if (/[\n?？]|https?:/.test(text) || follows.length < MIN_TITLED || has(wordsOf(text), 'clause')) return undefined;
	const titled = ({ kinds, pictures, articles, polite, written, some }: Lists) => {
		const names = (list: ReadonlySet<string>) => words.some((_, at) => lengthAt(words, at, list) > 0);
		const isWhole = skip(words, 0, polite, articles, kinds, pictures) === words.length;
		if (!isWhole || words.some(({ plain }) => written.has(plain))) return undefined;
		if (names(kinds)) return text;
		const isNew = words.length > 1 || lengthAt(wordsOf(follows), 0, some) > 0;
		return names(pictures) && isNew ? follows : undefined;
	};
	const inOthers = [JAPANESE.kinds, CHINESE.kinds].some((kinds) => kinds.has(chineseOf(head) || head));
	return LANGUAGES.map(titled).find(Boolean) || (inOthers ? text : undefined);
}

const promptOf = (text: string): string | undefined => {
	const drawn = drawnIn(text);
	return drawn?.isThis ? undefined : drawn?.prompt;
};

/** “My daughter loves unicorns. Draw her one, please”: what is told before belongs to the prompt. */
function promptAtEnd(text: string): string | undefined {
	if (text.length > MAX_TOLD || text.trim() === '') return undefined;
	const last = text.trim().split(SENTENCE_END).at(-1) ?? '';
	const [, head = '', follows = ''] = AFTER_COLON.exec(text) ?? [];
	const [, told = '', end = ''] = AFTER_COMMA.exec(text) ?? [];
	return (
		withTold(text.trim().slice(0, -last.length), drawnIn(last)) ??
		(has(wordsOf(head), 'clause') ? undefined : withTold(head, drawnIn(follows))) ??
		(told.endsWith('，') || drawnIn(end)?.isThis ? withTold(told, drawnIn(end)) : undefined)
	);
}

function withTold(told: string, drawn: Drawn | undefined): string | undefined {
	const words = wordsOf(told);
	const asksInWords = (lists: Lists) => {
		const { tell, talk, make, polite, asks } = lists;
		const isWish = beginsWith(words, make, polite, asks);
		const isSaid = drawn?.isThis === true && !isWish && beginsWith(words, talk, polite, asks);
		return isSaid || beginsWith(words, tell, polite, asks);
	};
	if (!drawn || /[?？]/.test(told) || has(words, 'texts') || LANGUAGES.some(asksInWords)) return undefined;
	const isShort = words.length < MIN_TOLD_WORDS && !LONG_IN_CHINESE.test(told);
	if (drawn.isThis) return isShort ? undefined : told.trim().replace(/[,.!:，、。！：]$/u, '');
	return isShort ? drawn.prompt : `${told.trim()} ${drawn.prompt}`;
}

/** Returns what words ask to draw. */
function drawnIn(text: string): Drawn | undefined {
	const words = wordsOf(text);
	for (const lists of LANGUAGES) {
		// “Can I please have …” has a word of `asks` in it, which leads to nothing.
		for (const read of [withoutLead(words, lists), words]) {
			const drawn = new PlainRequest(text, read, lists).drawn();
			if (drawn) return drawn;
		}
	}
	return japaneseDrawnIn(text) ?? chineseDrawnIn(text);
}

/** Tells whether words ask to draw the text that they reply to: "draw this", "make a picture of that". */
export const drawsQuoted = (text: string): boolean => drawnIn(text)?.isThis === true;

/** Tells whether words ask to delete what they reply to, and nothing else: "delete this", “kannst du das Bild löschen?” */
export const asksToRemove = (text: string): boolean =>
	asksOnly(text, 'remove', 'me', 'this', 'the', 'pictures') || isJapaneseRemoval(text);

/** Tells whether a message asks the bot to forget the thread. Words that also mean *never mind* do not. */
export const asksToForget = (text: string): boolean => asksOnly(text, 'forget');

/** Tells whether a text asks for help, and nothing else. Help buys nothing. */
export const asksForHelp = (text: string): boolean => /^\/?\?{1,3}$/.test(text.trim()) || asksOnly(text, 'help');

/** Tells whether a text asks for something with phrases of a list, and has nothing but polite words besides, and those of others. */
function asksOnly(text: string, list: List, ...others: List[]): boolean {
	const words = wordsOf(text.trim().replace(/^\//, ''));
	const besides = ['polite', 'asks', 'after', ...others] as const;
	const isIn = (language: Lists) =>
		words.some((_, at) => lengthAt(words, at, language[list]) > 0) &&
		skip(words, 0, language[list], ...besides.map((other) => language[other])) === words.length;
	return (
		LANGUAGES.some(isIn) || isOnly(text, JAPANESE, list, besides) || isOnly(chineseOf(text), CHINESE, list, besides)
	);
}

/**
 * Tells whether a message is answered in words, although it brings pictures or replies to some: “what is this”, “describe it”, "thanks".
 */
export function isAboutPictures(text: string): boolean {
	const words = wordsOf(text);
	const wishes = ({ wishes }: Lists) => lengthAt(words, 0, wishes) > 0;
	const isWish = LANGUAGES.some(wishes) || [...CHINESE.wishes].some((wish) => chineseOf(text).startsWith(wish));
	return isQuestion(text) || (isTalk(text) && !(isWish && !asksForText(words)));
}

/** Tells whether a message is answered in words, although pictures were shown before it. */
export function isTalk(text: string): boolean {
	if (isQuestion(text) || isSaidInJapanese(text) || !/\p{L}|\d:\d/u.test(text)) return true;
	const words = wordsOf(text);
	const isIn = (language: Lists) => {
		const { polite, asks, talk, mine, clause } = language;
		const read = withoutLead(words, language);
		const end = skip(read, 0, polite, asks);
		// “My dog”, “my mother would love it”
		const isSaid =
			words.length === 2 || words.slice(1, MAX_BEFORE).some((_, at) => lengthAt(words, at + 1, clause) > 0);
		const isMine = isSaid && lengthAt(words, 0, mine) > 0;
		return isMine || (end > 0 && end === read.length) || beginsWith(read, talk, polite, asks);
	};
	return !isChange(text) && (LANGUAGES.some(isIn) || isChineseTalk(chineseOf(text)));
}

/** Tells whether words have a phrase of a list in any language. */
const has = (words: readonly Word[], list: List): boolean =>
	LANGUAGES.some((language) => words.some((_, at) => lengthAt(words, at, language[list]) > 0));

/** Tells whether words speak of a text that is wanted, such as a list, or of what somebody wants to know. */
const asksForText = (words: readonly Word[]) => has(words, 'texts');

/** Tells a question, which is answered in words, from an instruction: "Can you make it night?" is one. */
function isQuestion(text: string): boolean {
	const inChinese = isChineseQuestion(chineseOf(text));
	if (inChinese !== undefined) return inChinese;
	if (!/[?？؟][^\p{L}\p{N}]{0,20}$/u.test(text)) return false;
	const words = wordsOf(text);
	const asks = (language: Lists) => {
		const read = withoutLead(words, language);
		const isAsked = lengthAt(read, skip(read, 0, language.polite), language.asks) > 0;
		return isAsked && !words.some((_, at) => lengthAt(words, at, language.tell) > 0);
	};
	return !LANGUAGES.some(asks) && !isJapaneseChange(text);
}

/** Tells whether words are an instruction that plainly changes a picture: “make it night”, “ohne den Hut”, “夜にして”. */
export function isChange(text: string): boolean {
	const words = wordsOf(text);
	const isIn = (language: Lists) => {
		const { polite, asks, change, after, changeEnds } = language;
		const end = words.length - lengthBefore(words, words.length, after);
		const isChanged = beginsWith(withoutLead(words, language), change, polite, asks);
		return isChanged || lengthBefore(words, end, changeEnds) > 0 || isWithout(words.slice(0, end), language);
	};
	if (LANGUAGES.some(isIn)) return !asksForText(words);
	if (isJapaneseChange(text)) return !hasAny(text, JAPANESE.texts);
	return isChineseChange(chineseOf(text));
}

/** Tells whether a question suggests a change of the picture that was shown: “could it be darker?”, “what about a red hat?” */
export function suggestsChange(text: string): boolean {
	const words = wordsOf(text);
	const isIn = ({ polite, suggests }: Lists) => beginsWith(words, suggests, polite);
	if (LANGUAGES.some(isIn)) return !asksForText(words);
	return suggestsInJapanese(text) || hasAny(chineseOf(text), CHINESE.suggests);
}

/** Tells whether a text speaks of pictures. */
export function speaksOfPictures(text: string): boolean {
	const words = wordsOf(text);
	const lists = ['draw', 'pictures', 'kinds'] as const;
	const isIn = (language: Lists) =>
		words.some((_, at) => lists.some((list) => lengthAt(words, at, language[list]) > 0));
	if (LANGUAGES.some(isIn)) return true;
	if ([JAPANESE.pictures, JAPANESE.kinds, JAPANESE.ends].some((list) => hasAny(text, list))) return true;
	return [CHINESE.pictures, CHINESE.kinds].some((list) => hasAny(chineseOf(text), list));
}

/** How many words a text has at most that only leaves something out: “no glasses on the dog”. */
const MAX_WITHOUT = 5;

/** “No glasses”, and not “no idea” or “no, thanks” */
const isWithout = (words: readonly Word[], { without, talk, polite }: Lists): boolean =>
	without.has(words[0]?.word.toLowerCase() ?? '') &&
	words.length > 1 &&
	words.length <= MAX_WITHOUT &&
	lengthAt(words, 0, talk) < 2 &&
	lengthAt(words, 1, talk) + lengthAt(words, 1, polite) === 0;
