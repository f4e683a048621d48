import type { Hono } from 'hono';
import type { Inbox, Platform } from '../../domain/platform.ts';
import { registerActions } from './inbound/actions.ts';
import { answerLost } from './inbound/asked.ts';
import { registerSlashCommands } from './inbound/commands.ts';
import { registerChannelEvents, registerHome, registerUninstall } from './inbound/events.ts';
import { catchUp, hearAgain, registerMessages } from './inbound/message-listener.ts';
import { findChannel, findDirect } from './outbound/channels.ts';
import { findPost } from './outbound/posts.ts';
import { contextOf, type SlackOptions } from './slack.ts';
import { SlackTransport } from './transport/transport.ts';

export type { SlackOptions };

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
