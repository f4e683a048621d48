import type { PictureTexts } from './contents.ts';
import { readPicture } from './picture-answer.ts';
import type { AnswerMemory } from './picture-memory.ts';
import type { ChatPart, OutputImage } from './service.ts';

/** The most pictures of one answer, and the longest base64 of one in its text, in UTF-16 units: 12 MB. */
const MAX_PICTURES = 4;
const MAX_PICTURE = 16 * 1024 * 1024;

/**
 * How families of models mark their reasoning. https://github.com/openai/harmony has the last ones,
 * https://docs.vllm.ai/en/latest/features/reasoning_outputs.html most of the others.
 */
const REASONING_MARKS = [
	['<think>', '</think>'],
	['<thinking>', '</thinking>'],
	['<thought>', '</thought>'],
	['<reasoning>', '</reasoning>'],
	['<analysis>', '</analysis>'],
	['<seed:think>', '</seed:think>'],
	['<|START_THINKING|>', '<|END_THINKING|>'],
	['<|begin_of_thought|>', '<|end_of_thought|>'],
	['<|channel>thought', '<channel|>'],
	['[THINK]', '[/THINK]'],
	['<THINK>', '</THINK>'],
	['<Think>', '</Think>'],
	['<longcat_think>', '</longcat_think>'],
	['<|inner_prefix|>', '<|inner_suffix|>'],
	['<unused94>thought', '<unused95>'],
	['Here is my thought process:', 'Here is my response:'],
	['Here are my reasoning steps:', '[BEGIN FINAL RESPONSE]'],
	['◁think▷', '◁/think▷'],
	['<|channel|>analysis<|message|>', '<|channel|>final<|message|>'],
	['<|start|>assistant<|channel|>analysis<|message|>', '<|channel|>final<|message|>'],
] as const;

/** Longer than any of the marks. */
const MARK_LENGTH = 60;

/** How some families mark the answer behind their reasoning. */
const ANSWER_MARKS = ['<answer>', '<response>', '<|START_RESPONSE|>', '<|begin_of_solution|>'] as const;

/** What some servers leave at the end of an answer: the marks that end it, or the token by which a model stops. */
const END_MARKS = [
	...['</answer>', '</response>', '<|END_RESPONSE|>', '<|end_of_solution|>', '[END FINAL RESPONSE]'],
	...['</s>', '<eos>', '<|im_end|>', '<|end|>', '<|return|>', '<|eot_id|>', '<|eom_id|>', '<|endoftext|>'],
	...['<|end_of_text|>', '<end_of_turn>', '<|end_of_turn|>', '<｜end▁of▁sentence｜>'],
] as const;

/** The most that is held back as marks, in UTF-16 units: more than any model ends an answer with. */
const MAX_HELD = 200;

/** Leaves out the marks at the end of an answer. */
export class EndFilter {
	/** The end of the text, while it may be marks. */
	#held = '';

	push(text: string): string {
		const all = this.#held + text;
		const begun = Math.max(all.lastIndexOf('<'), all.lastIndexOf('['));
		const isBegun = begun !== -1 && END_MARKS.some((mark) => mark.startsWith(all.slice(begun).trimEnd()));
		const start = Math.max(startOfMarks(isBegun ? all.slice(0, begun) : all), all.length - MAX_HELD);
		this.#held = all.slice(start);
		return all.slice(0, start);
	}

	/** Returns what was held back, unless it is marks. */
	end(): string {
		return this.#held.slice(0, startOfMarks(this.#held));
	}
}

/** Returns where the marks at the end of a text begin, with blanks between and behind them. */
function startOfMarks(text: string): number {
	let start = text.length;
	while (start > text.length - MAX_HELD) {
		const plain = text.slice(0, start).trimEnd();
		const mark = END_MARKS.find((one) => plain.endsWith(one));
		if (!mark) break;
		start = plain.length - mark.length;
	}
	return start;
}

const countTicks = (text: string): number => text.split('`').length - 1;

