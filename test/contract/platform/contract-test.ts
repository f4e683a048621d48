import { test as base } from 'vitest';
import { Actor } from '../../../packages/fakes/src/actor.ts';
import { type FaultyService, startFaultyService } from '../../../packages/fakes/src/service.ts';
import type { PictureFile, SeenMessage } from '../../../packages/fakes/src/test-user.ts';
import type { PlatformHarness } from '../../harness/platform.ts';

type Fixtures = {
	service: FaultyService;
	/** Where compositions go. */
	composePath: string;
	harness: PlatformHarness;
	/** A moderator. */
	ada: Actor;
	bjorn: Actor;
	/** Returns how many calls Ada has used today. */
	usageToday: () => Promise<number>;
	/** Posts a message as Björn, and returns it as Ada sees it. */
	shareMessage: (text: string, ...files: PictureFile[]) => Promise<SeenMessage>;
};

/** The API of the image service: how it is started, and where compositions go. */
export type ServiceApi = { start(): Promise<FaultyService>; composePath: string };

const EASEL: ServiceApi = { start: () => startFaultyService(), composePath: '/v1/images/compose' };

/** Starts Easel on a platform, with the image service at this URL. */
export type OpenHarness = (serviceUrl: string) => Promise<PlatformHarness>;

export type ContractTest = ReturnType<typeof createContractTest>;

/** Returns a `test` whose fixtures are Easel on a platform and its users. Each test has its own. */
export const createContractTest = (open: OpenHarness, { start, composePath }: ServiceApi = EASEL) =>
	base.extend<Fixtures>({
		// biome-ignore lint/correctness/noEmptyPattern: vitest requires a pattern here.
		service: async ({}, use) => {
			const service = await start();
			await use(service);
			await service.close();
		},
		// biome-ignore lint/correctness/noEmptyPattern: vitest requires a pattern here.
		composePath: ({}, use) => use(composePath),
		harness: async ({ service }, use) => {
			const harness = await open(service.url);
			await use(harness);
			await harness.close();
		},
		ada: ({ harness }, use) => use(new Actor(harness.user('ada'))),
		bjorn: ({ harness }, use) => use(new Actor(harness.user('bjorn'))),
		usageToday: ({ ada }, use) =>
			use(async () => {
				const { text } = await ada.does('/usage').sees(/You today/);
				return Number(text.match(/You today: (\d+)/)?.[1]);
			}),
		shareMessage: ({ ada, bjorn }, use) =>
			use(async (text, ...files) => {
				await bjorn.says(text, files);
				return ada.finds(new RegExp(text));
			}),
	});
