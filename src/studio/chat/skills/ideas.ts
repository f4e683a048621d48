import { contentWords, listed, type Skill } from '../talk.ts';

const ASKED =
	/\bideas?\b|\binspir\w*|\bsurprise me\b|\bwhat (?:should|could|can|shall) (?:i|we) (?:draw|make|imagine|paint|create)\b|\bsuggest(?:ion)?s?\b|\bi'?m bored\b/i;
const NO_THEME = /^(?:need|any|few|new|good|bored|got|pictures|images|i'm|im)$/;

const PARTS = [
	'a red fox in the snow|an old lighthouse on a cliff by the sea|a paper boat on a quiet lake|a hot-air balloon above the clouds|a sleeping cat at a window|a whale below the northern lights|a wooden windmill in a field of sunflowers|two cranes in a misty valley|a lonely lantern in a rainy street|an owl at the edge of a forest',
	'at dawn|at golden hour|under a full moon|in the blue hour|on a bright morning|before a thunderstorm|at night',
	'calm|dreamy|in teal and gold|in soft pastels|mysterious|in warm autumn colours|joyful|almost monochrome',
] as const;
const HOW_MANY = 5;

/** Suggests prompts, about the theme that the person named if any. */
export const giveIdeas: Skill = ({ said, random }) => {
	if (!ASKED.test(said)) return undefined;
	const words = contentWords(said).filter((word) => !ASKED.test(word) && !NO_THEME.test(word));
	const theme = words.slice(0, 4).join(' ');
	const parts = PARTS.map((choices) => random.shuffled(choices.split('|')));
	const ideas = Array.from({ length: HOW_MANY }, (_, index) => {
		const picture = parts.map((choices) => choices[index]);
		return `\`${(theme ? [theme, ...picture] : picture).join(', ')}\``;
	});
	return `${theme ? `Some ideas around *${theme}*` : 'Some ideas'}:\n${listed(ideas)}\n\nSend one with \`/imagine\`, or say **more**.`;
};
