import type { APIAutoModerationRule } from 'discord.js';
import { LRUCache } from 'lru-cache';
import type { Person } from '../../../domain/person.ts';
import type { Place } from '../../../domain/place.ts';
import { translatorFor } from '../../../i18n/translator.ts';
import type { Log } from '../../../log.ts';
import { isMissing } from '../api/missing.ts';
import { BoundedPatterns } from './bounded-patterns.ts';
import { type KeywordRule, keywordRuleOf } from './keyword-rule.ts';

/** Rules are read again after this time, in case the event of a change was lost. */
const FRESH_MS = 5 * 60 * 1000;
const MAX_SERVERS = 1000;

const TIMEOUT_MS = 2500;

/** Rejects when the bot may not read the rules of the server. */
type ListRules = (server: string, signal: AbortSignal) => Promise<APIAutoModerationRule[]>;

/**
 * Applies the servers' AutoMod keyword rules to prompts. Discord applies them to the messages of members only, not to commands and to
 * what a bot posts. Where the bot may not read the rules, nothing is blocked.
 */
export class AutoMod {
	readonly #listRules: ListRules;
	readonly #patterns: BoundedPatterns;
	readonly #rules = new LRUCache<string, Promise<KeywordRule[]>>({ max: MAX_SERVERS, ttl: FRESH_MS });

	constructor(listRules: ListRules, log: Log) {
		this.#listRules = listRules;
		this.#patterns = new BoundedPatterns((why) =>
			log.warn({ why }, 'A pattern of an AutoMod rule is ignored because it cannot be applied'),
		);
	}

	/** See `Channel.screen`. As in Discord, the rules do not apply to members who manage the server. */
	async screen({ server, channel, thread }: Place, text: string, person: Person): Promise<string | undefined> {
		const isServer = /^\d+$/.test(server);
		if (person.moderator || !isServer) return undefined;
		const broken = (await this.#rulesOf(server)).find(
			({ exemptRoles, exemptChannels, isBrokenBy }) =>
				!exemptChannels.includes(channel) &&
				!(thread !== undefined && exemptChannels.includes(thread)) &&
				!exemptRoles.some((role) => person.roles?.includes(role)) &&
				isBrokenBy(text),
		);
		if (!broken) return undefined;
		const t = translatorFor(person.locale);
		return broken.message ?? t('policy.automod', { rule: broken.name });
	}

	/** Discards the cached rules of a server, one of which has changed. */
	invalidate({ guild_id: server }: Pick<APIAutoModerationRule, 'guild_id'>): void {
		this.#rules.delete(server);
	}

	#rulesOf(server: string): Promise<KeywordRule[]> {
		const cached = this.#rules.get(server);
		if (cached) return cached;
		const rules = this.#read(server);
		this.#rules.set(server, rules);
		// After a failure the next request reads them again.
		rules.catch(() => this.#rules.peek(server) === rules && this.#rules.delete(server));
		return rules;
	}

	async #read(server: string): Promise<KeywordRule[]> {
		try {
			const rules = await this.#listRules(server, AbortSignal.timeout(TIMEOUT_MS));
			return rules.flatMap((rule) => keywordRuleOf(rule, this.#patterns) ?? []);
		} catch (error) {
			if (isMissing(error)) return [];
			throw error;
		}
	}
}
