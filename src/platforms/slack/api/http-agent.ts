import { Agent } from 'undici';

const CONNECT_TIMEOUT_MS = 10_000;

/**
 * Returns an HTTP agent for Slack, which follows no redirects: these could take a token elsewhere. It is separate from the global agent,
 * whose settings other code may change. HTTP/2 is off, because its streams may be sent again unnoticed.
 *
 * @param silenceMs how long the other side may send nothing
 * @param connections at most, for each host
 */
export const createHttpAgent = (silenceMs: number, connections?: number): Agent =>
	new Agent({
		...{ allowH2: false, connect: { timeout: CONNECT_TIMEOUT_MS }, headersTimeout: silenceMs, bodyTimeout: silenceMs },
		...(connections !== undefined && { connections }),
	});
