import { createHash } from 'node:crypto';
import type { BlockAction, MessageShortcut, ViewSubmitAction } from '@slack/bolt';
import type { CommandDescription } from '../../../domain/command.ts';
import type { Place, ServesPlace } from '../../../domain/place.ts';
import type { Inbox } from '../../../domain/platform.ts';
import type { Translate } from '../../../i18n/translator.ts';
import type { Log } from '../../../log.ts';
import type { CallWithRetry } from '../api/calls.ts';
import type { Forms } from '../forms/forms.ts';
import type { Workspaces } from '../installation/installation.ts';
import type { SlackChannels } from '../outbound/channels.ts';
import type { CoveredPictures } from '../outbound/covered-pictures.ts';
import type { SlackMessageRecords } from '../outbound/message-records.ts';
import type { SlackPosts } from '../outbound/posts.ts';
import type { ResponseUrls } from '../outbound/response-url.ts';
import type { SlackRequester } from '../outbound/slack-requester.ts';
import type { People } from '../people/people.ts';
import type { AskedRequests } from './asked-requests.ts';
import type { Dedupe } from './dedupe.ts';
import type { IncomingFiles } from './files.ts';

/** What the listeners work with. */
export type Inbound = {
	installations: Workspaces;
	commands: readonly CommandDescription[];
	call: CallWithRetry;
	channels: SlackChannels;
	people: People;
	files: IncomingFiles;
	forms: Forms;
	dedupe: Dedupe;
	asked: AskedRequests;
	index: Pick<SlackMessageRecords, 'keyOf' | 'find' | 'publicImages' | 'rename'>;
	coveredPictures: CoveredPictures;
	posts: Pick<SlackPosts, 'showCovered'>;
	responseUrls: Pick<ResponseUrls, 'postEphemeral'>;
	/** Tells which workspaces are served; all are by default. */
	serves?: ServesPlace | undefined;
	/** Undefined before the core receives and after it has stopped. */
	inbox: () => Inbox | undefined;
	log: Log;
};

/** A command, a press, a choice from a menu, or a form: who sent it, and from where. */
export type SlackActionContext = {
	/** The id of the action, the same for every delivery. */
	id: string;
	server: string;
	requester: SlackRequester;
	place: Place;
	/** In the requester's language, as far as it is known at once. */
	t: Translate;
};

export const requesterOf = ({
	user,
	team,
	channel,
}: Pick<BlockAction | MessageShortcut | ViewSubmitAction, 'user' | 'team'> & {
	channel?: { name?: string };
}): SlackRequester => ({
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
