import type { Skill } from '../talk.ts';
import { texts } from './texts.ts';

/** What is asked about, and the answers. Bounded: at most 4,000 characters. */
const ANSWERS = texts.about.map(({ asked, answer }) => [new RegExp(asked, 'i'), answer] as const);

/** Introduces the studio and what it can do. */
export const about: Skill = ({ said }) => {
	const drawing = /^(?:please )?(?:draw|paint|sketch|imagine|show me)\s+(?:me )?(.{2,})$/is.exec(said)?.[1];
	if (drawing && !/\b(?:table|code)\b/i.test(drawing))
		return `Begin a message with *draw*, and it is drawn right here: *draw ${drawing.replaceAll(/\s+/g, ' ').slice(0, 300).replaceAll('*', '')}*.`;
	return ANSWERS.find(([asked]) => asked.test(said))?.[1];
};
