import type { StoredMessage } from './messages.ts';

/** A message as pages get it: whom it is private to needs no name, as nobody else gets it. */
export type MessageView = Omit<StoredMessage, 'onlyFor' | 'key'> & { private: boolean };

export function viewOf({ onlyFor, key: _, ...message }: StoredMessage): MessageView {
	return { ...message, private: onlyFor !== undefined };
}
