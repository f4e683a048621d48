import { CHINESE, chineseOf, JAPANESE, Reading, type Word } from './lists.ts';

/** What ends a clause. */
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

/** Tells whether a text has a phrase of a list in it. */
const hasAny = (text: string, list: ReadonlySet<string>): boolean => [...list].some((part) => text.includes(part));

/** Returns a text without the longest of these phrases at its end; undefined when none is there. */
function withoutEnd(text: string, list: ReadonlySet<string>): string | undefined {
	const ends = [...list].filter((end) => text.endsWith(end));
	const longest = ends.sort((one, other) => other.length - one.length)[0];
	return longest && text.slice(0, -longest.length);
}

const charactersOf = (text: string): Word[] => text.split('').map((word, at) => ({ word, at, plain: word }));

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
	return [new JapaneseReading(text), ...(read === '' ? [] : [new ChineseReading(text, read)])];
}

/** A Chinese text. A place is a character, also in the text as it was written. */
class ChineseReading extends Reading {
	/** The text as the lists are written. */
	readonly #read: string;
	#end: number;

	constructor(text: string, read: string) {
		const characters = charactersOf(read);
		super(text, CHINESE, characters.slice(0, MAX_CLAUSE), characters);
		this.#read = read;
		this.#end = read.replace(CHINESE_END, '').length;
	}

	drawn(): string | undefined {
		return this.#drawsThis() ? '' : this.#prompt();
	}

	/** Tells whether it names nothing but what it replies to: 画这个, 把这段话画出来. */
	#drawsThis(): boolean {
		const isDrawn = /画[出下]来|[把将].{1,10}画/u.test(this.#read) || (this.has('this') && this.begins('draw'));
		return isDrawn && this.only('draw', 'this', 'polite', 'asks', 'after');
	}

