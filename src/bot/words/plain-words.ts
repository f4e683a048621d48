import { isHelpSign } from '../../domain/text.ts';
import {
	chineseOf,
	LANGUAGES,
	type List,
	type Lists,
	lengthAt,
	lengthBefore,
	type Reading,
	type Word,
	wordsOf,
} from './lists.ts';
import { SpacedReading } from './spaced.ts';
import { isMarkedAsQuestion, unspacedReadings } from './unspaced.ts';

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
/** What stands between it and the request. */
const TOLD_END = /[,.!:，、。！：–—-]\s*$/u;
/** What a title such as “Logo:” stands before is longer than “done”, in UTF-16 units. */
const MIN_TITLED = 6;
/** Where a sentence ends, also where the next one begins with a small letter. */
const SENTENCE_END = /(?<=[.!?…])\s+|(?<=[。！？])/;
/** “Let me ask: draw a fox” */
const AFTER_COLON = /^([^:：\n]{1,100}[:：])(?!\/)([^:：\n]+)$/;
/** “My cat as a king, can you draw it?”, “A cat as a king - draw it” */
const AFTER_COMMA = /^(.+(?:[,，、]|\s[-–—]\s))([^,，、]{1,60})$/s;

/** Returns the prompt in words that ask for a picture, such as "please draw a fox" or “I want a logo for my bakery”. */
export function promptIn(text: string): string | undefined {
	const [, head = '', follows = ''] = FOLLOWED.exec(text) ?? [];
	const [, cited = '', tail = ''] = BEHIND.exec(text) ?? [];
	const [before, behindIt] = [drawnIn(head), drawnIn(tail)];
	const quoted = (before === '' && follows) || (behindIt === '' && cited);
	// “Logo please: a bakery called Crumb”
	const prompt = quoted || drawnIn(text.replace(MARKED, '$2')) || (before && `${before}: ${follows.trim()}`);
	return (prompt || promptAtEnd(text) || titledIn(head, text))?.replace(BLOCK_MARKS, '').trim() || undefined;
}

/** “Profile picture: an angry goose”, “new picture: a goose” */
function titledIn(head: string, text: string): string | undefined {
	const follows = text.slice(head.length + 1).trim();
	if (/[\n?？]|https?:/.test(text) || follows.length < MIN_TITLED || new Said(text).isSentence()) return undefined;
	const isTitle = (reading: Reading) =>
		reading.only('polite', 'articles', 'kinds', 'pictures') && !reading.has('written');
	const titles = new Said(head).readings.filter(isTitle);
	// “Icon: missing in build 42” is no wish.
	const isNew = /\S\s+\S/.test(head) || new Said(follows).begins('some');
	if (!isNew) return undefined;
	if (titles.some((title) => title.has('kinds'))) return text;
	return titles.some((title) => title.has('pictures')) ? follows : undefined;
}

/** “My daughter loves unicorns. Draw her one, please”: what is told before belongs to the prompt. */
function promptAtEnd(text: string): string | undefined {
	if (text.length > MAX_TOLD || text.trim() === '') return undefined;
	const last = text.trim().split(SENTENCE_END).at(-1) ?? '';
	const [, head = '', follows = ''] = AFTER_COLON.exec(text) ?? [];
	const [, told = '', end = ''] = AFTER_COMMA.exec(text) ?? [];
	return (
		withTold(text.trim().slice(0, -last.length), drawnIn(last)) ??
		(new Said(head).isSentence() ? undefined : withTold(head, drawnIn(follows))) ??
		(told.endsWith('，') || drawnIn(end) === '' || new Said(end).begins('asks', 'polite')
			? withTold(told, drawnIn(end))
			: undefined)
	);
}

function withTold(told: string, drawn: string | undefined): string | undefined {
	const said = new Said(told);
	const asksInWords = said.begins('tell') || (drawn === '' && said.begins('talk') && !said.begins('make'));
	if (drawn === undefined || asksInWords || /[?？]/.test(told) || said.has('texts')) return undefined;
	if (said.words.length < MIN_TOLD_WORDS && !LONG_IN_CHINESE.test(told)) return drawn || undefined;
	return drawn === '' ? told.replace(TOLD_END, '').trim() : `${told.trim()} ${drawn}`;
}

