import { setTimeout as sleep } from 'node:timers/promises';
import { type App, type Receiver, SocketModeReceiver } from '@slack/bolt';
import type { Log } from '../../../log.ts';
import { Backoff } from '../../shared/backoff.ts';
import { PlatformLoginError } from '../../shared/login-error.ts';
import { libraryLog, tryOnce } from '../api/library.ts';
import { tokenErrorOf } from '../installation/token-errors.ts';
import type { Dispatcher, EventBody } from './dispatch.ts';

/**
 * Slack ends each connection about once an hour and sends each delivery by any one of them: with two, none is lost meanwhile.
 * Ten are allowed. https://docs.slack.dev/apis/events-api/using-socket-mode
 */
const CONNECTIONS = 2;

/** A connection is dead when a ping has no answer for this long, or when Slack has not pinged for this long. */
const PONG_WITHIN_MS = 5000;
const PING_EVERY_MS = 30_000;

/** From the address of a connection to Slack's `hello` on it. */
const HELLO_WITHIN_MS = 20_000;

/** How long a stop waits for Slack to close its side. */
const CLOSED_WITHIN_MS = 1000;

type Client = SocketModeReceiver['client'];

/** https://docs.slack.dev/apis/events-api/using-socket-mode */
type Envelope = {
	body: EventBody;
	ack(response?: unknown): Promise<void>;
	retry_num?: number;
	retry_reason?: string;
};

type SocketOptions = {
	appToken: string;
	apiUrl: string;
	dispatcher: Dispatcher;
	/** Milliseconds before the second try of a connection; doubled for each further one. */
	firstPauseMs?: number | undefined;
	log: Log;
};

/**
 * Receives deliveries by Socket Mode. Each connection is a client of the library that is used once: the library's own reconnect waits
 * for seconds, ends the process when a token was revoked meanwhile, and may come back after a stop.
 */
export class SocketReceiver implements Receiver {
	readonly #options: SocketOptions;
	readonly #connected = new Set<Client>();
	readonly #stop = new AbortController();
	readonly #loops: Promise<void>[] = [];
	#refused = false;

	constructor(options: SocketOptions) {
		this.#options = options;
	}

	init(app: App): void {
		this.#options.dispatcher.init(app);
	}

	/**
	 * Resolves with the first connection; the others are made in the background.
	 *
	 * @throws PlatformLoginError, or the network's error
	 */
	async start(): Promise<void> {
		this.#loops.push(this.#keepConnected(await this.#connect()));
		while (this.#loops.length < CONNECTIONS) this.#loops.push(this.#keepConnected());
	}

	async stop(): Promise<void> {
		this.#stop.abort();
		const late = sleep(CLOSED_WITHIN_MS, undefined, { ref: false });
		await Promise.race([Promise.all(this.#loops), late]);
	}

	state(): 'ready' | 'reconnecting' | 'refused' {
		if (this.#connected.size > 0) return 'ready';
		return this.#refused ? 'refused' : 'reconnecting';
	}

	connections(): { open: number; expected: number } {
		return { open: this.#connected.size, expected: CONNECTIONS };
	}

	/** Holds a connection until the stop. One that ends is made again at once; one that fails, after growing pauses. */
	async #keepConnected(first?: { ended: Promise<void> }): Promise<void> {
		const { log, firstPauseMs } = this.#options;
		const backoff = new Backoff(firstPauseMs);
		let connection = first;
		while (!this.#stop.signal.aborted) {
			try {
				connection ??= await this.#connect();
				backoff.succeed();
				await connection.ended;
			} catch (error) {
				if (this.#stop.signal.aborted) return;
				const pauseMs = backoff.fail();
				const { failures } = backoff;
				if (!(error instanceof PlatformLoginError))
					log.warn({ err: error, failures }, 'A connection to Slack could not be made; it is tried again');
				else if (failures === 1) log.error(error.message);
				await sleep(pauseMs, undefined, { signal: this.#stop.signal }).catch(() => {});
			}
			connection = undefined;
		}
	}

	/** Connects once. `ended` resolves when the connection ends. */
	async #connect(): Promise<{ ended: Promise<void> }> {
		const client = clientFor(this.#options);
		client.on('slack_event', (envelope: Envelope) => this.#deliver(envelope));
		const ended = new Promise<void>((resolve) => client.once('disconnected', () => resolve()));
		const disconnect = () => void client.disconnect();
		this.#stop.signal.addEventListener('abort', disconnect, { once: true });
		const late = setTimeout(disconnect, HELLO_WITHIN_MS);
		try {
			await client.start();
			// A disconnect while the client asks for its address has no effect.
			if (this.#stop.signal.aborted) disconnect();
		} catch (error) {
			this.#stop.signal.removeEventListener('abort', disconnect);
			// The library rejects with nothing when the connection is closed before the `hello`.
			const cause = tokenErrorOf(error ?? new Error('Slack has closed the connection'), 'SLACK_APP_TOKEN');
			this.#refused = cause instanceof PlatformLoginError;
			throw cause;
		} finally {
			clearTimeout(late);
		}
		this.#refused = false;
		this.#connected.add(client);
		return {
			ended: ended.then(() => {
				this.#connected.delete(client);
				this.#stop.signal.removeEventListener('abort', disconnect);
			}),
		};
	}

	async #deliver({ body, ack, retry_num, retry_reason }: Envelope): Promise<void> {
		if (this.#stop.signal.aborted) return;
		await this.#options.dispatcher.deliver({
			body,
			retryNum: retry_num,
			retryReason: retry_reason,
			acknowledge: ack,
			// Without an acknowledgement, Slack delivers an event again and reports a failed command to its person.
			decline() {},
		});
	}
}

function clientFor({ appToken, apiUrl, log }: SocketOptions): Client {
	const { client } = new SocketModeReceiver({
		appToken,
		autoReconnectEnabled: false,
		clientPingTimeout: PONG_WITHIN_MS,
		serverPingTimeout: PING_EVERY_MS,
		logger: libraryLog(log),
		installerOptions: { clientOptions: tryOnce(apiUrl, log) },
	});
	return client;
}
