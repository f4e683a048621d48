import { hasRedis, startRedis } from './redis.ts';
import { canMount, mountSmallDisk } from './small-disk.ts';

/** A store that can be made to fail, and to work again. */
export type FailingStore = {
	/** As `STORE_URL`. */
	url: string;
	fail(): Promise<unknown>;
	mend(): Promise<unknown>;
	close(): Promise<void>;
};

/** A way in which a store fails. */
export type StoreFailure = { name: string; isAvailable: boolean; start(): Promise<FailingStore> };

const onRedis = (
	name: string,
	ways: (redis: Awaited<ReturnType<typeof startRedis>>) => Pick<FailingStore, 'fail' | 'mend'>,
): StoreFailure => ({
	name,
	isAvailable: hasRedis,
	async start() {
		const redis = await startRedis();
		return { url: redis.url, ...ways(redis), close: redis.close };
	},
});

export const STORE_FAILURES: readonly StoreFailure[] = [
	onRedis('Redis is killed', ({ stop, start }) => ({ fail: stop, mend: start })),
	onRedis('Redis does not answer', ({ suspend, resume }) => ({
		fail: async () => suspend(),
		mend: async () => resume(),
	})),
	onRedis('Redis is at maxmemory', ({ send }) => ({
		fail: () => send('CONFIG', 'SET', 'maxmemory', '1'),
		mend: () => send('CONFIG', 'SET', 'maxmemory', '0'),
	})),
	{
		name: 'the disk of SQLite is full',
		isAvailable: canMount,
		async start() {
			const { folder, fill, free, close } = mountSmallDisk();
			return {
				url: `sqlite:${folder}/easel.db`,
				fail: async () => fill(),
				mend: async () => free(),
				close: async () => close(),
			};
		},
	},
];
