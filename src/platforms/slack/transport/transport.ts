import type { Receiver } from '@slack/bolt';
import type { Hono } from 'hono';
import type { Keyv } from 'keyv';
import type { CommandDescription } from '../../../domain/command.ts';
import type { Log } from '../../../log.ts';
import type { Once } from '../../shared/once.ts';
import { createManyWorkspaces } from '../installation/many-workspaces.ts';
import { createInstallRoutes, createRefresh } from '../installation/oauth.ts';
import { createOneWorkspace } from '../installation/one-workspace.ts';
import { createTokenCipher } from '../installation/token-cipher.ts';
import type { Workspaces } from '../installation/workspaces.ts';
import { BOT_SCOPES } from '../manifest.ts';
import type { Access } from './access.ts';
import { createDispatch, type DispatchErrors } from './dispatch.ts';
import { createHttpReceiver } from './http.ts';
import { createSocketReceiver } from './socket.ts';

export type TransportOptions = {
	access: Access;
	/** `https://slack.com/api/` */
	apiUrl: string;
	commands: readonly CommandDescription[];
	/** A namespace of this platform's own. */
	keyv: Keyv;
	once: Once;
	log: Log;
	/** Milliseconds; only tests are in a hurry. */
	timing?: { acknowledgeWithin?: number; firstPause?: number };
	/** Unix milliseconds. */
	now?: () => number;
};

/** Where Slack's deliveries come in, and where the bot is installed. */
export type SlackTransport = {
	receiver: Receiver;
	workspaces: Workspaces;
	/** Of the receiver alone, in a word. */
	state(): string;
	/** To be mounted on the listener. */
	routes?: Hono;
};

export function createSlackTransport(options: TransportOptions & { troubles: DispatchErrors }): SlackTransport {
	const { access, apiUrl, log, timing } = options;
	const dispatch = createDispatch({ ...options, acknowledgeWithinMs: timing?.acknowledgeWithin });
	if (access.kind === 'socket') {
		const socket = createSocketReceiver({ ...access, apiUrl, dispatch, pauseMs: timing?.firstPause, log });
		return { ...socket, workspaces: createOneWorkspace({ ...access, apiUrl, log }) };
	}
	const { receiver, routes } = createHttpReceiver({ signingSecret: access.signingSecret, dispatch });
	const http = { receiver, routes, state: () => 'ready' };
	if (access.kind === 'http') return { ...http, workspaces: createOneWorkspace({ ...access, apiUrl, log }) };
	const workspaces = createManyWorkspaces({
		...options,
		seal: createTokenCipher(access.stateSecret),
		refresh: createRefresh({ access, apiUrl, log }),
	});
	routes.route('/', createInstallRoutes({ access, apiUrl, scopes: BOT_SCOPES, keep: workspaces.keep, log }));
	return { ...http, workspaces };
}