/** Returns what words ask to draw; an empty text for only what they reply to. */
const drawnIn = (text: string): string | undefined =>
	new Said(text).readings
		.values()
		.map((reading) => reading.drawn())
		.find((drawn) => drawn !== undefined);

/** Tells whether words ask to draw the text that they reply to: "draw this", "make a picture of that". */
export const drawsQuoted = (text: string): boolean => drawnIn(text) === '';

const POLITE = ['polite', 'asks', 'after'] as const;

/** Tells whether words ask to delete or undo what they reply to, and nothing else: "delete this", “kannst du das Bild löschen?” */
export const asksToRemove = (text: string): boolean =>
	asksOnly(text, 'remove', ...POLITE, 'me', 'this', 'the', 'pictures', 'messages');

/** Words beside “another one”, and beside “again”. */
const REPEATED = ['asks', 'me', 'make', 'makeEnds', 'draw', 'ends', 'generate', 'this', 'pictures'] as const;

/** Tells whether words ask for another picture like the one that they reply to, and nothing else: “one more please”, “nochmal” */
export const asksForAnother = (text: string): boolean =>
	asksOnly(text, 'another', ...POLITE, ...REPEATED) || asksOnly(text, 'again', ...REPEATED);

/** Tells whether a message asks the bot to forget the thread. Words that also mean *never mind* do not. */
export const asksToForget = (text: string): boolean => asksOnly(text, 'forget', ...POLITE);

/** Tells whether a text asks for help, and nothing else. Help buys nothing. */
export const asksForHelp = (text: string): boolean => isHelpSign(text.trim()) || asksOnly(text, 'help', ...POLITE);

/** Tells whether a text is polite and says nothing: “please”, “bitte” */
export const isPolite = (text: string): boolean => asksOnly(text, 'after');

/** Longer texts ask for more than one thing, in UTF-16 units. */
const MAX_ASKED = 200;

