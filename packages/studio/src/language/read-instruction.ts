import { legible } from '../drawing/tools/lettering.ts';
import type { Change } from '../scene/change.ts';
import { coloursIn } from './colour-words.ts';
import { inEnglish, inOrder } from './english.ts';
import table from './instruction/operations.json' with { type: 'json' };
import { holdsOperation, readOperations } from './instruction/operations.ts';
import { whole, words } from './instruction/patterns.ts';
import { type Read, readClause } from './instruction/read-clause.ts';
import { setQuotesAside } from './quotes.ts';

/** More changes than this are not read: it bounds the time that a long instruction can take. */
const MAX_CHANGES = 24;

/** Reads an instruction in natural language, such as "remove the horse, make it night". Never throws. */
export function readInstruction(instruction: string): Read {
	const { text, quotes } = setQuotesAside(instruction, 'instruction');
	if (VARIATION.test(text)) return { changes: [{ do: 'vary' }], notUnderstood: [] };
	const legibles = quotes.map(legible);
	const unquoted = (change: Change): Change =>
		change.do === 'write' ? { ...change, text: legibles[Number(change.text.slice(1, -1))]?.text ?? '' } : change;
	const changes: Change[] = [];
	const notUnderstood: string[] = legibles.flatMap(({ leftOut }) => leftOut);
	let verb = '';
	for (const clause of clausesOf(inEnglish(inOrder(text, 'instructions')))) {
		if (changes.length >= MAX_CHANGES) break;
		const { operations, rest } = readOperations(clause);
		changes.push(...operations.map((operation): Change => ({ do: 'operate', operation })));
		if (operations.length > 0 && isFiller(rest)) continue;
		const read = readClause(rest, verb);
		changes.push(...read.changes.map(unquoted).filter((change) => change.do !== 'write' || change.text !== ''));
		notUnderstood.push(...read.notUnderstood);
		const own = INHERITED.exec(rest);
		if (own || operations.length > 0) verb = own?.groups?.['verb'] ?? '';
	}
	return { changes: changes.slice(0, MAX_CHANGES), notUnderstood: [...new Set(notUnderstood)] };
}

/** After the colon are the words that the picture was made of. Bounded: at most 4,000 characters. */
const VARIATION =
	/^\s*(?:please )?(?:vary|(?:make|draw|create|show|give)(?: me)? (?:a|another|one more|a new) variation of) (?:it|(?:this|the)(?: (?:picture|image|drawing))?)\s*(?:[.!]?\s*$|:)/iu;

/** A verb that also holds for the next clause, "put the cat on the chair, and the dog behind it", or that ends this. */
const INHERITED = whole('(?:(?<verb>{remove}|{put})|{add}|{make})(?: .*)?');

/** Words that may be left of a clause whose operation was read. */
const FILLERS = new Set(table.fillers.split(' '));

const isFiller = (rest: string) =>
	rest
		.replace(/(?<=\d) (?=[%x](?: |$))/gu, '')
		.split(' ')
		.every((word) => word === '' || FILLERS.has(word) || /^\d+[%x]$/u.test(word));

/** More characters of a clause are not read: it bounds the time that patterns take. */
const MAX_CLAUSE = 240;

/** Pairs that the word between does not part. */
const PAIRS = /(?<=black|white|teal|top|salt) (?:and|&) (?=white|black|orange|bottom|pepper)/gu;

const JOINTS =
	/([;\n!?]|\.(?!\d))|,(?!\d)(?: and(?![\p{L}\p{N}]))?|(?<![\p{L}\p{N}])(?:and then|then|and|(?<!(?:everything|everyone|all)(?: else)? )but|also|plus|afterwards|after that|followed by)(?![\p{L}\p{N}])|\s&\s/gu;

/** Words that carry no instruction, at the start and at the end of a clause. */
const LEADING =
	/^(?:(?:please|can you|could you|would you|i want(?: you)? to|i want|i would like(?: you)? to|i'd like(?: you)? to|i'd like|let's|just(?! the)|now|also|then|maybe|only please|hey|hi|hello|ok|okay|so|we need|i need|there should be|it should(?: have| be)?|it is(?: of)?)(?:\s+|$))+/u;
/** Bounded: at most 4,000 characters. */
const TRAILING =
	/(?:\s+(?:please|thanks|thank you|for me|as well|too|now|somewhere|(?:to|into|in|from|of|out of) (?:the|this|my|a)? ?(?:whole |entire )?(?:picture|image|scene|photo|drawing)))+$/u;

const SIZED = / (?:bigger|larger|taller|smaller|huge|tiny)$/u;

const VERB = words(
	'{remove}|{add}|{put}|{replace}|{make}|{keep}|{write}|zoom|enlarge|shrink|resize|scale|grow|double|halve|reduce|give|only|just|more|less|fewer|another|one more|crop|rotate|flip|blur|undo|bring back|triple',
);

/**
 * Parts an instruction into clauses that each say one thing. An "and" between nouns parts nothing ("a cat and a dog"); one before a verb
 * does.
 */
function clausesOf(text: string): string[] {
	const clauses: { text: string; isOperation: boolean }[] = [];
	let at = 0;
	let isHard = true;
	const plain = text.replace(PAIRS, (joint) => joint.replace(/and|&/u, '\u0001'));
	const take = (end: number) => {
		const piece = plain.slice(at, end).replaceAll('\u0001', '&').replace(/\s+/gu, ' ').trim();
		const bare = piece.replace(LEADING, '').replace(TRAILING, '').trim();
		if (bare === '') return;
		const isOperation = holdsOperation(bare.slice(0, MAX_CLAUSE));
		// "Make the horse white and the rider bigger".
		const isPredicate =
			/^(?:the|its|his|her)\s/u.test(bare) && (SIZED.test(bare) || coloursIn(bare).at(-1)?.after === '');
		const last = clauses.at(-1);
		if (!last || isHard || isOperation || last.isOperation || isPredicate || bare.search(VERB) === 0)
			clauses.push({ text: bare, isOperation });
		else last.text += ` and ${bare}`;
	};
	for (const joint of plain.matchAll(JOINTS)) {
		take(joint.index);
		isHard = joint[1] !== undefined;
		at = joint.index + joint[0].length;
	}
	take(plain.length);
	return clauses.map((clause) => clause.text.slice(0, MAX_CLAUSE));
}
