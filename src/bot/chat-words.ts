import type { AnswerState } from './conversations.ts';
import type { Button, Person } from './platform.ts';
import { shown } from './words.ts';

/** What a chat thread begins with: how things are done here. */
export function openingWords(person: Pick<Person, 'name'>, prompt: string | undefined, mentionsOnly: boolean): string {
	const answered = mentionsOnly ? 'Whoever mentions me here gets an answer.' : 'Whatever you write here, I answer.';
	return [
		...(prompt === undefined ? [] : [`**${shown(person.name)}:** ${shown(prompt)}`, '']),
		`${answered} I remember what was said in this thread; write \`forget\`, and I don't any more.`,
		'`draw a red fox` makes a picture; a picture with an instruction is changed by it. Both count as `/imagine` and `/edit` do.',
	].join('\n');
}

export const mentionsWords = (only: boolean) =>
	only ? 'From now on I answer only who mentions me here.' : 'From now on I answer whatever is written here.';

export const FORGOTTEN = 'Forgotten: what was said here before this message goes to the chat model no more.';

export const OLDEST_DROPPED =
	'*This thread has become long: from now on its oldest messages go to the chat model no more.*';

export const WHAT_TO_DO = 'What is to be done with the picture? Send it once more, with an instruction.';

/** What is said under an answer that did not end well; the sentence says why, where there is more to say. */
export function endingNote(state: AnswerState, sentence = ''): string {
	switch (state) {
		case 'stopped':
			return '*Stopped.*';
		case 'cut':
			return `*The answer breaks off here.* ${sentence}`.trim();
		case 'interrupted':
			return '*Interrupted: Easel was stopped while this was written.*';
		default:
			return sentence;
	}
}

export const stopButton = (key: string): Button => ({ id: `stop:1:${key}`, label: 'Stop', kind: 'danger' });

const retryButton = (key: string): Button => ({ id: `retry:1:${key}`, label: 'Retry' });

/** Under an answer that has ended. */
export const answerButtons = (key: string, hasText: boolean): Button[] =>
	hasText
		? [retryButton(key), { id: `draw:1:${key}`, label: 'Draw this' }, { id: 'forget:1:thread', label: 'Forget' }]
		: [retryButton(key)];

/** Turns the setting round. */
export const mentionsButton = (only: boolean): Button =>
	only
		? { id: 'mentions:1:all', label: 'Answer everything' }
		: { id: 'mentions:1:only', label: 'Answer mentions only' };
