import type { Target } from '../../scene/find-subjects.ts';
import type { LookPart, Merge } from '../../scene/merge.ts';
import { reader, type Slots, whole, words } from '../instruction/patterns.ts';
import { targetsOf } from '../instruction/targets.ts';
import { relationIn } from '../lexicon.ts';
import phrases from './phrases.json' with { type: 'json' };
import { indexOf, mentionedIn, orderIn } from './signs.ts';

const LOOKS = Object.entries(phrases.looks).map(([part, pattern]) => [part as LookPart, words(pattern, 'u')] as const);
const PART = whole('(?:the )?{part}');
const WORLD = whole('{world}');
const NAMED = words(phrases.named);
const TOGETHER = words('{together}');

const single = (text: string): Target | undefined => targetsOf(text.trim()).targets[0];

/** Two different pictures: the one that a part is of, and the other one where only one is named. */
function pair(from: number | undefined, to: number | undefined, text: string, count: number) {
	const other = to ?? orderIn(text, count).find((image) => image !== from);
	return from === undefined || other === undefined || from === other ? undefined : ([from, other] as const);
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
	/** "Replace the background of image 1 with image 2", "image 2 as the background of image 1". */
	background({ base: sign, from: other }, text, count) {
		const [base, from] = pair(indexOf(sign), indexOf(other), text, count) ?? [];
		return base === undefined || from === undefined ? undefined : { base, take: [{ from }], empty: true };
	},
	/** "Use the style of image 2 on image 1", "image 1 in the light and colours of image 2", "make image 1 look like image 2". */
	look({ of, on, parts: said = '' }, text, count) {
		const [from, base] = pair(indexOf(of), indexOf(on), text, count) ?? [];
		if (from === undefined || base === undefined) return undefined;
		const named = LOOKS.flatMap(([part, pattern]) => (pattern.test(said) ? [part] : []));
		const parts = named.length > 0 ? named : (['style', 'colours'] as const);
		return { base, take: [], look: { from, parts } };
	},
	/** "Put image 1 into image 2". */
	whole({ from: sign, base: other }, text, count) {
		const [from, base] = pair(indexOf(sign), indexOf(other), text, count) ?? [];
		return base === undefined || from === undefined ? undefined : { base, take: [{ from }] };
	},
} satisfies Record<string, (slots: Slots, text: string, count: number) => Merge | undefined>;

const readMerge = reader<[text: string, count: number], Merge>(
	Object.entries(phrases.merges).map(([pattern, name]) => [words(pattern, 'u'), READERS[name as keyof typeof READERS]]),
);

/** Reads what of which picture goes where: without other words, all subjects of all pictures into the place of the first that is named. */
export function mergeIn(text: string, count: number): Merge {
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
export const isMerging = (text: string) => text.search(TOGETHER) >= 0;
