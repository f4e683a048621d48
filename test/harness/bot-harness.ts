import { commands } from '../../commands/index.ts';
import { answersPictures, type FaultyService, smallPng, startFaultyService } from '../../packages/fakes/src/service.ts';
import { Bot, type BotOptions } from '../../src/bot/bot.ts';
import type { Channel, Person, Post, Reply } from '../../src/domain/channel.ts';
import type { Job } from '../../src/domain/job.ts';
import type { Invocation, Platform } from '../../src/domain/platform.ts';
import { Easel, type EaselOptions } from '../../src/easel.ts';
import { PlatformRefusedError } from '../../src/i18n/translator.ts';
import { createLog } from '../../src/log.ts';
import { ServiceClient, type ServiceOptions } from '../../src/service/client.ts';
import type { ServiceProfile } from '../../src/service/profiles.ts';
import type { Service } from '../../src/service/service.ts';
import { openStore } from '../../src/store/open-store.ts';
import { type Change, membersOf, type Space, type Store } from '../../src/store/store.ts';
import { OPEN_JOBS } from '../../src/usage/jobs.ts';
import type { Lease } from '../../src/usage/lease.ts';
import { expectKnownKinds } from './known-kinds.ts';

export const ada: Person = { id: 'ada', name: 'Ada', moderator: false };
export const moderator: Person = { id: 'mod', name: 'Mod', moderator: true };

/** Returns the state in which a change stores a job; undefined when it stores none. */
export const storedState = ({ put = [] }: Change): Job['state'] | undefined =>
	(put.find(({ key }) => key.startsWith('job:'))?.value as Job | undefined)?.state;

export const hasPictures = ({ pictures }: Reply) => (pictures?.length ?? 0) > 0;

/** A platform with one channel, in memory, which can refuse single posts and edits. */
export function createFakePlatform() {
	const messages = new Map<string, Reply>();
	const place = { platform: 'test', server: 'server', channel: 'channel' };
	const refuses = { post: (_: Reply) => false, edit: (_: Reply) => false, isOutage: false };
	const refusal = () =>
		refuses.isOutage ? new Error('Service Unavailable') : new PlatformRefusedError('discord.errors.channelGone');
	const postOf = (key: string): Post => ({
		handle: { place, key },
		async edit(reply) {
			if (refuses.edit(reply)) throw refusal();
			messages.set(key, { ...messages.get(key), ...reply });
		},
		async delete() {
			messages.delete(key);
		},
		pictures: async () =>
			(messages.get(key)?.pictures ?? []).map(({ name, bytes }) => ({ name, read: async () => bytes })),
	});
	const channel: Channel = {
		place,
		limits: { text: 2000, pictures: 10, pictureBytes: 10 ** 7, edits: { count: 5, perMs: 5000 } },
		async post(reply, key, { ifAbsent = false } = {}) {
			if (refuses.post(reply)) throw refusal();
			if (!ifAbsent || !messages.has(key)) messages.set(key, reply);
			return postOf(key);
		},
		openThread: async () => channel,
		when: (at) => new Date(at).toISOString(),
		refer: (_, id) => id,
	};
	const platform: Platform = {
		name: 'test',
		start: async () => {},
		stop: async () => {},
		state: () => 'ready',
		find: async ({ key }) => (messages.has(key) ? postOf(key) : undefined),
		channel: async () => channel,
		direct: async () => undefined,
	};
	return { messages, refuses, channel, platform };
}

/** Bots on one platform, one store and one image service. Each bot stands for a process; an earlier one counts as gone. */
export class BotHarness {
	/** The picture that the service makes. */
	readonly png: Buffer;
	readonly faulty: FaultyService;
	readonly store: Store;
	readonly platform: Platform;
	readonly channel: Channel;
	/** The messages that people see, by their keys. */
	readonly messages: ReadonlyMap<string, Reply>;
	/** Decide which posts and edits the platform refuses, for good or, in an outage, for now. */
	readonly refuses: ReturnType<typeof createFakePlatform>['refuses'];
	#service: Service;
	readonly #leases = new Map<Bot, Lease>();

	private constructor(faulty: FaultyService, store: Store, png: Buffer) {
		this.png = png;
		this.faulty = faulty;
		this.store = store;
		const { platform, channel, messages, refuses } = createFakePlatform();
		this.platform = platform;
		this.channel = channel;
		this.messages = messages;
		this.refuses = refuses;
		this.#service = this.#client({});
	}

