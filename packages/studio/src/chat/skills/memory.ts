import { excerpt, listed, type Skill, type Talk } from '../talk.ts';

const NAME_GIVEN =
	/(?:\bmy name(?:'s| is)|\bcall me|\bi am called|\bmy friends call me|\bich hei(?:ß|ss)e|\bme llamo|\bje m'appelle|\bmi chiamo)\s+([\p{L}][\p{L}\p{M}'’-]{0,30})/iu;
const TO_REMEMBER = /\b(?:remember|note|keep in mind)(?: that|:)\s+(.+)/is;

const NAME_ASKED = /\bwhat(?:'s| is| was) my name\b|\bwho am i\b|\b(?:know|remember) my name\b/i;
const NOTES_ASKED =
	/\bwhat (?:did|should|do) (?:i (?:ask|tell) )?you (?:to )?remember\b|\bwhat i told you\b|\bdo you remember\?*$/i;
const MESSAGE_ASKED =
	/\bwhat (?:did|have) i (?:just )?(?:ask|say|said|write|told|tell)|\bmy (?:first|last|previous) (?:question|message)|\bwhat was i asking/i;
const ANSWER_ASKED =
	/\bwhat did you (?:just )?(?:say|answer|tell)|\b(?:repeat|say) (?:that|it)(?: again)?\b|\byour (?:last|previous) (?:answer|message)/i;
const RECAP_ASKED = /\b(?:recap|summari[sz]e (?:this|our|the) (?:conversation|chat|thread)|what (?:did|have) we talk)/i;

/** Returns the name that was given last in this conversation. */
export function knownName({ said, earlier }: Pick<Talk, 'said' | 'earlier'>): string | undefined {
	const text = [said, ...earlier.toReversed()].find((one) => NAME_GIVEN.test(one));
	return NAME_GIVEN.exec(text ?? '')?.[1];
}

/** Repeats what was said in the messages of the request; nothing is kept beyond them. */
export const remember: Skill = (talk) => {
	const { said, earlier, turns } = talk;
	if (NAME_ASKED.test(said)) {
		const name = knownName(talk);
		return name ? `Your name is ${name}.` : "You haven't told me your name in this conversation.";
	}
	if (NOTES_ASKED.test(said)) {
		const notes = earlier.flatMap((text) => TO_REMEMBER.exec(text)?.[1] ?? []);
		if (notes.length > 0) return `You asked me to remember:\n${listed(notes.map((note) => excerpt(note)))}`;
		return "You haven't asked me to remember anything in this conversation.";
	}
	if (MESSAGE_ASKED.test(said)) {
		const first = /\bfirst\b/i.test(said);
		const text = earlier.at(first ? 0 : -1);
		if (text === undefined) return 'This is your first message in this conversation.';
		return `Your ${first ? 'first' : 'last'} message before this was:\n\n> ${excerpt(text, 300)}`;
	}
	if (ANSWER_ASKED.test(said)) {
		const last = turns.findLast((turn) => turn.role === 'assistant' && turn.text.trim() !== '');
		return last ? `I said:\n\n${last.text.trim()}` : "I haven't said anything yet.";
	}
	if (RECAP_ASKED.test(said)) {
		if (earlier.length === 0) return "There's nothing to sum up yet: this is your first message.";
		return `So far you said:\n${listed(earlier.slice(-10).map((text) => excerpt(text)))}`;
	}
	const note = TO_REMEMBER.exec(said)?.[1];
	if (note) return `I'll remember it as long as this conversation lasts: ${excerpt(note)}`;
	const name = NAME_GIVEN.exec(said)?.[1];
	if (name && said.length < 80 && !said.includes('?')) return `Nice to meet you, ${name}! What would you like to make?`;
	return undefined;
};
