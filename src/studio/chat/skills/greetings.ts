import type { Skill, Talk } from '../talk.ts';
import { knownName } from './memory.ts';

/** The greetings of a language, and the one that answers them. */
const GREETINGS: readonly [RegExp, string][] = [
	[/^(?:hi+|hello+|hey+|heya|hiya|howdy|yo|greetings|good (?:morning|afternoon|evening|day))\b/iu, 'Hello'],
	[/^(?:hallo|guten (?:tag|morgen|abend)|servus|moin|grüß)/iu, 'Hallo'],
	[/^(?:bonjour|bonsoir|salut)\b/iu, 'Bonjour'],
	[/^¡?(?:hola|buen[oa]s (?:d[ií]as|tardes|noches))/iu, '¡Hola'],
	[/^(?:ciao|buongiorno|buonasera)\b/iu, 'Ciao'],
	[/^(?:ol[áa]|bom dia|boa (?:tarde|noite))(?![\p{L}])/iu, 'Olá'],
	[/^(?:привет|здравствуй|добрый день)/iu, 'Привет'],
	[/^(?:こんにちは|こんばんは|おはよう)/u, 'こんにちは'],
	[/^(?:你好|您好)/u, '你好'],
	[/^안녕/u, '안녕하세요'],
	[/^(?:مرحبا|السلام)/u, 'مرحبا'],
];

/** Returns a greeting in the language of the person's own, with their name when it is known; otherwise undefined. */
export function greetingOf(talk: Talk): string | undefined {
	const word = GREETINGS.find(([pattern]) => pattern.test(talk.said))?.[1];
	const name = knownName(talk);
	return word && (name ? `${word}, ${name}!` : `${word}!`);
}

const STATE = /\bhow(?:'s it| is it|'re| are) (?:you|going|things)\b|\bhow do you do\b|\bwhat'?s up\b/i;

const ANSWERS: readonly (readonly [asked: RegExp, answers: readonly [string, ...string[]]])[] = [
	[
		/\b(?:thanks|thank you|thx|ty|cheers|much appreciated)\b|^(?:danke|merci|gracias|grazie|obrigad|спасибо|ありがとう|谢谢)/iu,
		["You're welcome!", 'Any time.', 'Glad that helped.'],
	],
	[
		/^(?:bye|goodbye|good ?night|see (?:you|ya)|farewell|cya|tschüss|au revoir|adi[óo]s)\b/iu,
		['Goodbye!', 'See you soon.', 'Bye! Come back with an idea.'],
	],
	[
		/^(?:ok|okay|great|nice|cool|good|wow|awesome|perfect|lovely|yes|yep|no|nope|sure|fine)\b[\s!.,]*$/i,
		['Good. What shall we make next?', 'All right! Say **ideas** if you want some.', 'Noted. Anything else?'],
	],
	[
		/\b(?:joke|funny)\b/i,
		['Why did the painter get arrested? He had been framed.', "I'd tell you a joke about charcoal, but it's sketchy."],
	],
];

/** Answers greetings, thanks, farewells and the like. */
export const smallTalk: Skill = (talk) => {
	const greeting = greetingOf(talk);
	if (STATE.test(talk.said)) {
		const state = talk.random.pick(['All my rules are in order, thank you.', 'Fine, and ready to draw.']);
		return `${greeting ?? ''} ${state} What would you like to make?`.trim();
	}
	const answers = ANSWERS.find(([asked]) => asked.test(talk.said))?.[1];
	if (answers) return talk.random.pick(answers);
	return (
		greeting &&
		`${greeting} I'm the studio's rule-based chat. Ask me about the commands, let me improve a prompt, or say **ideas**.`
	);
};
