import { CHINESE, chineseOf, hasAny, JAPANESE, type List, type Lists, Reading, withoutEnd } from './lists.ts';

/** What parts Chinese phrases, and what ends a clause. */
const SEPARATORS = /[\s，,、：:；;。.！!～~]/u;
const CLAUSE_END = /[，,。；;：:！!？?\n]/u;
const CHINESE_END = /[\s，,、。.！!？?～~…]{1,20}$/u;
/** A question without 什么 and the like. */
const CHINESE_QUESTION = /[?？吗呢][\s。.！!？?～~…]{0,20}$/u;
/** 酒吧 is a bar. */
const PARTICLE = /(?:(?<![酒网水贴])吧|[啊呀哦喔啦嘛])$/u;
/** 画 is a noun, too: 画家 is a painter, but 画家庭 asks for a family. */
const PAINTING =
	/^[风家面展布笔质册廊室作法师框像里中上](?=$|[是的很太真好不怎什有在和也都就还比更里上中面边，。！？,!?\s])/u;
/** 画风格 is a style, and 画图软件 a program; 画图：一只猫 asks for a cat. */
const DRAWING = /^(?:风格|图(?![片像画案标书腾，,：:\s]|$))/u;

/** Returns the length of the longest phrase of a list at a place; 0 for none. 给我 is none in 给我的朋友, "to my friend". */
function phraseAt(text: string, at: number, list: ReadonlySet<string>): number {
	let longest = 0;
	for (const phrase of list) {
		const { length } = phrase;
		if (length <= longest || !text.startsWith(phrase, at)) continue;
		if (!/[我你您们]$/u.test(phrase) || !/[的们]/u.test(text[at + length] ?? '')) longest = length;
	}
	return longest;
}

/** Yields the places between phrases of lists in a text without spaces, and the one behind them. */
function* placesIn(text: string, ...lists: readonly ReadonlySet<string>[]): Generator<number> {
	let at = 0;
	for (let length = 1; length > 0; at += length) {
		while (SEPARATORS.test(text[at] ?? '')) at++;
		yield at;
		length = Math.max(...lists.map((list) => phraseAt(text, at, list)));
	}
}

/** Returns the place behind the phrases of lists. */
const behind = (...begin: Parameters<typeof placesIn>): number => [...placesIn(...begin)].at(-1) ?? 0;

/** A text in Japanese, or in Chinese by `chineseOf`, which have no spaces. */
class UnspacedReading extends Reading {
	readonly #text: string;
	readonly drawn: () => string | undefined;

	constructor(text: string, lists: Lists, drawn: () => string | undefined) {
		super(lists);
		this.#text = text;
		this.drawn = drawn;
	}

