import type { Inbox } from '../../../../domain/platform.ts';
import type { Installation } from '../../installation/installation.ts';
import type { SlackChannels } from '../../outbound/channels.ts';
import type { People } from '../../people/people.ts';
import type { Dedupe } from '../dedupe.ts';
import { threadOf } from '../place.ts';
import { incomingMessageId, isDirect, type MessageEvent, placeOf } from './message-event.ts';
import { readableText } from './message-text.ts';

export type MessageChangeOptions = { channels: SlackChannels; people: People; dedupe: Dedupe };

/** Returns whether an event reports a change or a deletion of a message. */
export const isMessageChange = ({ subtype }: MessageEvent): boolean =>
	subtype === 'message_changed' || subtype === 'message_deleted';

/**
 * Reports an edited or deleted message. The core keeps messages of threads and direct messages only; a message of a channel is
 * reported as the first one of its thread.
 *
 * @param eventId the event's id, by which a repeated delivery is recognized: it would undo later edits
 */
export async function reportChange(
	{ channels, people, dedupe }: MessageChangeOptions,
	server: string,
	self: Installation,
	event: MessageEvent,
	eventId: string,
	inbox: Inbox,
): Promise<void> {
	const before = event.previous_message;
	const after = event.subtype === 'message_changed' ? event.message : undefined;
	const ts = after?.ts ?? event.deleted_ts ?? before?.ts;
	if (ts === undefined) return;
	const thread = threadOf({ ...before, ...after, ts }) ?? (isDirect(event) ? undefined : ts);
	const place = placeOf(server, event, thread);
	const isDeleted = after === undefined || after.subtype === 'tombstone';
	const isOwn = (before?.user ?? after?.user) === self.botUser || before?.bot_id === self.bot;
	if (isOwn && isDeleted) return inbox.changed({ id: (await channels.handleOf(place, ts)).key, place });
	if (isOwn || before?.bot_id || after?.bot_id) return;
	const id = incomingMessageId(event.channel, ts);
	if (isDeleted) return inbox.changed({ id, place });
	// Slack also reports its own additions, such as the preview of a link.
	if (after.text === before?.text) return;
	if (!(await dedupe.first(`event:${server}:${eventId}`))) return;
	return inbox.changed({ id, place, text: await readableText(people, server, after.text ?? '', self) });
}
