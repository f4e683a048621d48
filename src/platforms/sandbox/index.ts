import type { Hono } from 'hono';
import type { Keyv } from 'keyv';
import type { CommandDescription } from '../../domain/command.ts';
import type { Inbox, Platform } from '../../domain/platform.ts';
import { createActions } from './server/actions.ts';
import { createRoutes } from './server/api.ts';
import { createChannels } from './server/channel.ts';
import { createHub } from './server/events.ts';
import { createFiles } from './server/files.ts';
import { audienceOf, createMessages } from './server/messages.ts';
import { createPace } from './server/pace.ts';
import { createReading } from './server/reading.ts';
import { createRooms } from './server/rooms.ts';
import { viewOf } from './server/view.ts';

export type SandboxOptions = {
	commands: readonly CommandDescription[];
	/** A namespace of the sandbox's own. Everything that people see is in it; one process may use it at a time. */
	keyv: Keyv;
	/** Names, besides addresses and `localhost`, under which the page may be opened. */
	hosts?: readonly string[];
	now?: () => Date;
	log?: { error(details: object, message: string): void };
};

/**
 * A chat platform in a browser page: servers, channels, threads and people, without any account. `routes` answers `/` and
 * everything under `/sandbox/`.
 */
export function createSandbox(options: SandboxOptions): { platform: Platform; routes: Hono } {
	const { commands, keyv, hosts = [], now = () => new Date(), log } = options;
	let state: 'starting' | 'ready' | 'stopped' = 'starting';
	let inbox: Inbox | undefined;

	const hub = createHub();
	const files = createFiles(keyv);
	const rooms = createRooms(keyv);
	const messages = createMessages({
		keyv,
		files,
		now,
		changed: (message) => hub.publish({ name: 'message', data: viewOf(message), onlyFor: audienceOf(message) }),
		removed: (message) => {
			const { room, number } = message;
			hub.publish({ name: 'removed', data: { room, number }, onlyFor: audienceOf(message) });
		},
	});
	const channels = createChannels({
		rooms,
		messages,
		files,
		pace: createPace(),
		threadOpened: ({ onlyFor, ...thread }, server) =>
			hub.publish({ name: 'thread', data: { ...thread, server }, onlyFor }),
		typing: ({ id, onlyFor }) => hub.publish({ name: 'typing', data: { room: id }, onlyFor }),
	});
	const failed = (error: unknown) => log?.error({ err: error }, 'The sandbox failed');
	const actions = createActions({ keyv, commands, rooms, messages, files, channels, hub, inbox: () => inbox, failed });

	const reading = createReading({ commands, rooms, messages, hub, running: () => inbox !== undefined });

	const platform: Platform = {
		name: 'sandbox',
		async start(theInbox) {
			inbox = theInbox;
			state = 'ready';
		},
		async stop() {
			inbox = undefined;
			state = 'stopped';
			hub.close();
		},
		state: () => state,
		find: channels.find,
		channel: channels.at,
		direct: async () => undefined,
	};
	return { platform, routes: createRoutes({ actions, reading, files, hosts, failed }) };
}
