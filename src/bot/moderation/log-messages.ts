import type { Channel } from '../../domain/channel.ts';
import type { Button, Reply } from '../../domain/reply.ts';
import type { Translate } from '../../i18n/translator.ts';
import { actionButton } from '../declaration/actions.ts';
import { quotedPrompt } from '../pictures/captions.ts';
import { LOG_ACTIONS, type LogAction, type LogEntry, type Note, type Notes } from './log-entries.ts';

/** What an entry needs beside the prompt, in UTF-16 units. */
const OTHER_WORDS = 700;

/** As much of a prompt as an entry shows, if every character of it has to be escaped. */
const shownPrompt = ({ limits }: Pick<Channel, 'limits'>) => Math.max(100, Math.floor((limits.text - OTHER_WORDS) / 2));

/** The moderators' entry of a picture: who, what, where, and what was done about it. */
export function logEntryMessage(
	t: Translate,
	entry: LogEntry,
	notes: Notes,
	channel: Pick<Channel, 'limits' | 'refer'>,
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
		sent.length === 0 && t('log.undelivered'),
		entry.without === 'too many' && t('log.tooMany'),
		entry.without === 'not posted' && t('log.notPosted'),
	];
	const done = LOG_ACTIONS.flatMap((action) => {
		const note = notes[action];
		return note ? [`**${noteWords(t, action, note, member, channel.refer('person', note.by.id))}**`] : [];
	});
	const what = t('log.entry', {
		command: `/${command}`,
		member,
		prompt: quotedPrompt(prompt, shownPrompt(channel)),
	});
	return {
		text: [what, facts.filter(Boolean).join(' · '), ...done].join('\n'),
		buttons: entryButtons(t, entry, notes),
	};
}

/** A prompt that is too long to be shown goes along as a file. */
export const promptFile = ({ prompt }: LogEntry, channel: Pick<Channel, 'limits'>): Pick<Reply, 'files'> =>
	prompt.length <= shownPrompt(channel) ? {} : { files: [{ name: 'prompt.txt', bytes: Buffer.from(prompt) }] };

function noteWords(t: Translate, action: LogAction, { done }: Note, member: string, moderator: string): string {
	switch (action) {
		case 'remove':
			return done ? t('log.removed', { moderator }) : t('log.notRemoved', { moderator });
		case 'block':
			return t('log.blocked', { member, moderator });
		case 'hide':
			return done ? t('log.hidden', { moderator }) : t('log.notHidden', { moderator });
	}
}

/** Returns the buttons for what can still be done. Pictures that were removed cannot be hidden. */
function entryButtons(t: Translate, { job, pictures, sent }: LogEntry, { remove, block, hide }: Notes): Button[] {
	const canHide = pictures > 0 && sent.length > 0 && !hide?.done && !remove?.done;
	return [
		...(remove?.done ? [] : [actionButton(t, 'remove', job)]),
		...(block ? [] : [actionButton(t, 'block', job)]),
		...(canHide ? [actionButton(t, 'hide', job)] : []),
	];
}
