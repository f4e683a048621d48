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
