import { seeded } from '../drawing/tools/random.ts';
import { about } from './skills/about.ts';
import { demonstrate } from './skills/demonstrations.ts';
import { greetingOf, smallTalk } from './skills/greetings.ts';
import { giveIdeas } from './skills/ideas.ts';
import { improvePrompt } from './skills/prompts.ts';
import { contentWords, excerpt, type Skill, type Talk, type Turn } from './talk.ts';

/** Tried in this order: skills with surer signs come first. */
// biome-ignore format: a list of names
const SKILLS: readonly Skill[] = [improvePrompt, giveIdeas, demonstrate, about, smallTalk];

const FOLLOW_UP =
	/^(?:(?:and )?(?:another|one more|more|again|next|once more|a different|try again)\b.{0,30}|go on)[.!?]*$/i;

/** More characters of a message are not read: it bounds the time that patterns take. */
const MAX_READ = 4000;
const read = ({ text }: Turn) => text.slice(0, MAX_READ).toWellFormed().trim();

/** Returns the answer to a conversation, by rules. The same conversation always gets the same answer. */
export function reply(turns: readonly Turn[]): string {
	const asked = turns.filter((turn) => turn.role === 'user');
	const last = asked.at(-1);
	const talk: Talk = {
		said: last ? read(last) : '',
		earlier: asked.slice(0, -1).map(read),
		random: seeded(asked.map((turn) => turn.text).join('\n')),
	};
	const seen = last?.images ? `${pictureNote(last.images)}\n\n` : '';
	if (talk.said === '') return seen ? seen.trim() : `Hello! ${about({ ...talk, said: 'who are you' })}`;
	return seen + answer(talk);
}

function answer(talk: Talk): string {
	// "Another one" repeats the question before it; the seed differs by then.
	if (FOLLOW_UP.test(talk.said)) {
		const subject = talk.earlier.findLast((text) => !FOLLOW_UP.test(text));
		if (subject) return answer({ ...talk, said: subject });
	}
	for (const skill of SKILLS) {
		const found = skill(talk);
		if (found === undefined) continue;
		const greeting = skill === smallTalk ? undefined : greetingOf(talk);
		return greeting ? `${greeting} ${found}` : found;
	}
	return fallback(talk);
}

function pictureNote(count: number) {
	const them = count === 1 ? 'it' : 'them';
	return `I got ${count === 1 ? 'your picture' : `your ${count} pictures`}, but I can't look at ${them} here: \`/edit\` changes a picture and \`/compose\` joins two or three.`;
}

/** Says that it doesn't know, and offers what was said as a picture. */
function fallback({ said, random }: Talk): string {
	const opening = random.pick([
		"I can't answer that: I am a demonstration that follows rules, without a language model.",
		'I have no rule for that, and rules are all I have: this is a demonstration, without a language model.',
	]);
	const words = excerpt(contentWords(said).slice(0, 6).join(' '), 80);
	const picture = words ? ` But it could be a picture: say *draw ${words}*, or *improve the prompt: ${words}*.` : '';
	return `${opening}${picture}\n\nI know prompts and ideas for pictures, and show **a table**, **code** and **a long answer**. Say **help** for a list.`;
}
