import type { Target } from '../../scene/find-subjects.ts';
import type { Side } from '../../scene/names.ts';
import type { Subject } from '../../scene/scene.ts';
import { type Phrases, readPhrases } from '../read-phrases.ts';

/** Words before a noun that say nothing about which one is meant. */
export const DETERMINERS =
	/^(?:(?:the|this|that|these|those|its|his|her|their|my|our|all|any|every|of|der|die|das|den|dem|des|le|la|les|el|los|las|du|un|une|una|ein|eine|einen|a|an|one of)\s+|l[’'])+/u;

/** Returns the subject that a noun phrase names; undefined when it names none. */
function targetOf(text: string): { target: Target; phrases: Phrases } | undefined {
	const side = /\b(?:on|at|to) the (left|right)\b|\bin the (centre|center|middle)\b/u.exec(text);
	const bare = text
		.replace(side?.[0] ?? '\u0000', '')
		.replace(DETERMINERS, '')
		.trim();
	const named = side && { side: (side[1] ?? 'centre') as Side };
	if (PRONOUN.test(bare)) return { target: { name: bare === '' ? 'it' : bare, ...named }, phrases: NOTHING };
	const phrases = readPhrases(text.replace(side?.[0] ?? '\u0000', '').trim());
	const [subject] = phrases.subjects;
	if (!subject) return undefined;
	return {
		target: { name: subject.name, figure: subject.figure, colour: subject.colour, ...named },
		phrases,
	};
}

const NOTHING: Phrases = { subjects: [], surroundings: {}, absent: [], texts: [], notUnderstood: [] };
const PRONOUN =
	/^(?:it|he|she|him|her|them|they|everything|all|everyone|everybody|people|persons?|animals?|creatures?|humans?|rider|driver|owner|(?:main )?(?:subject|character)s?|es|ihn|ihm|ihr|sie|alles|leute|menschen|tiere|gens|personnes|animaux|gente|personas|animales|lui|elle|todo|)$/u;

/** Names of the groups that other languages have words for. */
const PRONOUNS_IN_ENGLISH: readonly (readonly [RegExp, string])[] = [
	[/^(?:es|ihn|ihm|ihr|sie|lui|elle|)$/u, 'it'],
	[/^(?:alles|todo|all)$/u, 'everything'],
	[/^(?:leute|menschen|gens|personnes|gente|personas|everyone|everybody|humans?|persons?)$/u, 'people'],
	[/^(?:tiere|animaux|animales|creatures?)$/u, 'animals'],
];

export function targetsOf(text: string): { targets: Target[]; phrases: Phrases } {
	const first = targetOf(text);
	if (!first) return { targets: [], phrases: readPhrases(text) };
	const english = PRONOUNS_IN_ENGLISH.find(([pattern]) => pattern.test(first.target.name))?.[1];
	if (english) return { targets: [{ ...first.target, name: english }], phrases: first.phrases };
	const related = new Set(first.phrases.subjects.map(({ relation }) => relation?.to));
	const others = first.phrases.subjects.slice(1).filter(({ id, relation }) => !relation && !related.has(id));
	const asTarget = ({ name, figure, colour }: Subject): Target => ({ name, figure, colour });
	return { targets: [first.target, ...others.map(asTarget)], phrases: first.phrases };
}
