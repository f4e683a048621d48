import type { ChatMessage } from '../../service/service.ts';
import type { Entry } from './conversations.ts';

/** What of a thread goes to the model: enough for a long talk, and within the context of any model of today. */
const BOUNDS = { characters: 24_000, messages: 60 } as const;

type Bounds = { characters: number; messages: number };

/** How many of the oldest entries have to go, so that the rest is within the bounds. The newest entry always stays. */
export function excess(entries: readonly Entry[], { characters, messages }: Bounds = BOUNDS): number {
	let size = 0;
	let count = 0;
	for (let index = entries.length - 1; index >= 0; index--) {
		const length = sizeOf(entries[index]);
		size += length;
		count += length > 0 ? 1 : 0;
		if ((size > characters || count > messages) && index < entries.length - 1) return index + 1;
	}
	return 0;
}

/** What an entry adds to the history; 0 for what adds nothing. */
const sizeOf = (entry: Entry | undefined) => (entry && entry.kind !== 'gone' ? entry.text.length : 0);

/** What people wrote can be longer than all that is kept. */
export const clipped = (text: string, { characters }: Bounds = BOUNDS) => text.slice(0, characters).toWellFormed();

/**
 * A thread as the model gets it: who it is, then the talk, each person's words under their name. What several people write one
 * after another is one message, as many models take turns with one side only.
 */
export function historyOf(entries: readonly Entry[]): ChatMessage[] {
	const messages: ChatMessage[] = [{ role: 'system', content: SYSTEM_PROMPT }];
	for (const entry of entries) {
		if (entry.kind === 'gone' || entry.text.trim() === '') continue;
		const role = entry.kind === 'said' ? 'user' : 'assistant';
		const content = entry.kind === 'said' ? `${nameOf(entry.person.name)}: ${entry.text}` : entry.text;
		const last = messages.at(-1);
		if (last?.role === role) last.content += `\n\n${content}`;
		else messages.push({ role, content });
	}
	return messages;
}

/** A name as one short line that can't be taken for more than a name. */
const nameOf = (name: string) =>
	name
		.replace(/[\s:\p{C}]+/gu, ' ')
		.trim()
		.slice(0, 80)
		.toWellFormed() || 'Somebody';

const SYSTEM_PROMPT = `You are Easel, a bot that takes part in a chat thread. Each message of a person begins with that person's name and a \
colon; your own answers have no name before them. Answer what was said last, in its language, in Markdown, and no longer than it takes.

You can neither draw, see nor change pictures, and you never say that you did or will. Whoever wants a picture writes a message that \
begins with "draw", such as: draw a red fox in the snow. Whoever wants a picture changed posts it together with an instruction. Point \
to that when somebody asks you for a picture.`;
