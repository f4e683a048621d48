import type { Place } from '../../../../domain/place.ts';
import type { Installation } from '../../installation/installation.ts';
import type { SlackRequester } from '../../outbound/slack-requester.ts';
import type { SlackFile } from '../files/slack-file.ts';
import { placeIn } from '../place.ts';

/** A message as events have it. https://docs.slack.dev/reference/events/message */
export type EventMessage = {
	subtype?: string | undefined;
	ts: string;
	thread_ts?: string | undefined;
	user?: string | undefined;
	bot_id?: string | undefined;
	team?: string | undefined;
	user_team?: string | undefined;
	text?: string | undefined;
	files?: readonly SlackFile[] | undefined;
};

/** The event `message`, with its subtypes, or `app_mention`. */
export type MessageEvent = EventMessage & {
	type: string;
	channel: string;
	channel_type?: string;
	/** The new version, in `message_changed`. */
	message?: EventMessage;
	/** The old version, in `message_changed` and `message_deleted`. */
	previous_message?: EventMessage;
	/** In `message_deleted`. */
	deleted_ts?: string;
};

/** The fields around an event. */
export type EventEnvelope = { team_id?: string | null; event_id: string };

/** A message of a person, with the installation that received it. */
export type ReceivedMessage = {
	server: string;
	self: Installation;
	event: MessageEvent;
	requester: SlackRequester;
};

/** Subtypes of messages that people write. The others are notices of Slack's, or messages of bots. */
const WRITTEN_SUBTYPES: ReadonlySet<string | undefined> = new Set([undefined, 'file_share', 'thread_broadcast']);

/** Returns the message if a person wrote it; undefined for those of bots and of Slack. */
export function receivedMessageOf(
	event: MessageEvent,
	server: string,
	self: Installation,
	{ team_id }: EventEnvelope,
): ReceivedMessage | undefined {
	const { subtype, user, bot_id, user_team, team } = event;
	if (!WRITTEN_SUBTYPES.has(subtype) || bot_id || !user || user === self.botUser) return undefined;
	return { server, self, event, requester: { user, team: user_team ?? team ?? team_id ?? '' } };
}

/** Returns the id of a message. Ids of channels are unique across workspaces. */
export const incomingMessageId = (channel: string, ts: string): string => `${channel}.${ts}`;

/** Returns whether an event is from the direct messages with the bot. */
export const isDirect = ({ channel_type }: Pick<MessageEvent, 'channel_type'>): boolean => channel_type === 'im';

/** Returns the place of an event: its channel, or a thread of it. */
export const placeOf = (
	server: string,
	event: Pick<MessageEvent, 'channel' | 'channel_type'>,
	thread: string | undefined,
): Place => ({ ...placeIn(server, event.channel, thread), ...(isDirect(event) && { direct: true as const }) });
