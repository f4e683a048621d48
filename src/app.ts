import { setTimeout as sleep } from 'node:timers/promises';
import { Hono } from 'hono';
import { commands } from '../commands/index.ts';
import { createBot } from './bot/create-bot.ts';
import { describeCommands } from './bot/declaration/available-commands.ts';
import { type Config, ConfigError } from './config/config.ts';
import type { Platform } from './domain/platform.ts';
import { createOperatorRoutes, type Listener, listen } from './http.ts';
import { run } from './lifecycle.ts';
import type { Log } from './log.ts';
import { createMetrics } from './metrics.ts';
import { ServiceClient } from './service/client.ts';
import { easelProfile } from './service/profiles/easel.ts';
import { createOnce } from './store/once.ts';
import { openStore } from './store/open-store.ts';
import type { Store } from './store/store.ts';

/** What runs may still take this long when Easel is told to stop; the whole stop stays below ten seconds. */
const GRACE_MS = 7000;

/** What still runs then, such as a picture that a platform takes long to show, is in the store: the next start ends it. */
const LEAVE_AFTER_MS = 8500;

export const main = () => run(start);

/**
 * The composition root: config → store → HTTP → service → bot → platforms. Returns what stops it all again, in the opposite
 * order: first no new work, then what runs ends in an answer, then the doors close.
 */
async function start(config: Config, log: Log): Promise<() => Promise<void>> {
	if (!config.sandbox && !config.discord && !config.slack)
		throw new ConfigError(['SANDBOX is off and no platform has credentials, so there is nothing to run.']);
	const store = await openStore(config.store);
	const metrics = createMetrics();
	const platforms: Platform[] = [];
	const app = new Hono();
	const described = describeCommands(commands, easelProfile.capabilities);

	app.route('/', createOperatorRoutes({ platforms, store, metrics: () => metrics.registry.metrics() }));
	if (!config.service.baseUrl) await embedStudio(app, config, store, log);
	if (config.discord) {
		const { createDiscord } = await import('./platforms/discord/index.ts');
		const { attachmentOrigins } = config;
		const { keyv } = store.space('discord');
		platforms.push(createDiscord({ ...config.discord, attachmentOrigins, commands: described, keyv, log }));
	}
	if (config.slack) {
		const { createSlack } = await import('./platforms/slack/index.ts');
		const { attachmentOrigins } = config;
		const space = store.space('slack');
		const { keyv } = space;
		const once = createOnce(space);
		const { platform, routes } = createSlack({
			...{ ...config.slack, attachmentOrigins, commands: described, keyv, once, log },
		});
		platforms.push(platform);
		if (routes) app.route('/', routes);
	}
	if (config.sandbox) {
		const { createSandbox } = await import('./platforms/sandbox/index.ts');
		const { platform, routes } = createSandbox({
			commands: described,
			keyv: store.space('sandbox').keyv,
			hosts: [config.http.host],
			log,
		});
		platforms.push(platform);
		app.route('/', routes);
	}

	const listener = await listen(app, config.http);
	const service = new ServiceClient(serviceOptions(config, listener));
	const bot = createBot({
		commands,
		service,
		store,
		platforms,
		log,
		plan: config.plan,
		directImagesPerDay: config.directImagesPerDay,
		observe: metrics.observe,
	});
	await bot.start();
	await Promise.all(platforms.map((platform) => platform.start(bot)));
	await bot.sweep();
	log.info({ address: listener.address }, config.sandbox ? `The sandbox is at ${listener.address}` : 'Easel is ready');

	return async () => {
		const ended = Promise.all([bot.stop(GRACE_MS), ...platforms.map((platform) => platform.stop())]);
		const left = sleep(LEAVE_AFTER_MS, 'left', { ref: false });
		if ((await Promise.race([ended, left])) === 'left') log.warn('What still runs is left for the next start');
		await listener.close();
		await service.close();
		await store.close();
	};
}

/** The image service of a fresh clone, on our own listener: the client reaches it over HTTP like any other. */
async function embedStudio(app: Hono, { studio }: Config, store: Store, log: Log): Promise<void> {
	const { createStudio } = await import('./studio/app.ts');
	const report = (error: unknown, requestId: string) => log.error({ err: error, requestId }, 'The studio failed');
	const { fetch } = createStudio({ ...studio, usage: store.space('studio'), report });
	for (const path of ['/v1/*', '/api/v1/*']) app.all(path, ({ req, env }) => fetch(req.raw, env));
}

function serviceOptions({ service, studio }: Config, { address }: Listener) {
	if (service.baseUrl) return { ...service, baseUrl: service.baseUrl };
	return { ...service, baseUrl: address, apiKey: studio.apiKey ?? 'easel' };
}
