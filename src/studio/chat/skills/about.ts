import type { Skill } from '../talk.ts';

const IDENTITY =
	"I'm the chat of Easel's own studio: a **rule-based program**, not a language model. I know the studio and its commands, help with prompts and hold a small conversation, but I can't reason about other things or look anything up.";

const HELP = `${IDENTITY}

Ask me for:
- **commands**: how \`/imagine\`, \`/edit\`, \`/compose\`, \`/chat\`, \`/usage\`, \`/models\` and \`/limits\` work
- **prompts**: *improve the prompt: a lighthouse in a storm*
- **ideas**: *give me ideas for winter pictures*
- **stories and poems**: *a tiny story about a fox and a lantern*
- **sums and dates**: *what is 12 * (3 + 4)?*, *what day is it?*
- **what was said**: I remember your name and what you asked in this conversation`;

const DRAWING =
	'The studio draws its pictures by rules, too: it reads subjects, colours, weather, time of day, place and mood out of the prompt, composes a scene from them, and says what it did not understand. Asked again, it draws the same scene differently. To get pictures from an image model instead, the operator sets `SERVICE_BASE_URL` to a service that has one.';

const ANSWERS: readonly (readonly [asked: RegExp, answer: string])[] = [
	[/^\W*help\W*$|what can you do|what do you (?:know|do)\b|how can you help|what can i (?:ask|do|say)/i, HELP],
	[
		/\bhow (?:do|does|are) (?:you|it|the studio|(?:the )?pictures?)\b.*\b(?:draw|drawn|made|make|work)|\bare (?:the|these) pictures\b.*\b(?:real|ai|generated)/i,
		DRAWING,
	],
	[
		/\b(?:who|what) (?:are|r) (?:you|u)\b|\byour name\b|\bare you (?:an? |the )?(?:real|human|person|bot|robot|ai|machine|model|llm|gpt|chatgpt|alive|sentient|conscious)|\b(?:which|what) (?:language )?model are you\b|\bintroduce yourself\b|\babout yourself\b|who (?:made|built|created) you/i,
		IDENTITY,
	],
];

/** Introduces the studio and what it can do. */
export const about: Skill = ({ said }) => ANSWERS.find(([asked]) => asked.test(said))?.[1];
