import type { Random } from '../../drawing/random.ts';
import { contentWords, type Skill } from '../talk.ts';

const STORY = /\b(?:story|tale|fairy ?tale)\b/i;
const POEM = /\b(?:poem|rhyme|haiku|verse)\b/i;

type Cast = { hero: string; thing: string; place: string };
type Templates = readonly [(cast: Cast) => string, ...((cast: Cast) => string)[]];

/** Fill in where fewer words were given than a tale needs. */
const HEROES = ['fox', 'heron', 'painter', 'cat'] as const;
const THINGS = ['lantern', 'bell', 'key', 'mirror', 'kettle'] as const;
const PLACES = ['river', 'garden', 'harbour', 'orchard', 'hill'] as const;

const STORIES: Templates = [
	({ hero, thing, place }) =>
		`There was once a ${hero} that collected silence. It kept the silence of snow in a jar, and the silence after bells in a box; only the silence of the ${place} would not fit anywhere.\n\nSo the ${hero} left the jar and the box behind, put the ${thing} down by the door and went to live there. If you pass by, be quiet. It likes visitors.`,
	({ hero, thing, place }) =>
		`On the last day of autumn the ${hero} found a ${thing} that belonged to nobody. It asked the wind, who shrugged, and the ${place}, which only glittered.\n\n"Then it is mine," said the ${hero}, and gave it away before evening. It has been called rich ever since.`,
];

const POEMS: Templates = [
	({ hero, thing, place }) =>
		`The ${hero} woke before the light,\nand left the ${thing} to the night;\nthe ${place} lay silver, wide and deep,\nand all the colours were asleep.`,
	({ hero, thing, place }) =>
		`I drew a ${hero} out of rain,\na ${thing} on a window pane;\nthe ${place} I drew was far too small,\nso now it hangs upon the wall.`,
];

const HAIKU: Templates = [
	({ hero, thing, place }) => `Early ${hero} light –\nthe ${thing} waits in the cold,\na whole ${place} still.`,
];

/** Tells a tiny story or poem with the words that were given. */
export const tell: Skill = ({ said, random }) => {
	if (!POEM.test(said) && !STORY.test(said)) return undefined;
	const cast = castOf(said, random);
	const text = random.pick(/haiku/i.test(said) ? HAIKU : POEM.test(said) ? POEMS : STORIES)(cast);
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
