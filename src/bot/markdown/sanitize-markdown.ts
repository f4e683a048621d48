import { CodeTracker } from './sanitize-code.ts';
import { sanitizeClosingBracket, sanitizeEntity, sanitizeLink, sanitizeMention } from './sanitize-links.ts';
import { CONTEXT, type Step } from './sanitize-step.ts';

/** The characters that need a decision. */
const SPECIAL = /[@<`[\]\\~]/g;

/** Platforms drop these characters, which would join the text around them. */
const CONTROLS = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/g;

/**
 * Makes a model's Markdown harmless on every platform, as it arrives. Mentions and entities (`@everyone`, `<@1>`, `<!here>`) are broken
 * by an invisible character, a link whose text names another address shows both, and code is left unchanged where no platform can take
 * it for anything else. The output does not depend on how the text was cut into deltas.
 */
export class MarkdownSanitizer {
	readonly #code: CodeTracker;
	/** The first half of a surrogate pair whose second half has not arrived. */
	#halfPair = '';
	/** The text that is not decided yet. */
	#held = '';
	/** The end of the text that is decided. */
	#before = '\n';

	/** @param isCodeReliable false when nothing is to count as code */
	constructor(isCodeReliable = true) {
		this.#code = new CodeTracker(isCodeReliable, (text, at) => this.#lineBefore(text, at), sanitizeStrictly);
	}

	/** Returns the text that can be put out by now. An open link, code span or mention is held back until it is decided. */
	push(delta: string): string {
		const text = this.#halfPair + delta;
		this.#halfPair = /[\ud800-\udbff]$/.exec(text)?.[0] ?? '';
		const whole = this.#halfPair ? text.slice(0, -1) : text;
		return this.#run(this.#held + cleaned(whole), false);
	}

	/** Returns the rest. Call it once all text has arrived. */
	end(): string {
		const rest = this.#run(this.#held + cleaned(this.#halfPair), true);
		this.#halfPair = '';
		return rest;
	}

	#run(text: string, final: boolean): string {
		let output = '';
		let at = 0;
		while (at < text.length) {
			if (this.#code.inFence) {
				const step = this.#code.fence(text, at, final);
				output += step.output;
				at += step.consumed;
				if (step.consumed > 0 || !this.#code.inFence) continue;
				break;
			}
			SPECIAL.lastIndex = at;
			const next = SPECIAL.exec(text)?.index ?? text.length;
			output += text.slice(at, next);
			at = next;
			if (at === text.length) break;
			const step = this.#decide(text, at, final);
			if (!step) break;
			output += step.output;
			at += step.consumed;
		}
		this.#before = (this.#before + text.slice(Math.max(0, at - CONTEXT), at)).slice(-CONTEXT);
		this.#held = text.slice(at);
		return output;
	}

	/** Returns undefined when more text is needed to decide. */
	#decide(text: string, at: number, final: boolean): Step | undefined {
		switch (text[at]) {
			case '@':
				return sanitizeMention(text, at, final);
			case '<':
				return sanitizeEntity(text, at, final);
			case '[':
				return sanitizeLink(text, at, final, sanitizeStrictly);
			case ']':
				return sanitizeClosingBracket(text, at, final, (position) => this.#lineBefore(text, position));
			case '\\':
				return this.#code.backslash(text, at, final);
			case '~':
				return this.#code.tildes(text, at, final);
			default:
				return this.#code.backticks(text, at, final);
		}
	}

	#lineBefore(text: string, at: number): string {
		const context = (at < CONTEXT ? this.#before : '') + text.slice(Math.max(0, at - CONTEXT), at);
		return context.slice(context.lastIndexOf('\n') + 1);
	}
}

/** Sanitizes a whole text. */
export const sanitizeMarkdown = (text: string): string => sanitizeWith(new MarkdownSanitizer(), text);

/** Sanitizes a whole text, its code included. */
const sanitizeStrictly = (text: string): string => sanitizeWith(new MarkdownSanitizer(false), text);

const sanitizeWith = (sanitizer: MarkdownSanitizer, text: string) => sanitizer.push(text) + sanitizer.end();

const cleaned = (text: string) => text.toWellFormed().replace(CONTROLS, '');
