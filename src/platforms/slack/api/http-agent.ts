import { Agent } from 'undici';

const CONNECT_TIMEOUT_MS = 10_000;

/**
 * Returns an HTTP agent for addresses outside the Web API. It is separate from the global agent, whose settings other code may change.
 *
 * @param silenceMs how long the other side may send nothing
 */
export const createHttpAgent = (silenceMs: number): Agent =>
	new Agent({ connect: { timeout: CONNECT_TIMEOUT_MS }, headersTimeout: silenceMs, bodyTimeout: silenceMs });
