import { contentWords, type Skill } from '../talk.ts';
import { texts } from './texts.ts';

const ASKED =
	/\bideas?\b|\binspir\w*|\bsurprise me\b|\bwhat (?:should|could|can|shall) (?:i|we) (?:draw|make|imagine|paint|create)\b|\bsuggest(?:ion)?s?\b|\bi'?m bored\b/i;
const NO_THEME = /^(?:need|any|few|new|good|bored|got|pictures|images|i'm|im)$/;

const HOW_MANY = 5;

/** Suggests prompts, about the theme that the person named if any. */
export const giveIdeas: Skill = ({ said, random }) => {
	if (!ASKED.test(said)) return undefined;
	const words = contentWords(said).filter((word) => !ASKED.test(word) && !NO_THEME.test(word));
	const theme = words.slice(0, 4).join(' ');
	const parts = texts.ideas.map((choices) => random.shuffled(choices.split('|')));
	const ideas = Array.from({ length: HOW_MANY }, (_, index) => {
		const picture = parts.map((choices) => choices[index]);
		return `${index + 1}. ${(theme ? [theme, ...picture.slice(1)] : picture).join(', ')}`;
	});
	return `${theme ? `Some ideas around *${theme}*` : 'Some ideas'}:\n\n${ideas.join('\n')}\n\nSay *draw 2* to draw the second one, or **more**.`;
};
