import pino from 'pino';

/** Returns a log and the lines written to it. */
export function lineLog() {
	const lines: string[] = [];
	return { lines, log: pino({ level: 'trace' }, { write: (line) => void lines.push(line) }) };
}
