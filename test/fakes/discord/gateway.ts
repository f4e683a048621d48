import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { GatewayCloseCodes as Close, GatewayIntentBits as Intent, GatewayOpcodes as Op } from 'discord-api-types/v10';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Discord, Gateway, Session } from './context.ts';
import { renderServer, renderUser } from './render.ts';
import { shardOf } from './snowflakes.ts';

/** What a client may send a minute. https://docs.discord.com/developers/events/gateway#rate-limiting */
const SENDS = { count: 120, perMs: 60_000 };

const KNOWN_INTENTS = Object.values(Intent).reduce(
	(all: number, bit) => (typeof bit === 'number' ? all | bit : all),
	0,
);

type Connected = Session & { socket: WebSocket | undefined };

/** The socket that events come through. https://docs.discord.com/developers/events/gateway */
export function createGateway(discord: () => Discord) {
	const sockets = new WebSocketServer({ noServer: true });
	const sessions = new Map<string, Connected>();
	const counts = { identified: 0, resumed: 0, heartbeats: 0 };
	let deaf = false;
	let down = false;

	const send = (socket: WebSocket | undefined, payload: object) => socket?.send(JSON.stringify(payload));

	function tell(session: Connected, t: string, d: unknown) {
		const s = session.events.push({ t, d });
		send(session.socket, { op: Op.Dispatch, s, t, d });
	}

	function connect(socket: WebSocket, url: URL) {
		let session: Connected | undefined;
		const sends: number[] = [];
		if (url.searchParams.get('v') !== '10' || url.searchParams.get('encoding') !== 'json')
			discord().violate(`gateway: connected as ${url.search} instead of v=10&encoding=json`);
		send(socket, { op: Op.Hello, d: { heartbeat_interval: discord().settings.heartbeatMs } });

		socket.on('message', (data) => {
			const { op, d } = JSON.parse(String(data)) as { op: number; d: Record<string, unknown> };
			const now = discord().clock.now();
			sends.push(now);
			if (sends.filter((at) => at > now - SENDS.perMs).length > SENDS.count) {
				discord().violate('gateway: more than 120 sends a minute');
				return socket.close(Close.RateLimited, 'You are being rate limited.');
			}
			if (op === Op.Heartbeat) {
				counts.heartbeats++;
				if (!deaf) send(socket, { op: Op.HeartbeatAck });
			} else if (op === Op.Identify) {
				if (session) return socket.close(Close.AlreadyAuthenticated, 'Already authenticated.');
				session = identify(socket, d);
			} else if (op === Op.Resume) {
				session = resume(socket, d, url);
			} else if (!session) socket.close(Close.NotAuthenticated, 'Not authenticated.');
		});
		socket.on('close', (code) => {
			if (session?.socket !== socket) return;
			session.socket = undefined;
			if (code === 1000 || code === 1001) sessions.delete(session.id);
		});
		socket.on('error', () => {});
	}

	function identify(socket: WebSocket, asked: Record<string, unknown>): Connected | undefined {
		const { settings, world, snowflake, violate, address } = discord();
		const intents = Number(asked['intents']);
		const shard = (asked['shard'] as [number, number] | undefined) ?? [0, 1];
		const refuse = (code: number, reason: string) => void socket.close(code, reason);
		counts.identified++;
		if (settings.identifies-- <= 0) violate('gateway: identified more often than the session start limit allows');
		if (asked['token'] !== settings.token) return refuse(Close.AuthenticationFailed, 'Authentication failed.');
		if (!(shard[0] < shard[1])) return refuse(Close.InvalidShard, 'Invalid shard.');
		if (!Number.isInteger(intents) || intents & ~KNOWN_INTENTS)
			return refuse(Close.InvalidIntents, 'Invalid intent(s).');
		const { messageContent, members, presences } = settings.privileged;
		const refused =
			(!messageContent && intents & Intent.MessageContent) ||
			(!members && intents & Intent.GuildMembers) ||
			(!presences && intents & Intent.GuildPresences);
		if (refused) return refuse(Close.DisallowedIntents, 'Disallowed intent(s).');

		const session: Connected = { id: snowflake(), intents, shard, socket, events: [] };
		sessions.set(session.id, session);
		const mine = [...world.servers.values()].filter(({ id, joined }) => joined && shardOf(id, shard[1]) === shard[0]);
		tell(session, 'READY', {
			v: 10,
			user: renderUser(world.me),
			guilds: mine.map(({ id }) => ({ id, unavailable: true })),
			session_id: session.id,
			resume_gateway_url: `${address().replace('http', 'ws')}/resume`,
			shard,
			application: { id: world.me.id, flags: 0 },
		});
		if (intents & Intent.Guilds)
			for (const server of mine) tell(session, 'GUILD_CREATE', renderServer(server, world.me));
		return session;
	}

	function resume(socket: WebSocket, { token, session_id, seq }: Record<string, unknown>, url: URL) {
		const { settings, violate } = discord();
		const session = sessions.get(String(session_id));
		if (!url.pathname.startsWith('/resume')) violate('gateway: resumed elsewhere than at resume_gateway_url');
		if (token !== settings.token) return void socket.close(Close.AuthenticationFailed, 'Authentication failed.');
		if (!session) return void send(socket, { op: Op.InvalidSession, d: false });
		if (Number(seq) > session.events.length) return void socket.close(Close.InvalidSeq, 'Invalid seq.');
		counts.resumed++;
		session.socket?.terminate();
		session.socket = socket;
		for (const [index, { t, d }] of session.events.entries())
			if (index >= Number(seq)) send(socket, { op: Op.Dispatch, s: index + 1, t, d });
		tell(session, 'RESUMED', { _trace: [] });
		return session;
	}

	const connected = () => [...sessions.values()].filter(({ socket }) => socket !== undefined);

	const forOthers: Gateway = {
		connected,
		dispatch(event, data, to = {}) {
			for (const session of sessions.values()) {
				const shard = to.server === undefined ? 0 : shardOf(to.server, session.shard[1]);
				if (session.shard[0] !== shard) continue;
				if (to.intent !== undefined && !(session.intents & to.intent)) continue;
				const d = typeof data === 'function' ? data(session) : data;
				if (d) tell(session, event, d);
			}
		},
	};

	return {
		...forOthers,
		counts,
		upgrade(request: IncomingMessage, socket: Duplex, head: Buffer) {
			if (down) return void socket.destroy();
			const url = new URL(request.url ?? '/', 'http://localhost');
			sockets.handleUpgrade(request, socket, head, (opened) => connect(opened, url));
		},
		/** Ends the connections as the server does. Sessions can be resumed. */
		close: (code = 4000, reason = '') => {
			for (const { socket } of connected()) socket?.close(code, reason);
		},
		/** Breaks the connections without a word. */
		drop: () => {
			for (const { socket } of connected()) socket?.terminate();
		},
		/** Op 7: asks to connect anew and resume. */
		askToReconnect: () => {
			for (const { socket } of connected()) send(socket, { op: Op.Reconnect, d: null });
		},
		/** Op 9. */
		invalidate(resumable: boolean) {
			for (const session of connected()) {
				if (!resumable) sessions.delete(session.id);
				send(session.socket, { op: Op.InvalidSession, d: resumable });
			}
		},
		/** Forgets sessions that have no connection, so that they can't be resumed. */
		forget: () => {
			for (const session of sessions.values()) if (!session.socket) sessions.delete(session.id);
		},
		/** No longer answers heartbeats: the connection looks dead to the client. */
		deafen: (on = true) => {
			deaf = on;
		},
		/** Takes no connections. */
		refuse: (on = true) => {
			down = on;
		},
		stop() {
			for (const socket of sockets.clients) socket.terminate();
			sockets.close();
		},
	};
}
