import { LRUCache } from 'lru-cache';
import type { ServesPlace } from '../../domain/channel.ts';
import type { CommandDescription } from '../../domain/command.ts';
import { type Inbox, RETENTION_MS } from '../../domain/platform.ts';
import { bounded, KeyedQueue } from '../../domain/queues.ts';
import type { Log } from '../../log.ts';
import { createAgent } from '../shared/download.ts';
import type { Claim, PlatformSpace } from '../shared/space.ts';
import { Calls, createHosts, Pace } from './api/calls.ts';
import { channelLimits, SEEN_MS } from './api/limits.ts';
import type { Access, Workspaces } from './installation/workspaces.ts';
import { SlackMessageRecords } from './outbound/message-records.ts';
import { People } from './people.ts';

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

/** The time that Slack may take to process a file. It usually takes seconds, and at times never ends. */
const PROCESSING_MS = 30_000;

/** How long Slack may send nothing on a connection, in milliseconds. */
const SILENCE_MS = 30_000;

/** Slack hides the status of a thread after two minutes, and when the bot posts there. */
const REPEAT_STATUS_MS = 60_000;
const MAX_THREADS = 1000;

const MAX_SEEN = 10_000;

/** The context of one Slack app. */
export type Slack = ReturnType<typeof contextOf>;

/**
 * Returns the context of one Slack app: made once, and handed on whole. What has a state of its own is a member; everything else is a function
 * that takes the context.
 *
 * @param inbox returns the core. There is none before the start, when nothing is received
 */
export function contextOf(options: SlackOptions, workspaces: Workspaces, inbox: () => Inbox) {
	const { access, apiUrl, space, timing = {}, log, retentionMs = RETENTION_MS } = options;
	const serves: ServesPlace = options.serves ?? (() => true);
	const records = new SlackMessageRecords(space.keyv, retentionMs, log);
	const pace = new Pace({ factor: timing.rateLimitFactor, isUnlisted: access.kind === 'oauth' });
	const renamed = (channel: string) => records.renamed(channel);
	const calls = new Calls({ installations: workspaces, apiUrl, pace, onWait: options.onRateLimitWait, renamed });
	const call = calls.make;
	return {
		...options,
		...{ serves, workspaces, calls, call, records, inbox },
		limits: channelLimits(timing.rateLimitFactor),
		processingMs: timing.processing ?? PROCESSING_MS,
		/** Fetches and sends files, and replies by response URLs. */
		agent: createAgent(SILENCE_MS),
		hosts: createHosts(apiUrl, options.attachmentOrigins),
		people: new People({ call, moderators: options.moderators, log }),
		/** Messages that are handed to the core, by their channels. */
		queue: new KeyedQueue(),
		/** The actions and messages that this process works on, by their ids. */
		running: new Set<string>(),
		/** The ids of messages that this process has received, for when the store fails. */
		seen: new LRUCache<string, true>({ ...bounded(MAX_SEEN), ttl: SEEN_MS }),
		/** Threads that show that an answer is being written. */
		typing: new LRUCache<string, true>({ max: MAX_THREADS, ttl: REPEAT_STATUS_MS }),
	};
}
