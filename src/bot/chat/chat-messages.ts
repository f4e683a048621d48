import type { Button } from '../../domain/channel.ts';
import type { Person } from '../../domain/place.ts';
import type { AnswerState } from '../../domain/platform.ts';
import { quoted } from '../../domain/text.ts';
import type { Translate } from '../../i18n/translator.ts';
import { actionButton } from '../declaration/actions.ts';
import type { Conversation } from './transcript.ts';

/** Returns the first message of a chat thread: the prompt, and how to use the thread. */
export function openingMessage(
	t: Translate,
	person: Pick<Person, 'name'>,
	prompt: string | undefined,
	{ mentionsOnly, place }: Pick<Conversation, 'mentionsOnly' | 'place'>,
): string {
	const answered = mentionsOnly ? t('thread.intro.mentions') : t('thread.intro.all');
	const remembered = place.direct ? t('thread.intro.memoryDirect') : t('thread.intro.memory');
	return [
		...(prompt === undefined ? [] : [`**${quoted(person.name)}:** ${quoted(prompt)}`, '']),
		`${answered} ${remembered}`,
		t('thread.intro.pictures'),
	].join('\n');
}

/**
 * Returns the note under an answer that was not completed.
 *
 * @param sentence says why, where that is known
 */
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
