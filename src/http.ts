import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import type { Platform } from './domain/platform.ts';
import { rememberedFor } from './domain/queues.ts';
import { hostnameOf, isOwnHost } from './platforms/shared/own-host.ts';
import type { Store } from './store/store.ts';

const HEADERS_MS = 10_000;

/** The longest time for a request with its body: 30 MB of pictures arrive in it at 100 kB a second. */
const REQUEST_MS = 300_000;

/** A connection is closed when fewer bytes of a body arrive in this time, though there is room for them. */
const STALL = { ms: 15_000, bytes: 16 * 1024 };

/** Connections from which no whole request has arrived. Beyond that, the one that has waited longest is closed. */
const MAX_WAITING = 500;

/** All connections, which includes those that an answer is under way on. */
const MAX_CONNECTIONS = 2000;

/** Requests of one connection that are answered at the same time. Clients wait for an answer before they send the next. */
const MAX_PIPELINED = 32;

/** The time for reading an answer that is sent before the body has arrived. */
const LINGER_MS = 500;

export type Listener = {
	/** Address at which this process reaches itself, such as `http://127.0.0.1:3000`. */
	address: string;
	/** Stops listening. Requests under way have half a second to finish, or `graceMs`. */
	close(graceMs?: number): Promise<void>;
};

type App = { fetch(request: Request, env: HttpBindings): Response | Promise<Response> };

/**
 * Opens an HTTP listener on which strangers can hold neither connections nor memory: what has not sent a whole request is bounded, and a
 * body that the app leaves unread is not read. Rejects when the address is taken or not available.
 */
export function listen(app: App, { host, port }: { host: string; port: number }): Promise<Listener> {
	const times = { headersTimeout: HEADERS_MS, requestTimeout: REQUEST_MS, connectionsCheckingInterval: 2000 };
	// What the app leaves of a body is dealt with below.
	const answer = getRequestListener((request, env) => app.fetch(request, env as HttpBindings), {
		autoCleanupIncoming: false,
	});
	const server = createServer(times);
	server.maxConnections = MAX_CONNECTIONS;
	const admit = boundConnections(server);
	server.on('request', (incoming, outgoing) => {
		if (!admit(incoming, outgoing)) return;
		if (hasBody(incoming)) {
			closeWhenStalled(incoming, outgoing);
			closeWhenUnread(incoming, outgoing);
		}
		void answer(incoming, outgoing);
	});
	return new Promise((resolve, reject) => {
		server.once('error', reject);
		server.listen(port, host, () => {
			server.off('error', reject);
			resolve({ address: addressOf(server), close: (graceMs = 500) => close(server, graceMs) });
		});
	});
}

/** What is true only now. */
const NOT_STORED = { 'cache-control': 'no-store' };

/** Answers 200: whoever gets it knows that the event loop runs. */
export const livez = (context: Context) => context.text('ok\n', 200, NOT_STORED);

const hasBody = ({ headers }: IncomingMessage) =>
	headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/**
 * Closes the connections that have waited longest where many wait.
 *
 * @returns a function that tells whether a request may be answered: not when its connection has sent too many at once
 */
function boundConnections(server: Server): (incoming: IncomingMessage, outgoing: ServerResponse) => boolean {
	/** In the order in which they began to wait. */
	const waiting = new Set<Socket>();
	const answering = new WeakMap<Socket, number>();
	const wait = (socket: Socket) => {
		waiting.delete(socket);
		if (!socket.destroyed) waiting.add(socket);
		if (waiting.size > MAX_WAITING) for (const oldest of waiting) return void oldest.destroy();
	};
	server.on('connection', (socket) => {
		socket.once('close', () => waiting.delete(socket));
		wait(socket);
	});
	return (incoming, outgoing) => {
		const { socket } = incoming;
		const count = (answering.get(socket) ?? 0) + 1;
		if (count > MAX_PIPELINED) socket.destroy();
		if (socket.destroyed) return false;
		answering.set(socket, count);
		if (hasBody(incoming)) incoming.once('end', () => waiting.delete(socket));
		else waiting.delete(socket);
		outgoing.once('close', () => {
			answering.set(socket, (answering.get(socket) ?? 1) - 1);
			wait(socket);
		});
		return true;
	};
}

