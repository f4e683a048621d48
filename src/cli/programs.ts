import { config as loadDotenv } from 'dotenv';
import { describeCommands } from '../bot/declaration/options.ts';
import { ConfigError, loadConfig, unquoted } from '../config/config.ts';
import { diagnose, jsonReport, textReport, worstOf } from '../doctor/diagnose.ts';
import { listen, livez } from '../http.ts';
import { announce, run } from '../lifecycle.ts';
import { hasColours } from '../log.ts';
import { type ManifestAddresses, manifestOf } from '../platforms/slack/manifest.ts';
import { loadPlugins } from '../plugins.ts';
import { configuredProfile, findProfile } from '../service/find-profile.ts';
import { PROFILES, profileNamed } from '../service/profiles.ts';
import type { Capabilities } from '../service/service.ts';
import { refuseUnfinishedRestore } from '../store/backup.ts';
import { migrate as migrateStore, SCHEMA_VERSION } from '../store/migrate.ts';
import { openStore } from '../store/open-store.ts';
import { countersOf } from '../studio.ts';
import { readArguments, refuseArguments } from './arguments.ts';

export async function doctor(): Promise<void> {
	const { json } = readArguments({
		name: 'doctor',
		does: `Checks the whole configuration against the real services, and says what to change. Changes nothing, buys nothing.
Exit code: 0 without faults, 1 with faults.`,
		options: { json: { help: 'prints the results as JSON' } },
		variables: ['SERVICE_BASE_URL', 'SERVICE_API_KEY', 'STORE_URL', 'FILES_URL', 'DISCORD_TOKEN', 'SLACK_BOT_TOKEN'],
	}).options;
	loadDotenv({ quiet: true });
	const results = await diagnose(process.env);
	const report = json ? jsonReport(results) : textReport(results, hasColours());
	// Requests that were given up may still be open.
	process.stdout.write(report, () => process.exit(worstOf(results) === 'fault' ? 1 : 0));
}

export async function register(): Promise<void> {
	const { guild } = readArguments({
		name: 'register',
		does: 'Replaces the commands that are registered at Discord, as a start does by itself when they differ.',
		options: { guild: { value: 'ID', help: 'registers them in this server only' } },
		variables: ['DISCORD_TOKEN', 'DISCORD_API_URL', 'SERVICE_BASE_URL', 'SERVICE_PROFILE'],
	}).options;
	await run(async (config, log) => {
		if (!config.discord) throw new ConfigError(['DISCORD_TOKEN is missing; it is needed to register the commands.']);
		const profile = profileNamed((await findProfile(config.service, new Map())) ?? 'easel', config.service);
		const { createRest, registerCommands } = await import('../platforms/discord/index.ts');
		const rest = createRest({ ...config.discord, log });
		const { commands, faults } = await loadPlugins(config.pluginsFolder);
		for (const fault of faults) log.warn(fault);
		const put = registerCommands({ rest, commands: describeCommands(commands, profile.capabilities), guild });
		const count = await put.catch((error: { status?: number }) => {
			if (error.status === 401) throw new ConfigError(['Discord does not accept DISCORD_TOKEN.']);
			if (error.status === 403 || error.status === 404)
				throw new ConfigError([
					'--guild names a server that this bot is not in; invite it with the scope applications.commands.',
				]);
			throw error;
		});
		log.info(`Registered ${count} commands${guild ? ` in server ${guild}` : ''}.`);
		process.exit(0);
	});
}

export async function manifest(): Promise<void> {
	const { http, oauth } = readArguments({
		name: 'manifest',
		does: 'Prints the manifest of the Slack app as JSON: for Socket Mode, or for HTTP with --http.',
		options: {
			http: { value: 'URL', help: 'the public address of Easel, such as https://easel.example.com' },
			oauth: { help: 'for all workspaces that install it; needs --http' },
		},
		variables: ['SERVICE_BASE_URL', 'SERVICE_PROFILE'],
	}).options;
	const reached = reachedBy(http, oauth);
	const capabilities = configuredCapabilities();
	const { commands, faults } = await loadPlugins(unquoted(process.env)['PLUGINS_DIR']);
	// The manifest alone goes to standard output.
	for (const fault of faults) process.stderr.write(`${fault}\n`);
	const app = manifestOf(describeCommands(commands, capabilities), reached);
	process.stdout.write(`${JSON.stringify(app, undefined, 2)}\n`);
}

function reachedBy(http: string | undefined, oauth: boolean): ManifestAddresses {
	if (http === undefined) return oauth ? refuseArguments('manifest', '--oauth needs --http URL') : { by: 'socket' };
	const address = URL.parse(http);
	if (address?.protocol !== 'https:') return refuseArguments('manifest', '--http is not an https address');
	return { by: 'http', address: address.origin, workspaces: oauth ? 'many' : 'one' };
}

/** Returns what the configured service can do; everything when that is not known without asking it, or the configuration is faulty. */
function configuredCapabilities(): Capabilities {
	loadDotenv({ quiet: true });
	try {
		const { service } = loadConfig(process.env);
		return profileNamed(configuredProfile(service) ?? 'easel', service).capabilities;
	} catch (error) {
		if (error instanceof ConfigError) return PROFILES.easel.capabilities;
		throw error;
	}
}

export async function migrate(): Promise<void> {
	readArguments({
		name: 'migrate',
		does: 'Brings the store of an earlier version to the version of this program, as a start does by itself.',
		variables: ['STORE_URL', 'FILES_URL'],
	});
	await run(async ({ store: url, files, retentionMs }, log) => {
		const store = await openStore(url, files);
		await refuseUnfinishedRestore(store);
		const version = await migrateStore(store, { retentionMs });
		await store.close();
		log.info(
			version === SCHEMA_VERSION
				? `The store has version ${SCHEMA_VERSION} already.`
				: `The store was brought from version ${version} to version ${SCHEMA_VERSION}.`,
		);
		process.exit(0);
	});
}

/** Time that running requests to the studio get at a stop; the whole stop stays below ten seconds. */
const GRACE_MS = 7000;

export async function studio(): Promise<void> {
	readArguments({
		name: 'studio',
		does: 'Starts the image service that draws by rules, alone, for any client of its interface. Ctrl+C stops it.',
		variables: ['HOST', 'PORT', 'STUDIO_API_KEY', 'STORE_URL', 'LOG_FORMAT'],
	});
	await run(async (config, log) => {
		const { createStudio } = await import('../../packages/studio/src/index.ts');
		const store = await openStore(config.store);
		const service = createStudio({
			...config.studio,
			counters: countersOf(store),
			report: (err, requestId) => log.error({ err, requestId }, 'The studio failed at a request'),
		});
		service.get('/livez', livez);
		const { address, close } = await listen(service, config.http);
		announce(config, log, address, [`The studio is at ${address}/v1`]);
		return async () => {
			await close(GRACE_MS);
			await store.close();
		};
	});
}
