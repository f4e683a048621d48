import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { GatewayCloseCodes as Close, GatewayOpcodes as Op } from 'discord-api-types/v10';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Discord, Gateway, Session } from '../context.ts';
import { shardOf } from '../world/snowflakes.ts';
import { dispatchReady, type IdentifyData, refusalOf } from './identify.ts';

/** https://docs.discord.com/developers/events/gateway#rate-limiting */
const SEND_LIMIT = { count: 120, perMs: 60_000 };

type ConnectedSession = Session & { socket: WebSocket | undefined };
type ResumeData = { token?: unknown; session_id?: unknown; seq?: unknown };

/** The WebSocket server that dispatches events. https://docs.discord.com/developers/events/gateway */
export class FakeGateway implements Gateway {
	readonly counts = { identified: 0, resumed: 0, heartbeats: 0 };
	readonly #discord: () => Discord;
	readonly #server = new WebSocketServer({ noServer: true });
	readonly #sessions = new Map<string, ConnectedSession>();
	#refusesConnections = false;

	constructor(discord: () => Discord) {
		this.#discord = discord;
	}

	connected(): ConnectedSession[] {
		return [...this.#sessions.values()].filter(({ socket }) => socket !== undefined);
	}

	dispatch: Gateway['dispatch'] = (event, data, to = {}) => {
		for (const session of this.#sessions.values()) {
			const shard = to.server === undefined ? 0 : shardOf(to.server, session.shard[1]);
			if (session.shard[0] !== shard) continue;
			if (to.intent !== undefined && !(session.intents & to.intent)) continue;
			const d = typeof data === 'function' ? data(session) : data;
			if (d) dispatchTo(session, event, d);
		}
	};

	/** Handles the `upgrade` event of an HTTP server. */
	readonly upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
		if (this.#refusesConnections) return void socket.destroy();
		const url = new URL(request.url ?? '/', 'http://localhost');
		this.#server.handleUpgrade(request, socket, head, (opened) => this.#connect(opened, url));
	};

	/** Closes all connections as Discord does. Their sessions can be resumed. */
	close(code = 4000, reason = ''): void {
		for (const { socket } of this.connected()) socket?.close(code, reason);
	}

	/** Drops all connections without a close frame. */
	drop(): void {
		for (const { socket } of this.connected()) socket?.terminate();
	}

	/** Asks clients to reconnect and resume (opcode 7). */
	requestReconnect(): void {
		for (const { socket } of this.connected()) send(socket, { op: Op.Reconnect, d: null });
	}

	/** Invalidates all sessions (opcode 9). */
	invalidate(resumable: boolean): void {
		for (const session of this.connected()) {
			if (!resumable) this.#sessions.delete(session.id);
			send(session.socket, { op: Op.InvalidSession, d: resumable });
		}
	}

	refuseConnections(on = true): void {
		this.#refusesConnections = on;
	}

	stop(): void {
		for (const socket of this.#server.clients) socket.terminate();
		this.#server.close();
	}

	/** https://docs.discord.com/developers/events/gateway#connecting */
	#connect(socket: WebSocket, url: URL): void {
		const { settings, violate } = this.#discord();
		let session: ConnectedSession | undefined;
		const isWithinLimit = this.#createSendLimit();
		if (url.searchParams.get('v') !== '10' || url.searchParams.get('encoding') !== 'json')
			violate(`gateway: connected as ${url.search} instead of v=10&encoding=json`);
		send(socket, { op: Op.Hello, d: { heartbeat_interval: settings.heartbeatMs } });

		socket.on('message', (data) => {
			const { op, d } = JSON.parse(String(data)) as { op: number; d: Record<string, unknown> };
			if (!isWithinLimit()) {
				violate('gateway: more than 120 sends a minute');
				return socket.close(Close.RateLimited, 'You are being rate limited.');
			}
			if (op === Op.Heartbeat) {
				this.counts.heartbeats++;
				send(socket, { op: Op.HeartbeatAck });
			} else if (op === Op.Identify) {
				if (session) return socket.close(Close.AlreadyAuthenticated, 'Already authenticated.');
				session = this.#identify(socket, d);
			} else if (op === Op.Resume) {
				session = this.#resume(socket, d, url);
			} else if (!session) socket.close(Close.NotAuthenticated, 'Not authenticated.');
		});
		socket.on('close', (code) => {
			if (session?.socket !== socket) return;
			session.socket = undefined;
			if (code === 1000 || code === 1001) this.#sessions.delete(session.id);
		});
		socket.on('error', () => {});
	}

	#createSendLimit(): () => boolean {
		const { clock } = this.#discord();
		const sends: number[] = [];
		return () => {
			const now = clock.now();
			sends.push(now);
			return sends.filter((at) => at > now - SEND_LIMIT.perMs).length <= SEND_LIMIT.count;
		};
	}

	/** https://docs.discord.com/developers/events/gateway#identifying and #session-start-limit-object */
	#identify(socket: WebSocket, data: IdentifyData): ConnectedSession | undefined {
		const { settings, snowflake, violate } = this.#discord();
		this.counts.identified++;
		if (settings.identifies-- <= 0) violate('gateway: identified more often than the session start limit allows');
		const refusal = refusalOf(data, settings);
		if (refusal) return void socket.close(refusal.code, refusal.reason);
		const shard = data.shard ?? ([0, 1] as const);
		const session = { id: snowflake(), intents: Number(data.intents), shard, socket, events: [] };
		this.#sessions.set(session.id, session);
		dispatchReady(this.#discord(), session, (event, d) => dispatchTo(session, event, d));
		return session;
	}

	/** https://docs.discord.com/developers/events/gateway#resuming */
	#resume(socket: WebSocket, { token, session_id, seq }: ResumeData, url: URL): ConnectedSession | undefined {
		const { settings, violate } = this.#discord();
		const session = this.#sessions.get(String(session_id));
		if (!url.pathname.startsWith('/resume')) violate('gateway: resumed elsewhere than at resume_gateway_url');
		if (token !== settings.token) return void socket.close(Close.AuthenticationFailed, 'Authentication failed.');
		if (!session) return void send(socket, { op: Op.InvalidSession, d: false });
		if (Number(seq) > session.events.length) return void socket.close(Close.InvalidSeq, 'Invalid seq.');
		this.counts.resumed++;
		session.socket?.terminate();
		session.socket = socket;
		for (const [index, { t, d }] of session.events.entries())
			if (index >= Number(seq)) send(socket, { op: Op.Dispatch, s: index + 1, t, d });
		dispatchTo(session, 'RESUMED', { _trace: [] });
		return session;
	}
}

function dispatchTo(session: ConnectedSession, t: string, d: unknown): void {
	const s = session.events.push({ t, d });
	send(session.socket, { op: Op.Dispatch, s, t, d });
}

const send = (socket: WebSocket | undefined, payload: object) => socket?.send(JSON.stringify(payload));
