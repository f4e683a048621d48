import type { Hono } from 'hono';
import { LRUCache } from 'lru-cache';
import { type Inbox, type Platform, RETENTION_MS } from '../../domain/platform.ts';
import { KeyedQueue } from '../../domain/queues.ts';
import { createAgent } from '../shared/download.ts';
import { Calls, createHosts } from './api/calls.ts';
import { channelLimits } from './api/limits.ts';
import { Pace } from './api/pace.ts';
import { answerLost, SEEN_MS } from './inbound/actions.ts';
import { registerActions } from './inbound/buttons.ts';
import { registerSlashCommands } from './inbound/commands.ts';
import { registerChannelEvents, registerHome, registerUninstall } from './inbound/events.ts';
import { catchUp, hearAgain, registerMessages } from './inbound/message-listener.ts';
import type { Workspaces } from './installation/workspaces.ts';
import { findChannel, findDirect } from './outbound/channels.ts';
import { SlackMessageRecords } from './outbound/message-records.ts';
import { findPost } from './outbound/posts.ts';
import { People } from './people.ts';
import type { Slack, SlackOptions } from './slack.ts';
import { SlackTransport } from './transport/transport.ts';

export type { SlackOptions };

/** The time that Slack may take to process a file. It usually takes seconds, and at times never ends. */
const PROCESSING_MS = 30_000;

/** How long Slack may send nothing on a connection, in milliseconds. */
const SILENCE_MS = 30_000;

/** Slack hides the status of a thread after two minutes, and when the bot posts there. */
const REPEAT_STATUS_MS = 60_000;
const MAX_THREADS = 1000;
const MAX_SEEN = 10_000;

/** How often the requests of ended processes are looked for, and how often it is noted that events arrive. */
const SWEEP_EVERY_MS = 5000;
const NOTED_EVERY_MS = 60_000;

/**
 * Creates the Slack platform, on Bolt: events arrive by Socket Mode or HTTP, replies are sent by the Web API. `start` rejects with
 * `PlatformLoginError` when Slack refuses the token.
 *
 * @returns the platform, and for HTTP the routes to mount on the listener
 */
export function createSlack(options: SlackOptions): { platform: Platform; routes?: Hono } {
	let inbox: Inbox | undefined;
	const transport = new SlackTransport(options, async (server, invited) =>
		inbox?.joined({ platform: 'slack', server }, invited),
	);
	const slack = contextOf(options, transport.workspaces, () => inbox as Inbox);
	const forPeople = [registerSlashCommands, registerActions, registerMessages, registerHome];
	for (const register of [...forPeople, registerChannelEvents, registerUninstall]) register(transport.app, slack);
	let sweep: NodeJS.Timeout | undefined;
	let notedAt = 0;

	const platform: Platform = {
		name: 'slack',
		hasLocalIds: true,
		isInServer: (server) => slack.workspaces.isInstalled(server),
		async start(theInbox) {
			inbox = theInbox;
			await transport.start();
			const look = () => {
				void answerLost(slack, hearAgain);
				if (transport.state() !== 'ready' || Date.now() < notedAt + NOTED_EVERY_MS) return;
				notedAt = Date.now();
				void catchUp(slack);
			};
			sweep = setInterval(look, SWEEP_EVERY_MS).unref();
			look();
		},
		async stop() {
			clearInterval(sweep);
			await transport.stop();
		},
		state: () => transport.state(),
		...(options.access.kind === 'socket' && { connections: () => transport.connections() }),
		find: (handle) => findPost(slack, handle),
		channel: (place) => findChannel(slack, place),
		direct: (place, person) => findDirect(slack, place, person),
	};
	return { platform, routes: transport.routes };
}

function contextOf(options: SlackOptions, workspaces: Workspaces, inbox: Slack['inbox']): Slack {
	const { access, apiUrl, space, serves = () => true, timing = {}, log, retentionMs = RETENTION_MS } = options;
	const records = new SlackMessageRecords(space.keyv, retentionMs, log);
	const pace = new Pace({ factor: timing.rateLimitFactor, isUnlisted: access.kind === 'oauth' });
	const renamed = (channel: string) => records.renamed(channel);
	const calls = new Calls({ installations: workspaces, apiUrl, pace, onWait: options.onRateLimitWait, renamed, log });
	const call = calls.make;
	return {
		...options,
		...{ serves, workspaces, calls, call, records, inbox },
		limits: channelLimits(timing.rateLimitFactor),
		processingMs: timing.processing ?? PROCESSING_MS,
		agent: createAgent(SILENCE_MS),
		hosts: createHosts(apiUrl, options.attachmentOrigins),
		people: new People({ call, moderators: options.moderators, log }),
		queue: new KeyedQueue(),
		running: new Set(),
		seen: new LRUCache({ max: MAX_SEEN, ttl: SEEN_MS }),
		typing: new LRUCache({ max: MAX_THREADS, ttl: REPEAT_STATUS_MS }),
	};
}
