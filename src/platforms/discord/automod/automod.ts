import { setImmediate } from 'node:timers/promises';
import { type APIAutoModerationRule, type REST, Routes } from 'discord.js';
import { LRUCache } from 'lru-cache';
import type { BrokenRule, Person, Place } from '../../../domain/channel.ts';
import type { Log } from '../../../log.ts';
import { isMissing } from '../api/rest.ts';
import type { ClientCache } from '../gateway/gateway.ts';
import { type KeywordRule, keywordRuleOf } from './keyword-rule.ts';
import { PatternCompiler } from './linear-patterns.ts';

/** Rules are read again after this time, in case the event of a change was lost. */
const FRESH_MS = 5 * 60 * 1000;
const MAX_SERVERS = 1000;

const TIMEOUT_MS = 2500;

type AutoModOptions = { rest: REST; cache: Pick<ClientCache, 'mayManageServer'>; log: Log };

/**
 * Applies the servers' AutoMod keyword rules to prompts. Discord applies them to the messages of members, not to commands, nor to
 * what a bot posts where it is a member. Where the bot may not read the rules, nothing is blocked.
 */
export class AutoMod {
	readonly #options: AutoModOptions;
	/** The servers with patterns that are ignored, and why: reported once. */
	readonly #reported = new LRUCache<string, true>({ max: MAX_SERVERS });
	/** After a failure the next request reads them again. */
	readonly #rules = new LRUCache<string, KeywordRule[]>({
		...{ max: MAX_SERVERS, ttl: FRESH_MS, ignoreFetchAbort: true },
		fetchMethod: (server) => this.#read(server),
	});

	constructor(options: AutoModOptions) {
		this.#options = options;
	}

	/** See `Channel.screen`. As in Discord, the rules do not apply to members who manage the server. */
	async screen({ server, channel, thread }: Place, text: string, person: Person): Promise<BrokenRule | undefined> {
		const isServer = /^\d+$/.test(server);
		if (person.moderator || !isServer) return undefined;
		const rules = (await this.#rulesOf(server)).filter(
			({ exemptRoles, exemptChannels }) =>
				!exemptChannels.includes(channel) &&
				!(thread !== undefined && exemptChannels.includes(thread)) &&
				!exemptRoles.some((role) => person.roles?.includes(role)),
		);
		for (const { name, message, isBrokenBy } of rules) {
			if (await isBrokenBy(text)) return { name, message };
		}
		return undefined;
	}

	/** Discards the cached rules of a server, one of which has changed. */
	invalidate({ guild_id: server }: Pick<APIAutoModerationRule, 'guild_id'>): void {
		this.#rules.delete(server);
	}

	async #rulesOf(server: string): Promise<KeywordRule[]> {
		// Discord counts refused requests: 10,000 in ten minutes, of all servers together, block the address.
		// https://docs.discord.com/developers/topics/rate-limits#invalid-request-limit-aka-cloudflare-bans
		if (this.#options.cache.mayManageServer(server) === false) return [];
		return (await this.#rules.fetch(server)) ?? [];
	}

	async #read(server: string): Promise<KeywordRule[]> {
		const { rest, log } = this.#options;
		try {
			const signal = AbortSignal.timeout(TIMEOUT_MS);
			const rules = (await rest.get(Routes.guildAutoModerationRules(server), { signal })) as APIAutoModerationRule[];
			const compiler = new PatternCompiler((why) => {
				if (this.#reported.has(`${server}:${why}`)) return;
				this.#reported.set(`${server}:${why}`, true);
				log.warn({ server, why }, 'Patterns of AutoMod rules are ignored because they cannot be applied');
			});
			const keywordRules: KeywordRule[] = [];
			for (const rule of rules) {
				await setImmediate();
				const keywordRule = keywordRuleOf(rule, compiler);
				if (keywordRule) keywordRules.push(keywordRule);
			}
			return keywordRules;
		} catch (error) {
			if (isMissing(error)) return [];
			throw error;
		}
	}
}
