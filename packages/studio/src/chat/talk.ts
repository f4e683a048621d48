import texts from './texts.json' with { type: 'json' };

/** One message of a conversation, its parts joined. */
export type Turn = { role: 'system' | 'user' | 'assistant'; text: string; images: number };

/** Words without a topic. */
const SMALL_WORDS = new Set(texts.small.split(' '));

/** Returns the words of a text that name its topic, in order, each once. */
export function contentWords(text: string): string[] {
	const words = text.toLowerCase().match(/[\p{L}\p{M}]+(?:['’-][\p{L}\p{M}]+)*/gu) ?? [];
	return [...new Set(words)].filter((word) => word.length > 1 && !SMALL_WORDS.has(word.replaceAll(/['’]/g, '')));
}

/** Shortens a text to one line that can be quoted in a sentence. */
export function excerpt(text: string, max: number): string {
	const line = text.replaceAll(/\s+/g, ' ').trim();
	return line.length > max
		? `${line
				.slice(0, max - 1)
				.toWellFormed()
				.trimEnd()}…`
		: line;
}

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