/** Closes the connection of a body that arrives too slowly. While the app does not read it, it may. */
function closeWhenStalled(incoming: IncomingMessage, outgoing: ServerResponse): void {
	const { socket } = incoming;
	let before = socket.bytesRead;
	const timer = setInterval(() => {
		const isRead = incoming.readableLength < incoming.readableHighWaterMark;
		if (incoming.complete) clearInterval(timer);
		else if (isRead && socket.bytesRead - before < STALL.bytes) socket.destroy();
		before = socket.bytesRead;
	}, STALL.ms).unref();
	outgoing.once('close', () => clearInterval(timer));
}

/**
 * Closes the connection after an answer that was sent before the body had arrived. The client has a moment to read the answer, which it
 * would lose when the connection were closed at once, and nothing more is read of it.
 */
function closeWhenUnread(incoming: IncomingMessage, outgoing: ServerResponse): void {
	const { socket } = incoming;
	const writeHead = outgoing.writeHead;
	outgoing.writeHead = (...args: unknown[]) => {
		if (!incoming.complete) outgoing.setHeader('connection', 'close');
		return writeHead.apply(outgoing, args as never);
	};
	// Before Node's own listener, which reads a body to its end that nobody has begun to read, and then closes.
	outgoing.prependOnceListener('finish', () => {
		if (incoming.complete) return;
		incoming.read(0);
		socket.destroySoon = () => void setTimeout(() => socket.destroy(), LINGER_MS).unref();
	});
}

function addressOf(server: Server): string {
	const { address, port, family } = server.address() as AddressInfo;
	// The address of all interfaces is not one to connect to.
	if (address === '0.0.0.0' || address === '::') return `http://127.0.0.1:${port}`;
	return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

function close(server: Server, graceMs: number): Promise<void> {
	return new Promise((resolve) => {
		// A connection that was busy is idle later, and would be kept for a next request.
		const idle = setInterval(() => server.closeIdleConnections(), 50).unref();
		const end = setTimeout(() => server.closeAllConnections(), graceMs).unref();
		server.close(() => {
			clearInterval(idle);
			clearTimeout(end);
			resolve();
		});
		server.closeIdleConnections();
	});
}

const STORE_TIMEOUT_MS = 2000;

/** How long the state of the store is remembered: the check writes, and everybody may ask. */
const STORE_STATE_MS = 1000;

/** The routes `/livez`, `/healthz` and `/metrics`. */
export function createOperatorRoutes(options: {
	platforms: readonly Platform[];
	store: Store;
	metrics: () => Promise<string>;
	/** The name or address that the listener is bound to. */
	host: string;
	/** Further names of this host, under which the metrics are served. */
	metricsHosts?: readonly string[];
}): Hono {
	const app = new Hono();
	const names = new Set([options.host, ...(options.metricsHosts ?? [])].map((name) => name.toLowerCase()));
	const storeState = rememberedFor(
		() => STORE_STATE_MS,
		() => checkStore(options.store),
	);
	app.get('/livez', livez);
	app.get('/healthz', async (context) => {
		const platforms = Object.fromEntries(options.platforms.map((platform) => [platform.name, platform.state()]));
		const store = await storeState();
		const isHealthy = store === 'ready' && Object.values(platforms).every((state) => state === 'ready');
		const health = { status: isHealthy ? 'ok' : 'unavailable', platforms, store };
		return context.json(health, isHealthy ? 200 : 503, NOT_STORED);
	});
	app.get('/metrics', async (context) => {
		const host = context.req.header('host') ?? '';
		// A name without a dot, such as a container's, is resolved by the local network alone, which may belong to somebody else where
		// people browse. Browsers always say their languages, also for scripts; programs that read metrics have none.
		const isLocalName =
			hostnameOf(host)?.includes('.') === false && context.req.header('accept-language') === undefined;
		if (!isOwnHost(host, names) && !isLocalName)
			return context.text(
				'Metrics are served under an IP address, localhost, or a name in METRICS_HOSTS; to programs also under a name without a dot.\n',
				403,
			);
		const type = 'text/plain; version=0.0.4; charset=utf-8';
		return context.text(await options.metrics(), 200, { 'content-type': type, ...NOT_STORED });
	});
	return app;
}

async function checkStore(store: Store): Promise<string> {
	const late = new Promise<string>((resolve) => setTimeout(resolve, STORE_TIMEOUT_MS, 'silent').unref());
	return Promise.race([store.ping().then(() => 'ready'), late]).catch(() => 'failing');
}
