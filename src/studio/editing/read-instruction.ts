import type { Operation } from './operation.ts';
import { effects } from './vocabulary/effects.ts';
import { amountOf, colourIn, placeOf } from './vocabulary/hints.ts';
import { type Rule, words } from './vocabulary/rule.ts';
import { scenes } from './vocabulary/scenes.ts';
import { shapes } from './vocabulary/shapes.ts';
import { subjects } from './vocabulary/subjects.ts';
import { tones } from './vocabulary/tones.ts';

/** More than this, an instruction is not read further: it bounds the time that 2000 characters can ask for. */
const MOST_OPERATIONS = 12;

/** “Don't crop”, “no text”, “keep the fox as it is”: understood, and nothing to do. */
const denials: readonly Rule[] = [
	[
		words(
			"(?:don[’']?t|do not|dont|never|without|not|no|avoid|keep|leave|preserve|nicht|kein\\p{L}*|ohne|sans|sin|ne)(?: .*)?|nicht|(?:remove|delete|erase) .*|(?:but |the rest |everything else )*(?:stays?|remains?|unchanged).*",
		),
		() => undefined,
	],
];

/** First come, first served: a rule takes its words away from those after it. */
const rules: readonly Rule[] = [...subjects, ...negatedFirst(), ...shapes, ...effects, ...scenes, ...tones];

/** Rules whose words hold a denial of their own (“less dark”, “no colour”) must be asked before `denials`. */
function negatedFirst(): Rule[] {
	const holds = /less|no\b|without|remove/u;
	return [...[...tones, ...effects, ...shapes].filter(([pattern]) => holds.test(pattern.source)), ...denials];
}

/** Reads an instruction in natural language. What isn't understood becomes a `gentle` operation; it never throws. */
export function readInstruction(instruction: string): Operation[] {
	const { text, quotes } = setQuotesAside(instruction.normalize('NFKC').slice(0, 4000));
	const quoted = (placeholder: string | undefined) => quotes[Number(placeholder?.slice(1, -1))];
	const operations: Operation[] = [];
	for (const clause of clausesOf(text.toLowerCase())) {
		if (!refine(operations.at(-1), clause)) operations.push(...readClause(clause, quoted));
		if (operations.length >= MOST_OPERATIONS) return operations.slice(0, MOST_OPERATIONS);
	}
	return operations.length > 0 ? operations : [{ do: 'gentle', words: instruction }];
}

/** “Write “Sale” big and yellow”: a clause of nothing but colour and place speaks of the text before it. */
function refine(last: Operation | undefined, clause: string): boolean {
	if (last?.do !== 'text' || findIn(clause).length > 0) return false;
	const colour = colourIn(clause);
	const place = placeOf(clause);
	const amount = amountOf(clause);
	if (colour) last.colour = colour;
	if (place) last.place = place;
	if (amount !== undefined) last.amount = amount;
	return colour !== undefined || place !== undefined || amount !== undefined;
}

