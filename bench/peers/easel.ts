import { EventEmitter } from 'node:events';
import { queryObjects } from 'node:v8';
import { commands } from '../../commands/index.ts';
import { Bot } from '../../src/bot/bot.ts';
import { describeCommands } from '../../src/bot/declaration/options.ts';
import type { Platform } from '../../src/domain/platform.ts';
import { Easel } from '../../src/easel.ts';
import { limitHeapGrowth } from '../../src/lifecycle.ts';
import { createLog } from '../../src/log.ts';
import { createDiscord } from '../../src/platforms/discord/index.ts';
import { createSlack } from '../../src/platforms/slack/index.ts';
import { ServiceClient } from '../../src/service/client.ts';
import { PROFILES } from '../../src/service/profiles.ts';
import { openStore } from '../../src/store/open-store.ts';
import { createClaim } from '../../src/store/store.ts';

/**
 * Easel, without Slack's rate limits: `easel.ts SETTINGS`, as JSON. Prints `ready`. Answers the messages
 * `census` and `restart` of its parent process.
 */

export type EaselSettings = {
	service: string;
	store: string;
	slack?: { apiUrl: string; botToken: string; appToken: string };
	discord?: { api: string; cdn: string; token: string };
};

/** What a process holds, after a collection of garbage. */
export type Census = {
	'resident, MB': number;
	'heap, MB': number;
	handles: number;
	timers: number;
	emitters: number;
	listeners: number;
};

const { service: baseUrl, store: storeUrl, slack, discord } = JSON.parse(process.argv[2] ?? '') as EaselSettings;
const log = await createLog({ level: 'error', format: 'json', secrets: [] });
const described = describeCommands(commands, PROFILES.easel.capabilities);

async function startEasel(): Promise<() => Promise<void>> {
	const store = await openStore(storeUrl);
	const platforms: Platform[] = [];
	if (slack) {
		const space = store.space('slack');
		const { apiUrl, ...tokens } = slack;
		const options = {
			access: { kind: 'socket', ...tokens } as const,
			...{ apiUrl, commands: described, moderators: [], attachmentOrigins: [], log },
			...{ space, claim: createClaim(space), timing: { rateLimitFactor: 0 } },
		};
		platforms.push(createSlack(options).platform);
	}
	if (discord) {
		const space = store.space('discord');
		const options = {
			...{ token: discord.token, apiUrl: discord.api, attachmentOrigins: [new URL(discord.cdn).origin] },
			...({ shards: 'auto', messageContent: true, register: false } as const),
			...{ keyv: space.keyv, claim: createClaim(space), commands: described, log },
		};
		platforms.push(createDiscord(options));
	}
	const models = { image: 'alpha-image', chat: 'chat', embedding: 'embedding' };
	const service = new ServiceClient({ baseUrl, apiKey: 'key', timeoutMs: 180_000, models });
	const easel = new Easel({ store, service, platforms, commands, log, plan: { price: 30 }, followUpMs: 10 });
	const bot = new Bot(easel);
	await bot.start();
	for (const platform of platforms) await platform.start(bot);
	await bot.startSweeps();
	return async () => {
		await Promise.all([bot.stop(7000), ...platforms.map((platform) => platform.stop())]);
		await service.close();
		await store.close();
	};
}

/** What is only reachable weakly goes in the first collection, and what it held in the next. */
async function census(): Promise<Census> {
	for (let round = 0; round < 3; round++) {
		globalThis.gc?.();
		await new Promise(setImmediate);
	}
	const resources = process.getActiveResourcesInfo();
	const timers = resources.filter((name) => name === 'Timeout' || name === 'Immediate').length;
	const { rss, heapUsed } = process.memoryUsage();
	return {
		'resident, MB': rss / 2 ** 20,
		'heap, MB': heapUsed / 2 ** 20,
		handles: resources.length - timers,
		timers,
		emitters: Number(queryObjects(EventEmitter, { format: 'count' })),
		listeners: process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0),
	};
}

let stopEasel = async () => {};
async function restart(): Promise<void> {
	await stopEasel();
	stopEasel = await startEasel();
}
// Not awaited here for its value, which the module would keep until the process ends.
await restart();
process.on('message', async (message) => {
	if (message === 'census') process.send?.(await census());
	if (message !== 'restart') return;
	await restart();
	process.send?.('restarted');
});
process.once('SIGTERM', async () => {
	await stopEasel();
	process.exit(0);
});
limitHeapGrowth();
console.log('ready');
