import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createClient } from '@keyv/redis';
import { certificate, certificateKey } from './certificate.ts';
import { has, REDIS_SERVER } from './requirements.ts';

export const hasRedis = has('redis');

export type RedisServer = {
	/** `redis://127.0.0.1:PORT` */
	url: string;
	port: number;
	/** Sends one command through a connection of its own. */
	send(...command: (string | Buffer)[]): Promise<unknown>;
	/** Kills the server, as a power failure does. */
	stop(): Promise<void>;
	/** Starts the server again, with the same port and files. */
	start(): Promise<void>;
	/** Suspends and resumes the server, whose sockets stay open. */
	suspend(): void;
	resume(): void;
	/** Stops the server and deletes its files. */
	close(): Promise<void>;
};

/** Starts a Redis server on a free port of this machine. It makes every command durable before it answers. */
export async function startRedis(...settings: string[]): Promise<RedisServer> {
	const folder = mkdtempSync(join(tmpdir(), 'easel-redis-'));
	const port = await freePort();
	const durable = ['--dir', folder, '--save', '', '--appendonly', 'yes', '--appendfsync', 'always'];
	const address = ['--port', String(port), '--bind', '127.0.0.1'];
	let child: ChildProcess | undefined;

	async function start() {
		const started = spawn(REDIS_SERVER, [...address, ...durable, ...settings], {
			stdio: ['ignore', 'pipe', 'inherit'],
		});
		child = started;
		const output = [];
		for await (const line of createInterface({ input: started.stdout })) {
			output.push(line);
			if (line.includes('Ready to accept connections')) {
				started.stdout.resume();
				return;
			}
		}
		throw new Error(`Redis did not start:\n${output.join('\n')}`);
	}

	async function stop() {
		if (!child || child.exitCode !== null || child.signalCode !== null) return;
		const ended = once(child, 'exit');
		child.kill('SIGKILL');
		await ended;
	}

	await start();
	return {
		url: `redis://127.0.0.1:${port}`,
		port,
		async send(...command) {
			const client = createClient({ socket: { host: '127.0.0.1', port } });
			await client.connect();
			try {
				return await client.sendCommand(command);
			} finally {
				client.destroy();
			}
		},
		start,
		stop,
		suspend: () => void child?.kill('SIGSTOP'),
		resume: () => void child?.kill('SIGCONT'),
		async close() {
			await stop();
			rmSync(folder, { recursive: true });
		},
	};
}

/** Starts a server that also accepts TLS, at its `url`. */
export async function startRedisWithTls(): Promise<RedisServer> {
	const folder = mkdtempSync(join(tmpdir(), 'easel-tls-'));
	const [certFile, keyFile] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
	writeFileSync(certFile, certificate);
	writeFileSync(keyFile, certificateKey);
	const port = await freePort();
	const files = ['--tls-cert-file', certFile, '--tls-key-file', keyFile, '--tls-auth-clients', 'no'];
	const redis = await startRedis('--tls-port', String(port), ...files);
	const close = async () => {
		await redis.close();
		rmSync(folder, { recursive: true });
	};
	return { ...redis, url: `rediss://localhost:${port}`, close };
}

/** Returns a port of this machine that nothing listens on. */
export async function freePort(): Promise<number> {
	const server = createServer().listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	server.close();
	await once(server, 'close');
	return port;
}
