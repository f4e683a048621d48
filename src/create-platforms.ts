import type { Hono } from 'hono';
import type { Config } from './config/config.ts';
import { servesPlaceOf } from './domain/channel.ts';
import type { CommandDescription } from './domain/command.ts';
import type { TryOut } from './domain/findings.ts';
import type { Platform } from './domain/platform.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics/metrics.ts';
import { createClaim, type Store } from './store/store.ts';

/**
 * The configured platforms, and the HTTP routes of those that have some. A platform's code is loaded only when it is configured.
 * @param tryOut for the page of the sandbox
 */
export async function createPlatforms(
	{ discord, slack, sandbox, servers, attachmentOrigins, retentionMs, http }: Config,
	commands: readonly CommandDescription[],
	store: Store,
	log: Log,
	{ onInvalidDiscordRequest: onInvalidRequest, onRateLimitWait }: Metrics,
	tryOut?: TryOut,
): Promise<{ platforms: Platform[]; routes: Hono[] }> {
	const created: { platform: Platform; routes?: Hono | undefined }[] = [];
	const optionsOf = (name: 'discord' | 'slack') => {
		const space = store.space(name);
		return {
			...{ serves: servesPlaceOf(servers), attachmentOrigins, commands, retentionMs, log },
			...{ space, keyv: space.keyv, claim: createClaim(space) },
			onRateLimitWait: (seconds: number) => onRateLimitWait(name, seconds),
		};
	};
	if (discord) {
		const { createDiscord } = await import('./platforms/discord/index.ts');
		created.push({ platform: createDiscord({ ...discord, ...optionsOf('discord'), onInvalidRequest }) });
	}
	if (slack) {
		const { createSlack } = await import('./platforms/slack/index.ts');
		created.push(createSlack({ ...slack, ...optionsOf('slack') }));
	}
	if (sandbox) {
		const { createSandbox } = await import('./platforms/sandbox/index.ts');
		const space = store.space('sandbox');
		created.push(createSandbox({ commands, space, bounds: { retentionMs }, hosts: [http.host], tryOut, log }));
	}
	return { platforms: created.map(({ platform }) => platform), routes: created.flatMap(({ routes = [] }) => routes) };
}

/** Returns the names of the configured platforms. */
export const platformNames = (config: Config): string[] => [...platformTitles(config).keys()];

/** Returns the configured platforms as people call them, by name. */
export function platformTitles({ discord, slack, sandbox }: Config): Map<string, string> {
	const ways = { socket: 'Socket Mode', http: 'HTTP', oauth: 'HTTP, many workspaces' };
	return new Map([
		...(discord ? [['discord', 'Discord'] as const] : []),
		...(slack ? [['slack', `Slack (${ways[slack.access.kind]})`] as const] : []),
		...(sandbox ? [['sandbox', 'the browser sandbox'] as const] : []),
	]);
}