	/** @param store in memory by default */
	static async create(store?: Store): Promise<BotHarness> {
		const faulty = await startFaultyService();
		const png = await smallPng('#27ae60');
		faulty.always(answersPictures(png));
		return new BotHarness(faulty, store ?? (await openStore('memory:')), png);
	}

	async close(): Promise<void> {
		await this.#service.close();
		await this.faulty.close();
		await expectKnownKinds(this.store);
		await this.store.close();
	}

	/**
	 * Starts a bot, as if in a process of its own.
	 * @param options.earlier whether the bots that were started before have ended, which is the default, or go on
	 */
	async start({
		earlier = 'ended',
		...options
	}: Partial<BotOptions & EaselOptions> & { earlier?: 'ended' | 'alive' } = {}): Promise<Bot> {
		if (earlier === 'ended') for (const bot of this.#leases.keys()) await this.end(bot);
		const log = await createLog({ level: 'silent', format: 'json', secrets: [] });
		const { store, platform } = this;
		const easel = new Easel({
			service: this.#service,
			store,
			platforms: [platform],
			commands,
			log,
			plan: { price: 30 },
			...options,
		});
		const bot = new Bot(easel, options);
		await bot.start();
		this.#leases.set(bot, easel.lease);
		return bot;
	}

	/** Ends the process of a bot, as far as others know. */
	async end(bot: Bot): Promise<void> {
		const lease = this.#leases.get(bot);
		if (!lease) return;
		this.#leases.delete(bot);
		// Not by the store of the bot, which may fail.
		await this.store.space('ledger').keyv.set(`lease:${lease.processId}`, { expiresAt: 0 }, 60_000);
		lease.renew = async () => {};
	}

	/** Replaces the client of the service, for bots that are started from now on. */
	async useService(profile: ServiceProfile, options: Partial<ServiceOptions> = {}): Promise<void> {
		await this.#service.close();
		this.#service = this.#client({ profile, ...options });
	}

	/** Returns the store with a different `commit`. */
	withCommit(commit: (change: Change, next: Space['commit']) => ReturnType<Space['commit']>): Store {
		const { store } = this;
		return {
			...store,
			space(name) {
				const space = store.space(name);
				return { ...space, commit: (change) => commit(change, (next) => space.commit(next)) };
			},
		};
	}

	/** Returns Ada's request for a picture of a pond. */
	imagine(id = 'job', options: Record<string, unknown> = {}): Invocation {
		const { channel } = this;
		return { id, command: 'imagine', options: { prompt: 'a pond', ...options }, person: ada, channel };
	}

	press(bot: Bot, id: string, button: string, key: string, person = ada): Promise<void> {
		const { channel } = this;
		const message = { place: channel.place, key };
		return bot.press({ id, button, person, channel, message, attached: [], open: async () => {} });
	}

	seen(key: string): Reply | undefined {
		return this.messages.get(key);
	}

	/** Returns the bytes of the first picture of a message. */
	pictureIn(key: string): Buffer {
		return Buffer.from(this.seen(key)?.pictures?.[0]?.bytes ?? []);
	}

	/** Returns the keys of the messages that a press of **Show them here** has posted. */
	collected(press: string): string[] {
		return [...this.messages.keys()].filter((key) => key.startsWith(`${press}.`));
	}

	/** Returns the ids of the jobs that have not ended in an answer. */
	openJobs(): Promise<string[]> {
		return Array.fromAsync(membersOf(this.store.space('ledger'), OPEN_JOBS));
	}

	async jobState(): Promise<string | undefined> {
		return (await this.store.space('ledger').keyv.get<{ state: string }>('job:job'))?.state;
	}

	/** Returns the calls that `/usage` shows for today. */
	async callsToday(): Promise<number> {
		const bot = await this.start();
		await bot.invoke({ id: 'usage', command: 'usage', options: {}, person: ada, channel: this.channel });
		return Number(this.seen('usage')?.text.match(/You today: (\d+)/)?.[1]);
	}

	#client(options: Partial<ServiceOptions>): Service {
		return new ServiceClient({
			baseUrl: this.faulty.url,
			apiKey: 'key',
			timeoutMs: 5000,
			models: { image: 'alpha-image', chat: 'chat', embedding: 'embedding' },
			...options,
		});
	}
}
