import type { Skill, Talk } from '../talk.ts';
import { knownName } from './memory.ts';

/** Greetings, and their answers. */
const GREETINGS: readonly [RegExp, string][] = [
	[/^(?:hi+|hello+|hey+|heya|hiya|howdy|yo|greetings|good (?:morning|afternoon|evening|day))\b/iu, 'Hello'],
	[/^(?:hallo|guten (?:tag|morgen|abend)|servus|moin|grüß)/iu, 'Hallo'],
	[/^(?:bonjour|bonsoir|salut)\b/iu, 'Bonjour'],
	[/^¡?(?:hola|buen[oa]s (?:d[ií]as|tardes|noches))/iu, '¡Hola'],
	[/^(?:ciao|buongiorno|buonasera)\b/iu, 'Ciao'],
	[/^(?:ol[áa]|bom dia|boa (?:tarde|noite))(?![\p{L}])/iu, 'Olá'],
	[/^(?:hoi|goedemorgen|goedemiddag|goedenavond)\b/iu, 'Hoi'],
	[/^(?:hej|hei|hejsan|god (?:morgon|dag|kveld))\b/iu, 'Hej'],
	[/^(?:cześć|dzień dobry)/iu, 'Cześć'],
	[/^(?:ahoj|dobrý den)/iu, 'Ahoj'],
	[/^(?:merhaba|selam)\b/iu, 'Merhaba'],
	[/^(?:привет|здравствуй|добрый день)/iu, 'Привет'],
	[/^(?:привіт|добрий день)/iu, 'Привіт'],
	[/^(?:こんにちは|こんばんは|おはよう)/u, 'こんにちは'],
	[/^(?:你好|您好)/u, '你好'],
	[/^안녕/u, '안녕하세요'],
	[/^(?:नमस्ते|नमस्कार)/u, 'नमस्ते'],
	[/^(?:مرحبا|السلام)/u, 'مرحبا'],
];

/** Back in the language of the person, with their name when it is known; undefined when they did not greet. */
export function greetingOf(talk: Talk): string | undefined {
	const word = GREETINGS.find(([pattern]) => pattern.test(talk.said))?.[1];
	if (word === undefined) return undefined;
	const name = knownName(talk);
	return name ? `${word}, ${name}!` : `${word}!`;
}

/** Greetings, thanks and farewells: what is said for its own sake. */
export const smallTalk: Skill = (talk) => {
	const { said, random } = talk;
	const greeting = greetingOf(talk);
	if (/\bhow(?:'s it| is it|'re| are) (?:you|going|things)\b|\bhow do you do\b|\bwhat'?s up\b/i.test(said)) {
		const state = random.pick([
			'All my rules are in order, thank you.',
			'Fine, as far as rules can be: the paint is wet and the light is good.',
			'Ready to draw. Nothing else happens in a studio without a person.',
		]);
		return `${greeting ?? ''} ${state} What would you like to make?`.trim();
	}
	if (
		/\b(?:thanks|thank you|thx|ty|cheers|much appreciated)\b|^(?:danke|merci|gracias|grazie|obrigad|спасибо|ありがとう|谢谢)/iu.test(
			said,
		)
	) {
		return random.pick(["You're welcome!", 'With pleasure.', 'Any time.', 'Glad that helped.']);
	}
	if (/^(?:bye|goodbye|good ?night|see (?:you|ya)|farewell|cya|tschüss|au revoir|adi[óo]s)\b/iu.test(said)) {
		return random.pick(['Goodbye! The easel stays where it is.', 'See you soon.', 'Bye! Come back with an idea.']);
	}
	if (/^(?:ok|okay|great|nice|cool|good|wow|awesome|perfect|lovely|yes|yep|no|nope|sure|fine)\b[\s!.,]*$/i.test(said)) {
		return random.pick([
			'Good. What shall we make next?',
			'All right! Say **ideas** if you want some.',
			'Noted. Anything else?',
		]);
	}
	if (/\b(?:joke|funny)\b/i.test(said)) {
		return random.pick([
			'Why did the painter get arrested? He had been framed.',
			"I'd tell you a joke about charcoal, but it's sketchy.",
			'What does a picture say to the wall? "First they framed me, then they hung me."',
		]);
	}
	if (greeting) {
		return `${greeting} I'm the studio's rule-based stand-in. Ask me about the commands, let me improve a prompt, or say **ideas**.`;
	}
	return undefined;
};
