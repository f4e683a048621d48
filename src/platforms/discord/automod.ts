import { setImmediate } from 'node:timers/promises';
import {
	type APIAutoModerationRule,
	AutoModerationActionType,
	AutoModerationRuleEventType,
	AutoModerationRuleTriggerType,
	type REST,
	Routes,
} from 'discord.js';
import { LRUCache } from 'lru-cache';
import { RE2JS } from 're2js';
import type { BrokenRule, Person, Place } from '../../domain/channel.ts';
import type { Log } from '../../log.ts';
import { isMissing } from './api/rest.ts';
import type { ClientCache } from './gateway/gateway.ts';

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
		// Discord counts refused requests: 10,000 in ten minutes, of all servers together, block the address.
		// https://docs.discord.com/developers/topics/rate-limits#invalid-request-limit-aka-cloudflare-bans
		if (person.moderator || !/^\d+$/.test(server) || this.#options.cache.mayManageServer(server) === false)
			return undefined;
		for (const { name, message, exempt_channels, exempt_roles, isBrokenBy } of (await this.#rules.fetch(server)) ??
			[]) {
			const isExempt =
				[channel, thread].some((id) => id !== undefined && exempt_channels.includes(id)) ||
				exempt_roles.some((role) => person.roles?.includes(role));
			if (!isExempt && (await isBrokenBy(text))) return { name, message };
		}
		return undefined;
	}

	/** Discards the cached rules of a server, one of which has changed. */
	invalidate({ guild_id: server }: Pick<APIAutoModerationRule, 'guild_id'>): void {
		this.#rules.delete(server);
	}

	async #read(server: string): Promise<KeywordRule[]> {
		const { rest, log } = this.#options;
		const reported = new Set<Defect>();
		const compiler = new PatternCompiler((why) => {
			if (!reported.has(why))
				log.warn({ server, why }, 'Patterns of AutoMod rules are ignored because they cannot be applied');
			reported.add(why);
		});
		try {
			const signal = AbortSignal.timeout(TIMEOUT_MS);
			const rules = (await rest.get(Routes.guildAutoModerationRules(server), { signal })) as APIAutoModerationRule[];
			const keywordRules: KeywordRule[] = [];
			for (const rule of rules) {
				await setImmediate();
				keywordRules.push(...keywordRulesOf(rule, compiler));
			}
			return keywordRules;
		} catch (error) {
			if (isMissing(error)) return [];
			throw error;
		}
	}
}

/** An AutoMod rule that blocks messages by their words. */
type KeywordRule = Pick<APIAutoModerationRule, 'name' | 'exempt_roles' | 'exempt_channels'> & {
	/** The rule's custom message for members whose message is blocked. */
	message: string | undefined;
	/** Other work goes on between its patterns. */
	isBrokenBy(text: string): Promise<boolean>;
};

/** Returns none for a rule that is disabled, has another trigger (such as spam or Discord's own word lists), or blocks nothing. */
export function keywordRulesOf(rule: APIAutoModerationRule, compiler: PatternCompiler): KeywordRule[] {
	const block = rule.actions.find(({ type }) => type === AutoModerationActionType.BlockMessage);
	const applies =
		rule.enabled &&
		rule.event_type === AutoModerationRuleEventType.MessageSend &&
		rule.trigger_type === AutoModerationRuleTriggerType.Keyword;
	if (!applies || !block) return [];
	const { keyword_filter = [], regex_patterns = [], allow_list = [] } = rule.trigger_metadata;
	const [blocked, allowed] = [keywordExpression(keyword_filter), keywordExpression(allow_list)];
	const patterns = regex_patterns.flatMap((pattern) => compiler.compile(pattern) ?? []);
	const isBrokenBy = async (text: string) => {
		const permitted = spansOf(allowed, text);
		const isBanned = ([start, end]: TextSpan) => !permitted.some(([from, to]) => from <= start && end <= to);
		if (spansOf(blocked, text).some(isBanned)) return true;
		for (const matchesOf of patterns) {
			await setImmediate();
			if (matchesOf(text).some(isBanned)) return true;
		}
		return false;
	};
	return [{ ...rule, message: block.metadata?.custom_message || undefined, isBrokenBy }];
}

/** A part of a text: the index of its first UTF-16 unit, and the index after its last. */
type TextSpan = readonly [start: number, end: number];

/**
 * Keywords as one expression: `cat` matches a whole word, `cat*` the start of a word, `*cat` its end, `*cat*` any part.
 * https://docs.discord.com/developers/resources/auto-moderation#auto-moderation-rule-object-keyword-matching-strategies
 */
function keywordExpression(filters: readonly string[]): RegExp | undefined {
	const keywords = filters.flatMap((filter) => {
		const [, before, word, after] = /^(\*?)(.*?)(\*?)$/su.exec(filter.trim()) ?? [];
		return word ? [{ word, start: before ? '' : `(?<!${LETTER})`, end: after ? '' : `(?!${LETTER})` }] : [];
	});
	// Longest first: an alternation takes the first alternative that matches, so that a shorter one would hide it.
	const sorted = keywords.toSorted((a, b) => b.word.length - a.word.length);
	const parts = Map.groupBy(sorted, ({ start, end }) => `${start}|${end}`)
		.values()
		.map((group) => `${group[0]!.start}(?:${group.map(({ word }) => RegExp.escape(word)).join('|')})${group[0]!.end}`);
	return sorted.length === 0 ? undefined : new RegExp([...parts].join('|'), 'giu');
}

