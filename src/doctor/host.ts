import { stat } from 'node:fs/promises';
import { BlockList, isIP } from 'node:net';
import type { Config } from '../config/config.ts';
import { type Checks, type Finding, fault, ok, skipped, warning } from '../domain/findings.ts';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8);
loopback.addAddress('::1', 'ipv6');

/** Tells whether a host is this machine alone. */
export function isLoopback(host: string): boolean {
	const name = host.replace(/^\[|\]$/g, '').toLowerCase();
	if (name === 'localhost' || name.endsWith('.localhost')) return true;
	const family = isIP(name);
	return family !== 0 && loopback.check(name, family === 6 ? 'ipv6' : 'ipv4');
}

export const studioChecks = ({ service, studio }: Config): Checks => ({
	key() {
		if (service.baseUrl !== undefined) return skipped('The studio does not run: SERVICE_BASE_URL is set.');
		if (studio.apiKey !== undefined) return ok('STUDIO_API_KEY is set: whoever has it can use the studio.');
		return ok('STUDIO_API_KEY is not set: inside Easel nobody but Easel itself can use the studio.');
	},
});

export const hostChecks = (config: Config, folder: string): Checks => ({
	exposure: () => exposureOf(config),
	process: (signal) => checkProcess(config, signal),
	'.env': () => checkEnvFile(config, `${folder}/.env`),
});

/** Returns the address of an Easel that runs on this machine; undefined when it is not known. */
export function localAddress({ http: { host, port } }: Config): string | undefined {
	if (port === 0) return undefined;
	const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
	return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

export const UNKNOWN_ADDRESS = skipped('PORT is 0, so the address of a running Easel is not known.');

function exposureOf({ http: { host, port }, sandbox, service }: Config): Finding {
	if (isLoopback(host)) return ok(`${host}:${port} can be reached from this machine only.`);
	if (!sandbox) return ok(`Other machines can reach ${host}:${port}; the sandbox is off.`);
	const message = `Other machines can reach ${host}:${port}, and the sandbox has no passwords`;
	const step = 'Set HOST=127.0.0.1, or SANDBOX=off; or let a proxy ask for a password.';
	if (service.baseUrl === undefined) return warning(`${message}.`, step, 'HOST');
	return fault(`${message}: anybody there can spend calls of your image service.`, step, 'HOST');
}

/** Tells whether Easel runs here, by the health that it reports. */
async function checkProcess(config: Config, signal: AbortSignal): Promise<Finding> {
	const address = localAddress(config);
	if (address === undefined) return UNKNOWN_ADDRESS;
	const response = await fetch(`${address}/healthz`, { signal, redirect: 'error' }).catch(() => undefined);
	if (!response) return skipped(`Nothing answers at ${address}: Easel does not run here now.`);
	const health = (await response.json().catch(() => undefined)) as Health | undefined;
	if (typeof health?.status !== 'string')
		return warning(`Another program answers at ${address}.`, 'Set PORT to a free port, or stop that program.', 'PORT');
	const parts = Object.entries({ ...health.platforms, store: health.store });
	const states = parts.map(([part, state]) => `${part} ${state}`).join(', ');
	if (response.ok) return ok(`Easel runs at ${address}: ${states}.`);
	const step = 'Read in the log of that process why the part is not ready.';
	return warning(`Easel runs at ${address}, but not all is ready: ${states}.`, step);
}

/** What `/healthz` answers. */
type Health = { status?: unknown; store?: unknown; platforms?: Record<string, unknown> };

async function checkEnvFile({ log }: Config, path: string): Promise<Finding> {
	const file = await stat(path).catch(() => undefined);
	if (!file) return skipped('There is no .env in this folder.');
	if (log.secrets.length === 0) return ok('No secret is configured.');
	if (process.platform === 'win32' || (file.mode & 0o077) === 0) return ok('Only its owner can read .env.');
	return warning('Other users of this machine can read .env, which contains secrets.', 'chmod 600 .env');
}
