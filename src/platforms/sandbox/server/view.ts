import type { StoredMessage } from './messages.ts';

/** A message as pages get it: whom it is private to needs no name, as nobody else gets it. */
export type MessageView = Omit<StoredMessage, 'onlyFor' | 'roomOf' | 'key'> & { private: boolean };

export function viewOf({ onlyFor, roomOf: _, key: __, ...message }: StoredMessage): MessageView {
	return { ...message, private: onlyFor !== undefined };
}