	#prompt(): string | undefined {
		const { tell } = CHINESE;
		const isMarked = /[?？]\s*$/u.test(this.#read);
		const isTagged = this.#takeAfter();
		const isParticle = /[吗呢]$/u.test(this.#words(0));
		if (isParticle) this.#end--;
		const first = this.behind(0, 'polite');
		const start = this.behind(0, 'polite', 'asks');
		// 画猫难吗 asks nobody to draw.
		if (isParticle && !isTagged && start === first) return undefined;
		const isQuestion = (isMarked && !isTagged) || isParticle;
		const asked = this.#words(start);
		if ((isQuestion && hasAny(asked, tell)) || [...tell].some((end) => asked.endsWith(end))) return undefined;
		return this.#promptFor(start) ?? this.#promptFrom(start) ?? this.#promptFor(first);
	}

	/** Returns the prompt behind verbs such as 画 and 我想要. */
	#promptFrom(start: number): string | undefined {
		let at = start;
		let verb: Verb | undefined;
		for (let next = this.#verbAt(at); next && verb?.kind !== 'draw'; next = this.#verbAt(at)) {
			verb = next;
			at = this.behind(at + next.length, 'me');
		}
		const rest = this.#words(at);
		if (!verb || rest === '' || this.lengthAt(at, 'never') > 0 || this.#isText(at)) return undefined;
		const before = this.#read.slice(0, at);
		if (verb.kind === 'draw' && before.endsWith('画') && (PAINTING.test(rest) || DRAWING.test(rest))) return undefined;
		const picture = this.#pictureFrom(at);
		// 生成一条龙, and not 生成一个密码.
		const isGenerated = CHINESE.generate.has(before.slice(-2)) && this.#isNew(at);
		if (verb.kind === 'make' && !isGenerated) return picture?.prompt;
		if (verb.kind === 'wants') return this.#isThing(at) ? picture?.prompt : undefined;
		return picture ? picture.prompt : this.#from(this.behind(at, 'articles') < this.#end ? at : this.#end);
	}

	/** Returns the prompt of 给我的面包店设计一个标志 and 用水彩画一只猫, where the verb is further on. */
	#promptFor(start: number): string | undefined {
		if (!/[为给帮替用以]/u.test(this.#read[start] ?? '')) return undefined;
		for (let at = start + 2; at < Math.min(start + MAX_BEFORE_VERB, this.#end); at++) {
			if (CLAUSE_END.test(this.#read[at] ?? '')) return undefined;
			const verb = this.#verbAt(at);
			const object = at + (verb?.length ?? 0);
			const isThing = this.lengthAt(object, 'articles') + this.lengthAt(object, 'kinds') > 0;
			if (!verb || verb.kind === 'wants' || !isThing) continue;
			if (/^.[我咱]们?$/u.test(this.#read.slice(start, at))) return undefined;
			if (hasAny(this.#read.slice(start, at), CHINESE.texts) || this.#isText(object)) return undefined;
			return verb.kind === 'draw' || this.#pictureFrom(object)?.prompt ? this.#from(start) : undefined;
		}
		return undefined;
	}

	/** Tells whether what follows "I want" is a thing, not something to do. */
	#isThing(at: number): boolean {
		if (this.lengthAt(at, 'articles') > 0) return true;
		return this.lengthAt(at, 'otherwise') === 0 && this.#words(at).includes('的');
	}

	/** Tells whether something is named there that can be generated as a picture. */
	#isNew(at: number): boolean {
		const isNamed = this.lengthAt(at, 'articles') > 0 || /[：:]/u.test(this.#read[at] ?? '');
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
		const subject = this.behind(at, 'articles') - at;
		const isWhole = at + clause.length === this.#end;
		if (subject >= clause.length - noun) return { prompt: isWhole ? undefined : this.#from(at + clause.length + 1) };
		if (!before?.endsWith('的')) return noun === 1 ? undefined : { prompt: this.#from(at) };
		if (/^[我你您他她它这那]们?的$/u.test(clause.slice(subject, clause.length - noun))) return { prompt: undefined };
		return { prompt: isWhole ? this.#from(at + subject, at + clause.length - noun - 1) : this.#from(at) };
	}

	#verbAt(at: number): Verb | undefined {
		const verbs = (['draw', 'make', 'wants'] as const).map((kind) => ({ kind, length: this.lengthAt(at, kind) }));
		const [verb] = verbs.sort((one, other) => other.length - one.length);
		return verb && verb.length > 0 ? verb : undefined;
	}

	#from(at: number, end = this.#end): string | undefined {
		const prompt = this.text.slice(at, end).replace(/^[\s，,、：:；;。]{1,20}/u, '');
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

const PARTICLES = new Set(['を', 'が', 'で', '、', 'を一枚', 'を1枚', 'を一つ', 'を三つ', 'を何か']);
const TEXTS = new Set([...JAPANESE.written, ...JAPANESE.texts]);

const withoutParticle = (object: string): string => withoutEnd(object, PARTICLES) ?? object;

class JapaneseReading extends Reading {
	constructor(text: string) {
		const characters = charactersOf(text);
		super(text, JAPANESE, characters.slice(0, MAX_CLAUSE), characters);
	}

	/** “猫の絵を描いて”, “パン屋のロゴが欲しい” */
	drawn(): string | undefined {
		// “ありがとう！次はクマを描いて”
		const plain = this.text.slice(this.behind(0, 'polite')).trim().replace(ENDING, '');
		const generated = withoutEnd(plain, JAPANESE.generate);
		const isText = generated !== undefined && withoutEnd(withoutParticle(generated), TEXTS) !== undefined;
		const drawn = withoutEnd(plain, JAPANESE.ends) ?? (isText ? undefined : generated);
		const made = drawn ?? withoutEnd(plain, JAPANESE.makeEnds);
		if (made === undefined) return undefined;
		const object = withoutParticle(made);
		if (drawn !== undefined && JAPANESE.this.has(object)) return '';
		// 絵は描ける？ asks what somebody can do, この絵を見せて for a picture that is there.
		const isThere = [...JAPANESE.never].some((word) => object.startsWith(word));
		if (object.endsWith('は') || hasAny(object, JAPANESE.tell) || isThere) return undefined;
		const isKind = withoutEnd(object, JAPANESE.kinds) !== undefined;
		const subject = isKind ? object : withoutEnd(object, JAPANESE.pictures);
		const named = subject === undefined ? drawn !== undefined && object : subject.replace(/の$/, '');
		return named && JAPANESE.this.has(named) ? '' : named || undefined;
	}
}
