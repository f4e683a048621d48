import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import type { Slack } from '../context.ts';
import { secret } from '../ids.ts';
import type { Transport } from './delivery.ts';
import { type DisconnectReason, SocketConnection } from './socket-connection.ts';

/** https://docs.slack.dev/apis/events-api/using-socket-mode#connections */
const MAX_CONNECTIONS = 10;

/** Socket Mode: every envelope goes to one of the connections, in turns. */
export type Sockets = Transport & {
	/** Returns an address for one connection. */
	open(): string;
	upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
	/** Returns the number of connections. */
	connected(): number;
	/**
	 * Announces that connections (all by default) end: on `refresh_requested` they end 10 s later, on `link_disabled` at once, on
	 * `warning` they do not end.
	 */
	disconnect(reason: DisconnectReason, which?: 'one' | 'all'): void;
	/** Breaks connections without an announcement. */
	drop(which?: 'one' | 'all'): void;
	/** Sends any message on one connection, such as an envelope without a payload. */
	frame(message: { envelope_id: string; type: string; payload?: object }): void;
	/** Resolves once there are so many connections. */
	whenConnected(count: number): Promise<void>;
	close(): Promise<void>;
};

export function createSockets(slack: () => Slack): Sockets {
	const server = new WebSocketServer({ noServer: true });
	const tickets = new Set<string>();
	const connections = new Set<SocketConnection>();
	const waiting = new Set<{ count: number; resolve: () => void }>();
	let turn = 0;

	const active = () => [...connections].filter(({ isLeaving }) => !isLeaving);
	const choose = (which: 'one' | 'all') => active().slice(0, which === 'one' ? 1 : undefined);

	function resolveWaiting() {
		for (const one of waiting) {
			if (active().length < one.count) continue;
			waiting.delete(one);
			one.resolve();
		}
	}

	function whenConnected(count: number): Promise<void> {
		const { promise, resolve } = Promise.withResolvers<void>();
		waiting.add({ count, resolve });
		resolveWaiting();
		return promise;
	}

	return {
		open() {
			const ticket = secret('');
			tickets.add(ticket);
			const address = slack().address.api().replace('http', 'ws');
			return `${address}/link/?ticket=${ticket}&app_id=${slack().appId}`;
		},
		upgrade(request, socket, head) {
			const ticket = new URL(request.url ?? '/', 'http://localhost').searchParams.get('ticket') ?? '';
			// An address is for one connection. https://docs.slack.dev/reference/methods/apps.connections.open
			if (!tickets.delete(ticket)) {
				slack().violate('Socket Mode: an address is unknown or was used already');
				return void socket.end('HTTP/1.1 404 Not Found\r\nconnection: close\r\n\r\n');
			}
			server.handleUpgrade(request, socket, head, (accepted) => {
				const connection = new SocketConnection(slack(), accepted, () => connections.delete(connection));
				connections.add(connection);
				connection.hello(connections.size);
				if (connections.size > MAX_CONNECTIONS) connection.disconnect('too_many_websockets');
				resolveWaiting();
			});
		},
		reachable: () => active().length > 0,
		whenReachable: () => whenConnected(1),
		async send(envelope, attempt) {
			const all = active();
			const connection = all[turn++ % all.length];
			return connection ? connection.send(envelope, attempt) : { ok: false, reason: 'unreachable' };
		},
		connected: () => active().length,
		disconnect(reason, which = 'all') {
			for (const connection of choose(which)) connection.disconnect(reason);
		},
		drop(which = 'all') {
			for (const connection of choose(which)) connection.drop();
		},
		frame: (message) => active()[0]?.frame(message),
		whenConnected,
		async close() {
			await Promise.all([...connections].map((connection) => connection.close()));
			await new Promise((resolve) => server.close(resolve));
		},
	};
}
