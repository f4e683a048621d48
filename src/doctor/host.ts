import { stat } from 'node:fs/promises';
import { BlockList, isIP } from 'node:net';
import type { Config } from '../config/config.ts';
import { type Check, type Finding, fault, known, ok, skipped, warning } from './check.ts';

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

/** How many names a line has at most. */
const MAX_NAMES = 6;

/** Lists names, the last of them as their number where there are many. */
export function namesOf(names: readonly string[]): string {
	const shown =
		names.length <= MAX_NAMES ? names : [...names.slice(0, MAX_NAMES - 1), `${names.length - MAX_NAMES + 1} others`];
	return new Intl.ListFormat('en').format(shown);
}

export function studioChecks({ service, studio }: Config): Check[] {
	if (service.baseUrl !== undefined)
		return [known('key', skipped('The studio does not run: SERVICE_BASE_URL is set.'))];
	const { apiKey } = studio;
	if (apiKey === undefined)
		return [
			known('key', ok('STUDIO_API_KEY is not set: inside npm start nobody but Easel itself can use the studio.')),
		];
	return [known('key', ok('STUDIO_API_KEY is set: whoever has it can use the studio.'))];
}

export function hostChecks(config: Config, folder: string): Check[] {
	return [
		known('exposure', exposureOf(config)),
		{ name: 'process', run: (signal) => checkProcess(config, signal) },
		{ name: '.env', run: () => checkEnvFile(config, `${folder}/.env`) },
	];
}

function exposureOf({ http: { host, port }, sandbox, service }: Config): Finding {
	if (isLoopback(host)) return ok(`${host}:${port} can be reached from this machine only.`);
	if (!sandbox) return ok(`Other machines can reach ${host}:${port}; the sandbox is off.`);
	const message = `Other machines can reach ${host}:${port}, and the sandbox has no passwords`;
	const remedy = { variable: 'HOST', step: 'Set HOST=127.0.0.1, or SANDBOX=off; or let a proxy ask for a password.' };
	if (service.baseUrl === undefined) return warning(`${message}.`, remedy);
	return fault(`${message}: anybody there can spend calls of your image service.`, remedy);
}

/** Tells whether Easel runs here, by the health that it reports. */
async function checkProcess({ http: { host, port } }: Config, signal: AbortSignal): Promise<Finding> {
	const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
	if (port === 0) return skipped('PORT is 0, so the address of a running Easel is not known.');
	const address = `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
	const response = await fetch(`${address}/healthz`, { signal, redirect: 'error' }).catch(() => undefined);
	if (!response) return skipped(`Nothing answers at ${address}: Easel does not run here now.`);
	const health = (await response.json().catch(() => undefined)) as Health | undefined;
	if (typeof health?.status !== 'string')
		return warning(`Another program answers at ${address}.`, {
			variable: 'PORT',
			step: 'Set PORT to a free port, or stop that program.',
		});
	const states = Object.entries({ ...health.platforms, store: health.store }).map(
		([part, state]) => `${part} ${state}`,
	);
	if (response.ok) return ok(`Easel runs at ${address}: ${states.join(', ')}.`);
	return warning(`Easel runs at ${address}, but not all is ready: ${states.join(', ')}.`, {
		step: 'Read in the log of that process why the part is not ready.',
	});
}

/** What `/healthz` answers. */
type Health = { status?: unknown; store?: unknown; platforms?: Record<string, unknown> };

async function checkEnvFile({ log }: Config, path: string): Promise<Finding> {
	const file = await stat(path).catch(() => undefined);
	if (!file) return skipped('There is no .env in this folder.');
	if (log.secrets.length === 0) return ok('No secret is configured.');
	if (process.platform === 'win32' || (file.mode & 0o077) === 0) return ok('Only its owner can read .env.');
	return warning('Other users of this machine can read .env, which contains secrets.', { step: 'chmod 600 .env' });
}
