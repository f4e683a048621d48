import type { Skill, Talk } from '../talk.ts';
import { texts } from './texts.ts';

/** The greetings of a language, and the one that answers them. */
const GREETINGS = texts.greetings.map(({ asked, answer }) => [new RegExp(asked, 'iu'), answer] as const);

/** Returns a greeting in the language of the person's own; otherwise undefined. */
export function greetingOf({ said }: Pick<Talk, 'said'>): string | undefined {
	const word = GREETINGS.find(([pattern]) => pattern.test(said))?.[1];
	return word && `${word}!`;
}

const STATE = /\bhow(?:'s it| is it|'re| are) (?:you|going|things)\b|\bhow do you do\b|\bwhat'?s up\b/i;

const ANSWERS = texts.smallTalk.map(({ asked, answers }) => [new RegExp(asked, 'iu'), answers] as const);

const NAME_GIVEN = /\bmy name(?:'s| is)\s+([\p{L}][\p{L}\p{M}'’-]{0,30})/iu;

/** Answers greetings, thanks, farewells and the like. */
export const smallTalk: Skill = (talk) => {
	const name = NAME_GIVEN.exec(talk.said)?.[1];
	if (name) return `Nice to meet you, ${name}! What would you like to make?`;
	const greeting = greetingOf(talk);
	if (STATE.test(talk.said)) {
		const state = talk.random.pick(['All my rules are in order, thank you.', 'Fine, and ready to draw.']);
		return `${greeting ?? ''} ${state} What would you like to make?`.trim();
	}
	const answers = ANSWERS.find(([asked]) => asked.test(talk.said))?.[1];
	if (answers) return talk.random.pick(answers);
	return (
		greeting &&
		`${greeting} I'm a demonstration of the chat, without a language model. Say **ideas**, **help**, or *draw a red fox*.`
	);
};
