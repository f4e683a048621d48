import { commands } from '../../commands/index.ts';
import { Bot } from '../../src/bot/bot.ts';
import type { AltTextKind } from '../../src/bot/results/alt-texts.ts';
import type { ServesPlace } from '../../src/domain/channel.ts';
import type { PriceRow } from '../../src/domain/job.ts';
import type { Platform } from '../../src/domain/platform.ts';
import { Easel } from '../../src/easel.ts';
import { createOperatorRoutes } from '../../src/http.ts';
import type { PauseRule } from '../../src/jobs/outcome.ts';
import type { Log } from '../../src/log.ts';
import { ServiceClient } from '../../src/service/client.ts';
import { PROFILES, type ProfileName } from '../../src/service/profiles.ts';
import type { Store } from '../../src/store/store.ts';
import type { OperatorCaps } from '../../src/usage/caps.ts';
import { expectKnownKinds } from './known-kinds.ts';

/** How long a chat waits for follow-up messages: long enough for messages that are sent together, short enough for many tests. */
const FOLLOW_UP_MS = 150;

/** The models of the fakes. */
const IMAGE_MODELS: Partial<Record<ProfileName, string>> = { easel: 'alpha-image', openai: 'gpt-image-2' };

/** What the operator configures. */
export type OperatorSettings = {
	caps?: OperatorCaps;
	prices?: readonly PriceRow[];
	serves?: ServesPlace;
	moderationModel?: string;
	chatMaxTokens?: number;
	pauseRule?: PauseRule;
	altText?: AltTextKind;
};

/** Starts Easel on one platform, with the image service at `serviceUrl`. `stop` does not wait for running requests. */
export async function startBot(
	platform: Platform,
	serviceUrl: string,
	store: Store,
	log: Log,
	profile: ProfileName = 'easel',
	{ caps, prices, serves = () => true, moderationModel, chatMaxTokens, pauseRule, altText }: OperatorSettings = {},
) {
	const service = new ServiceClient({
		baseUrl: serviceUrl,
		apiKey: 'test-key',
		timeoutMs: 10_000,
		chatMaxTokens,
		profile: PROFILES[profile],
		hasPrices: prices !== undefined,
		models: {
			...{ image: IMAGE_MODELS[profile] ?? 'some-image-model', chat: 'chat', embedding: 'embedding' },
			moderation: moderationModel,
		},
	});
	const plan = { price: 30, caps, prices };
	const easel = new Easel({
		...{ store, service, platforms: [platform], commands, log, plan, pauseRule, altText },
		...{ directImagesPerDay: 2, followUpMs: FOLLOW_UP_MS },
	});
	const bot = new Bot(easel, { serves });
	await bot.start();
	await platform.start(bot);
	await bot.startSweeps();
	const operator = createOperatorRoutes({ platforms: [platform], store, metrics: async () => '', host: 'localhost' });
	return {
		/** Returns the status of `/healthz`. */
		health: async () => (await operator.request('/healthz')).status,
		async stop(closing: () => Promise<void> = async () => {}) {
			await Promise.all([bot.stop(0), platform.stop()]);
			await closing();
			await service.close();
			await expectKnownKinds(store);
			await store.close();
		},
	};
}
