import { StoreError } from '../store.ts';
import { TimeoutError } from './with-timeout.ts';

/**
 * Returns the code of a server's error reply, such as `OOM`.
 * https://redis.io/docs/latest/develop/reference/protocol-spec/#simple-errors
 */
export function replyCode(error: unknown): string | undefined {
	return error instanceof Error && !('code' in error) ? /^[A-Z]+(?= )/.exec(error.message)?.[0] : undefined;
}

const MESSAGES: Record<string, string> = {
	WRONGPASS: 'The store rejects the user and password of its address.',
	NOAUTH: 'The store requires a password, and its address contains none.',
	NOPERM: "The store's user lacks a permission that Easel needs.",
	READONLY: 'The store is a read-only replica. Set its address to the primary server.',
	OOM: 'The store is full.',
	MISCONF: 'The store rejects writes because it cannot save to its disk.',
	NOREPLICAS: 'The store accepts no writes, because too few of its replicas follow it.',
	LOADING: 'The store is still starting.',
	CLUSTERDOWN: 'The store is a cluster in which a node is missing.',
};

/**
 * Translates an error of the client. Messages of the server are not repeated: they may quote a command, and so the
 * password.
 */
export function toStoreError(error: unknown): StoreError {
	if (error instanceof StoreError) return error;
	const { code, message = '' } = error as Partial<NodeJS.ErrnoException>;
	if (error instanceof TimeoutError || message === 'Connection timeout')
		return new StoreError('The store does not answer in time.');
	const reply = replyCode(error);
	if (reply === 'EASEL') return new StoreError(message.slice('EASEL '.length));
	if (reply !== undefined) return new StoreError(MESSAGES[reply] ?? `The store returned an error (${reply}).`);
	if (code !== undefined) return new StoreError(`The store cannot be reached (${code}).`);
	if (message.startsWith('Unknown RESP type'))
		return new StoreError('The address of the store does not lead to a Redis server.');
	return new StoreError('The connection to the store was lost.');
}
