import type { BlockAction } from '@slack/bolt';
import type { Place } from '../../../../domain/place.ts';
import { imagesIn } from '../../api/blocks.ts';
import type { SlackChannels } from '../../outbound/channels.ts';
import type { CoveredPictures } from '../../outbound/covered-pictures.ts';
import type { SlackRequester } from '../../outbound/slack-requester.ts';
import { picturesAmong, type SlackFile } from '../files/slack-file.ts';
import { placeIn, threadOf } from '../place.ts';

/**
 * Returns the place of a pressed button, and the `ts` of its message. A press on the home page, which is in no channel, is answered
 * in the requester's direct messages.
 */
export async function buttonLocation(
	channels: Pick<SlackChannels, 'direct'>,
	server: string,
	requester: SlackRequester,
	{ container, channel, message }: BlockAction,
): Promise<{ ts: string; place: Place }> {
	const ts = String(message?.ts ?? container['message_ts'] ?? container['view_id'] ?? '');
	const id = channel?.id ?? container['channel_id'];
	if (typeof id === 'string') {
		const thread = threadOf({ ts, thread_ts: message?.['thread_ts'] ?? container['thread_ts'] });
		return { ts, place: placeIn(server, id, thread) };
	}
	const direct = await channels
		.direct({ platform: 'slack', server, channel: '' }, { id: requester.user })
		.catch(() => undefined);
	return { ts, place: direct?.place ?? placeIn(server, requester.user) };
}

/** Returns the pictures of a message: files that people sent, and those that the bot's messages show in blocks or behind buttons. */
export async function picturesOf(
	covered: Pick<CoveredPictures, 'find'>,
	message: { [key: string]: unknown } | undefined,
): Promise<SlackFile[]> {
	const blocks = Array.isArray(message?.['blocks']) ? (message['blocks'] as object[]) : [];
	const files = picturesAmong(message?.['files'] as SlackFile[] | undefined);
	const hidden = await coveredIn(covered, blocks);
	const shown: SlackFile[] = [
		...imagesIn(blocks).map(({ file }) => ({ id: file })),
		...hidden.map(({ file }) => ({ id: file, covered: true as const })),
	];
	return [...files, ...shown.filter(({ id }) => !files.some((file) => file.id === id))];
}

async function coveredIn(covered: Pick<CoveredPictures, 'find'>, blocks: readonly object[]) {
	const buttons = blocks.flatMap(({ elements = [] }: { elements?: { action_id?: string }[] }) => elements);
	const found = await Promise.all(buttons.map(({ action_id = '' }) => covered.find(action_id)));
	return found.flatMap((images) => images ?? []);
}
