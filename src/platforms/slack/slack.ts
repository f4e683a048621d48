import type { Keyv } from 'keyv';
import type { LRUCache } from 'lru-cache';
import type { Dispatcher } from 'undici';
import type { ChannelLimits } from '../../domain/channel.ts';
import type { CommandDescription } from '../../domain/command.ts';
import type { ServesPlace } from '../../domain/place.ts';
import type { Inbox } from '../../domain/platform.ts';
import type { Log } from '../../log.ts';
import type { Once } from '../shared/once.ts';
import type { Call, Calls } from './api/calls.ts';
import type { Hosts } from './api/hosts.ts';
import type { Workspaces } from './installation/installation.ts';
import type { SlackMessageRecords } from './outbound/message-records.ts';
import type { People } from './people.ts';

/** The platform's own namespace of the store, which `keyv` is of. */
export type SlackSpace = {
	commit(change: {
		once?: string;
		put?: readonly { key: string; value: unknown; ttlMs?: number }[];
		remove?: readonly string[];
		index?: readonly { index: string; member: string; ttlMs: number }[];
		unindex?: readonly { index: string; member: string }[];
	}): Promise<unknown>;
	members(index: string, page: { after?: string; limit: number }): Promise<string[]>;
};

/**
 * The context of one Slack app: made once, and handed on whole. What has a state of its own is a member; everything else is a function that
 * takes the context.
 */
export type Slack = {
	commands: readonly CommandDescription[];
	/** Tells which workspaces are served. */
	serves: ServesPlace;
	limits: ChannelLimits;
	/** How long the bot's messages and their pictures are found, in milliseconds. */
	retentionMs: number;
	/** The time that Slack may take to process a file, in milliseconds. */
	processingMs: number;
	keyv: Keyv;
	space: SlackSpace;
	once: Once;
	/** Fetches and sends files, and replies by response URLs. */
	agent: Dispatcher;
	hosts: Hosts;
	workspaces: Workspaces;
	calls: Calls;
	call: Call;
	people: People;
	records: SlackMessageRecords;
	/** The actions that this process works on, by their ids. */
	running: Set<string>;
	/** Threads that show that an answer is being written. */
	typing: LRUCache<string, true>;
	/** Undefined before the core receives and after it has stopped. */
	inbox(): Inbox | undefined;
	log: Log;
};
