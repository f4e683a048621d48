import type { Target } from '../../scene/find-subjects.ts';
import type { Side } from '../../scene/names.ts';
import type { Subject } from '../../scene/scene.ts';
import { type Phrases, readPhrases } from '../read-phrases.ts';

/** Words before a noun that say nothing about which one is meant. */
export const DETERMINERS =
	/^(?:(?:the|this|that|these|those|its|his|her|their|my|our|all|any|every|of|an?|one of)\s+)+/u;

/** What stands for subjects without naming a drawing. */
const PRONOUN =
	/^(?:it|he|she|him|her|them|they|everything|all|everyone|everybody|people|persons?|animals?|creatures?|humans?|rider|driver|owner|(?:main )?(?:subject|character)s?|)$/u;

const asTarget = ({ name, figure, colour }: Subject): Target => ({ name, figure, colour });

/** Returns the subjects that a noun phrase names; none when it names none. */
export function targetsOf(text: string): { targets: Target[]; phrases: Phrases } {
	const [said = '\0', left, middle] =
		/\b(?:on|at|to) the (left|right)\b|\bin the (centre|center|middle)\b/u.exec(text) ?? [];
	const phrase = text.replace(said, '').trim();
	const bare = phrase.replace(DETERMINERS, '').trim();
	const side = (left ?? (middle && 'centre')) as Side | undefined;
	const phrases = readPhrases(PRONOUN.test(bare) ? '' : phrase);
	if (PRONOUN.test(bare)) return { targets: [{ name: bare || 'it', ...(side && { side }) }], phrases };
	const [first, ...others] = phrases.subjects;
	if (!first) return { targets: [], phrases };
	const related = new Set(phrases.subjects.map(({ relation }) => relation?.to));
	const free = others.filter(({ id, relation }) => !relation && !related.has(id));
	return { targets: [{ ...asTarget(first), ...(side && { side }) }, ...free.map(asTarget)], phrases };
}
