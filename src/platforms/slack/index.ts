import type { Hono } from 'hono';
import type { Inbox, Platform } from '../../domain/platform.ts';
import { createWire } from './api/api.ts';
import { createCall } from './api/call-with-retry.ts';
import { createHosts } from './api/hosts.ts';
import { createRecords } from './api/message-records.ts';
import { createPace } from './api/rate-limiter.ts';
import { createWeb } from './api/web.ts';
import { registerChat } from './inbound/chat.ts';
import { createSeen } from './inbound/dedupe.ts';
import { registerHome } from './inbound/home.ts';
import { registerDoors } from './inbound/listeners.ts';
import { createPeople } from './inbound/people.ts';
import { createUploads } from './inbound/uploads.ts';
import { registerLeaving } from './installation/uninstall.ts';
import { createSessions } from './outbound/agent-sessions.ts';
import { createChannels } from './outbound/channels.ts';
import { createFiles } from './outbound/files.ts';
import { createNames } from './outbound/mentions.ts';
import { createDelivery } from './outbound/post-reply.ts';
import { createAnswers } from './outbound/response-url.ts';
import { createStreams } from './outbound/streams.ts';
import type { Parts } from './parts.ts';
import { createApp } from './transport/app.ts';
import { createLink } from './transport/connection.ts';
import type { Troubles } from './transport/dispatch.ts';
import { createEntrance, type EntranceOptions } from './transport/transport.ts';

export type SlackOptions = EntranceOptions & {
	/** Ids of people and of user groups that moderate, besides admins and owners. */
	moderators: readonly string[];
	/** Origins that files may be at, besides Slack's own. */
	attachmentOrigins: readonly string[];
	timing?: EntranceOptions['timing'] & {
		/** What the times of Slack's rate limits are multiplied by. */
		pace?: number;
		/** How long a picture is waited for until Slack can show it. */
		processing?: number;
	};
};

/**
 * Slack, by Bolt: deliveries by Socket Mode or HTTP, answers by the Web API. `start` rejects with `SlackRefusal`, one sentence,
 * when Slack does not let the bot in. `routes` are to be mounted on the listener, in the modes that Slack comes to by HTTP.
 */
export function createSlack(options: SlackOptions): { platform: Platform; routes?: Hono } {
	const { apiUrl, commands, moderators, attachmentOrigins, keyv, once, timing, log } = options;
	const troubles: Troubles = new WeakMap();
	const entrance = createEntrance({ ...options, troubles });
	const installations = entrance.workspaces;
	const app = createApp({ receiver: entrance.receiver, installations, troubles, apiUrl, log });
	const link = createLink({ app, entrance, firstPauseMs: timing?.firstPause, log });
	let inbox: Inbox | undefined;

	const web = createWeb({ installations, apiUrl, log });
	const pace = createPace(timing?.pace);
	const call = createCall({ web, pace });
	const hosts = createHosts(apiUrl, attachmentOrigins);
	const people = createPeople({ call, moderators, log });
	const wire = createWire({ call, installations });
	const files = createFiles({ call, hosts, patienceMs: timing?.processing });
	const answers = createAnswers(hosts);
	const names = createNames({ call, people });
	const delivery = createDelivery({ files, names, keyv, log });
	const records = createRecords(keyv);
	const uploads = createUploads({ web, call, hosts });
	const seen = createSeen(once);
	const sessions = createSessions({ call, people, keyv, log });
	const streams = createStreams({ web, call, pace, sessions, installations, log });
	const channels = createChannels({
		...{ wire, answers, files, delivery, streams, sessions, records, people, installations, log },
	});
	const parts: Parts = {
		...{ web, pace, streams, sessions, installations, channels, people, uploads, seen, commands, keyv, log },
		inbox: () => inbox,
	};
	registerDoors(app, parts);
	registerChat(app, parts);
	registerHome(app, parts, {
		call,
		imagesOf: async ({ key }) => {
			const kept = await records.find(key);
			return kept?.covered === undefined ? (kept?.images ?? []) : [];
		},
	});
	registerLeaving(app, { workspaces: installations, inbox: parts.inbox, log });

	const platform: Platform = {
		name: 'slack',
		async start(theInbox) {
			inbox = theInbox;
			await link.start();
		},
		async stop() {
			inbox = undefined;
			await link.stop();
		},
		state: link.state,
		find: channels.find,
		channel: channels.at,
		direct: channels.direct,
	};
	return { platform, ...(entrance.routes && { routes: entrance.routes }) };
}
