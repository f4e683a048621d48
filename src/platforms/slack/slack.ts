import type { LRUCache } from 'lru-cache';
import type { Dispatcher } from 'undici';
import type { ChannelLimits, ServesPlace } from '../../domain/channel.ts';
import type { CommandDescription } from '../../domain/command.ts';
import type { Inbox } from '../../domain/platform.ts';
import type { KeyedQueue } from '../../domain/queues.ts';
import type { Log } from '../../log.ts';
import type { Claim, PlatformSpace } from '../shared/space.ts';
import type { Call, Calls, Hosts } from './api/calls.ts';
import type { Access, Workspaces } from './installation/workspaces.ts';
import type { SlackMessageRecords } from './outbound/message-records.ts';
import type { People } from './people.ts';

/** How Slack is reached, and what is stored of it. */
export type TransportOptions = {
	access: Access;
	/** `https://slack.com/api/` */
	apiUrl: string;
	space: Omit<PlatformSpace, 'files'>;
	claim: Claim;
	/** Tells which workspaces are served, and may install the app; all are by default. */
	serves?: ServesPlace;
	log: Log;
	timing?: {
		/** Milliseconds until a delivery is acknowledged that no listener has acknowledged. */
		acknowledgeWithin?: number;
		/** Milliseconds before the second try to connect; doubled for each further one. */
		firstPause?: number;
		/** A factor for the periods of Slack's rate limits. */
		rateLimitFactor?: number;
		/** The time that Slack may take to process a picture, in milliseconds. */
		processing?: number;
	};
	/** Unix milliseconds. */
	now?: () => number;
};

export type SlackOptions = TransportOptions & {
	commands: readonly CommandDescription[];
	/** The ids of people and user groups that moderate, in addition to admins and owners. */
	moderators: readonly string[];
	/** How long the bot's messages, their files and covered pictures are found; 30 days by default. */
	retentionMs?: number;
	/** Origins that files may be downloaded from, in addition to Slack's. */
	attachmentOrigins: readonly string[];
	onRateLimitWait?: (seconds: number) => void;
};

/**
 * The context of one Slack app: made once, and handed on whole. What has a state of its own is a member; everything else is a function that
 * takes the context.
 */
export type Slack = SlackOptions & {
	serves: ServesPlace;
	limits: ChannelLimits;
	/** The time that Slack may take to process a file, in milliseconds. */
	processingMs: number;
	/** Fetches and sends files, and replies by response URLs. */
	agent: Dispatcher;
	hosts: Hosts;
	workspaces: Workspaces;
	calls: Calls;
	call: Call;
	people: People;
	records: SlackMessageRecords;
	/** Messages that are handed to the core, by their channels. */
	queue: KeyedQueue;
	/** The actions and messages that this process works on, by their ids. */
	running: Set<string>;
	/** The ids of messages that this process has received, for when the store fails. */
	seen: LRUCache<string, true>;
	/** Threads that show that an answer is being written. */
	typing: LRUCache<string, true>;
	/** Returns the core. There is none before the start, when nothing is received. */
	inbox(): Inbox;
};