	protected places(lists: readonly List[]): Iterable<number> {
		return placesIn(this.#text, AROUND, ...lists.map((list) => this.lists[list]));
	}

	protected lengthAt(place: number, list: List): number {
		return phraseAt(this.#text, place, this.lists[list]);
	}

	protected isEnd(place: number): boolean {
		return !/[\p{L}\p{N}]/u.test(this.#text.slice(place));
	}

	ends(list: List): boolean {
		return withoutEnd(this.#text.trim().replace(ENDING, ''), this.lists[list]) !== undefined;
	}

	has(list: List): boolean {
		return hasAny(this.#text.slice(0, MAX_CLAUSE), this.lists[list]);
	}
}

/** Words around what a text without spaces names. */
const AROUND = new Set(['把', '将', '吧', '吗', '呢', '?', '？', 'を', 'この', 'その']);

/** The beginning of a text that tells what it asks for, in UTF-16 units. */
const MAX_CLAUSE = 200;

/** What ends a Japanese sentence. */
const ENDING = /(?:[\s。！？!?~～♪\p{Extended_Pictographic}]|\u{FE0F}){1,9}$/u;

/** Tells whether a text has the mark of a question, which in Chinese may be a word. */
export const isMarkedAsQuestion = (text: string): boolean =>
	/[?？؟][^\p{L}\p{N}]{0,20}$/u.test(text) || CHINESE_QUESTION.test(chineseOf(text));

/** Returns a text with Japanese or Chinese characters as the languages read it that it may be in. */
export function unspacedReadings(text: string): Reading[] {
	const read = chineseOf(text);
	const japanese = new UnspacedReading(text, JAPANESE, () => japaneseDrawnIn(text));
	if (read === '') return [japanese];
	const chinese: Reading = new UnspacedReading(read, CHINESE, () =>
		drawsThis(read, chinese) ? '' : new ChineseRequest(text, read).prompt(),
	);
	return [japanese, chinese];
}

/** Tells whether a Chinese text names nothing but what it replies to: 画这个, 把这段话画出来. */
function drawsThis(text: string, reading: Reading): boolean {
	const isDrawn = /画[出下]来|[把将].{1,10}画/u.test(text) || (reading.has('this') && reading.begins('draw'));
	return isDrawn && reading.only('draw', 'this', 'polite', 'asks', 'after');
}

/** A Chinese text that may ask for a picture. */
class ChineseRequest {
	readonly #text: string;
	/** The text as the lists are written. */
	readonly #read: string;
	#end: number;

	constructor(text: string, read: string) {
		this.#text = text;
		this.#read = read;
		this.#end = read.replace(CHINESE_END, '').length;
	}

	prompt(): string | undefined {
		const { polite, asks, tell } = CHINESE;
		const isMarked = /[?？]\s*$/u.test(this.#read);
		const isTagged = this.#takeAfter();
		const isParticle = /[吗呢]$/u.test(this.#words(0));
		if (isParticle) this.#end--;
		const first = behind(this.#read, polite);
		const start = behind(this.#read, polite, asks);
		// 画猫难吗 asks nobody to draw.
		if (isParticle && !isTagged && start === first) return undefined;
		const isQuestion = (isMarked && !isTagged) || isParticle;
		const asked = this.#words(start);
		if ((isQuestion && hasAny(asked, tell)) || [...tell].some((end) => asked.endsWith(end))) return undefined;
		return this.#promptFor(start) ?? this.#promptFrom(start) ?? this.#promptFor(first);
	}

	/** Returns the prompt behind verbs such as 画 and 我想要. */
	#promptFrom(start: number): string | undefined {
		const { never, me } = CHINESE;
		let at = start;
		let verb: Verb | undefined;
		for (let next = verbAt(this.#read, at); next && verb?.kind !== 'draw'; next = verbAt(this.#read, at)) {
			verb = next;
			at += next.length;
			at += behind(this.#read.slice(at), me);
		}
		const rest = this.#words(at);
		if (!verb || rest === '' || phraseAt(rest, 0, never) > 0 || this.#isText(at)) return undefined;
		const before = this.#read.slice(0, at);
		if (verb.kind === 'draw' && before.endsWith('画') && (PAINTING.test(rest) || DRAWING.test(rest))) return undefined;
		const picture = this.#pictureFrom(at);
		// 生成一条龙, and not 生成一个密码.
		const isGenerated = CHINESE.generate.has(before.slice(-2)) && this.#isNew(at);
		if (verb.kind === 'make' && !isGenerated) return picture?.prompt;
		if (verb.kind === 'wants') return this.#isThing(rest) ? picture?.prompt : undefined;
		return picture ? picture.prompt : this.#from(behind(rest, CHINESE.articles) < rest.length ? at : this.#end);
	}

	/** Returns the prompt of 给我的面包店设计一个标志 and 用水彩画一只猫, where the verb is further on. */
	#promptFor(start: number): string | undefined {
		if (!/[为给帮替用以]/u.test(this.#read[start] ?? '')) return undefined;
		for (let at = start + 2; at < Math.min(start + MAX_BEFORE_VERB, this.#end); at++) {
			if (CLAUSE_END.test(this.#read[at] ?? '')) return undefined;
			const verb = verbAt(this.#read, at);
			const object = at + (verb?.length ?? 0);
			const isThing = [CHINESE.articles, CHINESE.kinds].some((list) => phraseAt(this.#read, object, list) > 0);
			if (!verb || verb.kind === 'wants' || !isThing) continue;
			if (/^.[我咱]们?$/u.test(this.#read.slice(start, at))) return undefined;
			if (hasAny(this.#read.slice(start, at), CHINESE.texts) || this.#isText(object)) return undefined;
			return verb.kind === 'draw' || this.#pictureFrom(object)?.prompt ? this.#from(start) : undefined;
		}
		return undefined;
	}

	/** Tells whether what follows "I want" is a thing, not something to do. */
	#isThing(rest: string): boolean {
		if (phraseAt(rest, 0, CHINESE.articles) > 0) return true;
		return phraseAt(rest, 0, CHINESE.otherwise) === 0 && rest.includes('的');
	}

	/** Tells whether something is named there that can be generated as a picture. */
	#isNew(at: number): boolean {
		const isNamed = phraseAt(this.#read, at, CHINESE.articles) > 0 || /[：:]/u.test(this.#read[at] ?? '');
		return isNamed && withoutEnd(this.#clause(at), CHINESE.written) === undefined;
	}

	/** Tells whether words ask for something written, such as 一个计划表, and not for 写代码的人. */
	#isText(at: number): boolean {
		const clause = this.#clause(at);
		return [...CHINESE.texts].some((word) => {
			const end = clause.indexOf(word) + word.length;
			return clause.includes(word) && (end === clause.length || /[给来吧和与及并或\s]/u.test(clause[end] ?? ''));
		});
	}

	/** Returns what is in a picture where the first clause names one; undefined where it names none. */
	#pictureFrom(at: number): { prompt: string | undefined } | undefined {
		const clause = this.#clause(at);
		if (withoutEnd(clause, CHINESE.kinds) !== undefined) return { prompt: this.#from(at) };
		const before = withoutEnd(clause, CHINESE.pictures);
		const noun = clause.length - (before?.length ?? clause.length);
		if (noun === 0) return undefined;
		const subject = behind(clause, CHINESE.articles);
		const isWhole = at + clause.length === this.#end;
		if (subject >= clause.length - noun) return { prompt: isWhole ? undefined : this.#from(at + clause.length + 1) };
		if (!before?.endsWith('的')) return noun === 1 ? undefined : { prompt: this.#from(at) };
		if (/^[我你您他她它这那]们?的$/u.test(clause.slice(subject, clause.length - noun))) return { prompt: undefined };
		return { prompt: isWhole ? this.#from(at + subject, at + clause.length - noun - 1) : this.#from(at) };
	}

	#from(at: number, end = this.#end): string | undefined {
		const prompt = this.#text.slice(at, end).replace(/^[\s，,、：:；;。]{1,20}/u, '');
		return /[\p{L}\p{N}\p{So}]/u.test(prompt) ? prompt.trimEnd() : undefined;
	}

	#words(at: number): string {
		return this.#read.slice(at, this.#end);
	}

	#clause(at: number): string {
		return this.#words(at).split(CLAUSE_END, 1)[0] ?? '';
	}

	/** Takes what is only polite from the end. Returns whether it asks, as 好吗 does. */
	#takeAfter(): boolean {
		const before = this.#end;
		for (let end = 0; end !== this.#end; ) {
			end = this.#end;
			const words = this.#words(0).replace(PARTICLE, '');
			this.#end = (withoutEnd(words, CHINESE.after) ?? words).replace(CHINESE_END, '').length;
		}
		return (
			this.#read.slice(this.#end, before).includes('吗') || /[好行可]不/u.test(this.#read.slice(this.#end, before))
		);
	}
}

/** How far a Chinese verb is behind whom or what it is for. */
const MAX_BEFORE_VERB = 20;

type Verb = { kind: 'draw' | 'make' | 'wants'; length: number };

function verbAt(text: string, at: number): Verb | undefined {
	const verbs = (['draw', 'make', 'wants'] as const).map((kind) => ({
		kind,
		length: phraseAt(text, at, CHINESE[kind]),
	}));
	const [verb] = verbs.sort((one, other) => other.length - one.length);
	return verb && verb.length > 0 ? verb : undefined;
}

const PARTICLES = new Set(['を', 'が', 'で', '、', 'を一枚', 'を1枚', 'を一つ', 'を三つ', 'を何か']);
const OF = new Set(['の']);
const TEXTS = new Set([...JAPANESE.written, ...JAPANESE.texts]);

/** Returns the words of a Japanese text that asks for something, without what is polite before them. */
const japaneseClause = (text: string): string => text.slice(behind(text, JAPANESE.polite)).trim().replace(ENDING, '');

const withoutParticle = (object: string): string => withoutEnd(object, PARTICLES) ?? object;

/** “猫の絵を描いて”, “パン屋のロゴが欲しい” */
function japaneseDrawnIn(text: string): string | undefined {
	// “ありがとう！次はクマを描いて”
	const plain = japaneseClause(text);
	const generated = withoutEnd(plain, JAPANESE.generate);
	const isText = generated !== undefined && withoutEnd(withoutParticle(generated), TEXTS) !== undefined;
	const drawn = withoutEnd(plain, JAPANESE.ends) ?? (isText ? undefined : generated);
	const made = drawn ?? withoutEnd(plain, JAPANESE.makeEnds);
	if (made === undefined) return undefined;
	const object = withoutParticle(made);
	if (drawn !== undefined && JAPANESE.this.has(object)) return '';
	// 絵は描ける？ asks what somebody can do, この絵を見せて for a picture that is there.
	if (
		object.endsWith('は') ||
		hasAny(object, JAPANESE.tell) ||
		[...JAPANESE.never].some((word) => object.startsWith(word))
	)
		return undefined;
	const isKind = withoutEnd(object, JAPANESE.kinds) !== undefined;
	const subject = isKind ? object : withoutEnd(object, JAPANESE.pictures);
	const named = subject === undefined ? drawn !== undefined && object : (withoutEnd(subject, OF) ?? subject);
	if (named && JAPANESE.this.has(named)) return '';
	return named || undefined;
}
