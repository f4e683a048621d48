import type { Person } from '../../domain/person.ts';
import type { Button } from '../../domain/reply.ts';
import type { Translate } from '../../i18n/translator.ts';
import { actionButton } from '../declaration/actions.ts';
import { quotedPrompt } from '../pictures/captions.ts';
import type { AnswerState, Conversation } from './conversations.ts';

/** What a chat thread begins with: how things are done here. */
export function openingMessage(
	t: Translate,
	person: Pick<Person, 'name'>,
	prompt: string | undefined,
	{ mentionsOnly, place }: Pick<Conversation, 'mentionsOnly' | 'place'>,
): string {
	const answered = mentionsOnly
		? t('Whoever mentions me here gets an answer.')
		: t('Whatever you write here, I answer.');
	const remembered = place.direct
		? t("I remember what was said here; write `forget`, and I don't any more.")
		: t("I remember what was said in this thread; write `forget`, and I don't any more.");
	return [
		...(prompt === undefined ? [] : [`**${quotedPrompt(person.name)}:** ${quotedPrompt(prompt)}`, '']),
		`${answered} ${remembered}`,
		t(
			'`draw a red fox` makes a picture; a picture with an instruction is changed by it. Both count as `/imagine` and `/edit` do.',
		),
	].join('\n');
}

export const mentionsOnlyMessage = (t: Translate, only: boolean) =>
	only ? t('From now on I answer only who mentions me here.') : t('From now on I answer whatever is written here.');

export const forgotten = (t: Translate) =>
	t('Forgotten: what was said here before this message goes to the chat model no more.');

export const oldestDropped = (t: Translate) =>
	t('*This thread has become long: from now on its oldest messages go to the chat model no more.*');

export const whatToDo = (t: Translate) =>
	t('What is to be done with the picture? Send it once more, with an instruction.');

/** What is said under an answer that did not end well; the sentence says why, where there is more to say. */
export function endingNote(t: Translate, state: AnswerState, sentence = ''): string {
	switch (state) {
		case 'stopped':
			return t('*Stopped.*');
		case 'cut':
			return `${t('*The answer breaks off here.*')} ${sentence}`.trim();
		case 'interrupted':
			return t('*Interrupted: Easel was stopped while this was written.*');
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
