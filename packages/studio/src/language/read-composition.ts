import type { Change } from '../scene/change.ts';
import type { Target } from '../scene/find-subjects.ts';
import type { Layout } from '../scene/layout.ts';
import type { Merge } from '../scene/merge.ts';
import type { Operation, Scene } from '../scene/scene.ts';
import { isArranged, layoutIn } from './composition/layouts.ts';
import phrases from './composition/phrases.json' with { type: 'json' };
import { indexOf, mentionedIn, orderIn, SIGN, withSigns } from './composition/signs.ts';
import { inEnglish, relationIn } from './english.ts';
import { reader, type Slots, whole, words } from './instruction/patterns.ts';
import { targetsOf } from './instruction/read-clause.ts';
import { setQuotesAside } from './quotes.ts';
import { readInstruction } from './read-instruction.ts';

export type Composition = {
	/** How the scenes become one; undefined when the words ask for finished pictures to be arranged. */
	merge: Merge | undefined;
	/** How finished pictures are arranged, if the words say so: those without a scene, and all when there is no `merge`. */
	layout: Layout | undefined;
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
function isOfLayout(operation: Operation, layout: Layout | undefined): boolean {
	return operation.do === 'frame' && /^(?:frame|inset|prints)$/.test(layout?.layout ?? '');
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
		named.look && !named.look.parts.includes('place') && layout?.layout !== 'row'
			? { layout: 'colours', of: named.look.from, on: named.base }
			: undefined;
	return { merge, layout: palette ?? layout, own, changes, notUnderstood };
}

const LOOKS = Object.entries(phrases.looks).map(
	([part, pattern]) => [part as keyof Scene, words(pattern, 'u')] as const,
);
const PART = whole('(?:the )?{part}');
const WORLD = whole('{world}');
const NAMED = words(phrases.named);
const TOGETHER = words('{together}');

const single = (text: string): Target | undefined => targetsOf(text.trim()).targets[0];

/** Two different pictures, as in "put image 1 into image 2". Where one of the two is not named, it is the next one of the others. */
function pairIn({ from: one, base: other }: Slots, text: string, count: number) {
	const named = [indexOf(one), indexOf(other)];
	const [from, base] = named.map((image) => image ?? orderIn(text, count).find((each) => !named.includes(each)));
	return from === undefined || base === undefined || from === base ? undefined : { base, from };
}

const READERS = {
	/** "The fox from image 1 on the boat of image 2": each subject that is named with a picture, related to one of the other. */
	moved({ what: moved = '', onto = '', kind, ...signs }, text) {
		const [from, base] = [indexOf(signs['from']), indexOf(signs['base'])];
		const what = single(moved);
		if (from === undefined || base === undefined || from === base || !what || PART.test(moved.trim())) return undefined;
		const target = WORLD.test(onto) ? undefined : single(onto);
		const to = target && { kind: relationIn(kind) ?? 'in', what: target };
		const all = namedSubjects(text, base);
		const take = all.some((one) => one.from === from) ? all : [{ from, what }, ...all];
		return { base, take: take.map((one) => ({ ...one, to })) };
	},
	whole(...given) {
		const pair = pairIn(...given);
		return pair && { base: pair.base, take: [{ from: pair.from }] };
	},
	/** "Replace the background of image 1 with image 2", "image 2 as the background of image 1". */
	background(...given) {
		const pair = pairIn(...given);
		return pair && { base: pair.base, take: [{ from: pair.from }], empty: true };
	},
	/** "Use the style of image 2 on image 1", "image 1 in the light and colours of image 2", "make image 1 look like image 2". */
	look(slots, ...given) {
		const pair = pairIn(slots, ...given);
		const { parts: name = 'look' } = slots;
		const parts = LOOKS.flatMap(([part, pattern]) => (pattern.test(name) ? [part] : []));
		return pair && { base: pair.base, take: [], look: { from: pair.from, name, parts } };
	},
} satisfies Record<string, (slots: Slots, text: string, count: number) => Merge | undefined>;

const readMerge = reader<[text: string, count: number], Merge>(
	Object.entries(phrases.merges).map(([pattern, name]) => [words(pattern, 'u'), READERS[name as keyof typeof READERS]]),
);

/** Reads what of which picture goes where: without other words, all subjects of all pictures into the place of the first that is named. */
function mergeIn(text: string, count: number): Merge {
	const mentioned = mentionedIn(text);
	const [base = 0, ...others] = mentioned.length > 1 ? mentioned : Array.from({ length: count }, (_, image) => image);
	return readMerge(text, text, count) ?? { base, take: others.map((from) => ({ from })) };
}

/** Every subject that is named with its picture: "the fox from image 1 and the owl from image 3". */
function namedSubjects(text: string, base: number): Merge['take'] {
	return [...text.matchAll(NAMED)].flatMap(({ groups }) => {
		const from = indexOf(groups?.['from']);
		const what = single(groups?.['what'] ?? '');
		return from === undefined || from === base || !what ? [] : [{ from, what }];
	});
}

/** Tells whether a clause asks for one picture of all. */
const isMerging = (text: string) => text.search(TOGETHER) >= 0;
