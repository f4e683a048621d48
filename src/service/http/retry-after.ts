import { type AnswerHead, headerOf } from './head.ts';

/**
 * Reads the seconds to wait from a Retry-After header: a number of seconds or an HTTP date. Everything else counts as absent.
 * https://www.rfc-editor.org/rfc/rfc9110#field.retry-after
 */
export function retryAfterSeconds(value: string | undefined, now = Date.now()): number | undefined {
	const text = value?.trim();
	if (!text) return undefined;
	if (/^\d+(\.\d+)?$/.test(text)) return Number(text);
	// Every HTTP date begins with a weekday; Date.parse alone would take "-1" for a year.
	const date = /^[A-Z]/i.test(text) ? Date.parse(text) : Number.NaN;
	return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - now) / 1000));
}

/**
 * Returns the seconds after which a service answers again: from `retry-after-ms`, `retry-after`, or the limits that are used up
 * (`x-ratelimit-remaining-images: 0` with `x-ratelimit-reset-images: 1m30s`). https://github.com/openai/openai-java/issues/1039
 */
export function secondsToWait(head: AnswerHead): number | undefined {
	const milliseconds = retryAfterSeconds(headerOf(head, 'retry-after-ms'));
	if (milliseconds !== undefined) return milliseconds / 1000;
	const seconds = retryAfterSeconds(headerOf(head, 'retry-after'));
	if (seconds !== undefined) return seconds;
	const waits = Object.keys(head.headers).flatMap((name) => {
		const [, limit] = /^x-ratelimit-remaining-(.+)$/.exec(name) ?? [];
		if (limit === undefined || headerOf(head, name) !== '0') return [];
		return secondsOf(headerOf(head, `x-ratelimit-reset-${limit}`)) ?? [];
	});
	return waits.length > 0 ? Math.max(...waits) : undefined;
}

const UNITS: Readonly<Record<string, number>> = { ms: 0.001, s: 1, m: 60, h: 3600, d: 86_400 };

/** Reads durations such as `850ms` and `1m30s`. */
function secondsOf(text = ''): number | undefined {
	const parts = [...text.matchAll(/(?<!\d)(\d+(?:\.\d+)?)(ms|s|m|h|d)/g)];
	if (parts.length === 0 || parts.map(([part]) => part).join('') !== text) return undefined;
	return parts.reduce((sum, [, amount, unit = '']) => sum + Number(amount) * (UNITS[unit] ?? 0), 0);
}
