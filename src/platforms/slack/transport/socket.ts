import { SocketModeReceiver } from '@slack/bolt';
import type { Log } from '../../../log.ts';
import { libraryLog, tryOnce } from '../api/http.ts';
import { tokenErrorOf } from '../api/slack-errors.ts';
import type { Deliver, Delivery } from './dispatch.ts';

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
export async function connectSocket(options: SocketOptions, stop: AbortSignal): Promise<{ ended: Promise<void> }> {
	const client = clientFor(options);
	client.on('slack_event', async ({ body, ack }: Envelope) => {
		const answer = stop.aborted ? 'declined' : await options.deliver(body);
		// Without an acknowledgement, Slack delivers an event again and reports a failed command to its person.
		if (answer === 'declined') return;
		const warn = (err: unknown) => options.log.warn({ err }, 'An acknowledgement did not reach Slack');
		await ack(answer.response).catch(warn);
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

function clientFor({ appToken, apiUrl, log }: SocketOptions): SocketModeReceiver['client'] {
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
