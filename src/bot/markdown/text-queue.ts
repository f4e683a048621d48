/** Text that comes in small pieces and leaves from its head, without the whole ever being copied. */
export type TextQueue = {
	push(text: string): void;
	/** The first `length` UTF-16 units, or all there are. */
	head(length: number): string;
	/** Takes this many off its head. */
	drop(length: number): void;
	length(): number;
};

/** UTF-16 units from which on a piece is no longer added to. */
const ENOUGH = 4096;

export function createTextQueue(): TextQueue {
	let chunks: string[] = [];
	let first = 0;
	let offset = 0;
	let length = 0;
	return {
		push(text) {
			if (text === '') return;
			length += text.length;
			const last = chunks.length - 1;
			if (last >= first && chunks[last]!.length < ENOUGH) chunks[last] += text;
			else chunks.push(text);
		},
		head(wanted) {
			let text = (chunks[first] ?? '').slice(offset, offset + wanted);
			for (let next = first + 1; text.length < wanted && next < chunks.length; next++)
				text += chunks[next]!.slice(0, wanted - text.length);
			return text;
		},
		drop(count) {
			length -= count;
			offset += count;
			while (first < chunks.length && offset >= chunks[first]!.length) {
				offset -= chunks[first]!.length;
				chunks[first++] = '';
			}
			if (first > 1024 || first === chunks.length) {
				chunks = chunks.slice(first);
				first = 0;
			}
		},
		length: () => length,
	};
}
