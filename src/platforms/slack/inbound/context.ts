import { createHash } from 'node:crypto';
import type { BlockAction, MessageShortcut, ViewSubmitAction } from '@slack/bolt';
import type { Place } from '../../../domain/place.ts';
import type { Translate } from '../../../i18n/translator.ts';
import type { SlackRequester } from '../outbound/ephemeral.ts';

/** Slack delivers an event again at once, after one and after five minutes. https://docs.slack.dev/apis/events-api/#retries */
export const SEEN_MS = 10 * 60_000;

/** The entry that says that something was delivered before. */
export const seenKey = (id: string): string => `seen:${id}`;

/** A command, a press, a choice from a menu, or a form: who sent it, and from where. */
export type SlackActionContext = {
	/** The id of the action, the same for every delivery. */
	id: string;
	server: string;
	requester: SlackRequester;
	place: Place;
	/** In the requester's language, as far as it is known at once. */
	t: Translate;
	/** False for an action that was delivered before. Rejects while the store fails, which a form need not wait for. */
	isFirst: Promise<boolean>;
};

type Action = Pick<BlockAction | MessageShortcut | ViewSubmitAction, 'user' | 'team'> & { channel?: { name?: string } };

export const requesterOf = ({ user, team, channel }: Action): SlackRequester => ({
	user: user.id,
	team: user.team_id ?? team?.id ?? '',
	...(isTalk(channel?.name) && { isTalk: true }),
});

/** Tells whether the name of a channel is that of a group conversation. https://docs.slack.dev/reference/objects/conversation-object */
export const isTalk = (channelName = ''): boolean => channelName.startsWith('mpdm-');

/** Shortens a trigger id, which has any length but is the same for every delivery, to a part of a message key. */
export const digest = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 32);

/** Returns a place in a channel or thread, which counts as no direct messages with the bot. */
export const placeIn = (server: string, channel: string, thread?: string): Place => ({
	platform: 'slack',
	server,
	channel,
	...(thread !== undefined && { thread }),
});

/**
 * Returns the thread that a message is a reply in. The first message of a thread has its own `ts` as `thread_ts`; it counts as a
 * message of the channel. https://docs.slack.dev/messaging/retrieving-messages#threading
 */
export const threadOf = ({ ts, thread_ts }: { ts?: unknown; thread_ts?: unknown }): string | undefined =>
	typeof thread_ts === 'string' && thread_ts !== ts ? thread_ts : undefined;
