/** Line ends, other control characters, and characters that change the direction of writing or have no width. */
const INVISIBLE = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]+/gu;

/** Returns a text as one line that cannot reorder or hide its surroundings. */
export const oneLine = (text: string) => text.replace(INVISIBLE, ' ').replace(/\s+/g, ' ').trim();

/** Returns a text of at most `max` UTF-16 units, cut between two graphemes and then ended with `…`. Lone surrogates are replaced. */
export function clip(text: string, max: number): string {
	const whole = text.toWellFormed();
	if (whole.length <= max) return whole;
	let end = 0;
	for (const { index, segment } of new Intl.Segmenter().segment(whole)) {
		if (index + segment.length > max - 1) break;
		end = index + segment.length;
	}
	return `${whole.slice(0, end)}…`;
}

/** The service's limit for edits and compositions; for generation it is the bot's own. */
export const MAX_PROMPT_CHARACTERS = 2000;
