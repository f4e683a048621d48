import type { Hono } from 'hono';
import type { Inbox, Platform } from '../../domain/platform.ts';
import { SlackApi } from './api/api.ts';
import { createCallWithRetry } from './api/call-with-retry.ts';
import { createHosts } from './api/hosts.ts';
import { createSlackMessageRecords } from './api/message-records.ts';
import { RateLimiter } from './api/rate-limiter.ts';
import { Web } from './api/web.ts';
import { registerChat } from './inbound/chat.ts';
import { createDedupe } from './inbound/dedupe.ts';
import { registerHome } from './inbound/home.ts';
import { registerListeners } from './inbound/listeners.ts';
import { createPeople } from './inbound/people.ts';
import type { SlackServices } from './inbound/services.ts';
import { createUploads } from './inbound/uploads.ts';
import { registerUninstall } from './installation/uninstall.ts';
import { createAgentSessions } from './outbound/agent-sessions.ts';
import { createChannels } from './outbound/channels.ts';
import { createFiles } from './outbound/files.ts';
import { createNames } from './outbound/mentions.ts';
import { createReplyPoster } from './outbound/post-reply.ts';
import { createResponseUrls } from './outbound/response-url.ts';
import { createStreams } from './outbound/streams.ts';
import { createApp } from './transport/app.ts';
import { SlackConnection } from './transport/connection.ts';
import type { DispatchErrors } from './transport/dispatch.ts';
import { createSlackTransport, type TransportOptions } from './transport/transport.ts';

export type SlackOptions = TransportOptions & {
	/** Ids of people and of user groups that moderate, besides admins and owners. */
	moderators: readonly string[];
	/** Origins that files may be at, besides Slack's own. */
	attachmentOrigins: readonly string[];
	timing?: TransportOptions['timing'] & {
		/** What the times of Slack's rate limits are multiplied by. */
		pace?: number;
		/** How long a picture is waited for until Slack can show it. */
		processing?: number;
	};
};

/**
 * Slack, with Bolt: receives deliveries by Socket Mode or HTTP, and answers by the Web API. `start` rejects with `PlatformLoginError`
 * when Slack refuses a token. `routes`, for the modes that use HTTP, are to be mounted on the listener.
 */
export function createSlack(options: SlackOptions): { platform: Platform; routes?: Hono } {
	const { apiUrl, commands, moderators, attachmentOrigins, keyv, once, timing, log } = options;
	const errors: DispatchErrors = new WeakMap();
	const transport = createSlackTransport({ ...options, errors });
	const installations = transport.workspaces;
	const app = createApp({ receiver: transport.receiver, installations, errors, apiUrl, log });
	const connection = new SlackConnection({ app, transport, firstPauseMs: timing?.firstPause, log });
	let inbox: Inbox | undefined;

	const web = new Web({ installations, apiUrl, log });
	const limiter = new RateLimiter(timing?.pace);
	const call = createCallWithRetry({ web, limiter });
	const hosts = createHosts(apiUrl, attachmentOrigins);
	const people = createPeople({ call, moderators, log });
	const api = new SlackApi(call, installations);
	const files = createFiles({ call, hosts, patienceMs: timing?.processing });
	const answers = createResponseUrls(hosts);
	const names = createNames({ call, people });
	const delivery = createReplyPoster({ files, names, keyv, log });
	const records = createSlackMessageRecords(keyv);
	const uploads = createUploads({ web, call, hosts });
	const seen = createDedupe(once);
	const sessions = createAgentSessions({ call, people, keyv, log });
	const streams = createStreams({ web, call, limiter, sessions, installations, log });
	const channels = createChannels({
		api,
		answers,
		files,
		delivery,
		streams,
		sessions,
		records,
		people,
		installations,
		log,
	});
	const parts: SlackServices = {
		web,
		limiter,
		streams,
		sessions,
		installations,
		channels,
		people,
		uploads,
		seen,
		commands,
		keyv,
		log,
		inbox: () => inbox,
	};
	registerListeners(app, parts);
	registerChat(app, parts);
	registerHome(app, parts, {
		call,
		imagesOf: async ({ key }) => {
			const kept = await records.find(key);
			return kept?.covered === undefined ? (kept?.images ?? []) : [];
		},
	});
	registerUninstall(app, { workspaces: installations, inbox: parts.inbox, log });

	const platform: Platform = {
		name: 'slack',
		async start(theInbox) {
			inbox = theInbox;
			await connection.start();
		},
		async stop() {
			inbox = undefined;
			await connection.stop();
		},
		state: () => connection.state(),
		find: channels.find,
		channel: channels.at,
		direct: channels.direct,
	};
	return { platform, ...(transport.routes && { routes: transport.routes }) };
}
