import type { App } from '@slack/bolt';
import type { Hono } from 'hono';
import type { ServesPlace } from '../../domain/place.ts';
import { type Inbox, type Platform, RETENTION_MS } from '../../domain/platform.ts';
import { Calls } from './api/calls.ts';
import { createHosts } from './api/hosts.ts';
import { channelLimits } from './api/limits.ts';
import { Messages } from './api/messages.ts';
import { Pace } from './api/pace.ts';
import { Forms } from './forms/forms.ts';
import { AskedRequests } from './inbound/asked-requests.ts';
import { Dedupe } from './inbound/dedupe.ts';
import { IncomingFiles } from './inbound/files.ts';
import { registerListeners } from './inbound/listeners.ts';
import type { Workspaces } from './installation/installation.ts';
import { registerUninstall } from './installation/uninstall.ts';
import { SlackChannels } from './outbound/channels.ts';
import { CoveredPictures } from './outbound/covered-pictures.ts';
import { SlackFiles } from './outbound/files.ts';
import { MentionNames } from './outbound/mentions.ts';
import { type IndexedSpace, SlackMessageRecords } from './outbound/message-records.ts';
import { SlackPosts } from './outbound/posts.ts';
import { ResponseUrls } from './outbound/response-url.ts';
import { People } from './people/people.ts';
import { createApp } from './transport/app.ts';
import { SlackConnection } from './transport/connection.ts';
import type { DispatchErrors } from './transport/dispatch.ts';
import { createSlackTransport, type TransportOptions } from './transport/transport.ts';

export type SlackOptions = TransportOptions & {
	/** Tells which workspaces are served; all are by default. */
	serves?: ServesPlace;
	/** The ids of people and user groups that moderate, in addition to admins and owners. */
	moderators: readonly string[];
	/** The namespace that `keyv` is of. */
	space: IndexedSpace & TransportOptions['space'];
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
	const { apiUrl, timing, log } = options;
	const errors: DispatchErrors = new WeakMap();
	let inbox: Inbox | undefined;
	const onInstalled: TransportOptions['onInstalled'] = (server, invited) =>
		inbox?.joined({ platform: 'slack', server }, invited);
	const transport = createSlackTransport({ ...options, onInstalled, errors });
	const { workspaces } = transport;
	const app = createApp({ dispatcher: transport.dispatcher, installations: workspaces, errors, apiUrl, log });
	const connection = new SlackConnection({ app, transport, firstPauseMs: timing?.firstPause, log });

	const outbound = createOutbound(options, workspaces);
	const asked = listen(app, options, workspaces, outbound, () => inbox);

	const platform: Platform = {
		name: 'slack',
		hasLocalIds: true,
		isInServer: (server) => workspaces.isInstalled(server),
		async start(theInbox) {
			inbox = theInbox;
			await connection.start();
			asked.start();
			void outbound.index.resumeShares((...message) => outbound.posts.resumeShare(...message));
		},
		async stop() {
			inbox = undefined;
			asked.stop();
			await connection.stop();
		},
		state: () => connection.state(),
		...(options.access.kind === 'socket' && { connections: () => connection.connections() }),
		find: (handle) => outbound.posts.find(handle),
		channel: (place) => outbound.channels.at(place),
		direct: (place, person) => outbound.channels.direct(place, person),
	};
	return { platform, ...(transport.routes && { routes: transport.routes }) };
}

type Outbound = ReturnType<typeof createOutbound>;

/** Creates what sends to Slack. */
function createOutbound(options: SlackOptions, installations: Workspaces) {
	const { access, apiUrl, attachmentOrigins, moderators, keyv, space, onRateLimitWait: onWait, timing, log } = options;
	const ttlMs = options.retentionMs ?? RETENTION_MS;
	const pace = new Pace({ factor: timing?.rateLimitFactor, isUnlisted: access.kind === 'oauth' });
	const index = new SlackMessageRecords(keyv, space, ttlMs, log);
	const renamed = index.renamed.bind(index);
	const calls = new Calls({ installations, apiUrl, pace, onWait, renamed, log });
	const call = calls.make;
	const hosts = createHosts(apiUrl, attachmentOrigins);
	const messages = new Messages(call, installations);
	const people = new People({ call, moderators, log });
	const files = new SlackFiles({ calls, messages, hosts, timeoutMs: timing?.processing });
	const coveredPictures = new CoveredPictures(keyv, ttlMs);
	const names = new MentionNames({ people });
	const responseUrls = new ResponseUrls(hosts);
	const incoming = new IncomingFiles({ calls, call, hosts, log });
	const uploadOf = incoming.upload.bind(incoming);
	const posts = new SlackPosts({
		...{ messages, index, files, coveredPictures, names, responseUrls, people, installations, pace, uploadOf, log },
	});
	const limits = channelLimits(timing?.rateLimitFactor);
	const channels = new SlackChannels({ messages, posts, limits, index, people, installations, call });
	return { installations, calls, call, people, files: incoming, index, coveredPictures, channels, posts, responseUrls };
}

/** Registers the listeners for everything that Slack delivers. */
function listen(
	app: App,
	{ commands, keyv, space, once, serves, log }: SlackOptions,
	workspaces: Workspaces,
	outbound: Outbound,
	inbox: () => Inbox | undefined,
): AskedRequests {
	const dedupe = new Dedupe(once, log);
	const asked = new AskedRequests({ ...outbound, keyv, space, dedupe, log });
	const forms = new Forms({ ...outbound, keyv });
	registerListeners(app, { ...outbound, commands, forms, dedupe, asked, serves, inbox, log });
	registerUninstall(app, { workspaces, inbox, log });
	return asked;
}
