import type { Hono } from 'hono';
import { LRUCache } from 'lru-cache';
import { type Inbox, type Platform, RETENTION_MS } from '../../domain/platform.ts';
import { Calls } from './api/calls.ts';
import { createHosts } from './api/hosts.ts';
import { createHttpAgent } from './api/library.ts';
import { channelLimits } from './api/limits.ts';
import { Pace } from './api/pace.ts';
import { answerLost } from './inbound/asked-requests.ts';
import { registerListeners } from './inbound/listeners.ts';
import { findChannel, findDirect } from './outbound/channels.ts';
import { SlackMessageRecords } from './outbound/message-records.ts';
import { findPost, resumeShares } from './outbound/posts.ts';
import { People } from './people.ts';
import type { Slack } from './slack.ts';
import { SlackConnection } from './transport/connection.ts';
import { createSlackTransport, type SlackTransport, type TransportOptions } from './transport/transport.ts';

/** The time that Slack may take to process a file. It usually takes seconds, and at times never ends. */
const PROCESSING_MS = 30_000;

/** Slack hides the status of a thread after two minutes, and when the bot posts there. */
const REPEAT_STATUS_MS = 60_000;
const MAX_THREADS = 1000;

/** How often the actions of ended processes are looked for. */
const SWEEP_EVERY_MS = 5000;

export type SlackOptions = TransportOptions & {
	/** The ids of people and user groups that moderate, in addition to admins and owners. */
	moderators: readonly string[];
	/** How long the bot's messages, their files and covered pictures are found; 30 days by default. */
	retentionMs?: number;
	/** Origins that files may be downloaded from, in addition to Slack's. */
	attachmentOrigins: readonly string[];
	/** Called when a call waits for a rate limit, with the seconds. */
	onRateLimitWait?: (seconds: number) => void;
	timing?: TransportOptions['timing'] & {
		/** A factor for the periods of Slack's rate limits. */
		rateLimitFactor?: number;
		/** The time that Slack may take to process a picture, in milliseconds. */
		processing?: number;
	};
};

/**
 * Creates the Slack platform, on Bolt: events arrive by Socket Mode or HTTP, replies are sent by the Web API. `start` rejects with
 * `PlatformLoginError` when Slack refuses the token.
 *
 * @returns the platform, and for HTTP the routes to mount on the listener
 */
export function createSlack(options: SlackOptions): { platform: Platform; routes?: Hono } {
	const { access, timing, log } = options;
	let inbox: Inbox | undefined;
	const onInstalled: TransportOptions['onInstalled'] = (server, invited) =>
		inbox?.joined({ platform: 'slack', server }, invited);
	const transport = createSlackTransport({ ...options, onInstalled });
	const connection = new SlackConnection({ transport, firstPauseMs: timing?.firstPause, log });
	const slack = contextOf(options, transport, () => inbox);
	registerListeners(transport.app, slack);
	let sweep: NodeJS.Timeout | undefined;

	const platform: Platform = {
		name: 'slack',
		hasLocalIds: true,
		isInServer: (server) => slack.workspaces.isInstalled(server),
		async start(theInbox) {
			inbox = theInbox;
			await connection.start();
			sweep ??= setInterval(() => void answerLost(slack), SWEEP_EVERY_MS).unref();
			void resumeShares(slack);
		},
		async stop() {
			inbox = undefined;
			clearInterval(sweep);
			sweep = undefined;
			await connection.stop();
		},
		state: () => connection.state(),
		...(access.kind === 'socket' && { connections: () => connection.connections() }),
		find: (handle) => findPost(slack, handle),
		channel: (place) => findChannel(slack, place),
		direct: (place, person) => findDirect(slack, place, person),
	};
	return { platform, ...(transport.routes && { routes: transport.routes }) };
}

function contextOf(options: SlackOptions, { workspaces }: SlackTransport, inbox: Slack['inbox']): Slack {
	const { access, apiUrl, attachmentOrigins, commands, moderators, keyv, space, once, serves, timing, log } = options;
	const { retentionMs = RETENTION_MS, onRateLimitWait: onWait } = options;
	const records = new SlackMessageRecords(keyv, retentionMs, log);
	const calls = new Calls({
		installations: workspaces,
		apiUrl,
		pace: new Pace({ factor: timing?.rateLimitFactor, isUnlisted: access.kind === 'oauth' }),
		onWait,
		renamed: (channel) => records.renamed(channel),
		log,
	});
	const call = calls.make;
	return {
		commands,
		serves: serves ?? (() => true),
		limits: channelLimits(timing?.rateLimitFactor),
		retentionMs,
		processingMs: timing?.processing ?? PROCESSING_MS,
		keyv,
		space,
		once,
		agent: createHttpAgent(),
		hosts: createHosts(apiUrl, attachmentOrigins),
		workspaces,
		calls,
		call,
		people: new People({ call, moderators, log }),
		records,
		running: new Set(),
		typing: new LRUCache({ max: MAX_THREADS, ttl: REPEAT_STATUS_MS }),
		inbox,
		log,
	};
}
