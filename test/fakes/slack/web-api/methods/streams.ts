import { z } from 'zod';
import { messageBlocks, schemaErrors } from '../../block-kit/blocks.ts';
import type { Slack } from '../../context.ts';
import { createMessage, editMessage } from '../../world/messages.ts';
import type { Block, Channel, Json, Message, SessionStatus, Stream } from '../../world/model.ts';
import { checkPings } from '../../world/pings.ts';
import { renderMessage, streamState } from '../../world/render/messages.ts';
import { channelOf, checkedBlocks, metadataOf, writableChannel } from '../content.ts';
import { misuse, slackError } from '../errors.ts';
import type { Call, Methods } from '../method.ts';
import { sessionStatusOf } from './app.ts';
import { ownMessage, threadOf } from './chat.ts';

/** https://docs.slack.dev/reference/methods/chat.appendStream */
const MARKDOWN_CHARACTERS = 12_000;

const chunks = z.array(
	z.discriminatedUnion('type', [
		z.strictObject({ type: z.literal('markdown_text'), text: z.string().min(1) }),
		z.strictObject({ type: z.literal('blocks'), blocks: z.array(z.unknown()).max(50) }),
		z.strictObject({ type: z.literal('plan_update'), title: z.string() }),
		z.strictObject({
			type: z.literal('task_update'),
			id: z.string(),
			title: z.string(),
			status: z.enum(['pending', 'in_progress', 'complete', 'error']),
			details: z.string().optional(),
			output: z.string().optional(),
			sources: z.array(z.unknown()).optional(),
		}),
	]),
);

/** Returns what a call appends to a stream. */
function appendedContent(
	slack: Slack,
	channel: Channel,
	args: Json,
	method: string,
): { text: string; blocks: Block[] } {
	const { markdown_text: markdown, chunks: given } = args;
	if (markdown !== undefined && given !== undefined)
		throw misuse('invalid_arguments', 'either markdown_text or chunks');
	const read = chunks.safeParse(given ?? []);
	if (!read.success) throw misuse('invalid_chunks', ...schemaErrors(read.error, '/chunks'));
	const text = String(markdown ?? '') + read.data.map((one) => (one.type === 'markdown_text' ? one.text : '')).join('');
	if (text.length > MARKDOWN_CHARACTERS) throw misuse('msg_too_long');
	const blocks = read.data.flatMap((one) =>
		one.type === 'blocks' ? checkedBlocks(slack, channel, one.blocks, method, messageBlocks) : [],
	);
	return { text, blocks };
}

/** Returns a message that is being streamed. Throws `message_not_in_streaming_state` also when the stream has died. */
function openStream({ slack, name, args, me }: Call): { channel: Channel; message: Message; stream: Stream } {
	const channel = channelOf(slack, me.team, args['channel'], name);
	const message = ownMessage(channel, args['ts'], 'update');
	const { stream } = message;
	if (!stream) throw slackError('message_not_in_streaming_state');
	stream.state = streamState(slack, stream);
	if (stream.state !== 'in_progress') throw slackError('message_not_in_streaming_state');
	return { channel, message, stream };
}

/** Appends text, within the limit of the whole stream. */
function appendText(slack: Slack, stream: Stream, text: string): void {
	const { characters, bytes } = slack.settings.streams;
	if (stream.text.length + text.length > characters || Buffer.byteLength(stream.text + text) > bytes)
		throw slackError('msg_too_long');
	stream.text += text;
}

/** Streams set the status of their thread's session. https://docs.slack.dev/ai/agent-sessions */
function setSession({ settings }: Slack, { channel, threadTs }: Message, status: SessionStatus): void {
	if (settings.agents && threadTs !== undefined) channel.sessions.set(threadTs, status);
}

export const streamMethods: Methods = {
	/** https://docs.slack.dev/reference/methods/chat.startStream */
	'chat.startStream': {
		scopes: ['chat:write'],
		tier: 2,
		args: [
			...['channel', 'thread_ts', 'markdown_text', 'chunks', 'recipient_user_id', 'recipient_team_id'],
			...['task_display_mode', 'icon_emoji', 'icon_url', 'username'],
		],
		required: ['channel', 'thread_ts'],
		run(call) {
			const { slack, name, args, me } = call;
			const { refused } = slack.settings.streams;
			if (refused) throw slackError(refused);
			const channel = writableChannel(slack, me.team, args['channel'], name);
			if (channel.kind !== 'im') {
				if (!args['recipient_user_id']) throw misuse('missing_recipient_user_id');
				if (!args['recipient_team_id']) throw misuse('missing_recipient_team_id');
			}
			const recipient = args['recipient_user_id'];
			if (recipient !== undefined && !channel.members.has(String(recipient))) throw misuse('user_not_found');
			// https://github.com/vercel/chat/issues/313
			if (recipient !== undefined && args['recipient_team_id'] !== me.team.users.get(String(recipient))?.team.id)
				slack.violate(`${name}: recipient_team_id is not the workspace of the recipient`);
			const thread = threadOf(channel, args, slack, name);
			const { text, blocks } = appendedContent(slack, channel, args, name);
			if (slack.settings.streams.noButtons && blocks.some(({ type }) => type === 'actions'))
				throw slackError('invalid_chunks');
			const stream: Stream = {
				state: 'in_progress',
				startedAt: slack.clock.now(),
				appends: 0,
				text: '',
				stopped: false,
			};
			appendText(slack, stream, text);
			const message = createMessage(slack, { channel, author: me.user, stream, blocks, ...thread });
			setSession(slack, message, 'processing');
			return { channel: channel.id, ts: message.ts };
		},
	},

	/** https://docs.slack.dev/reference/methods/chat.appendStream */
	'chat.appendStream': {
		scopes: ['chat:write'],
		tier: 4,
		args: ['channel', 'ts', 'markdown_text', 'chunks'],
		required: ['channel', 'ts'],
		run(call) {
			const { slack, name, args } = call;
			const { channel, message, stream } = openStream(call);
			if (stream.stopped) throw slackError('stopped_by_user');
			const { text, blocks } = appendedContent(slack, channel, args, name);
			if (!text && blocks.length === 0 && args['chunks'] === undefined) throw misuse('no_text');
			appendText(slack, stream, text);
			stream.appends++;
			message.blocks = [...message.blocks, ...blocks];
			checkPings(slack, message);
			return { channel: channel.id, ts: message.ts };
		},
	},

	/** https://docs.slack.dev/reference/methods/chat.stopStream */
	'chat.stopStream': {
		scopes: ['chat:write'],
		tier: 2,
		args: ['channel', 'ts', 'markdown_text', 'chunks', 'blocks', 'metadata', 'session_status'],
		required: ['channel', 'ts'],
		run(call) {
			const { slack, name, args } = call;
			const { channel, message, stream } = openStream(call);
			const metadata = metadataOf(args['metadata']);
			const { text, blocks } = appendedContent(slack, channel, args, name);
			const last = checkedBlocks(slack, channel, args['blocks'], name);
			appendText(slack, stream, text);
			if (!stream.text && message.blocks.length + blocks.length + last.length === 0) throw slackError('no_text');
			stream.state = 'completed';
			setSession(slack, message, sessionStatusOf(args['session_status'] ?? 'active'));
			editMessage(slack, message, {
				blocks: [...message.blocks, ...blocks, ...last],
				...(metadata && { metadata }),
			});
			return { channel: channel.id, ts: message.ts, message: renderMessage(slack, message, true) };
		},
	},
};
