import type { Hono } from 'hono';
import type { CommandDescription } from '../../domain/command.ts';
import type { TryOut } from '../../domain/findings.ts';
import type { Platform } from '../../domain/platform.ts';
import { OpenForms } from '../shared/open-forms.ts';
import type { PlatformSpace } from '../shared/space.ts';
import { findChannel, findPost } from './server/bot-channels.ts';
import { EventHub } from './server/events.ts';
import type { SandboxContext } from './server/requests.ts';
import { createRoutes } from './server/routes.ts';
import { DEFAULT_BOUNDS, SandboxStore, type StoredMessage } from './server/store.ts';

export type SandboxOptions = {
	commands: readonly CommandDescription[];
	/** A namespace of the sandbox's own, with everything that people see. One process may use it at a time. */
	space: PlatformSpace;
	/** How much is kept of messages, threads and files. */
	bounds?: Partial<typeof DEFAULT_BOUNDS>;
	/** Names, besides addresses and `localhost`, under which the page may be opened. */
	hosts?: readonly string[];
	/** Checks the credentials that a person types to connect Easel. Without it, the page does not offer that. */
	tryOut?: TryOut;
	now?: () => Date;
	log?: { error(details: object, message: string): void };
};

/**
 * A chat platform in a browser page, with servers, channels, threads and people, without any account. `routes` answers `/` and
 * everything under `/sandbox/`.
 */
export function createSandbox(options: SandboxOptions): { platform: Platform; routes: Hono } {
	const { commands, space, hosts = [], tryOut, now = () => new Date(), log } = options;
	const bounds = { ...DEFAULT_BOUNDS, ...options.bounds };
	let state: 'starting' | 'ready' | 'stopped' = 'starting';

	const hub = new EventHub();
	const store = new SandboxStore({ space, bounds, now, publish: (event) => hub.publish(event) });
	const context: SandboxContext = {
		...{ openForms: new OpenForms(space.keyv), commands, store, hub, tryOut },
		onError: (error: unknown) => log?.error({ err: error }, 'The sandbox failed'),
	};

	const platform: Platform = {
		name: 'sandbox',
		eraseEntry: (_, value) => store.remove((value as StoredMessage).room, (value as StoredMessage).number),
		async start(inbox) {
			context.inbox = inbox;
			state = 'ready';
		},
		async stop() {
			context.inbox = undefined;
			state = 'stopped';
			hub.close();
		},
		state: () => state,
		find: (handle) => findPost(context, handle),
		channel: (place) => findChannel(context, place),
		direct: async () => undefined,
	};
	return { platform, routes: createRoutes(context, hosts) };
}