const LETTER = String.raw`[\p{L}\p{M}\p{N}_]`;

/** Returns all matches, overlapping ones too. */
function spansOf(expression: RegExp | undefined, text: string): TextSpan[] {
	const spans: TextSpan[] = [];
	if (!expression) return spans;
	expression.lastIndex = 0;
	for (let match = expression.exec(text); match; match = expression.exec(text)) {
		spans.push([match.index, match.index + match[0].length]);
		expression.lastIndex = match.index + 1;
	}
	return spans;
}

/** The longest prompt. Longer texts are cut. */
const MAX_TEXT = 2000;

/** https://docs.discord.com/developers/resources/auto-moderation#auto-moderation-rule-object-trigger-metadata-field-limits */
const MAX_PATTERN = 260;

/** Largest program of one pattern, and of all patterns of a server together, in instructions. A match takes their number × the text's length. */
const MAX_INSTRUCTIONS = 500;
const MAX_SERVER_INSTRUCTIONS = 10_000;

/** A pattern is not compiled, which takes a millisecond for 100 instructions, when it may have more than this. */
const MAX_ESTIMATE = 2 * MAX_INSTRUCTIONS;

/** The longest search for further matches of a pattern in one text, in instructions × characters. */
const MAX_STEPS = 2_000_000;

/** How long all patterns of a server may take per minute, in milliseconds, before they are ignored for its rest. Ordinary ones take one a text. */
const MAX_MS_PER_MINUTE = 500;

/** Why a pattern is ignored. */
type Defect = 'not readable' | 'too large' | 'too slow';

/** Compiles the patterns of one server, which take time in proportion to the text, within common bounds. Reports those that are ignored. */
export class PatternCompiler {
	readonly #onDefect: (why: Defect) => void;
	#instructionsLeft = MAX_SERVER_INSTRUCTIONS;
	/** What the patterns have taken in the minute since `#since`. */
	#spentMs = 0;
	#since = 0;

	constructor(onDefect: (why: Defect) => void) {
		this.#onDefect = onDefect;
	}

	/** Returns what finds the matches of a pattern in a text, in order; a bounded number. */
	compile(pattern: string): ((text: string) => readonly TextSpan[]) | undefined {
		const program = programOf(pattern);
		if (typeof program === 'string') return void this.#onDefect(program);
		const size = program.re2().numberOfInstructions();
		if (size > Math.min(this.#instructionsLeft, MAX_INSTRUCTIONS)) return void this.#onDefect('too large');
		this.#instructionsLeft -= size;
		return (text) => {
			const start = performance.now();
			if (start - this.#since > 60_000) [this.#since, this.#spentMs] = [start, 0];
			if (this.#spentMs > MAX_MS_PER_MINUTE) {
				this.#onDefect('too slow');
				return [];
			}
			const spans = matchesIn(text.slice(0, MAX_TEXT).toWellFormed(), program, MAX_STEPS / size);
			this.#spentMs += performance.now() - start;
			return spans;
		};
	}
}

function matchesIn(text: string, program: RE2JS, maxCharacters: number): TextSpan[] {
	const spans: TextSpan[] = [];
	const matcher = program.matcher(text);
	while (spans.length * text.length < maxCharacters && matcher.find()) spans.push([matcher.start(), matcher.end()]);
	return spans;
}

/** Operators within character classes have another meaning in RE2, which reports no error. Bounded: at most 260 characters. */
const CLASS_OPERATOR = /\[(?:[^\]\\]|\\.)*?(?:\[(?!:)|&&|--|~~)/su;

/** Discord's patterns are written in Rust's syntax, and ignore case. Those that RE2 does not know, such as look-around, Rust refuses as well. */
function programOf(pattern: string): RE2JS | Defect {
	if (pattern.length > MAX_PATTERN || CLASS_OPERATOR.test(pattern)) return 'not readable';
	if (estimate(pattern) > MAX_ESTIMATE) return 'too large';
	try {
		return RE2JS.compile(pattern.replace(/^\(\?[iu]+\)/, ''), RE2JS.CASE_INSENSITIVE);
	} catch {
		return 'not readable';
	}
}

/** Returns at least as many instructions as a pattern has: a counted repetition repeats what it stands behind. */
function estimate(pattern: string): number {
	let [single, groups] = [pattern.length, 1];
	for (const [, isGroup, from, to] of pattern.matchAll(/(\)?)\{(\d+)(?:,(\d*))?\}/g)) {
		const times = Math.max(2 * Number(to ?? 0), Number(from), 1);
		if (isGroup) groups *= times;
		else single += times;
	}
	return single * groups;
}
