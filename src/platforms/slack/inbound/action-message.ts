import type { BlockAction } from '@slack/bolt';
import type { Place } from '../../../domain/place.ts';
import { imagesIn } from '../api/blocks.ts';
import type { SlackChannels } from '../outbound/channels.ts';
import type { SlackRequest } from '../outbound/slack-request.ts';
import type { FileData, SlackFileReader } from './uploads.ts';

/** The message that somebody presses on, as Slack tells of it: where it is, and what can be seen there. */
export function createActionMessages({ channels, uploads }: { channels: SlackChannels; uploads: SlackFileReader }) {
	/** Where a button is, and its message; buttons on pages of one person are answered in direct messages. */
	async function spotOf(server: string, asked: SlackRequest, { container, channel, message }: BlockAction) {
		const ts = String(message?.ts ?? container['message_ts'] ?? container['view_id'] ?? '');
		const id = channel?.id ?? container['channel_id'];
		if (typeof id === 'string') {
			const thread = threadOf({ ts, thread_ts: message?.['thread_ts'] ?? container['thread_ts'] });
			return { ts, place: placeIn(server, id, thread) };
		}
		const direct = await channels
			.direct({ platform: 'slack', server, channel: '' }, { id: asked.user })
			.catch(() => undefined);
		return { ts, place: direct?.place ?? placeIn(server, asked.user) };
	}

	/** The pictures that a message keeps covered. */
	async function coveredIn(blocks: unknown): Promise<readonly { file: string }[]> {
		const elements = (Array.isArray(blocks) ? blocks : []).flatMap(
			({ elements = [] }: { elements?: unknown[] }) => elements,
		);
		const found = await Promise.all(
			(elements as { action_id?: string }[]).map(({ action_id = '' }) => channels.covered(action_id)),
		);
		return found.flatMap((images) => images ?? []);
	}

	/** The pictures of a message: what people sent as files, and what our own show in blocks. */
	async function picturesOf(message: { [key: string]: unknown } | undefined): Promise<FileData[]> {
		const covered = await coveredIn(message?.['blocks']);
		const blocks = (message?.['blocks'] ?? []) as object[];
		const files = uploads.picturesOf(message?.['files'] as FileData[] | undefined);
		const shown = [...imagesIn(blocks), ...covered].map(({ file }) => ({ id: file }));
		return [...files, ...shown.filter(({ id }) => !files.some((file) => file.id === id))];
	}

	return { spotOf, picturesOf };
}

export const placeIn = (server: string, channel: string, thread?: string): Place => ({
	platform: 'slack',
	server,
	channel,
	...(thread !== undefined && { thread }),
});

/** A message that has answers is in the channel all the same. */
export function threadOf({
	ts,
	thread_ts,
}: {
	ts?: unknown;
	thread_ts?: unknown;
	[key: string]: unknown;
}): string | undefined {
	return typeof thread_ts === 'string' && thread_ts !== ts ? thread_ts : undefined;
}
