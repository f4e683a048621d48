import type { WebSocket } from 'ws';
import type { Slack } from '../context.ts';
import { secret } from '../ids.ts';
import type { Attempt, Outcome } from './delivery.ts';
import type { Envelope } from './envelope.ts';

const PING_EVERY_MS = 5000;
/** After this, a connection that does not close is broken. */
const CLOSE_WITHIN_MS = 500;
/** Between the announcement of `refresh_requested` and the end of the connection. */
const REFRESH_AFTER_MS = 10_000;

/** https://docs.slack.dev/apis/events-api/using-socket-mode#disconnect */
export type DisconnectReason = 'warning' | 'refresh_requested' | 'link_disabled' | 'too_many_websockets';

/** One connection of Socket Mode. */
export class SocketConnection {
	readonly #slack: Slack;
	readonly #socket: WebSocket;
	/** The deliveries that wait for an acknowledgement, by envelope id. */
	readonly #unacknowledged = new Map<string, ((outcome: Outcome) => void)[]>();
	#isLeaving = false;

	/** @param onClose called when the connection has closed */
	constructor(slack: Slack, socket: WebSocket, onClose: () => void) {
		this.#slack = slack;
		this.#socket = socket;
		const ping = setInterval(() => socket.ping(), PING_EVERY_MS);
		ping.unref();
		socket.on('message', (data) => this.#acknowledge(String(data)));
		socket.on('error', () => socket.terminate());
		socket.on('close', () => {
			clearInterval(ping);
			onClose();
			for (const resolve of [...this.#unacknowledged.values()].flat()) resolve({ ok: false, reason: 'closed' });
		});
	}

	/** Whether the connection will end soon, so that it gets no more envelopes. */
	get isLeaving(): boolean {
		return this.#isLeaving;
	}

	/** Sends the first message. */
	hello(connections: number): void {
		const { appId, clock } = this.#slack;
		this.#sendJson({
			type: 'hello',
			num_connections: connections,
			connection_info: { app_id: appId },
			debug_info: { host: 'applink-1', build_number: 1, approximate_connection_time: 18_060, started: clock.now() },
		});
	}

	/** Resolves when the envelope is acknowledged, or the connection has closed. */
	send({ envelopeId = secret(''), kind, payload }: Envelope, attempt: Attempt): Promise<Outcome> {
		const { promise, resolve } = Promise.withResolvers<Outcome>();
		this.#unacknowledged.set(envelopeId, [...(this.#unacknowledged.get(envelopeId) ?? []), resolve]);
		const isEvent = kind === 'events_api';
		this.#sendJson({
			envelope_id: envelopeId,
			payload,
			type: kind,
			accepts_response_payload: !isEvent,
			...(isEvent && { retry_attempt: attempt.number, retry_reason: attempt.reason ?? '' }),
		});
		return promise;
	}

	/** Sends any message, which may be acknowledged. */
	frame(message: { envelope_id: string }): void {
		this.#unacknowledged.set(message.envelope_id, [() => {}]);
		this.#sendJson(message);
	}

	/** Announces the end of the connection, and ends it unless the reason is `warning`. */
	disconnect(reason: DisconnectReason): void {
		const { clock, settings } = this.#slack;
		this.#sendJson({ type: 'disconnect', reason, debug_info: { host: 'applink-1' } });
		if (reason === 'warning') return;
		this.#isLeaving = true;
		if (reason === 'refresh_requested') clock.after(REFRESH_AFTER_MS * settings.pace, () => this.#socket.close());
		else this.#socket.close();
	}

	/** Breaks the connection. */
	drop(): void {
		this.#socket.terminate();
	}

	/** Closes the connection in both directions, or breaks it if the other side does not respond. */
	async close(): Promise<void> {
		const { promise, resolve } = Promise.withResolvers<void>();
		this.#socket.once('close', () => resolve());
		const timeout = setTimeout(() => this.#socket.terminate(), CLOSE_WITHIN_MS);
		this.#socket.close();
		await promise;
		clearTimeout(timeout);
	}

	/** https://docs.slack.dev/apis/events-api/using-socket-mode */
	#acknowledge(data: string): void {
		const { violate } = this.#slack;
		let message: { envelope_id?: unknown; payload?: unknown };
		try {
			message = JSON.parse(data);
		} catch {
			violate('Socket Mode: a message of the application is not JSON');
			return;
		}
		const id = String(message.envelope_id);
		const resolve = this.#unacknowledged.get(id)?.shift();
		if (resolve) resolve({ ok: true, body: message.payload });
		else violate(`Socket Mode: ${id} was acknowledged without being delivered`);
	}

	#sendJson(message: object): void {
		this.#socket.send(JSON.stringify(message));
	}
}
