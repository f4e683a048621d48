import { oneLine } from '../../domain/text.ts';
/** The thread that a command opens. */
export type ThreadOpening = {
	/** See `threadTitle`. */
	title: string;
	/** The first message to answer. Without it, the thread begins with a greeting. */
	prompt?: string | undefined;
	/** The chat model; the configured one by default. */
	model?: string | undefined;
	/** Answers only messages that mention the bot. */
	mentionsOnly: boolean;
	/** Only the person who opens the thread sees it. */
	private: boolean;
};

/** Slack does not limit titles, Discord allows 100 characters, and its list of threads shows fewer. */
const TITLE_CHARACTERS = 60;

/** Returns the first words of a text, on one line. */
export function threadTitle(text: string): string {
	const line = oneLine(text);
	if (line.length <= TITLE_CHARACTERS) return line;
	const cut = line.slice(0, TITLE_CHARACTERS - 1);
	const space = cut.lastIndexOf(' ');
	return `${cut.slice(0, space > TITLE_CHARACTERS / 2 ? space : undefined).toWellFormed()}…`;
}