const quotation = /[“„"«]([^“”„"«»]{1,200})[”“"»]|(?<![\p{L}\p{N}])['‘‚]([^'‘’‚]{1,200}?)['’](?![\p{L}\p{N}])/gu;

/** Text that is announced but not quoted: “add the text Hello in red”, “a sign saying Open”. */
const announced =
	/((?<!\p{L})(?:saying|that says|which says|reading|mit der aufschrift|(?:text|caption|title|watermark|label|headline|subtitle|write):|(?:add|put|write|insert|place|with)(?: (?:the|a))?(?: \p{L}{1,12})? (?:text|words?|title|caption|watermark|label|headline))\s+)(?!⟦|saying|that says|which says|reading|in |at |on |to |of |with |and )([^,;.!?\n⟦]{1,80}?)(?=\s+(?:in|at|on|to|with|and|then)\s|[,;.!?\n]|$)/giu;

/** Quoted words are text to be written, not instructions: `⟦0⟧` stands for the first. */
export function setQuotesAside(text: string): { text: string; quotes: string[] } {
	const quotes: string[] = [];
	const aside = (quote: string) => ` ⟦${quotes.push(quote.trim()) - 1}⟧ `;
	const rest = text
		.replace(/[⟦⟧]/gu, ' ')
		.replace(quotation, (_, double?: string, single?: string) => aside(double ?? single ?? ''))
		.replace(announced, (_, announcement: string, said: string) => announcement + aside(said));
	return { text: rest, quotes };
}

/** Pairs that the word between does not part. */
const pairs =
	/(?<=black|white|teal|noir|blanco|schwarz|top|salt|duotone \p{L}{1,12}|duotone (?:of|in) \p{L}{1,12}) (?:and|&|et|y|und) (?=white|black|orange|blanc|negro|weiß|weiss|bottom|pepper|\p{L}{3,12}$)/gu;
const joints =
	/[;\n!?]|,(?!\d)|\.(?!\d)|(?<![\p{L}\p{N}])(?:and then|then|and|but|also|plus|afterwards|after that|followed by|und dann|und|dann|aber|sowie|puis|et|mais|luego|y|pero)(?![\p{L}\p{N}])|\s&\s/gu;

export function clausesOf(text: string): string[] {
	return text
		.replace(pairs, (joint) => joint.replace(/and|&|et|und|y/u, '\u0001'))
		.split(joints)
		.map((clause) => clause.replaceAll('\u0001', '&').replace(/\s+/gu, ' ').trim())
		.filter((clause) => clause !== '');
}

type Finding = { start: number; end: number; groups: Record<string, string | undefined>; make: Rule[1] };

function readClause(clause: string, quoted: (placeholder: string | undefined) => string | undefined): Operation[] {
	const findings = findIn(clause);
	const made = findings.map(({ start, end, groups, make }, index) => {
		const before = clause.slice(findings[index - 1]?.end ?? 0, start);
		const after = clause.slice(end, findings[index + 1]?.start ?? clause.length);
		const own = clause.slice(start, end);
		const amount = amountOf(before) ?? amountOf(own) ?? amountOf(after) ?? 1;
		return [make({ groups, clause, amount, around: `${before} ${own} ${after}`, quoted }) ?? []].flat();
	});
	const operations = made.flatMap((one, index) => {
		const between = clause.slice(findings[index]?.end, findings[index + 1]?.start);
		return supersedes(made[index + 1]?.[0], one[0], between) ? [] : one;
	});
	if (findings.length > 0 || !/[\p{L}\p{N}\p{So}]/u.test(clause)) return operations;
	return filler.test(clause) ? [] : [{ do: 'gentle', words: clause }];
}

/** “Turn day into night” asks for night alone, “a Van Gogh painting” for one painting. */
function supersedes(later: Operation | undefined, earlier: Operation | undefined, between: string): boolean {
	if (later === undefined || later.do !== earlier?.do || !('name' in later) || !('name' in earlier)) return false;
	return later.name === earlier.name || /\b(?:in)?to\b|\bzu[rm]?\b/u.test(between);
}

/** Clauses that only lead to the next. */
const filler =
	/^(?:please|thanks|thank you|thx|hi|hello|hey|can you|could you|bitte|danke|s’il te plaît|merci|por favor|gracias|only|just|it|this|the|a)$/u;

function findIn(clause: string): Finding[] {
	const findings: Finding[] = [];
	let rest = clause;
	for (const [pattern, make] of rules) {
		for (const match of rest.matchAll(pattern)) {
			const start = match.index;
			const end = start + match[0].length;
			if (match[0].trim() === '') continue;
			findings.push({ start, end, groups: match.groups ?? {}, make });
			rest = `${rest.slice(0, start)}${'\u0002'.repeat(end - start)}${rest.slice(end)}`;
		}
	}
	return findings.sort((a, b) => a.start - b.start);
}
