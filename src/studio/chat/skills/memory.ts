import { excerpt, listed, type Skill, type Talk } from '../talk.ts';

const NAME_GIVEN =
	/(?:\bmy name(?:'s| is)|\bcall me|\bi am called|\bmy friends call me|\bich hei(?:ß|ss)e|\bme llamo|\bje m'appelle|\bmi chiamo)\s+([\p{L}][\p{L}\p{M}'’-]{0,30})/iu;

const TO_REMEMBER = /\b(?:remember|note|keep in mind)(?: that|:)\s+(.+)/is;

/** The name that was given last in this conversation. */
export function knownName({ said, earlier }: Pick<Talk, 'said' | 'earlier'>): string | undefined {
	for (const text of [said, ...earlier.toReversed()]) {
		const name = NAME_GIVEN.exec(text)?.[1];
		if (name) return name;
	}
	return undefined;
}

/** Knows again what was said in the messages that it is given; it keeps nothing beyond them. */
export const remember: Skill = (talk) => {
	const { said, earlier, turns } = talk;
	if (/\bwhat(?:'s| is| was) my name\b|\bwho am i\b|\b(?:do you )?(?:know|remember) my name\b/i.test(said)) {
		const name = knownName(talk);
		return name ? `Your name is ${name}.` : "You haven't told me your name in this conversation.";
	}
	if (
		/\bwhat (?:did|should|do) (?:i (?:ask|tell) )?you (?:to )?remember\b|\bwhat i told you\b|\bdo you remember\?*$/i.test(
			said,
		)
	) {
		const notes = earlier.flatMap((text) => TO_REMEMBER.exec(text)?.[1] ?? []);
		if (notes.length > 0) return `You asked me to remember:\n${listed(notes.map((note) => excerpt(note)))}`;
		return "You haven't asked me to remember anything in this conversation.";
	}
	if (
		/\bwhat (?:did|have) i (?:just )?(?:ask|asked|say|said|write|told|tell)|\bmy (?:first|last|previous) (?:question|message)|\bwhat was i asking/i.test(
			said,
		)
	) {
		return recall(earlier, /\bfirst\b/i.test(said));
	}
	if (
		/\bwhat did you (?:just )?(?:say|answer|tell)|\b(?:repeat|say) (?:that|it)(?: again)?\b|\byour (?:last|previous) (?:answer|message)/i.test(
			said,
		)
	) {
		const last = turns.findLast((turn) => turn.role === 'assistant' && turn.text.trim() !== '');
		return last ? `I said:\n\n${last.text.trim()}` : "I haven't said anything yet.";
	}
	if (/\b(?:recap|summari[sz]e (?:this|our|the) (?:conversation|chat|thread)|what (?:did|have) we talk)/i.test(said)) {
		if (earlier.length === 0) return "There's nothing to sum up yet: this is the first thing you've said.";
		return `So far you said:\n${listed(earlier.slice(-10).map((text) => excerpt(text)))}`;
	}
	const note = TO_REMEMBER.exec(said)?.[1];
	if (note) return `I'll remember it for as long as this conversation lasts: ${excerpt(note)}`;
	const name = NAME_GIVEN.exec(said)?.[1];
	if (name && said.length < 80 && !said.includes('?')) return `Nice to meet you, ${name}! What would you like to make?`;
	return undefined;
};

function recall(earlier: readonly string[], first: boolean) {
	const text = first ? earlier[0] : earlier.at(-1);
	if (text === undefined) return 'This is the first thing you have said in this conversation.';
	const count = earlier.length === 1 ? '' : ` (of ${earlier.length} messages)`;
	return `Your ${first ? 'first' : 'last'} message before this${count} was:\n\n> ${excerpt(text, 300)}`;
}
