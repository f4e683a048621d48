/** A fenced code block that is open. */
export type Fence = {
	/** Quote marks and indentation before it. */
	container: string;
	/** The backticks or tildes. */
	marker: string;
	/** The language, and whatever else follows the marker. */
	info: string;
	/** Nothing is in it yet. */
	isEmpty: boolean;
};

/** The markup that is open at a position. */
export type OpenMarkup = {
	fence?: Fence | undefined;
	/** A table's header and delimiter row, newlines included. */
	table?: string | undefined;
	/** The marks of the quote that the line is in. Only within a line. */
	quote: string;
	/** Emphasis and code span marks, outermost first. */
	marks: readonly string[];
};

export const NOTHING_OPEN: OpenMarkup = { quote: '', marks: [] };

/** The share of a message that repair marks may take at each end. */
const MAX_SHARE = 1 / 4;

/**
 * Returns the marks that open this markup again at the beginning of the next message. Marks that would take too much of its room are
 * left out.
 */
export function reopeningMarks({ fence, table, quote, marks }: OpenMarkup, room: number): string {
	const most = room * MAX_SHARE;
	if (fence) {
		const indent = fence.container.includes('>') ? fence.container : fence.container.slice(0, 3);
		const inner = quote && fence.container.includes('>') ? quote : '';
		const full = `${indent}${fence.marker}${fence.info}\n${inner}`;
		return full.length <= most ? full : `${fence.marker}\n`;
	}
	const inline = marks.join('');
	const whole = (table ?? quote) + inline;
	// What was code stays code: a mention in it would ping.
	return whole.length <= most ? whole : inline;
}

/** Returns the marks that close this markup at the end of a message. */
export function closingMarks({ fence, marks }: OpenMarkup, room: number): string {
	const most = room * MAX_SHARE;
	if (fence) {
		const full = `\n${fence.container}${fence.marker}`;
		return full.length <= most ? full : `\n${fence.marker}`;
	}
	const whole = marks.toReversed().join('');
	return whole.length <= most ? whole : '';
}

/** Tells whether a line ends a fence. */
export function endsFence(fence: Fence, line: string): boolean {
	const content = line.replace(/^(?:[ \t]*>)*/, '');
	const mark = content.trim();
	const indent = content.length - content.trimStart().length;
	return (
		mark.length >= fence.marker.length &&
		mark === fence.marker[0]!.repeat(mark.length) &&
		indent <= fence.container.length + 3
	);
}
