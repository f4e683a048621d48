import { setImmediate } from 'node:timers/promises';
import {
	type APIAutoModerationRule,
	AutoModerationActionType,
	AutoModerationRuleEventType,
	AutoModerationRuleTriggerType,
} from 'discord.js';
import type { PatternCompiler, TextSpan } from './linear-patterns.ts';

/** An AutoMod rule that blocks messages by their words. */
export type KeywordRule = {
	name: string;
	/** The rule's custom message for members whose message is blocked. */
	message?: string;
	exemptRoles: readonly string[];
	exemptChannels: readonly string[];
	/** Other work goes on between its patterns. */
	isBrokenBy(text: string): Promise<boolean>;
};

/** Returns undefined for a rule that is disabled, has another trigger (such as spam or Discord's own word lists), or blocks nothing. */
export function keywordRuleOf(rule: APIAutoModerationRule, compiler: PatternCompiler): KeywordRule | undefined {
	const { enabled, event_type, trigger_type, trigger_metadata, actions, name, exempt_roles, exempt_channels } = rule;
	const block = actions.find(({ type }) => type === AutoModerationActionType.BlockMessage);
	const applies =
		enabled &&
		event_type === AutoModerationRuleEventType.MessageSend &&
		trigger_type === AutoModerationRuleTriggerType.Keyword;
	if (!applies || !block) return undefined;
	const { keyword_filter = [], regex_patterns = [], allow_list = [] } = trigger_metadata;
	const [blocked, allowed] = [keywordExpression(keyword_filter), keywordExpression(allow_list)];
	const patterns = regex_patterns.flatMap((pattern) => compiler.compile(pattern) ?? []);
	const message = block.metadata?.custom_message;
	return {
		name,
		...(message && { message }),
		exemptRoles: exempt_roles,
		exemptChannels: exempt_channels,
		async isBrokenBy(text) {
			const permitted = spansOf(allowed, text);
			const isBanned = ([start, end]: TextSpan) => !permitted.some(([from, to]) => from <= start && end <= to);
			if (spansOf(blocked, text).some(isBanned)) return true;
			for (const pattern of patterns) {
				await setImmediate();
				if (pattern.matches(text).some(isBanned)) return true;
			}
			return false;
		},
	};
}

/**
 * Keywords as one expression: `cat` matches a whole word, `cat*` the start of a word, `*cat` its end, `*cat*` any part.
 * https://docs.discord.com/developers/resources/auto-moderation#auto-moderation-rule-object-keyword-matching-strategies
 */
function keywordExpression(filters: readonly string[]): RegExp | undefined {
	const keywords = filters.flatMap((filter) => {
		const [, before = '', word = '', after = ''] = /^(\*?)(.*?)(\*?)$/su.exec(filter.trim()) ?? [];
		return word === '' ? [] : [{ wildcards: `${before}|${after}`, before, word, after }];
	});
	// Longest first: an alternation takes the first alternative that matches, so that a shorter one would hide it.
	const groups = Map.groupBy(
		keywords.toSorted((a, b) => b.word.length - a.word.length),
		({ wildcards }) => wildcards,
	);
	const parts = [...groups.values()].map((group) => {
		const [before, after] = [group[0]?.before ? '' : `(?<!${LETTER})`, group[0]?.after ? '' : `(?!${LETTER})`];
		return `${before}(?:${group.map(({ word }) => RegExp.escape(word)).join('|')})${after}`;
	});
	return parts.length === 0 ? undefined : new RegExp(parts.join('|'), 'giu');
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
