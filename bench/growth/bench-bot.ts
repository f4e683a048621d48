import { pino } from 'pino';
import { commands } from '../../commands/index.ts';
import type { Bot } from '../../src/bot/bot.ts';
import { Conversations } from '../../src/bot/chat/conversations.ts';
import { createBot } from '../../src/bot/create-bot.ts';
import { createServices } from '../../src/bot/create-services.ts';
import type { BotServices } from '../../src/bot/services.ts';
import type { Job } from '../../src/domain/job.ts';
import type { Platform } from '../../src/domain/platform.ts';
import { createEasel } from '../../src/easel.ts';
import { ServiceClient } from '../../src/service/client.ts';
import type { Store } from '../../src/store/store.ts';
import { CLUB, channelOf, idOf, memberOf, PLATFORM, requestOf } from './earlier-pictures.ts';

/** The parts of a process that read and write the store. */
export type BenchProcess = {
	services: BotServices;
	conversations: Conversations;
	/** A whole bot on the same store, as a process of its own, that has not started. */
	bot: Bot;
	close(): Promise<void>;
};

/** Creates the parts of a process on a platform that has no messages. */
export function createBenchProcess(store: Store, retentionMs: number): BenchProcess {
	const service = new ServiceClient({
		baseUrl: 'http://127.0.0.1:1',
		timeoutMs: 1000,
		models: { image: 'image', chat: 'chat', embedding: 'embedding' },
	});
	const platform: Platform = {
		name: PLATFORM,
		start: async () => {},
		stop: async () => {},
		state: () => 'ready',
		find: async () => undefined,
		channel: async () => undefined,
		direct: async () => undefined,
	};
	const log = pino({ level: 'error' });
	const options = { commands, service, store, platforms: [platform], log, plan: { price: 30 }, retentionMs };
	const services = createServices(createEasel(options), options);
	const conversations = new Conversations(store.space('chats'), retentionMs);
	return { services, conversations, bot: createBot(options), close: () => service.close() };
}

/** Reserves a call for a picture in the measured server. */
export async function reservePicture({ ledger }: BotServices, number: number): Promise<Job> {
	const place = channelOf(CLUB, number);
	const id = idOf(Date.now(), number);
	const request = { id, command: 'imagine', place, person: memberOf(number), answer: { place, key: id } };
	const job = await ledger.reserve(request);
	if (job === 'duplicate' || 'denied' in job) throw new Error('The benchmark was refused.');
	return job;
}

const PICTURE = new Uint8Array(4096);

/** Calls the store as a picture does on its way, from the reservation until its job is closed. */
export async function makePicture(services: BotServices, number: number): Promise<void> {
	const { ledger, requests, pictureStore, settings, recentResults, resultSearch, notices } = services;
	const job = await reservePicture(services, number);
	const { id, place, person, answer, at } = job;
	const request = requestOf(job);
	const stored = { ...request, prompt: request.options.prompt, private: false, count: 1 };
	await requests.save(id, stored);
	await ledger.markSent(job);
	await pictureStore.keep(id, [PICTURE]);
	const settled = await ledger.settle({ ...job, state: 'sent' }, 'succeeded', 1);
	const rules = await settings.get(place);
	const usage = await ledger.usageStatus(place, person, 'pictures', rules);
	await ledger.close(settled, 'delivered');
	await pictureStore.drop(id);
	await recentResults.add(place, person, id, { handle: answer, prompt: request.options.prompt, at });
	await resultSearch.add(id, stored);
	await pictureStore.remember(id, [PICTURE]);
	await notices.notify(place, usage, rules);
}
