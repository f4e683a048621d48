import type { Hono } from 'hono';
import type { CommandDescription } from '../../domain/command.ts';
import type { Inbox, Platform } from '../../domain/platform.ts';
import { BotChannels } from './server/bot-channels.ts';
import { EditLimiter } from './server/edit-limiter.ts';
import { EventHub } from './server/events.ts';
import { createRoutes } from './server/http/routes.ts';
import { DEFAULT_BOUNDS, type SandboxBounds } from './server/store/bounds.ts';
import { SandboxChannels } from './server/store/channels.ts';
import { FileStore } from './server/store/files.ts';
import { audienceOf, type StoredMessage } from './server/store/message.ts';
import { MessageStore } from './server/store/messages.ts';
import { SettingsStore } from './server/store/settings.ts';
import type { SandboxSpace } from './server/store/space.ts';
import { viewOf } from './server/view.ts';

export type SandboxOptions = {
	commands: readonly CommandDescription[];
	/** A namespace of the sandbox's own, with everything that people see. One process may use it at a time. */
	space: SandboxSpace;
	/** How much is kept of messages, threads and files. */
	bounds?: Partial<SandboxBounds> | undefined;
	/** Names, besides addresses and `localhost`, under which the page may be opened. */
	hosts?: readonly string[];
	now?: () => Date;
	log?: { error(details: object, message: string): void };
};

/**
 * A chat platform in a browser page, with servers, channels, threads and people, without any account. `routes` answers `/` and
 * everything under `/sandbox/`.
 */
export function createSandbox(options: SandboxOptions): { platform: Platform; routes: Hono } {
	const { commands, space, hosts = [], now = () => new Date(), log } = options;
	const { keyv } = space;
	const bounds = { ...DEFAULT_BOUNDS, ...options.bounds };
	let state: 'starting' | 'ready' | 'stopped' = 'starting';
	let inbox: Inbox | undefined;

	const hub = new EventHub();
	const channels = new SandboxChannels({ space, bounds, now });
	const settings = new SettingsStore(keyv);
	const files = new FileStore({ space, bounds, now });
	const messages = new MessageStore({
		...{ space, channels, files, bounds, now },
		onChange: (message) => hub.publish({ name: 'message', data: viewOf(message), onlyFor: audienceOf(message) }),
		onRemove: (message) => {
			const data = { channel: message.room, number: message.number };
			hub.publish({ name: 'removed', data, onlyFor: audienceOf(message) });
		},
	});
	const botChannels = new BotChannels({
		channels,
		settings,
		messages,
		files,
		editLimiter: new EditLimiter(),
		onThreadStarted: ({ onlyFor, ...thread }, server) =>
			hub.publish({ name: 'thread', data: { ...thread, server }, onlyFor }),
		onNotice: (text, onlyFor) => hub.publish({ name: 'notice', data: { text }, onlyFor }),
		onTyping: ({ id, onlyFor }) => hub.publish({ name: 'typing', data: { channel: id }, onlyFor }),
	});
	const context = {
		...{ keyv, commands, channels, settings, messages, files, botChannels, hub },
		inbox: () => inbox,
		isRunning: () => inbox !== undefined,
		onError: (error: unknown) => log?.error({ err: error }, 'The sandbox failed'),
	};

	const platform: Platform = {
		name: 'sandbox',
		eraseEntry: (_, value) => messages.remove((value as StoredMessage).room, (value as StoredMessage).number),
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
		find: (handle) => botChannels.find(handle),
		channel: (place) => botChannels.at(place),
		direct: async () => undefined,
	};
	return { platform, routes: createRoutes({ context, hosts }) };
}
