import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { type App, SocketModeReceiver } from '@slack/bolt';
import type { Hono } from 'hono';
import { type Log, tryAndLog } from '../../../log.ts';
import { Backoff, logUnreachable } from '../../shared/backoff.ts';
import { PlatformLoginError } from '../../shared/login-error.ts';
import { SILENT, tryOnce } from '../api/calls.ts';
import { tokenErrorOf } from '../api/slack-errors.ts';
import { createInstallRoutes, type OnInstalled } from '../installation/oauth.ts';
import { OAuthWorkspaces, SingleWorkspace, type Workspaces } from '../installation/workspaces.ts';
import type { TransportOptions } from '../slack.ts';
import { createApp, type Deliver, type Delivery } from './dispatch.ts';
import { eventRoutes } from './http.ts';

/**
 * Slack ends each connection about once an hour and sends each delivery by any one of them: with two, none is lost meanwhile.
 * Ten are allowed. https://docs.slack.dev/apis/events-api/using-socket-mode
 */
const SOCKETS = 2;

/** How long a stop waits for Slack to close its side. */
const CLOSED_WITHIN_MS = 1000;

/** After a connection that ends sooner, such as one of more than ten, which Slack closes at once, the next one is not opened at once. */
const LASTING_MS = 5000;

/** What deliveries come by, until it ends: a connection, or the time in which requests are taken. */
type Line = { ended: Promise<unknown> };

/** How deliveries reach Easel until the stop, and the workspaces where it is installed. A line that ends is opened again. */
export class SlackTransport {
	/** Has the listeners of deliveries. */
	readonly app: App;
	readonly workspaces: Workspaces;
	readonly routes: Hono | undefined;
	readonly #open: (stop: AbortSignal) => Promise<Line>;
	readonly #options: TransportOptions;
	readonly #stop = new AbortController();
	readonly #loops: Promise<void>[] = [];
	#opened = 0;
	/** The state while no line is open. */
	#closed: 'starting' | 'unreachable' | 'refused' | 'reconnecting' = 'starting';

