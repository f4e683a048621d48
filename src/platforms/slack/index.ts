import type { App } from '@slack/bolt';
import type { Hono } from 'hono';
import type { ServesPlace } from '../../domain/place.ts';
import { type Inbox, type Platform, RETENTION_MS } from '../../domain/platform.ts';
import { createCallWithRetry } from './api/call-with-retry.ts';
import { createHosts } from './api/hosts.ts';
import { channelLimits } from './api/limits.ts';
import { createSlackMessageRecords } from './api/message-records.ts';
import { OwnMessages } from './api/own-messages.ts';
import { RateLimiter } from './api/rate-limits/rate-limiter.ts';
import { SlackApi } from './api/slack-api.ts';
import { Web } from './api/web.ts';
import { Forms } from './forms/forms.ts';
import { Dedupe } from './inbound/dedupe.ts';
import { IncomingFiles } from './inbound/files.ts';
import { registerListeners } from './inbound/listeners.ts';
import { registerUninstall } from './installation/uninstall.ts';
import type { Workspaces } from './installation/workspaces.ts';
import { SlackChannels } from './outbound/channels.ts';
import { CoveredPictures } from './outbound/covered-pictures.ts';
import { FileResults } from './outbound/file-results.ts';
import { FileShares } from './outbound/files/file-shares.ts';
import type { IndexedSpace } from './outbound/files/share-records.ts';
import { SlackFiles } from './outbound/files/slack-files.ts';
import { MentionNames } from './outbound/mentions.ts';
import { MessageIndex } from './outbound/message-index.ts';
import { MessageWriter } from './outbound/message-writer.ts';
import { SlackPosts } from './outbound/posts.ts';
import { PrivateReplies } from './outbound/private-replies.ts';
import { ReplyRenderer } from './outbound/reply-renderer.ts';
import { ResponseUrls } from './outbound/response-url.ts';
import { createShowCoveredPictures } from './outbound/show-covered-pictures.ts';
import { createTranslateErrors } from './outbound/translate-errors.ts';
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
	const onInstalled = (server: string) => inbox?.joined({ platform: 'slack', server });
	const ownMessages = new OwnMessages();
	const transport = createSlackTransport({ ...options, onInstalled, errors, ownMessages });
	const { workspaces } = transport;
	const app = createApp({ receiver: transport.receiver, installations: workspaces, errors, apiUrl, log });
	const connection = new SlackConnection({ app, transport, firstPauseMs: timing?.firstPause, log });

	const outbound = createOutbound(options, workspaces, ownMessages);
	listen(app, options, workspaces, outbound, () => inbox);

	const platform: Platform = {
		name: 'slack',
		hasLocalIds: true,
		isInServer: (server) => workspaces.isInstalled(server),
		async start(theInbox) {
			inbox = theInbox;
			await connection.start();
			void outbound.resumeShares();
		},
		async stop() {
			inbox = undefined;
			await connection.stop();
		},
		state: () => connection.state(),
		...(transport.connections && { connections: transport.connections }),
		find: (handle) => outbound.posts.find(handle),
		channel: (place) => outbound.channels.at(place),
		direct: (place, person) => outbound.channels.direct(place, person),
	};
	return { platform, ...(transport.routes && { routes: transport.routes }) };
}

type Outbound = ReturnType<typeof createOutbound>;

/** Creates what sends to Slack. */
function createOutbound(options: SlackOptions, installations: Workspaces, ownMessages: OwnMessages) {
	const { access, apiUrl, attachmentOrigins, moderators, keyv, space, once, timing, log } = options;
	const ttlMs = options.retentionMs ?? RETENTION_MS;
	const web = new Web({ installations, apiUrl, log });
	const limiter = new RateLimiter(timing?.rateLimitFactor, undefined, {
		unlisted: access.kind === 'oauth',
		onWait: options.onRateLimitWait,
	});
	const call = createCallWithRetry({ web, limiter });
	const hosts = createHosts(apiUrl, attachmentOrigins);
	const api = new SlackApi(call, installations);
	const people = new People({ call, moderators, log });
	const translateErrors = createTranslateErrors({ installations, people });
	const files = new SlackFiles({ call, limiter, hosts, ownMessages, timeoutMs: timing?.processing });
	const shares = new FileShares({ files, keyv, space, once, ttlMs, log });
	const covered = new CoveredPictures(keyv, ttlMs);
	const names = new MentionNames({ people });
	const renderer = new ReplyRenderer({ files, names, covered, log });
	const index = new MessageIndex({ api, records: createSlackMessageRecords(keyv, ttlMs), log });
	const responseUrls = new ResponseUrls(hosts);

	const writer = new MessageWriter({ api, files, shares, renderer, index, people });
	const privateReplies = new PrivateReplies({ api, responseUrls, renderer, writer, index, people, log });
	const incoming = new IncomingFiles({ web, call, hosts, log });
	const uploadOf = incoming.upload.bind(incoming);
	const fileResults = new FileResults({
		...{ api, limiter, files, shares, renderer, writer, privateReplies, responseUrls, index, people },
	});
	const posts = new SlackPosts({
		...{ index, writer, privateReplies, renderer, responseUrls, fileResults, people, translateErrors, uploadOf },
	});
	const channels = new SlackChannels({
		api,
		posts,
		privateReplies,
		limits: channelLimits(timing?.rateLimitFactor),
		index,
		people,
		installations,
		translateErrors,
		call,
	});
	const showCoveredPictures = createShowCoveredPictures({
		covered,
		api,
		files,
		privateReplies,
		people,
		translateErrors,
	});
	const resumeShares = () =>
		shares
			.resumeAll((key, location) => index.messageOf(location, key))
			.catch((err: unknown) => log.warn({ err }, 'Files could not be shared'));
	return {
		web,
		call,
		incoming,
		people,
		index,
		covered,
		posts,
		channels,
		showCoveredPictures,
		responseUrls,
		resumeShares,
	};
}

/** Registers the listeners for everything that Slack delivers. */
function listen(
	app: App,
	{ commands, keyv, once, serves, log }: SlackOptions,
	workspaces: Workspaces,
	outbound: Outbound,
	inbox: () => Inbox | undefined,
): void {
	const { web, call, incoming: files, people, index, channels, responseUrls } = outbound;
	const { covered: coveredPictures, showCoveredPictures } = outbound;
	const dedupe = new Dedupe(once, log);
	const forms = new Forms({ web, keyv });
	registerListeners(app, {
		...{ installations: workspaces, commands, call, channels, people, files, forms, dedupe, index },
		...{ coveredPictures, showCoveredPictures, responseUrls, serves, inbox, log },
	});
	registerUninstall(app, { workspaces, inbox, log });
}