/**
 * Leaves out what a model writes for itself before its answer, which some services send as text between marks. Only the beginning of an
 * answer is looked at; later, the same words are part of it. Where the first mark belongs to the prompt, only the one that ends the
 * reasoning comes: what was yielded before it is taken back.
 */
export class ReasoningFilter {
	/** What may be reasoning, or a mark of it; undefined while the answer goes on. */
	#pending: string | undefined = '';
	/** The mark that ends the reasoning, while it goes on. */
	#closing: string | undefined;
	/** The end of what was yielded, while that may turn out to be reasoning; undefined from then on. */
	#said: string | undefined = '';
	/** How many backticks were yielded: an odd number of them begins code. */
	#ticks = 0;
	/** The mark that ended the reasoning of this answer, which did not begin with one. */
	unopened: string | undefined;

	/** @param unopened that of the last answer: this one is expected to begin with reasoning */
	constructor(unopened: string | undefined) {
		this.#closing = unopened;
		this.unopened = unopened;
	}

	/** Returns the part of the text that belongs to the answer. */
	push(text: string): ChatPart[] {
		if (this.#pending === undefined) return this.#watch(text);
		this.#pending += text;
		for (;;) {
			if (this.#closing !== undefined) {
				const end = this.#pending.indexOf(this.#closing);
				// Only an end that is cut is needed of what has been looked at, where it is known to be reasoning.
				if (end === -1 && !this.#isGuess) this.#pending = this.#pending.slice(-this.#closing.length);
				if (end === -1) return [];
				this.#pending = this.#pending.slice(end + this.#closing.length).trimStart();
			}
			const beginning = this.#pending.trimStart();
			const marks = REASONING_MARKS.find(([opening]) => beginning.startsWith(opening));
			if (marks || this.#closing !== undefined) [this.#closing, this.#said] = [marks?.[1], undefined];
			if (marks) continue;
			const hasReasoned = this.#said === undefined;
			const answer = hasReasoned ? ANSWER_MARKS.find((mark) => beginning.startsWith(mark)) : undefined;
			if (answer) this.#pending = beginning.slice(answer.length).trimStart();
			const openings = [...REASONING_MARKS.map(([opening]) => opening), ...(hasReasoned ? ANSWER_MARKS : [])];
			return !answer && openings.some((opening) => opening.startsWith(beginning)) ? [] : this.end();
		}
	}

	/** Whether it is only expected, from the last answer, that this one begins with reasoning. */
	get #isGuess(): boolean {
		return this.#said !== undefined && this.#closing !== undefined;
	}

	/** Returns what was held back, when the answer ends before it is known. Reasoning without an end is left out. */
	end(): ChatPart[] {
		if (this.#isGuess) [this.#closing, this.unopened] = [undefined, undefined];
		const pending = this.#closing === undefined ? (this.#pending ?? '') : '';
		this.#pending = undefined;
		return this.#watch(pending);
	}

	/** Yields text of the answer, and takes it back where it ends in a mark that ends reasoning. */
	#watch(text: string): ChatPart[] {
		if (text === '') return [];
		if (this.#said === undefined) return [text];
		const all = this.#said + text;
		const found = REASONING_MARKS.flat().filter((mark) => all.includes(mark));
		const [first] = found.sort((one, other) => all.indexOf(one) - all.indexOf(other));
		this.#said = first === undefined ? all.slice(-MARK_LENGTH) : undefined;
		this.#ticks += countTicks(text);
		if (first === undefined || REASONING_MARKS.some(([opening]) => opening === first)) return [text];
		const start = all.indexOf(first);
		const answer = all.slice(start + first.length);
		// Words about the mark, or code with it.
		if (/['"“]/.test(all[start - 1] ?? '') || (this.#ticks - countTicks(answer)) % 2 === 1) return [text];
		this.unopened = first;
		this.#pending = '';
		return [{ retract: true }, ...this.push(answer.trimStart())];
	}
}

/** The beginning of a picture in a text, in Markdown or alone. */
const DATA_URL = /(!\[[^[\]\n]{0,200}\]\(<?)?data:image\/[\w.+-]{1,40}(?:;[\w.=-]{1,40})?;base64,/i;
/** What may become one. Bounded: at most 400 characters. */
const UNFINISHED =
	/(?:!(?:\[[^[\]\n]{0,200}(?:\](?:\([^)\s]{0,120})?)?)?|(?<![a-z])d(?:a(?:t(?:a(?::[^\s,)]{0,120})?)?)?)?)$/i;
const MAX_UNFINISHED = 400;
/** Shorter ones that stand alone are examples in code. */
const MIN_ALONE = 1000;

/** Takes pictures out of the text of a chat answer, wherever it is cut, and collects them with those that the answer has beside its text. */
export class PictureFilter {
	/** The end of the text, while it may be the beginning of a picture. */
	#held = '';
	/** The picture that is coming: what it began with, and its base64. */
	#coming: { opening: string; text: string } | undefined;
	#found: OutputImage[] = [];
	#lost = 0;
	#count = 0;
	/** Of the base64 of those that were found. */
	#length = 0;
	readonly addresses: string[] = [];
	readonly #memory: AnswerMemory;

	constructor(memory: AnswerMemory) {
		this.#memory = memory;
	}

	/** Of the base64 of all pictures since the last time that they were taken. */
	get length(): number {
		return this.#length + (this.#coming?.text.length ?? 0);
	}

	/** Returns the text without pictures, as far as it is known. */
	push(text: string): string {
		let rest = this.#held + text;
		let kept = '';
		for (;;) {
			if (this.#coming) {
				const isMarkdown = this.#coming.opening.startsWith('!');
				const end = rest.search(isMarkdown ? /\)/ : /[^\w+/=-]/);
				// What is too long is read over.
				if (this.#coming.text.length <= MAX_PICTURE) this.#coming.text += end === -1 ? rest : rest.slice(0, end);
				this.#held = '';
				if (end === -1) return kept;
				rest = rest.slice(isMarkdown ? end + 1 : end);
				kept += this.end();
			}
			const [opening] = DATA_URL.exec(rest) ?? [];
			if (opening === undefined) break;
			const start = rest.indexOf(opening);
			kept += rest.slice(0, start);
			this.#coming = { opening, text: '' };
			rest = rest.slice(start + opening.length);
		}
		this.#held = UNFINISHED.exec(rest.slice(-MAX_UNFINISHED))?.[0] ?? '';
		return kept + rest.slice(0, rest.length - this.#held.length);
	}

	/** Returns the text that was held back. A picture that was coming is one, or text. */
	end(): string {
		if (!this.#coming) return this.#held;
		const { opening, text } = this.#coming;
		this.#coming = undefined;
		if (!opening.startsWith('!') && text.length < MIN_ALONE) return opening + text;
		const [base64 = ''] = text.length > MAX_PICTURE ? [] : text.split(/["'>]/, 1);
		this.add({ texts: [base64.replaceAll(/\s/g, '')], addresses: [], entry: undefined });
		return '';
	}

	/** Decodes a picture beside the text, or notes its address. */
	add(picture: PictureTexts): void {
		this.#length += [...picture.texts, ...picture.addresses].reduce((sum, { length }) => sum + length, 0);
		const found = ++this.#count > MAX_PICTURES ? undefined : readPicture(picture);
		if (typeof found === 'object' && 'bytes' in found) this.#found.push(found);
		else if (typeof found === 'string' && /^https?:/i.test(found)) this.addresses.push(found);
		else this.#lost++;
	}

	get hasSome(): boolean {
		return this.#found.length + this.#lost + this.addresses.length > 0;
	}

	/** Yields the pictures since the last time. */
	*take(): Generator<ChatPart> {
		if (this.#found.length + this.#lost === 0) return;
		const event = { pictures: this.#found, lost: this.#lost, release: this.#memory.handOn() };
		[this.#found, this.#lost, this.#length] = [[], 0, 0];
		yield event;
	}
}
