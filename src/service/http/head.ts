/** Status and headers of an answer; header names are lower case. */
export type AnswerHead = { status: number; headers: Readonly<Record<string, string | readonly string[] | undefined>> };

/** Returns the value of a header, or the first of several. */
export function headerOf(head: AnswerHead, name: string): string | undefined {
	const value = head.headers[name];
	return typeof value === 'string' ? value : value?.[0];
}

/** Returns how many bytes the answer says that it has. */
export function lengthOf(head: AnswerHead): number | undefined {
	const length = headerOf(head, 'content-length');
	return length === undefined ? undefined : Number(length);
}

/** Returns the service's own id of the request, under the names that services use, if it is safe in a log line. */
export function requestIdOf(head: AnswerHead): string | undefined {
	const id = headerOf(head, 'x-request-id') ?? headerOf(head, 'request-id') ?? headerOf(head, 'x-correlation-id');
	return identifier(id);
}

/** Returns a code or id if it is safe in a log line. */
export function identifier(value: string | undefined): string | undefined {
	return value !== undefined && /^[\w.:/+=-]{1,128}$/.test(value) ? value : undefined;
}
