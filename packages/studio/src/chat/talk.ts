import { clipped } from '../scene/captions/wording.ts';
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
export const excerpt = (text: string, max: number) => clipped(text.replaceAll(/\s+/g, ' ').trim(), max);

/** A name and a colon, as chat programs put them before the message of each of several people. */
const SPEAKER = /(?<=^|\n\n)[^\n:]{1,80}: (?=\S)/g;

/** What chat programs add to a message for pictures that a model does not get. */
const UNSEEN = / \(with [^()\n]{1,40} that you do not see\)(?=\n\n|$)/g;

/** Removes the names of speakers, which only programs with instructions put there: one before each paragraph, as several messages may be one. */
export function withoutSpeakers(turns: readonly Turn[]): readonly Turn[] {
	if (!turns.some(({ role }) => role === 'system')) return turns;
	return turns.map((turn) =>
		turn.role === 'user' ? { ...turn, text: turn.text.replace(SPEAKER, '').replace(UNSEEN, '') } : turn,
	);
}