/** Tells whether a text asks for something with phrases of a list, and has nothing besides but those of others. */
const asksOnly = (text: string, list: List, ...others: List[]): boolean =>
	text.length <= MAX_ASKED &&
	new Said(text.trim().replace(/^\//, '')).readings.some(
		(reading) => reading.only(list, ...others) && reading.begins(list, ...others),
	);

/**
 * Tells whether a message is answered in words, although it brings pictures or replies to some: “what is this”, “describe it”, "thanks".
 */
export function isAboutPictures(text: string): boolean {
	const said = instructionIn(text);
	const isWish = said.begins('wishes', 'polite') && !said.has('texts');
	return isQuestion(said) || (talks(said) && !isWish);
}

/** Tells whether a message is answered in words, although pictures were shown before it. */
export const isTalk = (text: string): boolean => talks(instructionIn(text));

/** Tells whether words are an instruction that plainly changes a picture: “make it night”, “ohne den Hut”, “夜にして”. */
export const isChange = (text: string): boolean => changes(instructionIn(text));

/** Returns the last part of a text where that changes a picture, and the first one only says something: “Nice! Could you add a hat?” */
function instructionIn(text: string): Said {
	for (const pattern of [LAST_PART, AFTER_COMMA]) {
		const [before, last] = (pattern.exec(text) ?? ['', '', '']).slice(1).map((part) => new Said(part));
		const asksForWords = before?.begins('tell', 'polite', 'asks') || before?.begins('wishes', 'polite');
		// “I made it myself, without help”
		const isMore = pattern === AFTER_COMMA && last?.begins('joins', 'polite');
		if (last && changes(last) && !asksForWords && !isMore) return last;
	}
	return new Said(text);
}

function talks(said: Said): boolean {
	if (isQuestion(said) || !/\p{L}|\d:\d/u.test(said.text)) return true;
	if (changes(said)) return false;
	// “The fox is adorable”, “sold!”, and not “the sky is too dark”
	const isExclaimed = EXCLAIMED.test(said.text) && said.words.length <= MAX_EXCLAIMED;
	const isStated = (said.has('states') || isExclaimed) && !said.has('demands') && !said.has('asks');
	const isEnded = said.readings.some((reading) => reading.ends('saysEnds') && !reading.ends('makeEnds'));
	const isPolite = said.readings.some((reading) => reading.only('polite', 'asks'));
	return isStated || isEnded || isPolite || said.begins('talk') || said.has('says') || showsOwn(said);
}

/** “My dog”, “my class laughed a lot”, and not “my dog as a king” */
function showsOwn(said: Said): boolean {
	const isJoined = ({ joins }: Lists) => said.words.some((_, at) => lengthAt(said.words, at, joins) > 0);
	return LANGUAGES.some((lists) => lengthAt(said.words, 0, lists.mine) > 0 && (said.isSentence() || !isJoined(lists)));
}

/** Tells a question, which is answered in words, from an instruction: "Can you make it night?" is one. */
function isQuestion(said: Said): boolean {
	const isRequest = (reading: Reading) =>
		(reading.begins('asks', 'polite') && !reading.has('tell')) || reading.ends('changeEnds');
	const isAsked = said.readings.some(isRequest) || (chineseOf(said.text) !== '' && changes(said));
	return isMarkedAsQuestion(said.text) && !isAsked;
}

function changes(said: Said): boolean {
	const isIn = (reading: Reading) =>
		reading.begins('change', 'polite', 'asks', 'wants') ||
		reading.ends('changeEnds') ||
		(reading.has('becomes') && !reading.begins('talk'));
	// Such as to make a list.
	return (said.readings.some(isIn) || leavesOut(said.words)) && !said.has('texts');
}

/** Tells whether a question suggests a change of the picture that was shown: “could it be darker?”, “what about a red hat?” */
export function suggestsChange(text: string): boolean {
	const said = new Said(text);
	return said.has('wonders') || (said.begins('suggests', 'polite') && !said.has('texts'));
}

/** Tells whether a text speaks of pictures. */
export const speaksOfPictures = (text: string): boolean => new Said(text).has('draw', 'pictures', 'kinds', 'ends');

/** What is only said in praise, in a few words: “approved 👍” */
const MAX_EXCLAIMED = 3;
const EXCLAIMED = /[!！][^\p{L}\p{N}]{0,20}$|[👍👏🙌💯🔥❤😍🥰😂🤣😭]/u;

/** “I like it, but make it night” */
const LAST_PART = /^(.+(?:[.!?…]\s|[。！？，]|[!,](?=\p{Script=Han})|,?\s(?=(?:but|aber|pero|mais|mas|но)\s)))(.+)$/su;

/** How many words a text has at most that only leaves something out: “no glasses on the dog”. */
const MAX_WITHOUT = 5;

/** “No glasses”, and not “no idea” or “no, thanks” */
const leavesOut = (words: readonly Word[]): boolean =>
	words.length > 1 &&
	LANGUAGES.some(({ without, after, talk, polite }) => {
		const length = words.length - lengthBefore(words, words.length, after);
		const isSaid = lengthAt(words, 0, talk) > 1 || lengthAt(words, 1, talk) + lengthAt(words, 1, polite) > 0;
		return without.has(words[0]?.word.toLowerCase() ?? '') && length > 1 && length <= MAX_WITHOUT && !isSaid;
	});

/** A character of Japanese or Chinese. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

/** A text as each language reads it. */
class Said {
	readonly text: string;
	readonly words: readonly Word[];
	readonly readings: readonly Reading[];

	constructor(text: string) {
		this.text = text;
		this.words = wordsOf(text);
		const spaced = LANGUAGES.map((lists) => new SpacedReading(text, this.words, lists));
		this.readings = UNSPACED.test(text) ? [...spaced, ...unspacedReadings(text)] : spaced;
	}

	/** Tells whether it has a phrase of a list in any language. */
	has(...lists: List[]): boolean {
		return lists.some((list) => this.readings.some((reading) => reading.has(list)));
	}

	begins(...lists: Parameters<Reading['begins']>): boolean {
		return this.readings.some((reading) => reading.begins(...lists));
	}

	isSentence(): boolean {
		return this.has('clause', 'states');
	}
}
