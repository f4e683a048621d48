import type { App } from '@slack/bolt';
import type { Hono } from 'hono';
import type { Keyv } from 'keyv';
import type { CommandDescription } from '../../../domain/command.ts';
import type { ServesPlace } from '../../../domain/place.ts';
import type { Invitation } from '../../../domain/platform.ts';
import type { Log } from '../../../log.ts';
import type { Once } from '../../shared/once.ts';
import type { Access, StoredInstallation, Workspaces } from '../installation/installation.ts';
import { createInstallRoutes } from '../installation/oauth.ts';
import { OAuthWorkspaces } from '../installation/oauth-workspaces.ts';
import { SingleWorkspace } from '../installation/single-workspace.ts';
import { TokenCipher } from '../installation/token-cipher.ts';
import { BOT_SCOPES } from '../manifest.ts';
import type { SlackSpace } from '../slack.ts';
import { createApp, Dispatcher, type Line } from './dispatch.ts';
import { HttpReceiver } from './http.ts';
import { connectSocket } from './socket.ts';

/**
 * Slack ends each connection about once an hour and sends each delivery by any one of them: with two, none is lost meanwhile.
 * Ten are allowed. https://docs.slack.dev/apis/events-api/using-socket-mode
 */
const SOCKETS = 2;

export type TransportOptions = {
	access: Access;
	/** `https://slack.com/api/` */
	apiUrl: string;
	commands: readonly CommandDescription[];
	/** A namespace of Slack's own. */
	keyv: Keyv;
	/** The namespace that `keyv` is of. */
	space: SlackSpace;
	once: Once;
	/** Tells which workspaces may install the app; all may by default. */
	serves?: ServesPlace;
	/** Called after a workspace has installed the app by OAuth, with the person who has done it. */
	onInstalled?: (server: string, invited: Invitation) => Promise<void> | undefined;
	log: Log;
	/** Milliseconds, for tests. */
	timing?: { acknowledgeWithin?: number; firstPause?: number };
	/** Unix milliseconds. */
	now?: () => number;
};

/** How deliveries reach Easel, and the workspaces where it is installed. */
export type SlackTransport = {
	/** Has the listeners of deliveries. */
	app: App;
	workspaces: Workspaces;
	/** Opens a line, until it ends or the signal is aborted. @throws PlatformLoginError, or the network's error */
	connect(stop: AbortSignal): Promise<Line>;
	/** The number of lines that are kept open. */
	lines: number;
	/** To mount on the listener. */
	routes?: Hono;
};

export function createSlackTransport(options: TransportOptions): SlackTransport {
	const { access, apiUrl, log, timing, serves = () => true, onInstalled } = options;
	const workspaces =
		access.kind === 'oauth'
			? new OAuthWorkspaces({ ...options, access, cipher: new TokenCipher(access) })
			: new SingleWorkspace({ ...access, apiUrl, log });
	const app = createApp({ installations: workspaces, apiUrl, log });
	const dispatcher = new Dispatcher({ app, acknowledgeWithinMs: timing?.acknowledgeWithin, log });
	if (access.kind === 'socket') {
		const connect = (stop: AbortSignal) => connectSocket({ ...access, apiUrl, dispatcher, log }, stop);
		return { app, workspaces, connect, lines: SOCKETS };
	}
	const requests = new HttpReceiver({ signingSecret: access.signingSecret, dispatcher });
	const { routes } = requests;
	if (access.kind === 'oauth' && workspaces instanceof OAuthWorkspaces) {
		const save = async (installation: StoredInstallation, installer: string) => {
			await workspaces.save(installation);
			const { server, name } = installation;
			await onInstalled?.(server, { name, person: { id: installer } });
		};
		routes.route('/', createInstallRoutes({ access, apiUrl, scopes: BOT_SCOPES, serves, save, log }));
	}
	return { app, workspaces, connect: (stop) => requests.open(stop), lines: 1, routes };
}
