import type { StoredMessage } from './store/message.ts';

/** A message as pages get it. `private`: only the person of this page sees it. */
export type MessageView = Omit<StoredMessage, 'room' | 'onlyFor' | 'roomOf' | 'key'> & {
	/** The id of the channel or thread. */
	channel: string;
	private: boolean;
};

export function viewOf({ room, onlyFor, roomOf: _, key: __, ...message }: StoredMessage): MessageView {
	return { ...message, channel: room, private: onlyFor !== undefined };
}
