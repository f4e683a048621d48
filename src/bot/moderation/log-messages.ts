import type { Button, Channel, ChannelLimits, Reply, Show } from '../../domain/channel.ts';
import { quoted } from '../../domain/text.ts';
import type { Translate } from '../../i18n/translator.ts';
import { type ActionName, actionButton } from '../declaration/actions.ts';
import { isInEffect, LOG_ACTIONS, type LogAction, type LogEntry, type Note, type Notes } from './log-entries.ts';
import type { Review } from './review/held-results.ts';

/** The room that an entry needs beside the prompt, in UTF-16 units. */
const OTHER_TEXT = 900;

/** Enough of a reason to recognise it by, in UTF-16 units. */
const MAX_SHOWN_REASON = 100;

/** Returns how much of a prompt an entry shows: what fits even if every character has to be escaped. */
const maxPrompt = ({ limits }: { limits: ChannelLimits }) => Math.max(100, Math.floor((limits.text - OTHER_TEXT) / 2));

/** Returns an entry as a message: the request, its result, the actions that were taken, and buttons for the others. */
export function logEntryMessage(
	t: Translate,
	entry: LogEntry,
	notes: Notes,
	channel: Pick<Channel, 'limits' | 'refer' | 'when'>,
): Pick<Reply, 'text' | 'buttons'> {
	const { command, person, place, prompt, sent } = entry;
	const member = channel.refer('person', person.id);
	const link = sent.find((one) => one.link !== undefined)?.link;
	const where = place.direct
		? t('log.direct')
		: t('log.channel', { channel: channel.refer('channel', place.thread ?? place.channel) });
	const facts = [
		where,
		link && t('log.link', { link }),
		entry.private && t('log.private'),
		sent.length === 0 && !notes.review && t('log.undelivered'),
		entry.without === 'visible to everyone' && t('log.visible'),
		entry.without === 'too many' && t('log.tooMany'),
		entry.without === 'not posted' && t('log.notPosted'),
	];
	const taken = LOG_ACTIONS.flatMap((action) => {
		const note = notes[action];
		if (!note) return [];
		const sentence = noteSentence(t, action, note, member, channel.refer('person', note.by.id));
		const { undoneBy } = note;
		return [
			undoneBy ? `${sentence} ${t('log.undone', { moderator: channel.refer('person', undoneBy.id) })}` : sentence,
		];
	});
	const states = [...(notes.review ? [reviewSentence(t, notes.review, channel)] : []), ...taken];
	const shown = hidesPrompt(entry) ? t('log.hiddenPrompt') : quoted(prompt, maxPrompt(channel));
	const title = t('log.entry', { command: `/${command}`, member, prompt: shown });
	return {
		text: [title, facts.filter(Boolean).join(' · '), ...states.map((state) => `**${state}**`)].join('\n'),
		buttons: entryButtons(t, entry, notes),
	};
}

const hidesPrompt = ({ without }: LogEntry) => without === 'visible to everyone';

/** Returns the prompt as a file when it is too long to be shown. */
export const promptFile = (entry: LogEntry, channel: { limits: ChannelLimits }): Pick<Reply, 'files'> =>
	entry.prompt.length <= maxPrompt(channel) || hidesPrompt(entry)
		? {}
		: { files: [{ name: 'prompt.txt', bytes: Buffer.from(entry.prompt) }] };

function noteSentence(t: Translate, action: LogAction, { done }: Note, member: string, moderator: string): string {
	switch (action) {
		case 'remove':
			return done ? t('log.removed', { moderator }) : t('log.notRemoved', { moderator });
		case 'block':
			return t('log.blocked', { member, moderator });
		case 'hide':
			return done ? t('log.hidden', { moderator }) : t('log.notHidden', { moderator });
	}
}

function reviewSentence(t: Translate, { held, decision }: Review, { refer, when }: Show) {
	if (!decision) return t('log.review.waiting', { until: when(held?.due ?? 0) });
	const { verdict, by, reason } = decision;
	if (!by) return t('log.review.undecided', { verdict });
	const moderator = refer('person', by.id);
	if (verdict === 'approved') return t('log.review.approved', { moderator });
	return reason
		? t('log.review.rejectedWhy', { moderator, reason: quoted(reason, MAX_SHOWN_REASON) })
		: t('log.review.rejected', { moderator });
}

/** Returns the buttons for what can still be done. Pictures that nobody sees, or that were removed, cannot be removed or hidden. */
function entryButtons(t: Translate, { job, pictures, sent }: LogEntry, notes: Notes): Button[] {
	const { remove, block, hide, review } = notes;
	const canHide = pictures > 0 && sent.length > 0 && !remove?.done;
	const canRemove = !remove?.done && (sent.length > 0 || !review);
	const isWaiting = review && !review.decision;
	const actions: ActionName[] = [
		...(isWaiting ? (['approve', 'reject'] as const) : []),
		...(canRemove ? (['remove'] as const) : []),
		isInEffect(block) ? 'unblock' : 'block',
		...(canHide ? [isInEffect(hide) ? ('uncover' as const) : ('hide' as const)] : []),
	];
	return actions.map((action) => actionButton(t, action, job));
}
