import { createHmac, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Hono } from 'hono';
import { Bot } from './bot/bot.ts';
import { describeCommands } from './bot/declaration/options.ts';
import { type Config, ConfigError } from './config/config.ts';
import { createPlatforms, platformNames, platformTitles } from './create-platforms.ts';
import { type ListModels, watchModels } from './doctor/models.ts';
import { servesPlaceOf } from './domain/channel.ts';
import type { Platform } from './domain/platform.ts';
import { rememberedFor } from './domain/queues.ts';
import { Easel } from './easel.ts';
import { createOperatorRoutes, listen } from './http.ts';
import { announce, run } from './lifecycle.ts';
import type { Log } from './log.ts';
import { createMetrics, type Metrics } from './metrics/metrics.ts';
import { PlatformLoginError } from './platforms/shared/login-error.ts';
import { loadPlugins } from './plugins.ts';
import { ServiceClient } from './service/client.ts';
import { findProfile } from './service/find-profile.ts';
import { profileNamed, type ServiceProfile } from './service/profiles.ts';
import type { Requester } from './service/service.ts';
import { addressOf, type StoreAddress } from './store/addresses.ts';
import { refuseUnfinishedRestore } from './store/backup.ts';
import { migrate, SCHEMA_VERSION } from './store/migrate.ts';
import { openStore } from './store/open-store.ts';
import type { Store } from './store/store.ts';
import { createStudioRoutes } from './studio.ts';

/** How long running requests may continue when Easel is told to stop. The whole stop takes less than ten seconds. */
const GRACE_MS = 7000;

/** Requests that still run then, such as a slow upload, are in the store: the next start finishes them. */
const LEAVE_AFTER_MS = 8500;

/** Longest wait for a list of models that nobody waits for. */
const LIST_MS = 30_000;

export const main = () => run(start, { needsPlatform: true });

/**
 * The composition root. Starts the store, the platforms' routes, the HTTP listener, the client of the image service, the bot and the
 * platforms, in this order.
 * @param stopping a stop during the start: it does not wait for platforms that do not answer
 * @returns a function that stops them in the opposite order: first new requests, then running ones, then the connections
 */
async function start(config: Config, log: Log, stopping: AbortSignal): Promise<() => Promise<void>> {
	const { commands, loaded, faults } = await loadPlugins(config.pluginsFolder);
	for (const fault of faults) log.warn(fault);
	const metrics = createMetrics({ platforms: platformNames(config), commands: commands.map(({ name }) => name) });
	const { plan, directImagesPerDay, retentionMs, erasuresFile } = config;
	const store = await openMigratedStore(config, metrics, log);
	const profile = await profileOf(config, store, log);
	const offered = describeCommands(commands, profile.capabilities);
	const { platforms, routes } = await createPlatforms(config, offered, store, log, metrics, async (variables) =>
		(await import('./doctor/diagnose.ts')).tryOut(variables),
	);

	const app = new Hono();
	const { http, metricsHosts } = config;
	app.route('/', createOperatorRoutes({ platforms, store, metrics: metrics.text, host: http.host, metricsHosts }));
	const studioKey = config.studio.apiKey ?? randomKey();
	if (!config.service.baseUrl) app.route('/', createStudioRoutes(config, studioKey, store, log));
	for (const route of routes) app.route('/', route);
	const listener = await listen(app, config.http);

	const own = { baseUrl: listener.address, apiKey: studioKey };
	const service = connectService(config, own, profile, store, metrics);
	const { observe, ledgerObserver, onPause } = metrics;
	const easel = new Easel({
		...{ store, service, platforms, commands, log, plan, directImagesPerDay, retentionMs, erasuresFile },
		...{ ledgerObserver, pauseRule: { ...config.pause, onPause }, chatPrompt: config.chatPrompt },
		altText: config.altText,
	});
	const bot = new Bot(easel, { serves: servesPlaceOf(config.servers), observe });
	metrics.watch(easel);
	await bot.start();
	if (!stopping.aborted) await Promise.race([startAll(platforms, bot), once(stopping, 'abort')]);
	// Left jobs may take long, such as while a platform is slow. New requests do not wait for them.
	void bot.startSweeps();
	announce(config, log, listener.address, [
		config.sandbox ? `The sandbox is at ${listener.address}` : `Easel is ready at ${listener.address}`,
		...overviewOf(config, platforms),
		...loaded,
	]);
	const list: ListModels = (use) => service.listModels(use, AbortSignal.timeout(LIST_MS));
	const unwatch = config.service.baseUrl ? watchModels(config.service, list, (line) => log.warn(line)) : () => {};

	return async () => {
		const ended = Promise.all([bot.stop(GRACE_MS), ...platforms.map((platform) => platform.stop())]);
		const late = sleep(LEAVE_AFTER_MS, 'late', { ref: false });
		if ((await Promise.race([ended, late])) === 'late') log.warn('Requests that still run are left for the next start');
		unwatch();
		await listener.close();
		await service.close();
		await store.close();
	};
}

