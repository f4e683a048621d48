import { legible } from '../drawing/tools/lettering.ts';
import type { Change } from '../scene/change.ts';
import { inEnglish } from './english.ts';
import { clausesOf } from './instruction/clauses.ts';
import table from './instruction/operations.json' with { type: 'json' };
import { readOperations } from './instruction/operations.ts';
import { words } from './instruction/patterns.ts';
import { readClause } from './instruction/read-clause.ts';
import { setQuotesAside } from './quotes.ts';

/** More changes than this are not read: it bounds the time that a long instruction can take. */
const MAX_CHANGES = 24;

export type Instruction = {
	changes: Change[];
	/** The words that mean nothing here. */
	notUnderstood: string[];
};

/** Reads an instruction in natural language, such as "remove the horse, make it night". Never throws. */
export function readInstruction(instruction: string): Instruction {
	const { text, quotes } = setQuotesAside(instruction, 'instruction');
	if (VARIATION.test(text)) return { changes: [{ do: 'vary' }], notUnderstood: [] };
	const legibles = quotes.map(legible);
	const unquoted = (change: Change): Change =>
		change.do === 'write' ? { ...change, text: legibles[Number(change.text.slice(1, -1))]?.text ?? '' } : change;
	const changes: Change[] = [];
	const notUnderstood: string[] = legibles.flatMap(({ leftOut }) => leftOut);
	let verb = '';
	for (const clause of clausesOf(inEnglish(text))) {
		if (changes.length >= MAX_CHANGES) break;
		const { operations, rest } = readOperations(clause);
		changes.push(...operations.map((operation): Change => ({ do: 'operate', operation })));
		if (operations.length > 0 && isFiller(rest)) continue;
		const read = readClause(rest, verb);
		changes.push(...read.changes.map(unquoted).filter((change) => change.do !== 'write' || change.text !== ''));
		notUnderstood.push(...read.notUnderstood);
		const [own] = rest.search(INHERITED) === 0 ? (rest.match(INHERITED) ?? []) : [];
		verb = own ?? (operations.length > 0 ? 'make' : verb);
	}
	return { changes: changes.slice(0, MAX_CHANGES), notUnderstood: [...new Set(notUnderstood)] };
}

/** After the colon are the words that the picture was made of. Bounded: at most 4,000 characters. */
const VARIATION =
	/^\s*(?:please )?(?:vary|(?:make|draw|create|show|give)(?: me)? (?:a|another|one more|a new) variation of) (?:it|(?:this|the)(?: (?:picture|image|drawing))?)\s*(?:[.!]?\s*$|:)/iu;

/** A verb that also holds for the next clause: "add a cat, a dog and, on the left, a tree". */
const INHERITED = words('{remove}|{add}|{put}|{make}');

/** Words that may be left of a clause whose operation was read. */
const FILLERS = new Set(table.fillers.split(' '));

const isFiller = (rest: string) =>
	rest
		.replace(/(?<=\d) (?=[%x](?: |$))/gu, '')
		.split(' ')
		.every((word) => word === '' || FILLERS.has(word) || /^\d+[%x]$/u.test(word));
