import { contentWords, type Skill } from '../talk.ts';

const TABLE = `A table, to show how one looks here:

| picture | words | good for |
| --- | --- | --- |
| landscape | a place, a time, the weather | a calm background |
| portrait | who, what they wear, the light | a profile picture |
| poster | a subject, the words in quotation marks | an event |
| abstract | two colours and a mood | a cover |`;

const CODE = `Code, to show how it looks here:

\`\`\`js
const words = ['a red fox', 'in the snow', 'at dusk'];
for (const count of [1, 2, 3]) {
	console.log(words.slice(0, count).join(', '));
}
\`\`\`

It prints three prompts, each with one detail more.`;

/** What a long answer is made of: a step, and what to say of it. */
const STEPS: readonly (readonly [title: string, text: string])[] = [
	[
		'Say what is in the picture',
		'One subject, or two that have something to do with each other. Everything else is seen beside it.',
	],
	[
		'Say where it is',
		'A shore, a street at night, a room with a lamp. A place gives a picture its colours before any colour is named.',
	],
	[
		'Say when',
		'Dawn, noon and dusk are three different pictures of the same hill. Weather counts as well: fog hides, rain shines.',
	],
	['Say from where it is seen', 'From close by a subject is a portrait, from far away a part of its landscape.'],
	['Name two colours', 'More of them take each other’s effect. One of the two may be grey.'],
	['Name a mood', 'Calm, eerie, joyful: one word that decides where you are not sure.'],
	[
		'Name a style last',
		'A watercolour forgives a great deal, pixel art very little. Without a style the subject has more room.',
	],
	[
		'Leave something out',
		'What is not said is chosen for you. That is a good way to be surprised, and a bad way to get a logo.',
	],
	[
		'Change one thing at a time',
		'Reply to a picture with what should be different. Two changes at once, and nobody knows which of them helped.',
	],
	[
		'Keep the ones you like',
		'A picture that came out well is the best description of the next one: use it as a reference.',
	],
];

const longAnswer = (topic: string) =>
	[
		`A long answer${topic ? `, as a model would write one about *${topic}*` : ''}. Press **Stop** to end it. As I am a demonstration, it is about how to ask for a picture.`,
		...STEPS.map(([title, text], index) => `### ${index + 1}. ${title}\n\n${text}`),
		'That was all. A real chat model answers here once the operator has connected one.',
	].join('\n\n');

/** Shows what answers can look like: a table, code, and one that is long enough to be stopped. */
export const demonstrate: Skill = ({ said }) => {
	if (/\btables?\b/i.test(said)) return TABLE;
	if (/\bcode\b|\bscript\b|\bprogram\b|\bfunction\b/i.test(said)) return CODE;
	if (!/\b(?:long|detailed|essay|story|tale|poem|explain|article)\b/i.test(said)) return undefined;
	const topic = contentWords(said).filter(
		(word) => !/^(?:very|long|detailed|essay|explain|article|answer|how|short)$/.test(word),
	);
	return longAnswer(topic.slice(0, 6).join(' '));
};
