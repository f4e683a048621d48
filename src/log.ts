import { type Logger, pino } from 'pino';

export type Log = Logger;

export type LogOptions = {
	level: string;
	format: 'json' | 'pretty';
	/** Values that must not appear in any line. */
	secrets: readonly string[];
};

/** Patterns of secrets that the configuration may not know: bearer keys, Slack and Discord tokens, interaction webhooks. */
const SECRET_PATTERNS = [
	/\b(Bearer|Bot)\s+[\w.~+/=-]{8,}/gi,
	/\bx(?:ox[a-z]|app)-[\w-]{8,}/g,
	/\b[\w-]{23,28}\.[\w-]{6,7}\.[\w-]{27,}/g,
	/\/(webhooks|interactions)\/\d+\/[\w-]+/g,
	/\bsk-[\w-]{8,}/g,
];

/** Returns a function that replaces secrets in a line. Every line goes through it. */
export function redactor(secrets: readonly string[]): (line: string) => string {
	// As they are and as JSON quotes them; the longest first, in case one contains another.
	const known = [
		...new Set(secrets.filter((secret) => secret.length >= 4).flatMap((s) => [s, JSON.stringify(s).slice(1, -1)])),
	];
	known.sort((a, b) => b.length - a.length);
	return (line) => {
		let clean = line;
		for (const secret of known) clean = clean.replaceAll(secret, '[redacted]');
		for (const pattern of SECRET_PATTERNS) clean = clean.replace(pattern, '[redacted]');
		return clean;
	};
}

/** Returns the loggable part of an error: its type, kind, code and stack, but not its message, which may quote what a person wrote. */
export function errorFields(error: unknown): object {
	if (!(error instanceof Error)) return { type: typeof error };
	const { name, cause, code, kind, status, requestId } = error as Error & Record<string, unknown>;
	const stack = framesOf(error);
	return { type: name, code, kind, status, requestId, stack, cause: cause === undefined ? cause : errorFields(cause) };
}

/**
 * Returns the frames of an error's stack. The stack begins with the message as it was first, whose lines may look like frames;
 * a message that was changed since then cannot be told from them, so there are no frames.
 */
function framesOf({ message, stack = '' }: Error): string {
	const start = stack.indexOf(message);
	const lines = start < 0 ? [] : stack.slice(start + message.length).split('\n');
	return lines.filter((line) => /^\s+at /.test(line)).join('\n');
}

/** Returns a log whose lines are written at once, so that none is lost when the process exits. */
export async function createLog({ level, format, secrets }: LogOptions): Promise<Log> {
	const redact = redactor(secrets);
	const options = { level, base: null, serializers: { err: errorFields } };
	const shape = format === 'json' ? (line: string) => line : await prettyLines();
	// Redacted before it is coloured: a colour's code would hide where a secret begins.
	return pino(options, { write: (line) => process.stdout.write(shape(redact(line))) });
}

async function prettyLines(): Promise<(line: string) => string> {
	const { default: pretty } = await import('pino-pretty');
	return pretty.prettyFactory({ colorize: hasColours(), translateTime: 'SYS:HH:MM:ss' });
}

/** Whether standard output is a terminal that shows colours, and NO_COLOR does not forbid them. */
export const hasColours = (): boolean => process.stdout.isTTY && process.stdout.hasColors();

/** Runs a step whose failure must not stop the steps after it. Logs the failure as `message`, and returns undefined then. */
export async function tryAndLog<T>(log: Log, message: string, work: () => Promise<T>): Promise<T | undefined> {
	try {
		return await work();
	} catch (error) {
		log.error({ err: error }, message);
		return undefined;
	}
}
