import { setTimeout as sleep } from 'node:timers/promises';
import { type App, type Receiver, SocketModeReceiver } from '@slack/bolt';
import type { Log } from '../../../log.ts';
import { tryOnce } from '../api/client-options.ts';
import { libraryLog } from '../api/library-log.ts';
import { SlackLoginError } from '../installation/login-error.ts';
import { tokenErrorOf } from '../installation/token-errors.ts';
import type { Dispatch, EventBody } from './dispatch.ts';

/** Slack ends each connection about once an hour; each delivery comes by any one, so two lose nothing. Slack allows ten. */
const CONNECTIONS = 2;

/** A connection is dead when a ping has had no answer for so long, or when Slack has not pinged for so long. */
const PONG_WITHIN_MS = 5000;
const PING_EVERY_MS = 30_000;

/** From the address of a connection to Slack's greeting on it. */
const GREETED_WITHIN_MS = 20_000;

/** Between two tries of one connection, at most. */
const LONGEST_PAUSE_MS = 60_000;

/** How long a stop waits for Slack to close its side. */
const CLOSED_WITHIN_MS = 1000;

type Client = SocketModeReceiver['client'];

export type SocketReceiver = {
	/** `start` resolves with the first connection, or rejects with `SlackRefusal` or the network's error; others are made behind it. */
	receiver: Receiver;
	/** As Slack's connections are, in a word. */
	state(): 'ready' | 'reconnecting' | 'refused';
};

/**
 * Slack's deliveries by Socket Mode. Each connection is a client of the library's own, used once: its own way to connect again
 * waits for seconds, ends the process where a token is revoked meanwhile, and may come back after a stop.
 */
export function createSocketReceiver(options: {
	appToken: string;
	apiUrl: string;
	dispatch: Dispatch;
	/** Milliseconds before the second try of a connection; doubled for each further one. */
	pauseMs?: number | undefined;
	log: Log;
}): SocketReceiver {
	const { appToken, apiUrl, dispatch, pauseMs = 1000, log } = options;
	const connected = new Set<Client>();
	const stopping = new AbortController();
	const keeping: Promise<void>[] = [];
	let refused: SlackLoginError | undefined;

	/** Connects once. Resolves to what ends with the connection. */
	async function connect(): Promise<{ ended: Promise<void> }> {
		const { client } = new SocketModeReceiver({
			appToken,
			autoReconnectEnabled: false,
			clientPingTimeout: PONG_WITHIN_MS,
			serverPingTimeout: PING_EVERY_MS,
			logger: libraryLog(log),
			installerOptions: { clientOptions: tryOnce(apiUrl, log) },
		});
		client.on('slack_event', deliver);
		const ended = new Promise<void>((resolve) => client.once('disconnected', () => resolve()));
		const disconnect = () => void client.disconnect();
		stopping.signal.addEventListener('abort', disconnect, { once: true });
		const late = setTimeout(disconnect, GREETED_WITHIN_MS);
		try {
			await client.start();
			// What was stopped while it asked for the address does not know of it.
			if (stopping.signal.aborted) disconnect();
		} catch (error) {
			stopping.signal.removeEventListener('abort', disconnect);
			// Nothing is said of a connection that ends before it is one.
			const why = tokenErrorOf(error ?? new Error('Slack has closed the connection'), 'SLACK_APP_TOKEN');
			refused = why instanceof SlackLoginError ? why : undefined;
			throw why;
		} finally {
			clearTimeout(late);
		}
		refused = undefined;
		connected.add(client);
		return {
			ended: ended.then(() => {
				connected.delete(client);
				stopping.signal.removeEventListener('abort', disconnect);
			}),
		};
	}

	async function deliver(envelope: {
		body: EventBody;
		ack(response?: unknown): Promise<void>;
		retry_num?: number;
		retry_reason?: string;
	}): Promise<void> {
		if (stopping.signal.aborted) return;
		await dispatch.deliver({
			body: envelope.body,
			retryNum: envelope.retry_num,
			retryReason: envelope.retry_reason,
			acknowledge: (response) => envelope.ack(response),
			// Without an acknowledgement Slack does by itself what is to be done.
			decline() {},
		});
	}

	/** Has a connection until the stop: one that has ended is made again at once, one that fails after longer and longer pauses. */
	async function keep(first?: { ended: Promise<void> }): Promise<void> {
		let connection = first;
		let failures = 0;
		while (!stopping.signal.aborted) {
			try {
				connection ??= await connect();
				failures = 0;
				await connection.ended;
			} catch (error) {
				if (stopping.signal.aborted) return;
				failures += 1;
				if (error instanceof SlackLoginError && failures === 1) log.error(error.message);
				else if (!(error instanceof SlackLoginError))
					log.warn({ err: error, failures }, 'A connection to Slack could not be made; it is tried again');
				const pause = Math.min(pauseMs * 2 ** (failures - 1), LONGEST_PAUSE_MS);
				await sleep(pause, undefined, { signal: stopping.signal }).catch(() => {});
			}
			connection = undefined;
		}
	}

	return {
		receiver: {
			init: (app: App) => dispatch.init(app),
			async start() {
				keeping.push(keep(await connect()));
				for (let further = 1; further < CONNECTIONS; further++) keeping.push(keep());
			},
			async stop() {
				stopping.abort();
				const late = sleep(CLOSED_WITHIN_MS, undefined, { ref: false });
				await Promise.race([Promise.all(keeping), late]);
			},
		},
		state() {
			if (connected.size > 0) return 'ready';
			return refused ? 'refused' : 'reconnecting';
		},
	};
}