/** Starts every platform. Where several refuse the bot, the error has the sentence of each. */
async function startAll(platforms: readonly Platform[], bot: Bot): Promise<void> {
	const starts = await Promise.allSettled(platforms.map((platform) => platform.start(bot)));
	const errors = starts.flatMap((start) => (start.status === 'rejected' ? [start.reason] : []));
	const refusals = errors.filter((error) => error instanceof PlatformLoginError);
	if (refusals.length > 0) throw new ConfigError(refusals.map(({ message }) => message));
	if (errors.length > 0) throw errors[0];
}

async function openMigratedStore(
	{ store: url, files, retentionMs }: Config,
	metrics: Metrics,
	log: Log,
): Promise<Store> {
	const store = await openStore(url, files, metrics.observeStore);
	await refuseUnfinishedRestore(store);
	const version = await migrate(store, { retentionMs });
	if (version < SCHEMA_VERSION) log.info(`The store was brought from version ${version} to version ${SCHEMA_VERSION}`);
	for (const warning of await store.warnings()) log.warn(`STORE_URL: ${warning}`);
	return store;
}

/** @param own the address and the key of the embedded studio, which is the service where no other is configured */
function connectService(
	{ service, plan }: Config,
	own: { baseUrl: string; apiKey: string },
	profile: ServiceProfile,
	store: Store,
	metrics: Metrics,
): ServiceClient {
	const { baseUrl } = service;
	return new ServiceClient({
		...(baseUrl ? { ...service, baseUrl } : { ...service, ...own }),
		profile,
		async findProfile() {
			const name = await findProfile(service, store.space('service').keyv);
			return name && profileNamed(name, service);
		},
		identify: identifierOf(store),
		hasPrices: plan.prices !== undefined,
		observe: metrics.observeService,
	});
}

/** Returns what runs, what is not connected yet, what does not run, and the variables that change it. */
function overviewOf(config: Config, platforms: readonly Platform[]): string[] {
	const { service, discord, slack, sandbox } = config;
	const missing = [
		...(discord ? [] : ['Discord (set DISCORD_TOKEN)']),
		...(slack ? [] : ['Slack (set SLACK_BOT_TOKEN and SLACK_APP_TOKEN)']),
		...(sandbox ? [] : ['the browser sandbox (set SANDBOX=on)']),
	];
	const list = new Intl.ListFormat('en');
	const titles = platformTitles(config);
	const late = platforms.filter((platform) => ['unreachable', 'waiting'].includes(platform.state()));
	const connecting = late.map(({ name }) => titles.get(name) ?? name);
	const running = [...titles.values()].filter((title) => !connecting.includes(title));
	return [
		`Pictures come from ${service.baseUrl ?? 'the embedded studio (for another service, set SERVICE_BASE_URL and SERVICE_API_KEY)'}.`,
		placeOf(addressOf(config.store)),
		...(running.length === 0 ? [] : [`Running: ${list.format(running)}.`]),
		...(connecting.length === 0 ? [] : [`Not connected yet: ${list.format(connecting)}. Easel keeps trying.`]),
		...(missing.length === 0 ? [] : [`Not running: ${list.format(missing)}.`]),
	];
}

function placeOf(store: StoreAddress): string {
	if (store.kind === 'redis') return 'Everything is kept in Redis (STORE_URL).';
	if (store.kind === 'sqlite') return `Everything is kept in ${dirname(store.path)}.`;
	return 'Nothing is kept after the stop (STORE_URL is memory:).';
}

/**
 * Returns a key of the embedded studio that only this process knows, because its routes are reachable by everybody who reaches the
 * listener. The log redacts keys of this form.
 */
const randomKey = () => `sk-${randomBytes(24).toString('hex')}`;

/**
 * Returns what stands for a person at the image service: a code of platform and id, by a key that only this deployment has. The key is in the
 * store, so that all processes have the same.
 */
function identifierOf(store: Store): (by: Requester) => Promise<string> {
	const { keyv, commit } = store.space('service');
	const key = 'identifiers';
	const forEver = () => Number.POSITIVE_INFINITY;
	const secret = rememberedFor(forEver, async () => {
		await commit({ once: key, put: [{ key, value: randomBytes(32).toString('hex') }] });
		return String(await keyv.get(key));
	});
	return async ({ platform, id }) => hmac(await secret(), `${platform}:${id}`);
}

const hmac = (secret: string, text: string) => createHmac('sha256', secret).update(text).digest('hex');

/** Without an answer of the service, the one interface with all operations is assumed until the next start. */
async function profileOf({ service }: Config, store: Store, log: Log): Promise<ServiceProfile> {
	const name = await findProfile(service, store.space('service').keyv);
	if (name === undefined)
		log.warn('SERVICE_PROFILE: the service does not say which API it has, so it is used as easel. Set the variable.');
	return profileNamed(name ?? 'easel', service);
}
