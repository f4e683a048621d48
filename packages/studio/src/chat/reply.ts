import { type Random, seeded } from '../drawing/tools/random.ts';
import { contentWords, excerpt, type Turn } from './talk.ts';
import texts from './texts.json' with { type: 'json' };

/** A conversation as a rule sees it. The same one always gets the same answer. */
type Talk = { said: string; earlier: readonly string[]; random: Random };

/** More characters of a message are not read: it bounds the time that patterns take. */
const MAX_READ = 4000;
const read = ({ text }: Turn) => text.slice(0, MAX_READ).toWellFormed().trim();

/** Returns the answer to a conversation, by rules. */
export function reply(turns: readonly Turn[]): string {
	const asked = turns.filter(({ role }) => role === 'user');
	const last = asked.at(-1);
	const said = last ? read(last) : '';
	const random = seeded(asked.map(({ text }) => text).join('\n'));
	const answered = said && answer({ said, earlier: asked.slice(0, -1).map(read), random });
	if (last?.images) return `${pictureNote(last.images)}\n\n${answered}`.trim();
	return answered || `Hello! ${texts.welcome}`;
}

function pictureNote(count: number) {
	const them = count === 1 ? 'it' : 'them';
	return `I got ${count === 1 ? 'your picture' : `your ${count} pictures`}, but I can't look at ${them} here: \`/edit\` changes a picture and \`/compose\` joins two or three.`;
}

const FOLLOW_UP =
	/^(?:(?:and )?(?:another|one more|more|again|next|once more|a different|try again)\b.{0,30}|go on)[.!?]*$/i;
const GREETINGS = Object.entries(texts.greetings).map(([word, asked]) => [word, new RegExp(asked, 'iu')] as const);

function answer(talk: Talk): string {
	// "Another one" repeats the question before it; the seed differs by then.
	const repeated = FOLLOW_UP.test(talk.said) && talk.earlier.findLast((text) => !FOLLOW_UP.test(text));
	if (repeated) return answer({ ...talk, said: repeated });
	const greeting = GREETINGS.find(([, asked]) => asked.test(talk.said))?.[0];
	const found = giveIdeas(talk) ?? byRule(talk) ?? (greeting ? texts.welcome : unknown(talk));
	return greeting ? `${greeting}! ${found}` : found;
}

/** What is said, and the answers to it. Bounded: at most 4,000 characters. */
const RULES = texts.replies.map(({ asked, answers }) => ({ asked: new RegExp(asked, 'iu'), answers }));
/** Words that say how an answer shall be, not what about. */
const OF_FORM = /^(?:very|long|detailed|essay|explain|article|answer|how|short)$/;

function byRule({ said, random }: Talk): string | undefined {
	const rule = RULES.find(({ asked }) => asked.test(said));
	if (!rule) return undefined;
	const words = excerpt(rule.asked.exec(said)?.groups?.['words'] ?? '', 300).replaceAll('*', '');
	const topic = contentWords(said).filter((word) => !OF_FORM.test(word));
	return random
		.pick(rule.answers as [string, ...string[]])
		.replaceAll('{words}', () => words)
		.replace('{topic}', () =>
			topic.length > 0 ? `, as a model would write one about *${topic.slice(0, 6).join(' ')}*` : '',
		);
}

/** Says that it doesn't know, and offers what was said as a picture. */
function unknown({ said, random }: Talk): string {
	const words = excerpt(contentWords(said).slice(0, 6).join(' '), 80);
	const picture = words && ` But it could be a picture: say *draw ${words}*.`;
	return `${random.pick(texts.unknown as [string, ...string[]])}${picture}\n\nI have ideas for pictures, and show **a table**, **code** and **a long answer**. Say **help** for a list.`;
}

const IDEAS =
	/\bideas?\b|\binspir\w*|\bsurprise me\b|\bwhat (?:should|could|can|shall) (?:i|we) (?:draw|make|imagine|paint|create)\b|\bsuggest(?:ion)?s?\b|\bi'?m bored\b/i;
const NO_THEME = /^(?:need|any|few|new|good|bored|got|pictures|images|i'm|im)$/;

/** Suggests prompts, about the theme that the person named if any. */
function giveIdeas({ said, random }: Talk): string | undefined {
	if (!IDEAS.test(said)) return undefined;
	const words = contentWords(said).filter((word) => !IDEAS.test(word) && !NO_THEME.test(word));
	const theme = words.slice(0, 4).join(' ');
	const parts = texts.ideas.map((choices) => random.shuffled(choices.split('|')));
	const ideas = [0, 1, 2, 3, 4].map((index) => {
		const [picture, ...details] = parts.map((choices) => choices[index]);
		return `${index + 1}. ${[theme || picture, ...details].join(', ')}`;
	});
	return `${theme ? `Some ideas around *${theme}*` : 'Some ideas'}:\n\n${ideas.join('\n')}\n\nSay *draw 2* to draw the second one, or **more**.`;
}
