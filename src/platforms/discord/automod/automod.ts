import type { APIAutoModerationRule } from 'discord.js';
import type { Person } from '../../../domain/person.ts';
import type { Place } from '../../../domain/place.ts';
import { translatorFor } from '../../../i18n/translator.ts';
import type { Log } from '../../../log.ts';
import { isMissing } from '../api/api.ts';
import { type WordRule, wordRuleOf } from './automod-rule.ts';
import { createBoundedPatterns } from './bounded-patterns.ts';

/** Rules are asked for anew after this time, should the news of a change have been lost. */
const KEPT_MS = 5 * 60 * 1000;

/** Rules of so many servers are kept. */
const KEPT_SERVERS = 1000;

/** Nobody waits longer for the rules. */
const WAIT_MS = 2500;

/**
 * The servers' own AutoMod rules for words, applied to what people ask for: Discord holds them against messages of people, not
 * against commands and what a bot posts. Where the bot may not read them, there are none.
 */
export function createAutoMod(options: {
	/** Rejects where the bot may not read them. */
	rules(server: string, signal: AbortSignal): Promise<APIAutoModerationRule[]>;
	log: Log;
	now?: () => number;
}) {
	const { log, now = Date.now } = options;
	const kept = new Map<string, { until: number; rules: Promise<WordRule[]> }>();
	const patterns = createBoundedPatterns((why) =>
		log.warn({ why }, 'A pattern of an AutoMod rule is left out: it can not be applied here'),
	);

	async function read(server: string): Promise<WordRule[]> {
		try {
			const rules = await options.rules(server, AbortSignal.timeout(WAIT_MS));
			return rules.flatMap((rule) => wordRuleOf(rule, patterns) ?? []);
		} catch (error) {
			if (isMissing(error)) return [];
			throw error;
		}
	}

	function rulesOf(server: string): Promise<WordRule[]> {
		const there = kept.get(server);
		if (there && there.until > now()) return there.rules;
		const rules = read(server);
		const entry = { until: now() + KEPT_MS, rules };
		const oldest = kept.keys().next();
		if (kept.size >= KEPT_SERVERS && !oldest.done) kept.delete(oldest.value);
		kept.set(server, entry);
		// What could not be read is asked for again.
		rules.catch(() => kept.get(server) === entry && kept.delete(server));
		return rules;
	}

	return {
		/** See `Channel.screen`. Whoever manages a server is held to none of its rules. */
		async screen({ server, channel, thread }: Place, text: string, person: Person): Promise<string | undefined> {
			// A person's own, without a server.
			if (person.moderator || !/^\d+$/.test(server)) return undefined;
			const broken = (await rulesOf(server)).find(
				({ exemptRoles, exemptChannels, isBrokenBy }) =>
					!exemptChannels.includes(channel) &&
					!(thread !== undefined && exemptChannels.includes(thread)) &&
					!exemptRoles.some((role) => person.roles?.includes(role)) &&
					isBrokenBy(text),
			);
			if (!broken) return undefined;
			const t = translatorFor(person.locale);
			return broken.message ?? t('A rule of this server does not allow these words: {rule}.', { rule: broken.name });
		},

		/** The rules of a server have changed. */
		changed({ guild_id: server }: Pick<APIAutoModerationRule, 'guild_id'>): void {
			kept.delete(server);
		},
	};
}
