import {
	type APIAutoModerationRule,
	AutoModerationActionType,
	AutoModerationRuleEventType,
	AutoModerationRuleTriggerType,
} from 'discord.js';
import type { BoundedPatterns, Span } from './bounded-patterns.ts';

/** A server's rule that keeps messages with some words from being sent. */
export type WordRule = {
	name: string;
	/** What the server's people have it say. */
	message?: string;
	exemptRoles: readonly string[];
	exemptChannels: readonly string[];
	isBrokenBy(text: string): boolean;
};

/** Undefined for rules of other kinds: off, about names or spam, with words that only Discord knows, or that block nothing. */
export function wordRuleOf(rule: APIAutoModerationRule, patterns: BoundedPatterns): WordRule | undefined {
	const { enabled, event_type, trigger_type, trigger_metadata, actions, name, exempt_roles, exempt_channels } = rule;
	const block = actions.find(({ type }) => type === AutoModerationActionType.BlockMessage);
	const applies =
		enabled &&
		event_type === AutoModerationRuleEventType.MessageSend &&
		trigger_type === AutoModerationRuleTriggerType.Keyword;
	if (!applies || !block) return undefined;
	const { keyword_filter = [], regex_patterns = [], allow_list = [] } = trigger_metadata;
	const [words, allowed] = [keywords(keyword_filter), keywords(allow_list)];
	const message = block.metadata?.custom_message;
	return {
		name,
		...(message && { message }),
		exemptRoles: exempt_roles,
		exemptChannels: exempt_channels,
		isBrokenBy(text) {
			const found = [...spansOf(words, text), ...patterns.matches(regex_patterns, text)];
			if (found.length === 0) return false;
			const fine = spansOf(allowed, text);
			return found.some(([start, end]) => !fine.some(([from, to]) => from <= start && end <= to));
		},
	};
}

/**
 * Keywords as Discord reads them: `cat` is the whole word, `cat*` what begins with it, `*cat` what ends with it, `*cat*` what has
 * it anywhere. https://docs.discord.com/developers/resources/auto-moderation#auto-moderation-rule-object-keyword-matching-strategies
 */
function keywords(filters: readonly string[]): RegExp | undefined {
	const all = filters.flatMap((filter) => {
		const [, before = '', word = '', after = ''] = /^(\*?)(.*?)(\*?)$/su.exec(filter.trim()) ?? [];
		return word === '' ? [] : [{ around: `${before}|${after}`, before, word, after }];
	});
	// The longest first, so that none is hidden by its own beginning.
	const groups = Map.groupBy(
		all.toSorted((a, b) => b.word.length - a.word.length),
		({ around }) => around,
	);
	const parts = [...groups.values()].map((group) => {
		const [before, after] = [group[0]?.before ? '' : `(?<!${LETTER})`, group[0]?.after ? '' : `(?!${LETTER})`];
		return `${before}(?:${group.map(({ word }) => RegExp.escape(word)).join('|')})${after}`;
	});
	return parts.length === 0 ? undefined : new RegExp(parts.join('|'), 'giu');
}

const LETTER = String.raw`[\p{L}\p{M}\p{N}_]`;

/** Every place where one begins. */
function spansOf(words: RegExp | undefined, text: string): Span[] {
	const spans: Span[] = [];
	if (!words) return spans;
	words.lastIndex = 0;
	for (let match = words.exec(text); match; match = words.exec(text)) {
		spans.push([match.index, match.index + match[0].length]);
		words.lastIndex = match.index + 1;
	}
	return spans;
}
