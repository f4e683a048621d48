import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { answersPictures, held } from '../packages/fakes/src/service.ts';
import { TcpProxy } from '../packages/fakes/src/tcp-proxy.ts';
import { openStore } from '../src/store/open-store.ts';
import { BotHarness, hasPictures } from './harness/bot-harness.ts';
import { hasRedis, type RedisServer, startRedis } from './harness/redis.ts';

/** A primary and its replica, behind one address. */
class ReplicatedRedis {
	readonly primary: RedisServer;
	readonly replica: RedisServer;
	/** The address that the bot is configured with. */
	readonly address: TcpProxy;
	/** The way from the primary to its replica. */
	readonly link: TcpProxy;

	private constructor(primary: RedisServer, replica: RedisServer, address: TcpProxy, link: TcpProxy) {
		this.primary = primary;
		this.replica = replica;
		this.address = address;
		this.link = link;
	}

	static async start(...settings: string[]): Promise<ReplicatedRedis> {
		const primary = await startRedis('--repl-diskless-sync-delay', '0', ...settings);
		const link = await TcpProxy.start(primary.port);
		const address = await TcpProxy.start(primary.port);
		const replica = await startRedis('--replicaof', '127.0.0.1', String(link.port));
		await expect.poll(() => primary.send('WAIT', '1', '100')).toBe(1);
		return new ReplicatedRedis(primary, replica, address, link);
	}

	get url(): string {
		return `redis://127.0.0.1:${this.address.port}`;
	}

	/** From now on, the replica receives nothing. */
	async separate(): Promise<void> {
		// WAIT looks at the writes of its own connection only.
		const offset = async (server: RedisServer, name: string) =>
			Number(new RegExp(`${name}:(\\d+)`).exec(String(await server.send('INFO', 'replication')))?.[1]);
		const written = await offset(this.primary, 'master_repl_offset');
		await expect.poll(() => offset(this.replica, 'slave_repl_offset')).toBeGreaterThanOrEqual(written);
		this.link.hold();
	}

	/** The primary dies, and the replica takes its place. */
	async promote(): Promise<void> {
		await this.primary.stop();
		await this.replica.send('REPLICAOF', 'NO', 'ONE');
		this.address.target = this.replica.port;
	}

	async close(): Promise<void> {
		await Promise.all([this.address.close(), this.link.close()]);
		await Promise.all([this.primary.close(), this.replica.close()]);
	}
}

async function start(...settings: string[]) {
	const redis = await ReplicatedRedis.start(...settings);
	onTestFinished(() => redis.close());
	const bots = await BotHarness.create(await openStore(redis.url));
	onTestFinished(() => bots.close());
	return { redis, bots };
}

/** Waits until the store is used again after a promotion. */
const reconnected = ({ store }: BotHarness) => expect.poll(() => store.ping().then(() => true, String)).toBe(true);

describe.runIf(hasRedis)('the promotion of a replica that lacks the last commits', () => {
	let redis: ReplicatedRedis;
	let bots: BotHarness;
	beforeEach(async () => {
		({ redis, bots } = await start());
	});

	test('makes no second call for a request that this process has sent', async () => {
		const bot = await bots.start();
		await bot.invoke(bots.imagine('before'));
		await redis.separate();
		await bot.invoke(bots.imagine('answered'));
		const { behaviour, release } = held(answersPictures(bots.png));
		bots.faulty.next(behaviour);
		const sent = bot.invoke(bots.imagine('sent'));
		await bots.faulty.arrived(3);
		await redis.promote();
		await reconnected(bots);
		release();
		await sent;
		for (const id of ['before', 'answered', 'sent']) await bot.invoke(bots.imagine(id));
		await bot.sweep();
		for (const id of ['before', 'answered', 'sent']) expect(bots.seen(id), id).toSatisfy(hasPictures);
		expect(bots.faulty.requests).toHaveLength(3);
	});

	test('makes no second call when the process that sent it is gone, too', async () => {
		const bot = await bots.start();
		await bot.invoke(bots.imagine('before'));
		await redis.separate();
		const { behaviour, release } = held(answersPictures(bots.png));
		bots.faulty.next(behaviour);
		const sent = bot.invoke(bots.imagine('sent'));
		await bots.faulty.arrived(2);
		await redis.promote();
		await reconnected(bots);
		const next = await bots.start();
		await next.sweep();
		expect(bots.faulty.requests).toHaveLength(2);
		release();
		await sent;
	});

	test('leaves a delivered picture alone when the end of its job is lost', async () => {
		const bot = await bots.start();
		const { behaviour, release } = held(answersPictures(bots.png));
		bots.faulty.next(behaviour);
		const sent = bot.invoke(bots.imagine('sent'));
		await bots.faulty.arrived(1);
		await redis.separate();
		release();
		await sent;
		const answer = bots.seen('sent');
		expect(answer).toSatisfy(hasPictures);
		await redis.promote();
		await reconnected(bots);
		expect(await bots.openJobs()).toEqual(['sent']);
		await bot.sweep();
		expect(bots.seen('sent')).toEqual(answer);
		expect(await bots.openJobs()).toEqual([]);
		expect(await bots.callsToday()).toBe(1);
	});

	test('lets a cap be exceeded by the calls whose reservations are lost, and by no more', async () => {
		const bot = await bots.start({ plan: { imagesPerMonth: 4, price: 0 } });
		await bot.invoke(bots.imagine('before'));
		await redis.separate();
		for (const id of ['lost 1', 'lost 2']) await bot.invoke(bots.imagine(id));
		await redis.promote();
		await reconnected(bots);
		const later = ['3', '4', '5', '6', '7'];
		await Promise.all(later.map((id) => bot.invoke(bots.imagine(id))));
		expect(bots.faulty.requests).toHaveLength(4 + 2);
	});
});
