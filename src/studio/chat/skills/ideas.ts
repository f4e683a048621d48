import type { Random } from '../../drawing/random.ts';
import { contentWords, listed, type Skill } from '../talk.ts';

const ASKED =
	/\bideas?\b|\binspir\w*|\bsurprise me\b|\bwhat (?:should|could|can|shall) (?:i|we) (?:draw|make|imagine|paint|create)\b|\bsuggest(?:ion)?s?\b|\bi'?m bored\b/i;

const SUBJECTS =
	'a red fox|an old lighthouse|a paper boat|a hot-air balloon|a night train|a sleeping cat|a whale|a crooked castle|a wooden windmill|two cranes|a lonely lantern|a tall ship|a lone pine|an owl';
const PLACES =
	'in the snow|on a quiet lake|above the clouds|at the edge of a forest|in a field of sunflowers|on a cliff by the sea|between red desert rocks|in a rainy street|below the northern lights|in a misty valley';
const LIGHTS =
	'at dawn|at golden hour|under a full moon|in the blue hour|on a bright morning|before a thunderstorm|at night';
const MOODS = 'calm|dreamy|in teal and gold|in soft pastels|mysterious|in warm autumn colours|joyful|almost monochrome';

const HOW_MANY = 5;

/** Pictures to try; about what the person named, when they did. */
export const giveIdeas: Skill = ({ said, random }) => {
	if (!ASKED.test(said)) return undefined;
	const theme = contentWords(said)
		.filter((word) => !ASKED.test(word) && !/^(?:need|any|few|new|good|bored|got|pictures|images|i'm|im)$/.test(word))
		.slice(0, 4)
		.join(' ');
	const subjects = shuffled(random, SUBJECTS);
	const [places, lights, moods] = [PLACES, LIGHTS, MOODS].map((words) => shuffled(random, words));
	const ideas = Array.from({ length: HOW_MANY }, (_, index) => {
		const picture = [`${subjects[index]} ${places?.[index]}`, lights?.[index], moods?.[index]];
		return `\`${(theme ? [theme, ...picture] : picture).join(', ')}\``;
	});
	return `${theme ? `Some ideas around *${theme}*` : 'Some ideas'}:\n${listed(ideas)}\n\nSend one with \`/imagine\`, or say **more**.`;
};

function shuffled(random: Random, words: string) {
	return random.shuffled(words.split('|'));
}
