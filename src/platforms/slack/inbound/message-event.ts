import { threadOf } from '../api/messages.ts';
import type { Installation } from '../installation/workspaces.ts';
import { isWritten, markupOf, mentionedIn, type Readable } from './message-reader.ts';

/** A message as events have it. https://docs.slack.dev/reference/events/message */
type EventMessage = Readable & {
	subtype?: string | undefined;
	ts: string;
	thread_ts?: string | undefined;
	/** The author of the message that its thread begins with. */
	parent_user_id?: string | undefined;
	user?: string | undefined;
	/** The app that has written it. */
	app_id?: string | undefined;
	team?: string | undefined;
	user_team?: string | undefined;
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
export type EventEnvelope = {
	team_id?: string | null;
	event_id: string;
	/** This app. */
	api_app_id?: string;
	context_enterprise_id?: string | null;
	is_ext_shared_channel?: boolean;
};

/** The author of Slack's own messages. */
const SLACKBOT = 'USLACKBOT';

/** Returns whether an event is from the direct messages with the bot. */
export const isDirect = ({ channel_type }: Pick<MessageEvent, 'channel_type'>): boolean => channel_type === 'im';

/** What a message is to the bot of an installation. */
export type Heard = {
	/** The thread that it is a reply in. */
	thread: string | undefined;
	/** It mentions the bot. */
	isMention: boolean;
	/** It mentions the bot, or is in the direct messages with it. */
	addressed: boolean;
	/** It mentions another person. */
	toOthers: boolean;
	/** Slackbot or an app has written it. */
	isApp: boolean;
};

/** Returns undefined for a message of the bot itself, a notice of Slack's, and one of an app that does not mention the bot. */
export function heardBy(self: Installation, event: MessageEvent, { api_app_id }: EventEnvelope): Heard | undefined {
	const { user, bot_id, app_id } = event;
	const isOwn = user === self.botUser || bot_id === self.bot || (bot_id && app_id === api_app_id);
	if (isOwn || !isWritten(event)) return undefined;
	const isApp = bot_id !== undefined || user === SLACKBOT;
	const mentioned = mentionedIn(markupOf(event));
	const isMention = mentioned.includes(self.botUser);
	if (isApp && !isMention) return undefined;
	const toOthers = mentioned.some((id) => id !== self.botUser && id !== user);
	return { thread: threadOf(event), isMention, addressed: isMention || isDirect(event), toOthers, isApp };
}

type Change = {
	ts: string;
	/** Its thread. A message of a channel counts as the first one of its thread. */
	thread: string | undefined;
	/** The bot has written it. */
	isOwn: boolean;
	/** The new version; undefined when it was deleted. */
	after: EventMessage | undefined;
};

/** Returns undefined for a change that the core need not know, such as an edit of the bot's own. */
export function changeFor(self: Installation, event: MessageEvent): Change | undefined {
	const before = event.previous_message;
	const edited = event.subtype === 'message_changed' ? event.message : undefined;
	const ts = edited?.ts ?? event.deleted_ts ?? before?.ts;
	if (ts === undefined) return undefined;
	const thread = threadOf({ ...before, ...edited, ts }) ?? (isDirect(event) ? undefined : ts);
	const after = edited?.subtype === 'tombstone' ? undefined : edited;
	const isOwn = (before?.user ?? edited?.user) === self.botUser || before?.bot_id === self.bot;
	if (!isOwn && (before?.bot_id || edited?.bot_id)) return undefined;
	// Slack also reports its own additions, such as the preview of a link.
	if (after && (isOwn || after.text === before?.text)) return undefined;
	return { ts, thread, isOwn, after };
}
