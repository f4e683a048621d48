import { commands } from '../../commands/index.ts';
import { type DiscordFake, type DiscordOptions, startDiscord } from '../../packages/fakes/src/discord/index.ts';
import { describeCommands } from '../../src/bot/declaration/options.ts';
import { createLog } from '../../src/log.ts';
import { createDiscord, createRest, registerCommands } from '../../src/platforms/discord/index.ts';
import { PROFILES, type ProfileName } from '../../src/service/profiles.ts';
import { openStore } from '../../src/store/open-store.ts';
import { createClaim } from '../../src/store/store.ts';
import { type OperatorSettings, startBot } from './easel.ts';
import { openHarness, type PlatformHarness } from './platform.ts';

/** The commands as Discord has them after their first registration, which every harness would repeat. */
const registered = new Map<ProfileName, ReturnType<DiscordFake['commands']>>();

/** Starts Easel on a fake Discord, with a store in a file by default and the image service at `serviceUrl`. */
export async function openDiscordHarness(
	serviceUrl: string,
	options: DiscordOptions = {},
	store?: string,
	profile: ProfileName = 'easel',
): Promise<PlatformHarness & { discord: DiscordFake }> {
	// Rate limits apply, with windows of a fiftieth of their length.
	const known = registered.get(profile);
	const discord = await startDiscord({ pace: 0.02, commands: known, ...options });
	if (!known) {
		await register(discord, profile);
		registered.set(profile, discord.commands());
	}
	const harness = await openHarness(
		discord,
		(storeUrl, settings) => startEasel(discord, { serviceUrl, storeUrl, profile }, settings),
		(user) => user,
		store,
	);
	return { ...harness, discord };
}

async function register({ token, api }: DiscordFake, profile: ProfileName): Promise<void> {
	const log = await createLog({ level: 'silent', format: 'json', secrets: [] });
	const rest = createRest({ token, apiUrl: api, log });
	await registerCommands({ rest, commands: describeCommands(commands, PROFILES[profile].capabilities) });
}

type StartOptions = { serviceUrl: string; storeUrl: string; profile: ProfileName };

async function startEasel(
	discord: DiscordFake,
	{ serviceUrl, storeUrl, profile }: StartOptions,
	settings?: OperatorSettings,
) {
	const log = await createLog({ level: process.env['EASEL_TEST_LOG'] ?? 'silent', format: 'json', secrets: [] });
	const store = await openStore(storeUrl);
	const platform = createDiscord({
		...(settings?.serves && { serves: settings.serves }),
		token: discord.token,
		apiUrl: discord.api,
		shards: 'auto',
		messageContent: true,
		register: false,
		commands: describeCommands(commands, PROFILES[profile].capabilities),
		attachmentOrigins: [new URL(discord.cdn).origin],
		keyv: store.space('discord').keyv,
		claim: createClaim(store.space('discord')),
		log,
	});
	return startBot(platform, serviceUrl, store, log, profile, settings);
}
