/** Status and headers of an answer; header names are lower case. */
export type AnswerHead = { status: number; headers: Readonly<Record<string, string | readonly string[] | undefined>> };

/** The header's value; its first one, should it come several times. */
export function headerOf(head: AnswerHead, name: string): string | undefined {
	const value = head.headers[name];
	return typeof value === 'string' ? value : value?.[0];
}

/** The service's own id of the request, under the names that services use. Kept only if it is safe in a log line. */
export function requestIdOf(head: AnswerHead): string | undefined {
	const id = headerOf(head, 'x-request-id') ?? headerOf(head, 'request-id') ?? headerOf(head, 'x-correlation-id');
	return identifier(id);
}

/** A code or id that is safe in a log line, or nothing. */
export function identifier(value: string | undefined): string | undefined {
	return value !== undefined && /^[\w.:/+=-]{1,128}$/.test(value) ? value : undefined;
}
