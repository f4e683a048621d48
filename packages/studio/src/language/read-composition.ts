import type { Change } from '../scene/change.ts';
import type { Layout } from '../scene/layout.ts';
import type { Merge } from '../scene/merge.ts';
import type { Operation } from '../scene/operation.ts';
import { isArranged, layoutIn } from './composition/layouts.ts';
import { isMerging, mergeIn } from './composition/merges.ts';
import { mentionedIn, SIGN, withSigns } from './composition/signs.ts';
import { inEnglish } from './english.ts';
import { setQuotesAside } from './quotes.ts';
import { readInstruction } from './read-instruction.ts';

export type Composition = {
	/** How the scenes become one; undefined when the words ask for finished pictures to be arranged. */
	merge: Merge | undefined;
	/** How finished pictures are arranged: those without a scene, and all when there is no `merge`. */
	layout: Layout;
	/** Changes of single pictures before they are put together, by index. */
	own: readonly (readonly Change[])[];
	/** Changes of the whole. */
	changes: readonly Change[];
	notUnderstood: readonly string[];
};

/** More characters are not read: it bounds the time that patterns take. */
const MAX_READ = 600;

/** Where a part of the prompt ends that may be an edit of the whole. */
const CLAUSES =
	/[.;!\n,]|(?<!\p{L})(?:and then|then)(?!\p{L})|(?<!\p{L})and (?=(?:make|add|remove|write|turn|with)(?!\p{L}))|(?<!\p{L})with (?=(?:an?|heavy|light|snow|rain)(?!\p{L}))/u;

/** A frame that the arrangement makes already: "frame image 1 with image 2", "image 2 in a circle". */
function isOfLayout(operation: Operation, { layout }: Layout): boolean {
	return operation.do === 'frame' && ['frame', 'inset', 'prints'].includes(layout);
}

/** Reads how two or three pictures become one. References to pictures that are not there are passed over. Never throws. */
export function readComposition(prompt: string, count: number): Composition {
	const { text: plain, quotes } = setQuotesAside(prompt, 'instruction');
	const text = withSigns(inEnglish(plain), count).slice(0, MAX_READ);
	const layout = layoutIn(text, count);
	const named = mergeIn(text, count);
	const merge = isArranged(text) ? undefined : named;
	const own: Change[][] = Array.from({ length: count }, () => []);
	const changes: Change[] = [];
	const notUnderstood: string[] = [];
	for (const clause of text.split(CLAUSES)) {
		const mentions = mentionedIn(clause);
		const words = clause
			.replace(SIGN, ' ')
			.replace(/⟦(\d+)⟧/gu, (_, at: string) => `“${quotes[Number(at)] ?? ''}”`)
			.trim();
		if (words === '' || (mentions.length === 0 && (isArranged(clause) || isMerging(clause)))) continue;
		const read = readInstruction(words);
		// What names a picture says where it goes, unless it is an operation on that picture alone.
		if (mentions.length === 0) {
			changes.push(...read.changes);
			notUnderstood.push(...read.notUnderstood);
		} else if (mentions.length === 1 || !merge) {
			own[mentions[0] ?? 0]?.push(
				...read.changes.filter((change) => change.do === 'operate' && !isOfLayout(change.operation, layout)),
			);
		}
	}
	const palette: Layout | undefined =
		named.look && !named.look.parts.includes('place') && layout.layout !== 'row'
			? { layout: 'colours', of: named.look.from, on: named.base }
			: undefined;
	return { merge, layout: palette ?? layout, own, changes, notUnderstood };
}
