import { stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type Config, ConfigError, type Environment, isWithin, loadConfig, withoutBrackets } from '../config/config.ts';
import { similarName, VARIABLES } from '../config/variables.ts';
import { platformTitles } from '../create-platforms.ts';
import { type Checks, type Finding, type Findings, fault, ok, skipped, warning } from '../domain/findings.ts';
import { callOf } from '../domain/program.ts';
import imageCosts from '../usage/image-costs.json' with { type: 'json' };
import { MICROS_PER_USD, quoteOf, readPrices } from '../usage/prices.ts';

type UsableConfig = ReturnType<typeof loadUsableConfig>;

/**
 * Reads the configuration. When it has faults, what can be read is still there, so that the rest can be checked.
 * @returns the configuration without the `broken` variables, those with a fault, and a line for each fault
 */
export function loadUsableConfig(env: Environment) {
	const usable = { ...env };
	const broken = new Set<string>();
	let all: readonly string[] | undefined;
	for (;;) {
		try {
			return { config: loadConfig(usable, { needsPlatform: all === undefined }), faults: all ?? [], broken };
		} catch (error) {
			if (!(error instanceof ConfigError)) throw error;
			all ??= error.faults;
			const named = error.faults.flatMap(variablesIn);
			for (const name of named.length > 0 ? named : VARIABLES) {
				broken.add(name);
				delete usable[name];
				// Proxies may have lower-case names.
				delete usable[name.toLowerCase()];
			}
		}
	}
}

/** Returns the variables that a fault names, and not what it has in examples of addresses, such as `redis://HOST`. */
const variablesIn = (fault: string): string[] =>
	(fault.match(/(?<![/:@])\b[A-Z][A-Z0-9_]+\b/g) ?? []).filter((name) => VARIABLES.has(name));

/** Prefixes that only Easel's variables have. */
const OWN_PREFIX = /^(SERVICE|DISCORD|SLACK|STUDIO|FILES|STORE|SANDBOX|SERVERS?|PLAN)_/;

export function configurationChecks({ config, faults }: UsableConfig, env: Environment): Checks {
	const given = Object.keys(env).filter((name) => env[name]?.trim());
	const set = given.filter((name) => VARIABLES.has(name)).length;
	const platforms = [...platformTitles(config).values()];
	const read =
		set === 0
			? 'No variable is set; all have their defaults.'
			: `All variables can be read; ${set === 1 ? 'one is' : `${set} are`} set.`;
	return {
		variables: () => (faults.length > 0 ? faults.map(faultOf) : ok(read)),
		names: () => unknownNames(given),
		prices: () => pricesOf(config),
		platforms: () => ok(`${callOf('start')} runs ${new Intl.ListFormat('en').format(platforms)}.`),
	};
}

/** Where the prices are that come with Easel. */
const COSTS_FILE = fileURLToPath(new URL('../usage/image-costs.json', import.meta.url));

/**
 * Says which rows the configured models have, and where none are set, those of the proposal and how to take them over. The embedded studio
 * costs nothing.
 */
function pricesOf({ plan, service }: Config): Finding[] {
	const { rows = [], date = '', sources = [] } = readPrices(imageCosts).table ?? {};
	const table = plan.prices ?? rows;
	const known = service.imageModels.flatMap((model) => {
		const quote = quoteOf(table, { model, n: 1, inputs: 0 });
		if (!quote) return [];
		const prices = quote.rows.map(({ quality, size, usd_per_picture: picture = 0, usd_per_call: call = picture }) =>
			[quality, size, usdOf(call)].filter(Boolean).join(' '),
		);
		return [`${model}: ${prices.join(', ')}`];
	});
	if (plan.prices) return known.map((line) => ok(`The prices of a picture in USD by ${line}.`));
	if (service.baseUrl === undefined || known.length === 0) return [];
	return [
		ok(
			`IMAGE_COSTS is not set, so a call is a call whatever it costs. Easel comes with prices of ${date}, in USD by ${known.join('; ')}. Sources: ${sources.join(', ')}.`,
			`Compare them with your service; then set IMAGE_COSTS=default, or name a corrected copy of ${COSTS_FILE}.`,
			'IMAGE_COSTS',
		),
	];
}

const usdOf = (micros: number): string => String(micros / MICROS_PER_USD);

function faultOf(line: string): Finding {
	const [variable] = variablesIn(line);
	if (variable === undefined) return fault(line);
	return fault(line, `Correct ${variable} in .env or in the environment (docs/configuration.md).`, variable);
}

/** Finds misspelt names. Other programs may have such names as well, so these are no faults. */
function unknownNames(given: readonly string[]): Findings {
	const unknown = given.filter((name) => similarName(name) || (OWN_PREFIX.test(name) && !VARIABLES.has(name)));
	if (unknown.length === 0) return ok('No name is misspelt.');
	return unknown.map((name) => {
		const similar = similarName(name);
		const step = similar ? `Rename it to ${similar}` : 'Compare its name with .env.example';
		return warning(`${name} is set, but Easel has no such variable.`, `${step}, or remove it.`, name);
	});
}

/** Tells whether a host is this machine alone. */
export function isLoopback(host: string): boolean {
	const name = withoutBrackets(host).toLowerCase();
	return name === 'localhost' || name.endsWith('.localhost') || isWithin(['127.0.0.0/8', '::1/128'], name);
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

type Health = { status?: unknown; store?: unknown; platforms?: Record<string, unknown> };

async function checkEnvFile({ log }: Config, path: string): Promise<Finding> {
	const file = await stat(path).catch(() => undefined);
	if (!file) return skipped('There is no .env in this folder.');
	if (log.secrets.length === 0) return ok('No secret is configured.');
	if (process.platform === 'win32' || (file.mode & 0o077) === 0) return ok('Only its owner can read .env.');
	return warning('Other users of this machine can read .env, which contains secrets.', 'chmod 600 .env');
}
