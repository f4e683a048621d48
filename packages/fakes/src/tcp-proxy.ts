import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** An address that leads to another one, which can be changed, and whose connections can be held back. */
export class TcpProxy {
	/** The port at this machine that connections lead to from now on. */
	target: number;
	readonly #sockets = new Set<Socket>();
	#isHeld = false;
	readonly #server = createServer((client) => {
		const server = connect(this.target, '127.0.0.1');
		for (const [from, to] of [
			[client, server],
			[server, client],
		] as const) {
			this.#sockets.add(from);
			from.on('data', (chunk) => this.#isHeld || to.write(chunk));
			from.on('error', () => {});
			from.on('close', () => {
				this.#sockets.delete(from);
				to.destroy();
			});
		}
	});

	private constructor(target: number) {
		this.target = target;
	}

	static async start(target: number): Promise<TcpProxy> {
		const proxy = new TcpProxy(target);
		await once(proxy.#server.listen(0, '127.0.0.1'), 'listening');
		return proxy;
	}

	get port(): number {
		return (this.#server.address() as AddressInfo).port;
	}

	/** Loses everything from now on, in both directions, although connections stay open. */
	hold(): void {
		this.#isHeld = true;
	}

	async close(): Promise<void> {
		this.#server.close();
		for (const socket of this.#sockets) socket.destroy();
	}
}
