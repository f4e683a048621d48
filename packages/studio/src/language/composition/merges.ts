import type { Target } from '../../scene/find-subjects.ts';
import type { LookPart, Merge } from '../../scene/merge.ts';
import { whole, words } from '../instruction/patterns.ts';
import { targetsOf } from '../instruction/targets.ts';
import { relationIn } from '../lexicon.ts';
import phrases from './phrases.json' with { type: 'json' };
import { indexOf, mentionedIn, orderIn, partsOf } from './signs.ts';

const LOOKS = Object.entries(phrases.looks).map(([part, pattern]) => [part as LookPart, words(pattern, 'u')] as const);

/** Reads what of which picture goes where; undefined when the words name no such thing. */
export function mergeIn(text: string, count: number): Merge | undefined {
	return movedSubject(text) ?? newBackground(text, count) ?? lookIn(text, count) ?? wholePictures(text, count);
}

/** "Use the style of image 2 on image 1", "image 1 in the light and colours of image 2", "make image 1 look like image 2". */
export function lookIn(text: string, count: number): Merge | undefined {
	const found = partsOf('look', text);
	const of = indexOf(found?.['of']);
	if (!found || of === undefined) return undefined;
	const on = indexOf(found['on']) ?? otherThan(of, text, count);
	if (on === undefined || on === of) return undefined;
	// With a place, its light comes along, and with a mood.
	const named = LOOKS.flatMap(([part, pattern]) => (pattern.test(found['parts'] ?? '') ? [part] : []));
	const parts = named.length > 0 ? named : (['style', 'colours'] as const);
	return { base: on, take: [], look: { from: of, parts } };
}

const otherThan = (of: number, text: string, count: number) => orderIn(text, count).find((image) => image !== of);

const PART = whole('(?:the )?{part}');
const WORLD = whole('{world}');

/** "The fox from image 1 on the boat of image 2": each subject that is named with a picture, related to one of the other. */
function movedSubject(text: string): Merge | undefined {
	const found = partsOf('moved', text);
	const [from, base] = [indexOf(found?.['from']), indexOf(found?.['base'])];
	if (!found || from === undefined || base === undefined || from === base) return undefined;
	const { what: moved = '', onto = '', kind } = found;
	const what = single(moved);
	if (!what || PART.test(moved.trim())) return undefined;
	const target = WORLD.test(onto) ? undefined : single(onto);
	const to = target && { kind: relationIn(kind) ?? 'in', what: target };
	const all = namedSubjects(text, base);
	const take = all.some((one) => one.from === from) ? all : [{ from, what }, ...all];
	return { base, take: take.map((one) => ({ ...one, to })) };
}

const NAMED = words(phrases.named);

/** Every subject that is named with its picture: "the fox from image 1 and the owl from image 3". */
function namedSubjects(text: string, base: number): Merge['take'] {
	return [...text.matchAll(NAMED)].flatMap(({ groups }) => {
		const from = indexOf(groups?.['from']);
		const what = single(groups?.['what'] ?? '');
		return from === undefined || from === base || !what ? [] : [{ from, what }];
	});
}

const single = (text: string): Target | undefined => targetsOf(text.trim()).targets[0];

/** "Replace the background of image 1 with image 2", "image 2 as the background of image 1". */
function newBackground(text: string, count: number): Merge | undefined {
	const found = partsOf('background', text);
	const base = indexOf(found?.['base']);
	const from = base === undefined ? undefined : (indexOf(found?.['from']) ?? otherThan(base, text, count));
	return base === undefined || from === undefined || from === base
		? undefined
		: { base, take: [{ from }], empty: true };
}

/** "Put image 1 into image 2", "combine them". */
function wholePictures(text: string, count: number): Merge | undefined {
	const found = partsOf('whole', text);
	const [from, base] = [indexOf(found?.['from']), indexOf(found?.['base'])];
	if (from !== undefined && base !== undefined && from !== base) return { base, take: [{ from }] };
	return isMerging(text) ? allTogether(text, count) : undefined;
}

/** All subjects of all pictures in the place of the first, in the order of their mention. */
export function allTogether(text: string, count: number): Merge {
	const mentioned = mentionedIn(text);
	const [base = 0, ...others] = mentioned.length > 1 ? mentioned : Array.from({ length: count }, (_, image) => image);
	return { base, take: others.map((from) => ({ from })) };
}

const TOGETHER = words('{together}');

/** Tells whether a clause asks for one picture of all. */
export const isMerging = (text: string) => text.search(TOGETHER) >= 0;
