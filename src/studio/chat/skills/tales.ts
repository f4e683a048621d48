import type { Random } from '../../drawing/random.ts';
import { contentWords, type Skill } from '../talk.ts';
import { texts } from './texts.ts';

const STORY = /\b(?:story|tale|fairy ?tale)\b/i;
const POEM = /\b(?:poem|rhyme|haiku|verse)\b/i;

type Cast = { hero: string; thing: string; place: string };
/** Fill in where fewer words were given than a tale needs. */
const HEROES = ['fox', 'heron', 'painter', 'cat'] as const;
const THINGS = ['lantern', 'bell', 'key', 'mirror', 'kettle'] as const;
const PLACES = ['river', 'garden', 'harbour', 'orchard', 'hill'] as const;

/** Tells a tiny story or poem with the words that were given. */
export const tell: Skill = ({ said, random }) => {
	if (!POEM.test(said) && !STORY.test(said)) return undefined;
	const cast = castOf(said, random);
	const { haiku, poems, stories } = texts.tales;
	const template = random.pick(/haiku/i.test(said) ? haiku : POEM.test(said) ? poems : stories);
	const text = template.replaceAll(/\{(\w+)\}/g, (_, part: keyof Cast) => cast[part]);
	const picture = `a ${cast.hero} with a ${cast.thing} by the ${cast.place}, dreamy`;
	const answer = `${text}\n\n*(Put together by rules from your words. It could be a picture: \`/imagine prompt: ${picture}\`)*`;
	return answer.replaceAll(/\b([Aa]) (?=[aeio])/g, '$1n ');
};

const NOT_CAST = /^(?:tiny|short|little|small|fairy|tale|haiku|verse|compose|bedtime|called|named|featuring)$/;

function castOf(said: string, random: Random): Cast {
	const words = contentWords(said)
		.filter((word) => !NOT_CAST.test(word))
		.map(singular);
	const [hero = random.pick(HEROES), thing = random.pick(THINGS), place = random.pick(PLACES)] = words;
	return { hero, thing, place };
}

/** "foxes and lanterns" → fox, lantern: a tale has one of each. */
function singular(word: string) {
	if (/(?:ss|us|is)$/.test(word)) return word;
	if (/(?:x|ch|sh|s)es$/.test(word)) return word.slice(0, -2);
	return /[^s]s$/.test(word) && word.length > 3 ? word.slice(0, -1) : word;
}
