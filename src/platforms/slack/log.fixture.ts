import pino from 'pino';

/** A log whose lines are kept, as they are written. */
export function lineLog() {
	const lines: string[] = [];
	return { lines, log: pino({ level: 'trace' }, { write: (line) => void lines.push(line) }) };
}
