/** Identifies a message by the key it is posted under. https://docs.slack.dev/messaging/message-metadata */
const KEY_EVENT = 'easel_post';

/** A message's metadata, as histories show it. */
type ShownMetadata = { event_type?: string; event_payload?: object };

/** Returns the metadata of a message that is posted under a key. */
export const metadataOf = (key: string) => ({ event_type: KEY_EVENT, event_payload: { key } });

/** Returns the key that a message was posted under; undefined for messages without one. */
export function keyIn({ metadata }: { metadata?: ShownMetadata }): string | undefined {
	const { key } = (metadata?.event_type === KEY_EVENT ? metadata.event_payload : {}) as { key?: unknown };
	return typeof key === 'string' ? key : undefined;
}
