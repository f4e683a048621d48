/** What is open at a place in Markdown, and the marks that close it there and open it again in the next message. */

export type Fence = {
	/** Quote marks and indentation before it. */
	container: string;
	/** The backticks or tildes. */
	marker: string;
	/** The language, and what else stands beside the marker. */
	info: string;
	/** Nothing is in it yet. */
	bare: boolean;
};

export type Open = {
	fence?: Fence | undefined;
	/** A table's header and delimiter row, newlines included. */
	table?: string | undefined;
	/** The marks of the quote that the line is in; only within a line. */
	quote: string;
	/** Emphasis and code span marks, outermost first. */
	marks: readonly string[];
};

export const NOTHING_OPEN: Open = { quote: '', marks: [] };

/** The share of a message that marks may take at each end. */
const MOST = 1 / 4;

/** What a message that goes on from here begins with. Marks that would take too much of its room are left out. */
export function opening({ fence, table, quote, marks }: Open, room: number): string {
	const most = room * MOST;
	if (fence) {
		const indent = fence.container.includes('>') ? fence.container : fence.container.slice(0, 3);
		const inner = quote && fence.container.includes('>') ? quote : '';
		const full = `${indent}${fence.marker}${fence.info}\n${inner}`;
		return full.length <= most ? full : `${fence.marker}\n`;
	}
	const whole = table ?? quote + marks.join('');
	return whole.length <= most ? whole : '';
}

/** What a message that ends here ends with. */
export function closing({ fence, marks }: Open, room: number): string {
	const most = room * MOST;
	if (fence) {
		const full = `\n${fence.container}${fence.marker}`;
		return full.length <= most ? full : `\n${fence.marker}`;
	}
	const whole = marks.toReversed().join('');
	return whole.length <= most ? whole : '';
}

/** Whether a line ends a fence. */
export function closes(fence: Fence, line: string): boolean {
	const bare = line.replace(/^(?:[ \t]*>)*/, '');
	const mark = bare.trim();
	const indent = bare.length - bare.trimStart().length;
	return (
		mark.length >= fence.marker.length &&
		mark === fence.marker[0]!.repeat(mark.length) &&
		indent <= fence.container.length + 3
	);
}
