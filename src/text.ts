/** Line ends, other control characters, and marks that turn the direction of writing or have no width. */
const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]+/gu;

/** A name as one line that can't reorder or hide what stands beside it. */
export const oneLine = (name: string) => name.replace(UNSEEN, ' ').replace(/\s+/g, ' ').trim();

/** Cut where a reader sees a character end, with a mark. */
export function clip(text: string, max: number): string {
	if (text.length <= max) return text;
	let end = 0;
	for (const { index, segment } of new Intl.Segmenter().segment(text)) {
		if (index + segment.length > max - 1) break;
		end = index + segment.length;
	}
	return `${text.slice(0, end)}…`;
}
