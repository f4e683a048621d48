import type { types } from '@slack/bolt';
import type { Installations } from '../installation/installation.ts';
import type { MessageBlocks } from './blocks.ts';
import type { CallWithRetry } from './call-with-retry.ts';
import type { Image } from './message-records.ts';
import { codeOf, isMissing, isOutside } from './slack-errors.ts';

/** Names a message before it exists: an application reads its own again. https://docs.slack.dev/messaging/message-metadata */
const EVENT_TYPE = 'easel_post';

/** Clocks differ; and a message that was under way when its process ended came soon after. */
const CLOCKS_DIFFER_MS = 60_000;
/** Pages of a hundred that are looked through for a message. */
const MOST_PAGES = 5;

/** Where something is said. */
export type MessageLocation = { server: string; channel: string; thread?: string | undefined };
/** A message that is there. */
export type SlackMessage = MessageLocation & { ts: string };

/** A message as histories have it. */
type Read = {
	ts?: string;
	user?: string;
	metadata?: { event_type?: string; event_payload?: object };
	streaming_state?: string;
	blocks?: readonly object[];
};

export type SlackApi = ReturnType<typeof createSlackApi>;

/** The calls of the Web API that make, change and find messages of ours. They reject as the library does. */
export function createSlackApi({ call, installations }: { call: CallWithRetry; installations: Installations }) {
	async function post(
		{ server, channel, thread }: MessageLocation,
		{ text, blocks }: MessageBlocks,
		key?: string,
	): Promise<string> {
		const { ts } = await call(
			server,
			'chat.postMessage',
			(client) =>
				client.chat.postMessage({
					channel,
					text,
					unfurl_links: false,
					unfurl_media: false,
					...(blocks.length > 0 && { blocks }),
					...(thread !== undefined && { thread_ts: thread }),
					...(key !== undefined && { metadata: { event_type: EVENT_TYPE, event_payload: { key } } }),
				}),
			{ channel },
		);
		if (!ts) throw new Error('Slack posted a message and does not say which');
		return ts;
	}

	/** Into a public channel the bot may go by itself, where it was given the permission. */
	async function mayEnter({ server, channel }: MessageLocation): Promise<boolean> {
		const scopes = (await installations.of(server))?.scopes ?? [];
		if (!channel.startsWith('C') || !scopes.includes('channels:join')) return false;
		return call(server, 'conversations.join', (client) => client.conversations.join({ channel })).then(
			() => true,
			() => false,
		);
	}

	/** Messages of a place from a time on, the page after `cursor`. */
	function page({ server, channel, thread }: MessageLocation, from: string, to?: string, cursor?: string) {
		const range = {
			channel,
			oldest: from,
			inclusive: true,
			include_all_metadata: true,
			limit: 100,
			...(to !== undefined && { latest: to }),
			...(cursor !== undefined && { cursor }),
		};
		return thread === undefined
			? call(server, 'conversations.history', (client) => client.conversations.history(range), { repeatable: true })
			: call(server, 'conversations.replies', (client) => client.conversations.replies({ ...range, ts: thread }), {
					repeatable: true,
				});
	}

	return {
		/** Posts a message; to be found under its key from then on. */
		async post(spot: MessageLocation, body: MessageBlocks, key?: string): Promise<SlackMessage> {
			try {
				return { ...spot, ts: await post(spot, body, key) };
			} catch (error) {
				if (isOutside(error) && (await mayEnter(spot))) return { ...spot, ts: await post(spot, body, key) };
				throw error;
			}
		},

		async update({ server, channel, ts }: SlackMessage, { text, blocks }: MessageBlocks): Promise<void> {
			await call(server, 'chat.update', (client) => client.chat.update({ channel, ts, text, blocks }), {
				repeatable: true,
			});
		},

		/** A message that is gone already is none to complain about. */
		async remove({ server, channel, ts }: SlackMessage): Promise<void> {
			await call(server, 'chat.delete', (client) => client.chat.delete({ channel, ts }), { repeatable: true }).catch(
				(error: unknown) => {
					if (!isMissing(error)) throw error;
				},
			);
		},

		/** For one person's eyes, and only for the moment. */
		async whisper(
			{ server, channel, thread }: MessageLocation,
			user: string,
			{ text, blocks }: MessageBlocks,
		): Promise<void> {
			await call(server, 'chat.postEphemeral', (client) =>
				client.chat.postEphemeral({
					channel,
					user,
					text,
					...(blocks.length > 0 && { blocks }),
					...(thread !== undefined && { thread_ts: thread }),
				}),
			);
		},

		/** The message that was posted under a key since then; undefined when there is none. */
		async search(spot: MessageLocation, key: string, since: number): Promise<SlackMessage | undefined> {
			const from = ((since - CLOCKS_DIFFER_MS) / 1000).toFixed(6);
			const self = spot.thread === undefined ? undefined : await installations.of(spot.server);
			let cursor: string | undefined;
			for (let pages = 0; pages < MOST_PAGES; pages++) {
				const { messages = [], response_metadata } = await page(spot, from, undefined, cursor);
				const found = (messages as Read[]).find(
					({ metadata, user, streaming_state }) =>
						(metadata?.event_type === EVENT_TYPE && (metadata.event_payload as { key?: unknown })?.key === key) ||
						// A stream has no metadata while it is open; in a thread, one answer is written at a time.
						(streaming_state === 'in_progress' && user === self?.botUser),
				);
				if (found?.ts) return { ...spot, ts: found.ts };
				cursor = response_metadata?.next_cursor || undefined;
				if (cursor === undefined) return undefined;
			}
			return undefined;
		},

		/** The pictures that a message of ours shows. */
		async imagesOf({ ts, ...spot }: SlackMessage): Promise<Image[]> {
			const { messages = [] } = await page(spot, ts, ts);
			return imagesIn((messages as Read[]).find((message) => message.ts === ts)?.blocks ?? []);
		},

		/** Where people find a message; undefined when it is gone. */
		async link({ server, channel, ts }: SlackMessage): Promise<string | undefined> {
			try {
				const { permalink } = await call(
					server,
					'chat.getPermalink',
					(client) => client.chat.getPermalink({ channel, message_ts: ts }),
					{ repeatable: true },
				);
				return permalink;
			} catch (error) {
				if (isMissing(error) || codeOf(error) === 'channel_not_found') return undefined;
				throw error;
			}
		},

		/** The direct messages with one person. */
		async directWith(server: string, user: string): Promise<string> {
			const { channel } = await call(
				server,
				'conversations.open',
				(client) => client.conversations.open({ users: user }),
				{ repeatable: true },
			);
			if (!channel?.id) throw new Error('Slack opens no direct messages');
			return channel.id;
		},
	};
}

/** The pictures among blocks, by the files that they show. */
export const imagesIn = (blocks: readonly object[]): Image[] =>
	(blocks as readonly Partial<types.ImageBlock & { slack_file: { id?: string } }>[]).flatMap(
		({ type, slack_file, alt_text = '' }) =>
			type === 'image' && slack_file?.id ? [{ file: slack_file.id, alt: alt_text }] : [],
	);
