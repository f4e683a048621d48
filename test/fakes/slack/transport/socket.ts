import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Slack } from '../context.ts';
import { secret } from '../ids.ts';
import type { Carrier, Outcome } from './delivery.ts';

/** https://docs.slack.dev/apis/events-api/using-socket-mode#connections */
const CONNECTIONS = 10;
const PING_EVERY_MS = 5000;
/** Until a connection that does not close is broken. */
const CLOSE_WITHIN_MS = 500;
/** Between being asked to go and being cut off. */
const LEAVE_WITHIN_MS = 10_000;

type Connection = {
	id: number;
	socket: WebSocket;
	/** Was asked to go: gets nothing new. */
	leaving: boolean;
	/** By envelope: who waits for the acknowledgements. */
	awaited: Map<string, ((outcome: Outcome) => void)[]>;
};

export type DisconnectReason = 'warning' | 'refresh_requested' | 'link_disabled' | 'too_many_websockets';

export type Sockets = Carrier & {
	/** An address for one connection. */
	open(): string;
	upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
	/** How many are connected. */
	connected(): number;
	/** Tells connections (all when not said) that they end: on `refresh_requested` they do 10 s later, on `link_disabled` at once. */
	disconnect(reason: DisconnectReason, which?: 'one' | 'all'): void;
	/** Breaks connections without a word. */
	drop(which?: 'one' | 'all'): void;
	/** Resolves once as many are connected. */
	whenConnected(count: number): Promise<void>;
	close(): Promise<void>;
};

/** Socket Mode: every envelope goes to one of the connections, in turns. */
export function createSockets(slack: () => Slack): Sockets {
	const server = new WebSocketServer({ noServer: true });
	const tickets = new Set<string>();
	const connections: Connection[] = [];
	const waiting: { count: number; resolve: () => void }[] = [];
	let turn = 0;
	let serial = 0;

	const taking = () => connections.filter(({ leaving }) => !leaving);

	function settle() {
		const ready = waiting.filter(({ count }) => taking().length >= count);
		for (const one of ready) {
			waiting.splice(waiting.indexOf(one), 1);
			one.resolve();
		}
	}

	function connect(socket: WebSocket) {
		const { appId, clock } = slack();
		const connection: Connection = { id: ++serial, socket, leaving: false, awaited: new Map() };
		const ping = setInterval(() => socket.ping(), PING_EVERY_MS);
		ping.unref();
		socket.on('message', (data) => hear(connection, String(data)));
		socket.on('error', () => socket.terminate());
		socket.on('close', () => {
			clearInterval(ping);
			connections.splice(connections.indexOf(connection), 1);
			for (const resolve of [...connection.awaited.values()].flat()) resolve({ ok: false, reason: 'closed' });
		});
		connections.push(connection);
		const hello = {
			type: 'hello',
			num_connections: connections.length,
			connection_info: { app_id: appId },
			debug_info: { host: 'applink-1', build_number: 1, approximate_connection_time: 18_060, started: clock.now() },
		};
		socket.send(JSON.stringify(hello));
		if (connections.length > CONNECTIONS) ask(connection, 'too_many_websockets');
		settle();
	}

	function ask(connection: Connection, reason: DisconnectReason) {
		const { clock, settings } = slack();
		connection.socket.send(JSON.stringify({ type: 'disconnect', reason, debug_info: { host: 'applink-1' } }));
		if (reason === 'warning') return;
		connection.leaving = true;
		if (reason !== 'refresh_requested') return connection.socket.close();
		clock.after(LEAVE_WITHIN_MS * settings.pace, () => connection.socket.close());
	}

	function hear(connection: Connection, data: string) {
		const { violate } = slack();
		let said: { envelope_id?: unknown; payload?: unknown };
		try {
			said = JSON.parse(data);
		} catch {
			return violate('Socket Mode: what the application sent is not JSON');
		}
		const envelope = String(said.envelope_id);
		const resolve = connection.awaited.get(envelope)?.shift();
		if (!resolve) return violate(`Socket Mode: ${envelope} was acknowledged, for which nobody waits`);
		resolve({ ok: true, body: said.payload });
	}

	const choose = (which: 'one' | 'all') => taking().slice(0, which === 'one' ? 1 : undefined);

	return {
		open() {
			const ticket = secret('');
			tickets.add(ticket);
			const address = slack().address.api().replace('http', 'ws');
			return `${address}/link/?ticket=${ticket}&app_id=${slack().appId}`;
		},
		upgrade(request, socket, head) {
			const ticket = new URL(request.url ?? '/', 'http://localhost').searchParams.get('ticket') ?? '';
			if (!tickets.delete(ticket)) {
				slack().violate('Socket Mode: an address was used a second time, or invented');
				return void socket.end('HTTP/1.1 404 Not Found\r\nconnection: close\r\n\r\n');
			}
			server.handleUpgrade(request, socket, head, connect);
		},
		reachable: () => taking().length > 0,
		whenReachable: () => whenConnected(1),
		send(parcel, attempt) {
			const all = taking();
			const connection = all[turn++ % all.length];
			if (!connection) return Promise.resolve({ ok: false, reason: 'unreachable' });
			const envelope = parcel.envelope ?? secret('');
			const { promise, resolve } = Promise.withResolvers<Outcome>();
			connection.awaited.set(envelope, [...(connection.awaited.get(envelope) ?? []), resolve]);
			const event = parcel.kind === 'events_api';
			connection.socket.send(
				JSON.stringify({
					envelope_id: envelope,
					payload: parcel.payload,
					type: parcel.kind,
					accepts_response_payload: !event,
					...(event && { retry_attempt: attempt.number, retry_reason: attempt.reason ?? '' }),
				}),
			);
			return promise;
		},
		connected: () => taking().length,
		disconnect(reason, which = 'all') {
			for (const connection of choose(which)) ask(connection, reason);
		},
		drop(which = 'all') {
			for (const { socket } of choose(which)) socket.terminate();
		},
		whenConnected,
		async close() {
			await Promise.all(connections.map(({ socket }) => closed(socket)));
			await new Promise((resolve) => server.close(resolve));
		},
	};

	function whenConnected(count: number): Promise<void> {
		const { promise, resolve } = Promise.withResolvers<void>();
		waiting.push({ count, resolve });
		settle();
		return promise;
	}
}

/** Closes a connection as both sides do, or breaks it where the other one does not. */
async function closed(socket: WebSocket): Promise<void> {
	const { promise, resolve } = Promise.withResolvers<void>();
	socket.once('close', () => resolve());
	const patience = setTimeout(() => socket.terminate(), CLOSE_WITHIN_MS);
	socket.close();
	await promise;
	clearTimeout(patience);
}