	constructor(options: TransportOptions, onInstalled?: OnInstalled) {
		const { access, apiUrl, log } = options;
		this.#options = options;
		const oauth = access.kind === 'oauth' ? new OAuthWorkspaces({ ...options, access }) : undefined;
		this.workspaces = oauth ?? new SingleWorkspace({ ...(access as { botToken: string }), apiUrl, log });
		const { app, deliver } = createApp(this.workspaces, apiUrl, log);
		this.app = app;
		if (access.kind === 'socket') {
			this.#open = (stop) => connectSocket({ ...access, apiUrl, deliver, log }, stop);
			return;
		}
		this.#open = async (stop) => ({ ended: stop.aborted ? Promise.resolve() : once(stop, 'abort') });
		this.routes = eventRoutes(access.signingSecret, deliver, () => this.#opened > 0);
		if (oauth && access.kind === 'oauth')
			this.routes.route('/', createInstallRoutes({ ...options, access, workspaces: oauth, onInstalled }));
	}

	/**
	 * Resolves once events arrive, or when Slack cannot be reached for now: then it keeps trying in the background.
	 *
	 * @throws PlatformLoginError
	 */
	async start(): Promise<void> {
		await this.app.init();
		const first = this.#connect();
		this.#loops.push(this.#keepOpen(first));
		await first.catch((error: unknown) => {
			if (error instanceof PlatformLoginError) throw error;
			this.#closed = 'unreachable';
		});
	}

	async stop(): Promise<void> {
		this.#stop.abort();
		await Promise.race([Promise.all(this.#loops), sleep(CLOSED_WITHIN_MS, undefined, { ref: false })]);
	}

	state(): string {
		if (this.#stop.signal.aborted) return 'stopped';
		if (this.workspaces.isRemoved) return 'removed';
		return this.#opened > 0 ? 'ready' : this.#closed;
	}

	connections(): { open: number; expected: number } {
		return { open: this.#opened, expected: SOCKETS };
	}

	/** Keeps a line open until the stop. One that ends is opened again at once; one that fails, after growing pauses. */
	async #keepOpen(first?: Promise<Line>): Promise<void> {
		const { access, log, timing } = this.#options;
		const backoff = new Backoff(timing?.firstPause);
		const lines = access.kind === 'socket' ? SOCKETS : 1;
		let isRefused = false;
		for (let opening = first; !this.#stop.signal.aborted; opening = undefined) {
			try {
				const line = await (opening ?? this.#connect());
				if (backoff.failures > 0) log.info('Slack is reached now');
				isRefused = false;
				while (this.#loops.length < lines) this.#loops.push(this.#keepOpen());
				const since = performance.now();
				await line.ended;
				if (performance.now() - since < LASTING_MS) throw Object.assign(new Error(), { code: 'CLOSED_AT_ONCE' });
				backoff.succeed();
			} catch (error) {
				if (this.#stop.signal.aborted) return;
				const pauseMs = backoff.fail();
				if (error instanceof PlatformLoginError) {
					this.#closed = 'refused';
					// The start rejects with it.
					if (opening) return;
					if (!isRefused) log.error(error.message);
					isRefused = true;
				} else logUnreachable(log, 'Slack', error, pauseMs);
				await sleep(pauseMs, undefined, { signal: this.#stop.signal }).catch(() => {});
			}
		}
	}

	async #connect(): Promise<Line> {
		if (this.workspaces instanceof SingleWorkspace) await this.workspaces.check();
		const { ended } = await this.#open(this.#stop.signal);
		this.#opened += 1;
		this.#closed = 'reconnecting';
		return { ended: ended.then(() => --this.#opened) };
	}
}

/** A connection is dead when a ping has no answer for this long, or when Slack has not pinged for this long. */
const PONG_WITHIN_MS = 5000;
const PING_EVERY_MS = 30_000;

/** From the address of a connection to Slack's `hello` on it. */
const HELLO_WITHIN_MS = 20_000;

/** https://docs.slack.dev/apis/events-api/using-socket-mode */
type Envelope = { body: Delivery; ack(response?: unknown): Promise<void> };

type SocketOptions = { appToken: string; apiUrl: string; deliver: Deliver; log: Log };

/**
 * Connects once by Socket Mode, with a client of the library that is used once: the library's own reconnect waits for seconds, ends the
 * process when a token was revoked meanwhile, and may come back after a stop.
 *
 * @param stop ends the connection
 * @returns `ended` resolves with the end of the connection
 * @throws PlatformLoginError, or the network's error
 */
async function connectSocket({ appToken, apiUrl, deliver, log }: SocketOptions, stop: AbortSignal): Promise<Line> {
	const { client } = new SocketModeReceiver({
		appToken,
		autoReconnectEnabled: false,
		clientPingTimeout: PONG_WITHIN_MS,
		serverPingTimeout: PING_EVERY_MS,
		logger: SILENT,
		installerOptions: { clientOptions: tryOnce(apiUrl) },
	});
	// The library rejects, unhandled, when an event is empty. https://github.com/slackapi/node-slack-sdk/issues/2167
	const [read] = client.listeners('ws_message');
	client
		.removeAllListeners('ws_message')
		.on('ws_message', (...args) =>
			tryAndLog(log, 'Slack sent an envelope that cannot be read', async () => read?.(...args)),
		);
	client.on('slack_event', async ({ body, ack }: Envelope) => {
		const answer = stop.aborted ? 'declined' : await deliver(body);
		// Without an acknowledgement, Slack delivers an event again and reports a failed command to its person.
		if (answer === 'declined') return;
		await tryAndLog(log, 'An acknowledgement did not reach Slack', () => ack(answer.response));
	});
	const ended = new Promise<void>((resolve) => client.once('disconnected', () => resolve()));
	const disconnect = () => void client.disconnect();
	stop.addEventListener('abort', disconnect, { once: true });
	const late = setTimeout(disconnect, HELLO_WITHIN_MS);
	try {
		await client.start();
		// A disconnect while the client asks for its address has no effect.
		if (stop.aborted) disconnect();
	} catch (error) {
		stop.removeEventListener('abort', disconnect);
		// The library rejects with nothing when the connection is closed before the `hello`.
		throw tokenErrorOf(error ?? new Error('Slack has closed the connection'), 'SLACK_APP_TOKEN');
	} finally {
		clearTimeout(late);
	}
	return { ended: ended.then(() => stop.removeEventListener('abort', disconnect)) };
}
