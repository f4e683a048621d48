import type { Turn } from './talk.ts';

/** A name and a colon, as chat programs put them before the message of each of several people. */
const SPEAKER = /^([^\n:]{1,80}): (?=\S)/;

/** What chat programs add to a message for pictures that a model does not get. */
const UNSEEN = / \(with [^()\n]{1,40} that you do not see\)$/;

/**
 * Removes the names of speakers. They are taken for names only where the conversation has instructions and each message of a
 * person begins with one, so that "Note: …" stays.
 */
export function withoutSpeakers(turns: readonly Turn[]): readonly Turn[] {
	const asked = turns.filter(({ role, text }) => role === 'user' && text !== '');
	const names = new Set(asked.map(({ text }) => SPEAKER.exec(text)?.[1]));
	if (names.has(undefined) || !turns.some(({ role }) => role === 'system')) return turns;
	// Messages of several people may arrive as one, with a paragraph or more each.
	const strip = (paragraph: string) =>
		paragraph.replace(SPEAKER, (whole, name) => (names.has(name) ? '' : whole)).replace(UNSEEN, '');
	return turns.map((turn) =>
		turn.role === 'user' ? { ...turn, text: turn.text.split('\n\n').map(strip).join('\n\n') } : turn,
	);
}
