import type { Person } from '../../domain/person.ts';
import type { Button } from '../../domain/reply.ts';
import type { Translate } from '../../i18n/translator.ts';
import { actionButton } from '../declaration/actions.ts';
import { quotedPrompt } from '../pictures/captions.ts';
import type { AnswerState, Conversation } from './transcript.ts';

/** What a chat thread begins with: how things are done here. */
export function openingMessage(
	t: Translate,
	person: Pick<Person, 'name'>,
	prompt: string | undefined,
	{ mentionsOnly, place }: Pick<Conversation, 'mentionsOnly' | 'place'>,
): string {
	const answered = mentionsOnly ? t('thread.intro.mentions') : t('thread.intro.all');
	const remembered = place.direct ? t('thread.intro.memoryDirect') : t('thread.intro.memory');
	return [
		...(prompt === undefined ? [] : [`**${quotedPrompt(person.name)}:** ${quotedPrompt(prompt)}`, '']),
		`${answered} ${remembered}`,
		t('thread.intro.pictures'),
	].join('\n');
}

export const mentionsOnlyMessage = (t: Translate, only: boolean) =>
	only ? t('thread.mode.mentions') : t('thread.mode.all');

export const forgotten = (t: Translate) => t('thread.forgotten');

export const oldestDropped = (t: Translate) => t('thread.long');

export const whatToDo = (t: Translate) => t('thread.instruction');

/** What is said under an answer that did not end well; the sentence says why, where there is more to say. */
export function endingNote(t: Translate, state: AnswerState, sentence = ''): string {
	switch (state) {
		case 'stopped':
			return t('thread.stopped');
		case 'cut':
			return `${t('thread.truncated')} ${sentence}`.trim();
		case 'interrupted':
			return t('thread.interrupted');
		default:
			return sentence;
	}
}

/** The buttons under an answer that has ended. */
export const answerButtons = (t: Translate, key: string, hasText: boolean): Button[] => [
	actionButton(t, 'retry', key),
	...(hasText ? [actionButton(t, 'draw', key), actionButton(t, 'forget', 'thread')] : []),
];

/** Returns a button that changes the setting to its opposite. */
export const mentionsButton = (t: Translate, only: boolean): Button =>
	actionButton(t, 'mentions', only ? 'all' : 'only');
